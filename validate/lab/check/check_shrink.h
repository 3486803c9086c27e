/* SPDX-License-Identifier: BSD-3-Clause
 * The smallest point at which an algorithm still fails. */
#pragma once

#include "validate/lab/check/check.h"
#include "validate/lab/check/check_grid.h"

struct check_shrink {
  struct check *check;
  const struct check_grid *asked; /* limits of the points tried */
  /* a failing point; becomes the smallest failing point, and keeps using the list in `placement` */
  struct call call;
  struct check_result result; /* of `call`; a failure of another kind does not count */
  unsigned runs;              /* becomes how many points were tried */

  /* internal: processor time for a point; when to stop */
  unsigned seconds;
  double end;
};

/* Make the point of SHRINK as small and plain as possible with the same kind of failure: packed, without
 * delays, fewer calls, fewer ranks, fewer bytes, root 0, sums of integers. An interruption ends the
 * search. */
void check_shrink(struct check_shrink *shrink);
