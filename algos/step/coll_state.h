/* SPDX-License-Identifier: BSD-3-Clause
 * What the vocabulary remembers of a rank from step to step; for step.c and driver.c only. */
#pragma once

#include <stdint.h>

struct call_hooks;

/* An entry of a notification array; its size is the smallest DMA that needs no care with alignment. */
struct notice {
  uint64_t ea;
  uint32_t serial;
  uint32_t bits; /* a signal is sent from here: its place modulo 16 is that of the signal registers */
};

/* How often a rank and a peer have told each other something. */
struct peer_count {
  uint32_t posted, taken;     /* addresses sent, addresses received */
  uint32_t notified, awaited; /* flags sent, flags received */
};

/* On large machines a rank tells few others something. */
enum { PEER_BLOCK = 16 };

struct coll_state {
  struct notice *arrays;     /* notification arrays, in local store */
  struct peer_count **peers; /* blocks of PEER_BLOCK ranks; NULL: one of whose ranks nothing is known yet */
  uint32_t signals;          /* bits read from the signal register and not yet awaited */
  uint32_t unsettled;        /* tags of notifications not yet waited for */
  unsigned step;             /* the latest one that has begun in this call, counted from 1 */
  uint64_t *entered, *left;  /* per call: cycle */
  uint64_t *delays;          /* per call: cycles by which this rank enters it late */
  const struct call_hooks *hooks; /* NULL: none */
};

/* Return PEER_BLOCK counts of nothing for the peers of a rank; driver_free takes them back. */
struct peer_count *driver_peers(void);
