/* SPDX-License-Identifier: BSD-3-Clause
 * The smallest point at which an algorithm still fails. */
#pragma once

#include "validate/lab/check.h"
#include "validate/lab/check_grid.h"

struct check_shrink {
  struct check *check;
  const struct check_grid *asked; /* no point beyond these is tried */
  unsigned seconds;               /* of processor time that a point may take */
  struct rig_spec spec;           /* fails; becomes the smallest one. The list of its placement is used on */
  struct check_result result;     /* of it; the failure of another kind counts as none */
  unsigned runs;                  /* becomes how many points were tried */

  double end; /* its own: when to stop */
};

/* Make the point of SHRINK as small and plain as it can be and still fail in the same way: packed, without
 * delays, fewer calls, fewer ranks, fewer bytes, root 0, sums of integers. An interruption ends that. */
void check_shrink(struct check_shrink *shrink);
