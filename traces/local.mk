# SPDX-License-Identifier: BSD-3-Clause
# What watches a machine: counters, utilisation, hazards, lines of text.
cellcoll_sources += \
	traces/counters.c \
	traces/counters.h \
	traces/hazard.c \
	traces/hazard.h \
	traces/path.c \
	traces/path.h \
	traces/path_atomic.c \
	traces/path_blockers.c \
	traces/path_blockers.h \
	traces/path_cause.c \
	traces/path_cause.def \
	traces/path_dma.c \
	traces/path_lanes.c \
	traces/path_lanes.h \
	traces/path_walk.h \
	traces/record.c \
	traces/record.h \
	traces/record_actions.c \
	traces/record_lanes.c \
	traces/record_lanes.h \
	traces/record_parts.h \
	traces/record_transfers.c \
	traces/timeline.c \
	traces/timeline.h \
	traces/utilisation.c \
	traces/utilisation.h \
	traces/utilisation_list.c
