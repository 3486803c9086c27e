/* SPDX-License-Identifier: BSD-3-Clause
 * The larger and the smaller of two values. Arguments are evaluated twice. */
#pragma once

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Let X be at least TO, or at most TO. */
#define RAISE(x, to) ((x) = MAX(to, x))
#define LOWER(x, to) ((x) = MIN(to, x))
