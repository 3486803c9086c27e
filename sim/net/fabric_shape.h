/* SPDX-License-Identifier: BSD-3-Clause
 * Links and routes of networks whose network.topology is a built-in shape; for this folder only. */
#pragma once

#include "platform/network_shape.h"
#include "sim/net/fabric.h"

/* The maximum number of links of a route: up all levels of a fat tree, and down. */
enum { FABRIC_ROUTE_MAX = 2 * NETWORK_LEVELS_MAX };

/* Give FABRIC, whose shape is not a file, two links for each cable, with the bandwidth and the latency of
 * PLATFORM. */
void fabric_shape_wire(struct fabric *fabric, const struct platform *platform);

/* Store the route from host FROM to another host TO of FABRIC, whose shape is not a file, in LINKS.
 * returns: the number of links. */
unsigned fabric_shape_route(const struct fabric *fabric, unsigned from, unsigned to,
                            unsigned links[FABRIC_ROUTE_MAX]);
