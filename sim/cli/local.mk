# SPDX-License-Identifier: BSD-3-Clause
# The command line, without its main.
cellcoll_sources += \
	sim/cli/baseline.c \
	sim/cli/baseline.h \
	sim/cli/check_report.c \
	sim/cli/check_report.h \
	sim/cli/cmd_bench.c \
	sim/cli/cmd_check.c \
	sim/cli/cmd_claims.c \
	sim/cli/cmd_compare.c \
	sim/cli/cmd_list.c \
	sim/cli/cmd_model.c \
	sim/cli/cmd_platform.c \
	sim/cli/cmd_platform_draw.c \
	sim/cli/cmd_platform_draw.h \
	sim/cli/cmd_published.c \
	sim/cli/cmd_report.c \
	sim/cli/cmd_run.c \
	sim/cli/cmd_tune.c \
	sim/cli/commands.c \
	sim/cli/commands.def \
	sim/cli/commands.h \
	sim/cli/exit_codes.h \
	sim/cli/junit.c \
	sim/cli/junit.h \
	sim/cli/machines.c \
	sim/cli/machines.h \
	sim/cli/options.def \
	sim/cli/opts.c \
	sim/cli/opts.h \
	sim/cli/plugin.c \
	sim/cli/plugin.h \
	sim/cli/report_usage.c \
	sim/cli/report_usage.h \
	sim/cli/run_counters.c \
	sim/cli/run_counters.h \
	sim/cli/sweep.c \
	sim/cli/sweep.h \
	sim/cli/table.c \
	sim/cli/table.h
