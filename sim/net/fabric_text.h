/* SPDX-License-Identifier: BSD-3-Clause
 * The SimGrid platform file of a topology; for this folder only. */
#pragma once

#include <stdint.h>

struct network_shape;
struct platform;

/* Write the network of PLATFORM, whose SHAPE is not a file, as a SimGrid platform file, with the hosts n0, n1
 * and so on. The spines of a Clos network are drawn from SEED, for each two hosts one in each direction.
 * owner: the caller. */
char *fabric_text(const struct platform *platform, const struct network_shape *shape, uint64_t seed);
