/* SPDX-License-Identifier: BSD-3-Clause
 * The links of a network and the routes over the links, as plain data. */
#pragma once

#include "platform/network_shape.h"
#include "sim/base/hash.h"
#include "sim/base/network/network_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The links from one host to another, in the order in which a packet passes the links; none where both are
 * one host. */
struct fabric_route {
  const unsigned *links; /* numbers in the fabric */
  unsigned n;
};

struct fabric {
  unsigned nhosts;            /* numbered from 0: the nodes of the platform */
  struct network_link *links; /* the reader's; or own ones, with names of the shape */
  size_t nlinks;
  unsigned *zones; /* of each host: the number of the host's cluster; 0 in a network of one cluster */
  struct fabric_route *routes; /* found so far */
  size_t nroutes;
  struct hash places; /* of both hosts: numbers of routes, from 1 on */
  struct network_shape shape;
  uint64_t seed;           /* of the spines of a Clos network */
  const unsigned *numbers; /* of links: indices in LINKS; NULL: a file */
  /* of a network from a file; NULL: a built-in shape */
  struct network_reader *reader;
};

/* Make the fabric of PLATFORM, a platform of nodes; all rails share one fabric. Random choices of the
 * topology come from SEED. A topology from a file needs network_reader_prepare first.
 * errors: an impossible topology; errors of network_reader_new. */
struct fabric *fabric_new(const struct platform *platform, uint64_t seed, struct err *err);
void fabric_free(struct fabric *fabric);

/* Check for ways between the hosts marked in AMONG; NULL: all. A network of a file may lack some ways.
 * errors: as network_reader_check_routes. */
int fabric_check_routes(const struct fabric *fabric, const bool *among, struct err *err);

/* Return the way from host FROM to host TO, the same one each time.
 * owner: the fabric. */
struct fabric_route fabric_route(struct fabric *fabric, unsigned from, unsigned to);
