/* SPDX-License-Identifier: BSD-3-Clause
 * The links of a network and the ways over them, as plain data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct network_flow;
struct platform;

/* A link, in one direction. */
struct fabric_link {
  char *name;
  double bandwidth; /* MB/s */
  double latency;   /* us */
  bool shared;      /* false: it delays, but no packet waits for another one */
};

struct fabric {
  unsigned nhosts; /* numbered from 0: the nodes of the platform */
  struct fabric_link *links;
  size_t nlinks;
  unsigned *zones; /* of each host: which cluster of the network it is in; 0 where there is only one */
  struct fabric_routes *routes;
  struct network_reader *reader; /* NULL: a switch */
  char *text;                    /* as a SimGrid platform file; NULL: a file */
  struct network_reader *flows;  /* of the text; NULL: nobody has asked for flows */
};

/* The links from a host to another one, in the order in which a packet takes them; none from a host to
 * itself. */
struct fabric_route {
  const unsigned *links; /* numbers in the fabric */
  unsigned n;
};

/* Make the fabric of PLATFORM, which has nodes; all rails have one each. What its topology leaves to chance
 * comes from SEED. network_reader_prepare has been called, unless all nodes are on one switch.
 * errors: a topology that cannot be had; those of network_reader_new.
 * owner: the caller, with fabric_free. */
struct fabric *fabric_new(const struct platform *platform, uint64_t seed, struct err *err);

/* Release FABRIC; NULL is allowed. */
void fabric_free(struct fabric *fabric);

/* Return the way from host FROM to host TO, the same one each time.
 * owner: the fabric. */
struct fabric_route fabric_route(struct fabric *fabric, unsigned from, unsigned to);

/* Have SimGrid's flow model simulate N FLOWS between hosts of FABRIC that begin together: SECONDS becomes how
 * long each takes. network_reader_prepare has been called.
 * errors: as network_reader_flows. */
int fabric_flows(struct fabric *fabric, const struct network_flow *flows, size_t n, double *seconds,
                 struct err *err);
