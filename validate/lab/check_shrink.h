/* SPDX-License-Identifier: BSD-3-Clause
 * The smallest point at which an algorithm still fails. */
#pragma once

#include "validate/lab/check.h"

/* Make SPEC, which fails, as small and plain as it can be and still fail, for whatever reason: packed,
 * without delays, fewer calls, fewer ranks, fewer bytes, root 0, sums of integers; *RUNS becomes how many
 * points were tried. The list of its placement is used on.
 * returns: the verdict on it, which did not finish after an interruption.
 * owner: the caller, with check_result_fini. */
struct check_result check_shrink(struct check *check, struct rig_spec *spec, unsigned *runs);
