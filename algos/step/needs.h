/* SPDX-License-Identifier: BSD-3-Clause
 * The needs of an algorithm: requirements on a call, checked before the run. An algorithm is never replaced
 * by another one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct algo;
struct algorithm;
struct coll_group;

enum {
  COLL_SIGNAL_BITS = 16 /* half a signal register */,
  COLL_MFC_PORTS = 15 /* STEP_SLOTS, but for the last one */
};

enum coll_need {
  NEED_POWER_OF_TWO_RANKS = 1, /* ranks */
  NEED_SEVERAL_CHIPS = 2,      /* ranks on more than one chip */
  NEED_EVEN_CHIPS = 4,         /* the same number of ranks on every chip, a power of two */
  NEED_SIGNAL_BITS = 8,        /* one bit of half a signal register for each rank */
  NEED_SWITCH_ROUND = 16,      /* the first parameter is a round of recursive doubling */
  NEED_ONE_DMA = 32,           /* at most 16384 bytes, the size of one DMA */
  NEED_512_ELEMENTS = 64,      /* at most so many */
  NEED_2048_ELEMENTS = 128,
  NEED_SPES = 256,  /* local stores, MFCs, main memory of a blade: no hosts */
  NEED_HOSTS = 512, /* processes on hosts: no SPEs */
  NEED_PPE = 2048,  /* on each chip */
  NEED_EQUAL_RANKS_PER_CHIP = 4096,
  NEED_MFC_PORTS = 1024, /* the first parameter is a number of ports; an MFC has fewer than a NIC */
};

/* Return the name of NEED for lists. */
const char *needs_name(enum coll_need need);

/* Return the needs of ALGO, a set of enum coll_need, including NEED_SPES if ALGO uses signals, main memory or
 * a PPE, and NEED_PPE; return all needs of ALGORITHM, including the needs of its choices. */
unsigned needs_of_algo(const struct algo *algo);
unsigned needs_of_call(const struct algorithm *algorithm);

/* Tell whether the data of the call of GROUP, on SPEs, have room in each local store. */
bool needs_fits(const struct coll_group *group);

/* The reason why a call is refused. */
struct refusal {
  char text[512];
  bool is_mistake; /* of the algorithm; all needs are met */
};

/* Tell whether the call of GROUP is refused, for the reason REFUSAL: needs not met, a root out of range, an
 * element cut in two, an operator undefined on the type, no room in the local stores; a mistake. */
bool needs_refuse(const struct coll_group *group, struct refusal *refusal);
