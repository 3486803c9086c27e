/* SPDX-License-Identifier: BSD-3-Clause
 * The links between the chips of a blade. */
#pragma once

#include <stddef.h>

struct err;
struct platform;

/* Compute the links of PLATFORM from blade.chips and blade.topology. PAIRS becomes the two chips of each of
 * the N links: "mesh" joins every two chips; "ring" each chip to the next and the last to the first; "star"
 * chip 0 to all others; any other text is a list of links. Two chips have at most one link; a single chip has
 * no link.
 * errors: an unknown word; a listed link that is malformed, given twice, or leads to the same chip or to no
 * chip;
 *   a chip that cannot be reached. PAIRS and N are then unchanged. A platform that passed platform_check has
 *   none of these errors.
 * owner: the caller, who frees PAIRS with free(); NULL when there are no links. */
int topology_links(const struct platform *platform, unsigned (**pairs)[2], size_t *n, struct err *err);
