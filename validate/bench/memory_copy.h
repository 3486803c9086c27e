/* SPDX-License-Identifier: BSD-3-Clause
 * One SPE copies from main memory to main memory, through buffers in its local store. */
#pragma once

#include <stddef.h>

struct blade;
struct err;
struct profile;

/* The size of a copy, in whole buffers. */
struct memory_copy {
  size_t nbytes, buffer;
  unsigned nbuffers; /* used in turn; with two, one buffer is read into while the other is written out */
};

/* Let the first SPE of BLADE do COPY under the software costs of PROFILE, from and to the memory of the first
 * chip.
 * returns: the time in cycles; NAN on error.
 * errors: no room for the buffers, or in main memory. */
double memory_copy_time(struct blade *blade, const struct profile *profile, const struct memory_copy *copy,
                        struct err *err);
