# SPDX-License-Identifier: BSD-3-Clause
# The command line, without its main.
cellcoll_sources += \
	cli/baseline.c \
	cli/baseline.h \
	cli/check_report.c \
	cli/check_report.h \
	cli/cmd_bench.c \
	cli/cmd_check.c \
	cli/cmd_claims.c \
	cli/cmd_compare.c \
	cli/cmd_help.c \
	cli/cmd_list.c \
	cli/cmd_model.c \
	cli/cmd_platform.c \
	cli/cmd_platform_draw.c \
	cli/cmd_platform_draw.h \
	cli/cmd_published.c \
	cli/cmd_report.c \
	cli/cmd_run.c \
	cli/cmd_tune.c \
	cli/commands.c \
	cli/commands.def \
	cli/commands.h \
	cli/exit_codes.h \
	cli/junit.c \
	cli/junit.h \
	cli/machines.c \
	cli/machines.h \
	cli/options.def \
	cli/opts.c \
	cli/opts.h \
	cli/opts_read.c \
	cli/opts_read.h \
	cli/plugin.c \
	cli/plugin.h \
	cli/report_usage.c \
	cli/report_usage.h \
	cli/run_counters.c \
	cli/run_counters.h \
	cli/run_table.c \
	cli/run_table.h \
	cli/session.c \
	cli/session.h \
	cli/sweep.c \
	cli/sweep.h \
	cli/table.c \
	cli/table.h
