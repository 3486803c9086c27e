/* SPDX-License-Identifier: BSD-3-Clause
 * Walking back along a critical path: what the files of it share. */
#pragma once

#include "traces/path.h"

/* Where the walk is. What lies later has been explained. */
struct path_walk {
  struct path *path;
  const struct record *const *records; /* one per node */
  const struct net_record *net;        /* NULL: there is one node */
  unsigned node;                       /* on which it is */
  const struct record *record;         /* of that */
  uint64_t at;                         /* cycle */
  unsigned program;                    /* whose time is explained next */
};

/* Who stands in the way, and where. */
struct path_blocker {
  unsigned spe; /* or node */
  uint32_t command;
  unsigned server;
  unsigned node; /* of the server, as in struct path_segment */
};

/* Go back to cycle FROM, if that is earlier; these cycles go to CAUSE. Nothing lies before the first
 * entry. */
void path_back(struct path_walk *walk, uint64_t from, enum path_cause cause);

/* The same for cycles in which BLOCKER stood in the way. */
void path_back_behind(struct path_walk *walk, uint64_t from, enum path_cause cause,
                      const struct path_blocker *blocker);

/* From here on backwards it is PART, which is completed when the next one begins. */
void path_begin_part(struct path_walk *walk, const struct path_part *part);

/* Go back over what ended the wait INTERVAL: a bus request or a completion of a DMA command, to where the
 * command was given. */
void path_back_dma(struct path_walk *walk, const struct record_interval *interval);

/* Go back over the message that ended the wait INTERVAL, to the program that sent it.
 * returns: false if nothing is known of the message. */
bool path_back_message(struct path_walk *walk, const struct record_interval *interval);

/* Go back over the atomic command that ended the wait INTERVAL, to where it was given, or where the one was
 * that it waited for. */
void path_back_atomic(struct path_walk *walk, const struct record_interval *interval);
