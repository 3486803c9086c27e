# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks, models, comparison.
cellcoll_sources += \
	validate/bench.c \
	validate/bench.h \
	validate/bench_atomic.c \
	validate/bench_bif_congestion.c \
	validate/bench_dma_bandwidth.c \
	validate/bench_dma_latency.c \
	validate/bench_eib_pattern.c \
	validate/bench_mailbox.c \
	validate/bench_memory.c \
	validate/bench_plogp.c \
	validate/bench_signal.c \
	validate/bench_signature.c \
	validate/bench_simulator_speed.c \
	validate/benches.def \
	validate/compare.c \
	validate/compare.h \
	validate/gnuplot.c \
	validate/gnuplot.h \
	validate/html.c \
	validate/html.h \
	validate/pattern.c \
	validate/pattern.h \
	validate/pingpong.c \
	validate/pingpong.h \
	validate/placement.c \
	validate/placement.h \
	validate/plogp.c \
	validate/plogp.h \
	validate/plot.c \
	validate/plot.h \
	validate/predict.c \
	validate/predict.h \
	validate/published.c \
	validate/published.def \
	validate/published.h \
	validate/report.c \
	validate/report.h \
	validate/rig.c \
	validate/rig.h \
	validate/runner.c \
	validate/runner.h \
	validate/signature.c \
	validate/signature.h \
	validate/stream.c \
	validate/stream.h
