/* SPDX-License-Identifier: BSD-3-Clause
 * Hosts with NICs as the machine under the vocabulary: sim/spu/host_api.h. An SPE is a process there, its local store the memory of that,
 * a DMA command a put or a get of any size, a slot the rail of messages that are not striped. What only a blade has stops the
 * program with a fault; algorithms that need that say so (NEED_SPES). */
#pragma once

struct step_port;

extern const struct step_port host_port;
