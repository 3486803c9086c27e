/* SPDX-License-Identifier: BSD-3-Clause
 * A table turned, so that the values of a column have columns of their own. */
#pragma once

#include <stddef.h>

struct table;

/* How table_pivot turns a table. */
struct table_pivot {
  const char *by, *across; /* columns: each value has a row; has a column */
  const char *const *keys; /* columns with further rows if their values differ; all others are left out */
  size_t nkeys;
  char *const *values; /* the columns for the cells; of several, names of columns end with the name of one */
  size_t nvalues;
};

/* Return TABLE turned as PIVOT says, with the notes of TABLE; rows and columns stand in the order of TABLE.
 * owner: the caller, with table_free. */
struct table *table_pivot(const struct table *table, const struct table_pivot *pivot);
