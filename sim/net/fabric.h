/* SPDX-License-Identifier: BSD-3-Clause
 * The links of a network and the ways over them, as plain data. */
#pragma once

#include "platform/network_shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct platform;

/* A link, in one direction. */
struct fabric_link {
  char *name;
  double bandwidth; /* MB/s */
  double latency;   /* us */
  bool shared;      /* false: it delays, but no packet waits for another one */
};

/* A route that has been found; for fabric.c. */
struct fabric_entry {
  uint64_t pair;   /* its hosts */
  unsigned *links; /* NULL: there is none */
  unsigned n;
};

struct fabric {
  unsigned nhosts; /* numbered from 0: the nodes of the platform */
  struct fabric_link *links;
  size_t nlinks;
  unsigned *zones; /* of each host: which cluster of the network it is in; 0 where there is only one */
  struct fabric_entry *entries;
  size_t nroutes, room; /* of entries; room: a power of two */
  struct network_shape shape;
  uint64_t seed;                 /* of the spines of a Clos network */
  unsigned *numbers;             /* of links: indices in LINKS; for fabric_shape.c; NULL: a file */
  struct network_reader *reader; /* of a file; NULL: another shape, which fabric_shape.c routes */
};

/* The links from a host to another one, in the order in which a packet takes them; none from a host to
 * itself. */
struct fabric_route {
  const unsigned *links; /* numbers in the fabric */
  unsigned n;
};

/* Make the fabric of PLATFORM, which has nodes; all rails have one each. What its topology leaves to chance
 * comes from SEED. network_reader_prepare has been called, unless the topology is no file.
 * errors: a topology that cannot be had; those of network_reader_new.
 * owner: the caller, with fabric_free. */
struct fabric *fabric_new(const struct platform *platform, uint64_t seed, struct err *err);

/* Release FABRIC; NULL is allowed. */
void fabric_free(struct fabric *fabric);

/* Return the way from host FROM to host TO, the same one each time.
 * owner: the fabric. */
struct fabric_route fabric_route(struct fabric *fabric, unsigned from, unsigned to);
