/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for hazards on hosts: what a program leaves to chance, whatever came of it this
 * time. It watches the accesses to memory of all processes (machine_attach); order.h is its like for blades.
 *
 *  - two transfers that are under way at once, touch the same bytes, one of them writing, and are not
 *    ordered;
 *  - a program that writes bytes which a transfer reads or writes at that time, or reads bytes which one
 *    writes, as far as it tells; bytes that it calls flags are left out.
 *
 * A put of a process writes until its bytes have come, and reads its source until its acknowledgement is
 * back. What a process tells comes after all that it has put into the same memory. Transfers that never
 * complete are not judged. */
#pragma once

#include "sim/hw/probe.h"
#include "traces/hazard_list.h"
#include "traces/hazard_shadow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A transfer under way. */
struct hazard_transfer {
  struct hazard_transfer *next, **link; /* among those of its process */
  size_t place;                         /* among all */
  unsigned process, tag;
  uint64_t number, sequence; /* of its first message; among all that is seen */
  uint64_t at;               /* cycle in which it began */
  uint32_t nbytes;
  bool is_put, tells;
  struct hazard_span spans[2]; /* it reads the first, and writes the second; of no bytes: no more */
  struct hazard_part *parts;   /* the same in the shadow */
};

/* A program touches memory, as a rule its own. */
struct hazard_touch {
  unsigned process;
  uint64_t sequence, at;
  struct hazard_span span;
};

/* What has been touched in one memory, as long as a transfer may turn out to have been under way. */
struct hazard_touches {
  struct hazard_touch *items;
  size_t n, room;
  bool mixed; /* not only by the process itself: not in the order of time */
};

struct hazard {
  struct probe probe;
  unsigned nprocesses;
  const char *const *programs; /* by number: their names; NULL: it does not run */
  uint64_t sequence;
  struct hazard_transfer **transfers; /* behind the ntransfers under way: others that have been used */
  size_t ntransfers, nused;
  struct hazard_transfer **newest; /* [process]: its transfer under way that began last */
  struct hazard_shadow shadow;
  struct hazard_touches *touches; /* [process] */
  struct hazard_span *flags;
  size_t nflags;
  struct hazard_list hazards;
};

/* Make HAZARD ready to watch NPROCESSES, which have just been reset.
 * owner: the caller, with hazard_fini. */
void hazard_init(struct hazard *hazard, unsigned nprocesses);

/* Release what HAZARD holds. */
void hazard_fini(struct hazard *hazard);

/* --- in hazard_judge.c --- */

/* Return the process in whose memory EA lies. */
unsigned hazard_area(uint64_t ea);

/* Judge what TRANSFER of HAZARD has moved up to cycle END against all other transfers under way and what
 * programs have touched. */
void hazard_judge(struct hazard *hazard, const struct hazard_transfer *transfer, uint64_t end);
