/* SPDX-License-Identifier: BSD-3-Clause
 * Walking back along a critical path: the functions shared by the files of the path. */
#pragma once

#include "traces/path/path.h"

/* The position of the walk. Cycles after the position are explained already. */
struct path_walk {
  struct path *path;
  const struct record *const *records; /* one per node */
  const struct net_record *net;        /* NULL: there is one node */
  unsigned node;                       /* of the position */
  const struct record *record;         /* of `node` */
  uint64_t at;                         /* cycle */
  unsigned program;                    /* of the cycles to explain next */
};

/* The blocker, and the server. */
struct path_blocker {
  unsigned spe; /* or node */
  uint32_t command;
  unsigned server;
  unsigned node; /* of the server, as in struct path_segment */
};

/* Go back to cycle FROM, if FROM is earlier than the position; the cycles between get CAUSE. The walk never
 * goes beyond the first entry. */
void path_back(struct path_walk *walk, uint64_t from, enum path_cause cause);

/* The same for cycles behind BLOCKER. */
void path_back_behind(struct path_walk *walk, uint64_t from, enum path_cause cause,
                      const struct path_blocker *blocker);

/* From the position backwards the path is in PART; the beginning of the next part completes PART. */
void path_begin_part(struct path_walk *walk, const struct path_part *part);

/* Go back over the end of the wait INTERVAL by a bus request or a completion of a DMA command, to the cycle
 * at which the command was given, or of several commands kept in order the first one. */
void path_back_dma(struct path_walk *walk, const struct record_interval *interval);
