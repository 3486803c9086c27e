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

/* Bits of sets of needs; needs.def has the requirement of each need. */
enum coll_need {
#define NEED(name, bit, ...) NEED_##name = bit,
#include "algos/step/needs.def"
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
