# SPDX-License-Identifier: BSD-3-Clause
# What watches a machine: counters, hazards, utilisation, lines of text, traces for viewers.
cellcoll_sources += \
	traces/cycle_queue.c \
	traces/cycle_queue.h \
	traces/net_counters.c \
	traces/record/net_record.c \
	traces/order/order.c \
	traces/order/order.h \
	traces/order/order_clock.c \
	traces/order/order_commands.c \
	traces/order/order_private.h \
	traces/order/order_barrier.c \
	traces/order/order_release.c \
	traces/order/order_shadow.c \
	traces/order/order_state.c \
	traces/order/order_text.c \
	traces/path/path.c \
	traces/path/path.h \
	traces/path/path_blockers.c \
	traces/path/path_cause.def \
	traces/path/path_dma.c \
	traces/path/path_walk.h \
	traces/record/record.c \
	traces/record/record.h \
	traces/pictures/record_pictures.h \
	traces/pictures/record_timeline.c \
	traces/pictures/record_view.c \
	traces/event_log.c \
	traces/event_log.h \
	traces/viewers/trace.c \
	traces/viewers/trace.h \
	traces/viewers/trace_csv.c \
	traces/viewers/trace_goal.c \
	traces/viewers/trace_json.c \
	traces/viewers/trace_paje.c \
	traces/viewers/trace_tracks.c \
	traces/viewers/trace_states.def \
	traces/viewers/trace_text.c \
	traces/viewers/trace_text.h \
	traces/trace_words.c \
	traces/trace_words.h \
	traces/viewers/trace_writer.h \
	traces/utilisation.c \
	traces/utilisation.h
