/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as comma-separated values: one line for each event of the machine, with all its fields, in the
 * order in which the machine tells them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct net_event;
struct probe_event;
struct trace_text;

enum { TRACE_NO_NODE = -1 };

/* Write the header line. Columns are only ever added at the end: scripts rely on them. What a to g are
 * depends on the event; man/cellcoll.1 explains them. With NODES the last one is the node. */
void trace_csv_head(struct trace_text *text, bool nodes);

/* Return the cycle in the line of EVENT; when the run is over the machine has no clock any more. */
uint64_t trace_csv_cycle(const struct probe_event *event);

/* Write the line of EVENT, of NODE; TRACE_NO_NODE: there is one blade. */
void trace_csv_event(struct trace_text *text, const struct probe_event *event, int node);

/* Write the line of EVENT, of the network between nodes. */
void trace_csv_message(struct trace_text *text, const struct net_event *event);
