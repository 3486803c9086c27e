/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as comma-separated values: one line for each event of the machine, with all its fields, in the order in which the
 * machine tells them. */
#pragma once

struct probe_event;
struct trace_text;

/* Write the header line. Columns are only ever added at the end: scripts rely on them. What a to g are depends on the event;
 * man/cellcoll.1 explains them. */
void trace_csv_head(struct trace_text *text);

/* Write the line of EVENT. */
void trace_csv_event(struct trace_text *text, const struct probe_event *event);
