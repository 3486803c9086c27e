# SPDX-License-Identifier: BSD-3-Clause
# What watches a machine: counters, utilisation, hazards, lines of text.
cellcoll_sources += \
	traces/counters.c \
	traces/counters.h \
	traces/hazard.c \
	traces/hazard.h \
	traces/timeline.c \
	traces/timeline.h \
	traces/utilisation.c \
	traces/utilisation.h \
	traces/utilisation_list.c
