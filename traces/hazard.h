/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for hazards on hosts: results that a program leaves to chance. The observer watches
 * the accesses to memory of all processes (machine_attach); order.h has the observer for blades.
 *
 *  - two transfers under way at once, not ordered, that touch the same bytes, one or both of them writing;
 *  - a program that writes bytes of a transfer under way, or reads bytes that such a transfer writes, as far
 *    as the program tells; bytes called flags by the program are left out.
 *
 * A put of a process writes until the bytes have come, and reads the source until the acknowledgement is
 * back. A notification comes after all earlier puts of the process into the same memory. Transfers that never
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
  struct hazard_transfer *next, **link; /* among the transfers of the process */
  size_t place;                         /* among all */
  unsigned process, tag;
  uint64_t number, sequence; /* of the first message; among all events */
  uint64_t at;               /* cycle of the begin */
  uint32_t nbytes;
  bool is_put, tells;
  struct hazard_span spans[2]; /* read, and written; of no bytes: no more */
  struct hazard_part *parts;   /* the same in the shadow */
};

/* A program touches memory, as a rule its own. */
struct hazard_touch {
  unsigned process;
  uint64_t sequence, at;
  struct hazard_span span;
};

/* The touches of one memory, as long as a transfer may turn out to have been under way. */
struct hazard_touches {
  struct hazard_touch *items;
  size_t n, room;
  bool mixed; /* by several processes: not in the order of time */
};

struct hazard {
  struct probe probe;
  unsigned nprocesses;
  const char *const *programs; /* [number]: the name; NULL: the program does not run */
  uint64_t sequence;
  struct hazard_transfer **transfers; /* the ntransfers under way, then unused ones */
  size_t ntransfers, nused;
  struct hazard_transfer **newest; /* [process]: the latest transfer under way */
  struct hazard_shadow shadow;
  struct hazard_touches *touches; /* [process] */
  struct hazard_span *flags;
  size_t nflags;
  struct hazard_list hazards;
};

/* Make HAZARD ready to watch NPROCESSES, which have just been reset.
 * owner: the caller, with hazard_fini. */
void hazard_init(struct hazard *hazard, unsigned nprocesses);

/* Release the contents of HAZARD. */
void hazard_fini(struct hazard *hazard);
