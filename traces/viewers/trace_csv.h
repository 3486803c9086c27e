/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as comma-separated values: one line for each event of the machine, with all fields, in the order in
 * which the machine calls observers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct probe_event;
struct trace_text;

/* Write the header line. New columns are only ever added at the end, for the sake of scripts. The meaning of
 * columns a to g depends on the event: see man/cellcoll.1. With NODES the last column is the node. */
void trace_csv_head(struct trace_text *text, bool nodes);

/* Return the cycle in the line of EVENT; when the run is over the machine has no clock any more. */
uint64_t trace_csv_cycle(const struct probe_event *event);

/* Write the line of EVENT, with NODES also the node. */
void trace_csv_event(struct trace_text *text, const struct probe_event *event, bool nodes);
