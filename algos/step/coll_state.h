/* SPDX-License-Identifier: BSD-3-Clause
 * The state that the vocabulary keeps for a rank from step to step; for step.c and driver.c only. */
#pragma once

#include <stdint.h>

/* An entry of a notification array, of 16 bytes: the smallest DMA without special alignment. */
struct notice {
  uint64_t ea;
  uint32_t serial;
  uint32_t bits; /* signals are sent from here: this address is congruent to the signal registers modulo 16 */
};

/* How often a rank and a peer have told each other something. */
struct peer_count {
  uint32_t posted, taken;     /* addresses sent, addresses received */
  uint32_t notified, awaited; /* flags sent, flags received */
  uint32_t signalled;         /* signals sent, from the entries that flags are sent from */
};

/* On large machines a rank tells few others something. */
enum { PEER_BLOCK = 16 };

struct coll_state {
  struct notice *arrays; /* notification arrays, in local store */
  /* blocks of PEER_BLOCK ranks; NULL: no notification yet from or to a rank of the block */
  struct peer_count **peers;
  uint32_t signals;               /* bits read from the signal register and not yet awaited */
  uint32_t heard;                 /* bit r: an odd number of signals of rank r has been awaited */
  uint32_t unsettled;             /* tags of notifications not yet waited for */
  unsigned step;                  /* latest step begun in this call, counted from 1 */
  uint64_t *entered, *left;       /* per call: cycle */
  uint64_t *delays;               /* per call: cycles by which the rank's entry is delayed */
  const struct call_hooks *hooks; /* NULL: none */
};

/* Return PEER_BLOCK counts of zero for the peers of a rank; driver_free releases the counts. */
struct peer_count *driver_peers(void);
