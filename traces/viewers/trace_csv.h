/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as comma-separated values: one line for each event of the machine, with all its fields, in the
 * order in which the machine tells them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct probe_event;
struct trace_text;

/* Write the header line. Columns are only ever added at the end: scripts rely on them. What a to g are
 * depends on the event; man/cellcoll.1 explains them. With NODES the last one is the node. */
void trace_csv_head(struct trace_text *text, bool nodes);

/* Return the cycle in the line of EVENT; when the run is over the machine has no clock any more. */
uint64_t trace_csv_cycle(const struct probe_event *event);

/* Write the line of EVENT, with NODES and its node. */
void trace_csv_event(struct trace_text *text, const struct probe_event *event, bool nodes);
