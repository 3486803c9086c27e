/* SPDX-License-Identifier: BSD-3-Clause
 * Which chips of a blade are joined by a link. */
#pragma once

#include <stddef.h>

struct err;
struct platform;

/* Work out the links of PLATFORM from blade.chips and blade.topology. PAIRS becomes the two chips of each of
 * the N
 * links: "mesh" joins every two chips; "ring" each chip to the next and the last to the first; "star" chip 0
 * to all others; else the links are listed. Two chips have one link whatever the word, a single chip has
 * none.
 * errors: no such word; a listed link that is malformed, given twice, or leads to its own chip or to none; a
 *   chip that cannot be reached. PAIRS and N are then unchanged. A platform that passed platform_check gives
 *   none of these.
 * owner: the caller, who frees PAIRS with free(); NULL when there are no links. */
int topology_links(const struct platform *platform, unsigned (**pairs)[2], size_t *n, struct err *err);
