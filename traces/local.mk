# SPDX-License-Identifier: BSD-3-Clause
# Timelines and traces.
cellcoll_sources += \
	traces/timeline.c \
	traces/timeline.h
