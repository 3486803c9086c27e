/* SPDX-License-Identifier: BSD-3-Clause
 * Common to the parts of a view; used inside this folder only. */
#pragma once

#include "draw/view/view.h"

struct platform_layout;
struct xml_writer;

/* A table: the name in the page, and the number of columns before joining. */
struct view_form {
  const char *name;
  unsigned columns;
  int64_t join_cycles; /* maximum between two rows to join; 0: rows are never joined */
};

extern const struct view_form view_forms[VIEW_TABLES];

/* Sort the rows of all tables of CALL by cycle. */
void view_sort(struct view_call *call);

/* Write the tables of CALL, sorted, as members of a JSON object: lists of numbers, first the number of
 * columns; of a cycle the difference from the cycle of the row before. */
void view_write_rows(const struct view_call *call, FILE *stream);

/* Return the cycle of the picture of CALL, sorted, without a script: half of the bytes have arrived. */
int64_t view_still_cycle(const struct view_call *call);

/* Write the machine of VIEW, laid out as LAYOUT, at that moment of CALL into the svg element just begun in
 * XML. */
void view_still_add(const struct view *view, const struct view_call *call, struct platform_layout *layout,
                    struct xml_writer *xml);
