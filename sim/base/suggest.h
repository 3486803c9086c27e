/* SPDX-License-Identifier: BSD-3-Clause
 * The name somebody probably meant when the one typed does not exist. */
#pragma once

#include <stddef.h>

/* Find the one of N NAMES that is nearest to WORD: fewest letters inserted, left out, changed or swapped with
 * their neighbour, upper and lower case alike; the first one when several are equally near.
 * returns: NULL when none is near, that is, when more than about a third of the letters of WORD are wrong. */
const char *suggest_nearest(const char *word, const char *const *names, size_t n);
