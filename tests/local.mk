# SPDX-License-Identifier: BSD-3-Clause
# The tests. All of them run in `make check`; those in sanitizer_tests also under the sanitizers.

# --- what test programs share: they link with LDADD
LDADD = tests/libbed.a libcli.a libcellcoll.a $(cellcoll_libs) $(CHECK_LIBS)
check_LIBRARIES = tests/libbed.a
tests_libbed_a_SOURCES = tests/asserts.h tests/bed.c tests/bed.h tests/call_bed.c tests/call_bed.h tests/net_bed.c tests/net_bed.h tests/random_programs.c \
	tests/random_programs.h tests/samples.c tests/samples.h \
	tests/short_end.h tests/suite.h

# --- unit tests: one program, a suite per file
test_programs += tests/unit/run
tests_unit_run_SOURCES = \
	tests/unit/main.c \
	tests/unit/test_arbiter.c \
	tests/unit/test_blade_plan.c \
	tests/unit/test_bound.c \
	tests/unit/test_catalogue.c \
	tests/unit/test_cause.c \
	tests/unit/test_commands.c \
	tests/unit/test_check_grid.c \
	tests/unit/test_findings.c \
	tests/unit/test_cost.c \
	tests/unit/test_credits.c \
	tests/unit/test_crashes.c \
	tests/unit/test_combine.c \
	tests/unit/test_coroutine.c \
	tests/unit/test_deadlock.c \
	tests/unit/test_des.c \
	tests/unit/test_dma_check.c \
	tests/unit/test_draw.c \
	tests/unit/test_err.c \
	tests/unit/test_fabric.c \
	tests/unit/test_jobs.c \
	tests/unit/test_outfile.c \
	tests/unit/test_grid.c \
	tests/unit/test_hash.c \
	tests/unit/test_timeline.c \
	tests/unit/test_layout.c \
	tests/unit/test_junit.c \
	tests/unit/test_least_squares.c \
	tests/unit/test_call_fields.c \
	tests/unit/test_ledger.c \
	tests/unit/test_mailbox.c \
	tests/unit/test_measured.c \
	tests/unit/test_needs.c \
	tests/unit/test_net.c \
	tests/unit/test_nodes.c \
	tests/unit/test_opts.c \
	tests/unit/test_oracle_data.c \
	tests/unit/test_order.c \
	tests/unit/test_rate_server.c \
	tests/unit/test_pages.c \
	tests/unit/test_pack.c \
	tests/unit/test_pattern.c \
	tests/unit/test_placement.c \
	tests/unit/test_parameters.c \
	tests/unit/test_platform.c \
	tests/unit/test_platform_base.c \
	tests/unit/test_platform_keys.c \
	tests/unit/test_ports.c \
	tests/unit/test_probe.c \
	tests/unit/test_published_summary.c \
	tests/unit/test_record.c \
	tests/unit/test_reservation.c \
	tests/unit/test_ring.c \
	tests/unit/test_signature.c \
	tests/unit/test_snr.c \
	tests/unit/test_shard.c \
	tests/unit/test_store.c \
	tests/unit/test_table.c \
	tests/unit/test_team.c \
	tests/unit/test_transports.c \
	tests/unit/test_tree.c \
	tests/unit/test_tune.c \
	tests/unit/test_units.c \
	tests/unit/test_usual_ranks.c \
	tests/unit/test_wheel.c \
	tests/unit/test_xml_read.c \
	tests/unit/test_xml_write.c
sanitizer_tests += tests/unit/run

# --- the same of memory as on processors without SSE2
test_programs += tests/unit/plain
tests_unit_plain_CPPFLAGS = $(AM_CPPFLAGS) -U__SSE2__
tests_unit_plain_SOURCES = tests/unit/main.c tests/unit/test_pages.c sim/base/pages.c

# --- what programs on the machine compute: every algorithm, and DMAs, signals, faults
test_programs += tests/semantics/run
tests_semantics_run_LDADD = $(LDADD) $(SIMGRID_LIBS)
tests_semantics_run_SOURCES = \
	tests/semantics/test_network_kinds.c \
	tests/semantics/test_simgrid_actor.c \
	tests/semantics/auditor.c \
	tests/semantics/auditor.h \
	tests/semantics/test_algorithms.c \
	tests/semantics/test_atomics.c \
	tests/semantics/test_blades.c \
	tests/semantics/test_channels.c \
	tests/semantics/test_dma_order.c \
	tests/semantics/test_dma_queue.c \
	tests/semantics/test_events.c \
	tests/semantics/test_paces.c \
	tests/semantics/test_path.c \
	tests/semantics/test_path_causes.c \
	tests/semantics/test_path_nodes.c \
	tests/semantics/test_platforms.c \
	tests/semantics/test_hazards.c \
	tests/semantics/test_hierarchical.c \
	tests/semantics/test_traffic.c \
	tests/semantics/test_triblades.c \
	tests/semantics/test_host_hazards.c \
	tests/semantics/test_host_observers.c \
	tests/semantics/test_host_paces.c \
	tests/semantics/test_hosts.c \
	tests/semantics/test_nodes_watched.c \
	tests/semantics/test_line_wait.c \
	tests/semantics/test_list_stall.c \
	tests/semantics/test_mailboxes.c \
	tests/semantics/test_memory_range.c \
	tests/semantics/test_order_rules.c \
	tests/semantics/test_ppe.c \
	tests/semantics/test_ppe_hazards.c \
	tests/semantics/test_ppe_programs.c \
	tests/semantics/test_sdk_names.c \
	tests/semantics/test_shuffle.c \
	tests/semantics/test_signals.c \
	tests/semantics/test_spu_events.c \
	tests/semantics/test_steps.c \
	tests/semantics/test_stops.c \
	tests/semantics/test_told_events.c \
	tests/unit/main.c
sanitizer_tests += tests/semantics/run

# --- when: exact cycles, bounds, promised figures; nothing that a sanitizer would see elsewhere
if !SANITIZERS
test_programs += tests/timing/run
endif
tests_timing_run_SOURCES = \
	tests/timing/test_bounds.c \
	tests/timing/test_counters.c \
	tests/timing/test_evidence.c \
	tests/timing/test_exact.c \
	tests/timing/test_exchanges.c \
	tests/timing/test_model_hosts.c \
	tests/timing/test_model_nodes.c \
	tests/timing/test_neighbours.c \
	tests/timing/test_networks.c \
	tests/timing/test_parameters.c \
	tests/timing/test_patterns.c \
	tests/timing/test_promises.c \
	tests/timing/test_published.c \
	tests/timing/test_rates.c \
	tests/unit/main.c

# --- broken algorithms must be noticed, and a referee watches random programs
test_programs += tests/gaming/run
tests_gaming_run_SOURCES = \
	tests/gaming/mutants.h \
	tests/gaming/mutants_of_moves.c \
	tests/gaming/mutants_of_places.c \
	tests/gaming/mutants_of_points.c \
	tests/gaming/mutants_of_ppes.c \
	tests/gaming/mutants_of_reductions.c \
	tests/gaming/mutants_of_waits.c \
	tests/gaming/referee.c \
	tests/gaming/referee.h \
	tests/gaming/test_broken_nodes.c \
	tests/gaming/test_mutants.c \
	tests/gaming/test_random_programs.c \
	tests/unit/main.c
sanitizer_tests += tests/gaming/run

# --- the fast engine against a plain one
test_programs += tests/reference/run
tests_reference_run_SOURCES = \
	tests/reference/bus.c \
	tests/reference/machine.c \
	tests/reference/machine.h \
	tests/reference/mfc.c \
	tests/reference/orders.c \
	tests/reference/orders.h \
	tests/reference/rounds.c \
	tests/reference/rounds.h \
	tests/reference/test_differential.c \
	tests/reference/test_orders.c \
	tests/unit/main.c
sanitizer_tests += tests/reference/run

# --- every reader stands any input: those of the corpus and variants of them; `make fuzz` looks for more
test_programs += tests/fuzz/run
fuzz_sources = \
	tests/fuzz/fuzz.c \
	tests/fuzz/fuzz.h \
	tests/fuzz/fuzz_algorithm.c \
	tests/fuzz/fuzz_baseline.c \
	tests/fuzz/fuzz_blocks.c \
	tests/fuzz/fuzz_calls.c \
	tests/fuzz/fuzz_expression.c \
	tests/fuzz/fuzz_goal.c \
	tests/fuzz/fuzz_lists.c \
	tests/fuzz/fuzz_network_file.c \
	tests/fuzz/fuzz_options.c \
	tests/fuzz/fuzz_options_file.c \
	tests/fuzz/fuzz_pack.c \
	tests/fuzz/fuzz_placement.c \
	tests/fuzz/fuzz_platform.c \
	tests/fuzz/fuzz_sched.c \
	tests/fuzz/fuzz_set.c \
	tests/fuzz/fuzz_streams.c \
	tests/fuzz/fuzz_trace.c \
	tests/fuzz/fuzz_xml.c \
	tests/fuzz/same_platform.c \
	tests/fuzz/same_platform.h \
	tests/fuzz/targets.def
tests_fuzz_run_SOURCES = $(fuzz_sources) tests/fuzz/replay.c
sanitizer_tests += tests/fuzz/run
EXTRA_PROGRAMS = tests/fuzz/explore
tests_fuzz_explore_SOURCES = $(fuzz_sources) tests/fuzz/explore.c
tests_fuzz_explore_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

# --- scripts, the long ones first; the head of each says what it looks for
test_scripts += \
	tests/systems/arm64 \
	tests/systems/run \
	tests/check/sanitized \
	tests/check/run \
	tests/report/run \
	tests/report/commands \
	tests/report/browser \
	tests/view/browser \
	tests/memory/run \
	tests/readme/run \
	tests/interrupt/run \
	tests/plot/run \
	tests/terminal/run \
	tests/evidence/run \
	tests/published/run \
	tests/jobs/equal \
	tests/jobs/run \
	tests/explain/programs \
	tests/explain/run \
	tests/texts/run \
	tests/schedules/run \
	tests/cases/run \
	tests/search/run \
	tests/improvements/run \
	tests/tune/run \
	tests/store/run \
	tests/sweeps/run \
	tests/networks/run \
	tests/nodes/run \
	tests/trace/run \
	tests/speed/instructions \
	tests/speed/growth \
	tests/speed/start \
	tests/golden/run \
	tests/semantics/rates \
	tests/timing/rates_mutants \
	tests/texts/mutants \
	tests/programs/mutants \
	tests/programs/run \
	tests/programs/traces \
	tests/timing/refined \
	tests/builds/run \
	tests/mutants/run \
	tests/gaming/orders \
	tests/plugin/run \
	tests/drawings/run \
	tests/completion/run \
	tests/library/run \
	tests/man/run \
	tests/package/run \
	tests/site/run \
	tests/timeline/run \
	tests/view/run \
	tests/lint/build_list \
	tests/lint/format \
	tests/lint/includes \
	tests/lint/rebuilds \
	tests/lint/schema.sh \
	tests/lint/self_contained \
	tests/lint/sizes \
	tests/lint/texts
sanitizer_tests += tests/golden/run

# --- programs that scripts run; no script is run with the sanitizers but those of golden
check_PROGRAMS = tests/reference/show
tests_reference_show_SOURCES = tests/reference/bus.c tests/reference/machine.c tests/reference/machine.h tests/reference/mfc.c \
	tests/reference/rounds.c tests/reference/rounds.h tests/reference/show.c
if !SANITIZERS
check_PROGRAMS += tests/memory/commands tests/speed/cost tests/speed/load tests/trace/check
endif
tests_memory_commands_SOURCES = tests/memory/commands.c
tests_speed_cost_SOURCES = tests/speed/cost.c
tests_speed_load_SOURCES = tests/speed/load.c
tests_trace_check_SOURCES = tests/trace/check.c

# Whole folders, so that cases and samples need no list.
EXTRA_DIST += tests/leaks tests/tap.sh tests/browser.sh tests/explain tests/improvements tests/texts tests/schedules tests/gaming/order_litmus.c tests/gaming/order_mutants.c tests/gaming/pace_mutants.c tests/gaming/orders tests/check/flawed.c tests/check/run tests/check/sanitized tests/completion tests/library tests/library/locale.c tests/man tests/man/listed.c tests/drawings tests/evidence tests/fuzz/corpus tests/fuzz/explore.sh tests/golden tests/interrupt tests/jobs tests/lint tests/memory/run tests/mutants tests/networks tests/nodes tests/package tests/platforms tests/programs tests/programs/wrong.c tests/published tests/plot/run tests/terminal/run tests/plugin/broken.c tests/plugin/run tests/readme tests/report tests/site tests/speed/growth tests/speed/instructions tests/speed/peers tests/speed/start tests/semantics/rates tests/timing/rates_mutants tests/timing/refined tests/store tests/sweeps tests/systems tests/timeline tests/tune tests/builds tests/cases tests/search tests/trace/run
EXTRA_DIST += tests/view

# --- every test runs under this, and `make check-times` tells what it has measured
EXTRA_DIST += \
	tests/compare_builds \
	tests/parts \
	tests/timed
