/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that measures how much every part of a machine was used, and how long bus requests waited for
 * it. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/rate_server.h"
#include "sim/hw/probe.h"

#include <stddef.h>
#include <stdint.h>

struct platform;

/* Something that serves one bus request after the other. */
struct utilisation_server {
  uint64_t served, nbytes;
  uint64_t busy_mcyc;      /* thousandths of a cycle */
  struct rate_server pace; /* of a link or a memory */
  uint64_t waited, waited_max;
};

/* What a bus request at an on-ramp may wait for. */
enum utilisation_cause {
  WAITED_OWN_RAMP, /* earlier requests from the same unit */
  WAITED_RECEIVER, /* the off-ramp of its target, beyond that */
  WAITED_RING,     /* a ring, or its turn, beyond that */
  WAITED_CAUSES
};

/* The two ramps of a unit. */
struct utilisation_ramps {
  struct utilisation_server out, in;
  struct rate_server out_pace, in_pace;
  uint64_t conflicts[WAITED_CAUSES]; /* transfers by what they waited for last */
  uint64_t cycles[WAITED_CAUSES];    /* what they waited in all, by cause */
  unsigned queued_max;
};

struct utilisation_ring {
  uint64_t served, nbytes;
  uint64_t passed[RING_UNITS_MAX]; /* transfers over the place behind a position in the ring's direction */
};

struct utilisation_mfc {
  uint64_t commands, requests, nbytes;
  unsigned queued, queued_max; /* commands */
  unsigned flying_max;         /* bus requests */
  uint64_t cycles_in; /* the sum over bus requests that have been delivered of their time in the window */
};

struct utilisation {
  struct probe probe;
  const struct platform *platform;
  struct parameters parameters;
  uint64_t end_mcyc;                        /* when the last thing that was seen ends */
  struct utilisation_ring *rings;           /* [chip * rings + ring] */
  struct utilisation_ramps *ramps;          /* [chip * units + unit] */
  struct utilisation_server *links;         /* [chip * chips + neighbour] */
  struct utilisation_server *memories;      /* [chip] */
  struct utilisation_server *command_buses; /* [chip] */
  struct utilisation_mfc *mfcs;             /* [spe] */
};

/* One counter. */
struct utilisation_row {
  const char *where;   /* "chip 0 ring 2", "chip 1 SPE3 out", "link 0-1", "memory 0" */
  const char *counter; /* "busy" is the share of time in which it could not have served more */
  double value;
  int decimals;
  const char *unit;
};

/* Make UTILISATION ready to be attached to a blade of PLATFORM, which must outlive it; the blade has just
 * been reset.
 * owner: the caller, with utilisation_fini. */
void utilisation_init(struct utilisation *utilisation, const struct platform *platform);

/* Release what UTILISATION holds. */
void utilisation_fini(struct utilisation *utilisation);

/* Return the cycles to which shares refer: from the reset until all programs have ended and all traffic is
 * over. */
double utilisation_cycles(const struct utilisation *utilisation);

/* Return the share of its time for which SERVER was busy. */
double utilisation_share(const struct utilisation *utilisation, const struct utilisation_server *server);

/* Return the share of its time for which the busiest place of RING (its number among those of all chips) was
 * taken. */
double utilisation_ring_share(const struct utilisation *utilisation, size_t ring);

/* Call SHOW with every counter of every part that was used. */
void utilisation_list(const struct utilisation *utilisation,
                      void (*show)(void *context, const struct utilisation_row *row), void *context);
