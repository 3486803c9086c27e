/* SPDX-License-Identifier: BSD-3-Clause
 * Whether something was measured on a machine: measurements and findings count only on the machine on which
 * they were made, whatever it is called, and on no other one, however similar it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct platform;

/* Tell whether PLATFORM is the built-in platform MACHINE: all values that a run depends on are equal. */
bool measured_on(const struct platform *platform, const char *machine);

/* Say that NOTHING ("nothing was measured", say) on PLATFORM, and in which values it differs from the one of the
 * N MACHINES that it differs from in the fewest.
 * owner: the caller frees the text. */
char *measured_elsewhere(const char *nothing, const struct platform *platform, const char *const machines[],
                         size_t n);
