/* SPDX-License-Identifier: BSD-3-Clause
 * Routes that have been found once, by the hosts at their ends; for this folder only. */
#pragma once

#include "sim/net/fabric.h"

/* Make an empty store.
 * owner: the caller, with fabric_routes_free. */
struct fabric_routes *fabric_routes_new(void);

/* Release ROUTES with all that is in there. */
void fabric_routes_free(struct fabric_routes *routes);

/* Find the route from host FROM to host TO in ROUTES.
 * returns: false if it is not there. */
bool fabric_routes_find(const struct fabric_routes *routes, unsigned from, unsigned to,
                        struct fabric_route *route);

/* Keep a copy of ROUTE, from host FROM to host TO, which is not in ROUTES.
 * returns: the copy, which stays where it is. */
struct fabric_route fabric_routes_add(struct fabric_routes *routes, unsigned from, unsigned to,
                                      struct fabric_route route);
