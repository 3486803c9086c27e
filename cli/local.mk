# SPDX-License-Identifier: BSD-3-Clause
# The command line, without its main.
cli_sources += \
	cli/check/check_report.c \
	cli/check/check_report.h \
	cli/check/check_schedules.c \
	cli/check/check_schedules.h \
	cli/study/cmd_bench.c \
	cli/check/cmd_check.c \
	cli/study/cmd_findings.c \
	cli/study/cmd_compare.c \
	cli/study/cmd_evidence.c \
	cli/cmd_search.c \
	cli/show/cmd_list.c \
	cli/study/cmd_model.c \
	cli/show/cmd_platform.c \
	cli/study/cmd_published.c \
	cli/show/cmd_store.c \
	cli/commands.c \
	cli/commands.def \
	cli/commands.h \
	cli/table_pivot.c \
	cli/examples.def \
	cli/github.c \
	cli/github.h \
	cli/option_pairs.def \
	cli/options.def \
	cli/opts.c \
	cli/opts.h \
	cli/plot.c \
	cli/plot.h \
	cli/report/answers.c \
	cli/report/answers.h \
	cli/report/cmd_report.c \
	cli/report/sections.def \
	cli/run/call_timeline.c \
	cli/run/call_timeline.h \
	cli/run/cmd_run.c \
	cli/run/cmd_view.c \
	cli/run/run_path.c \
	cli/run/run_points.h \
	cli/run/run_points.c \
	cli/run/run_ways.c \
	cli/run/run_ways.h \
	cli/run/run_calls.c \
	cli/run/run_counters.c \
	cli/run/run_table.c \
	cli/run/run_table.h \
	cli/session.c \
	cli/session.h \
	cli/output/provenance.c \
	cli/output/provenance.h \
	cli/output/terminal.c \
	cli/output/terminal.h \
	cli/shard.c \
	cli/shard.h \
	cli/sweep.c \
	cli/sweep.h \
	cli/table.c \
	cli/table.h \
	cli/tune/cmd_explain.c \
	cli/tune/explain.h \
	cli/tune/explain_program.c \
	cli/tune/cmd_tune.c \
	cli/tune/tune_options.c \
	cli/tune/tune_options.h

# Completion of command lines, in the build folder.
completion_parts = cli/completion/words.sh cli/completion/lists.sh cli/completion/candidates.sh cli/completion/completion.bash cli/completion/completion.zsh
completion_lists = cli/commands.def cli/options.def validate/lab/call/call.def cli/opts.h algos/catalogue.def validate/bench/benches.def platform/platform.def \
	platform/cluster.def platform/combine.def
EXTRA_DIST += $(completion_parts)
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_bashcompletion_DATA = cli/completion/cellcoll
nodist_zshcompletion_DATA = cli/completion/_cellcoll
CLEANFILES += cli/completion/cellcoll cli/completion/_cellcoll
cli/completion/cellcoll: $(completion_parts) $(completion_lists) $(built_in_platforms)
	$(AM_V_GEN)$(MKDIR_P) cli/completion && $(SHELL) $(srcdir)/cli/completion/words.sh $(srcdir) bash > $@.tmp && mv $@.tmp $@
cli/completion/_cellcoll: $(completion_parts) $(completion_lists) $(built_in_platforms)
	$(AM_V_GEN)$(MKDIR_P) cli/completion && $(SHELL) $(srcdir)/cli/completion/words.sh $(srcdir) zsh > $@.tmp && mv $@.tmp $@
