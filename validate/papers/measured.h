/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements and findings count only on the machine of their source, identified by values, not by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct platform;

/* Tell whether PLATFORM is the built-in platform MACHINE: both checksums are equal. */
bool measured_on(const struct platform *platform, const char *machine);

/* Return a line saying NOTHING, such as "nothing was measured", for PLATFORM, with the values in which
 * PLATFORM differs from the nearest of N MACHINES, the one with the fewest differences.
 * owner: the caller frees the text. */
char *measured_elsewhere(const char *nothing, const struct platform *platform, const char *const machines[],
                         size_t n);
