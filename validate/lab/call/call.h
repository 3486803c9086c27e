/* SPDX-License-Identifier: BSD-3-Clause
 * A call of an algorithm, as a user describes the call: algorithm, ranks, sizes and way of running. */
#pragma once

#include "algos/step/group.h"
#include "validate/lab/call/field.h"
#include "validate/lab/call/placement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
  struct algorithm algorithm; /* algo NULL: none, ranks run programs of a microbenchmark */
  unsigned nranks, root;
  uint64_t root_step;       /* from the root of a call to the root of the next call; 0: one root */
  size_t nbytes, byte_step; /* every second call has BYTE_STEP bytes fewer */
  struct placement placement;
  const struct cluster_place *place; /* of these ranks, a part of a call on several nodes; NULL: of none */
#define PART(option, member, kind, meaning) field_##kind member;
#include "validate/lab/call/call.def"
  bool if_brief;     /* in a check: calls of long duration are left out */
  uint64_t seed;     /* of the data; the next call has seed + 1 */
  bool lengths_only; /* a call for the time alone: nothing is verified, and on hosts transfers move nothing */
  uint64_t limit;    /* on one blade: a call of more cycles is cut, and takes INFINITY; 0: no limit */
  const struct profile *profile;
  struct observer *observers; /* a list */
  struct monitor *monitor;    /* watches all runs, see monitor.h; NULL: none */
};
