/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * A transfer travels hop by hop: the transfer occupies the place d hops behind its sender from start + d *
 * hop for the time of its beats. All transfers of a ring move at the same speed in the same direction. So two
 * paths alone determine how long the second of two transfers must wait after the start of the first: a table
 * has this gap for any two paths. Only the distance between the beginnings of the two paths counts, not the
 * place of the first beginning. Places count in the direction of travel; a ring of the other direction uses
 * mirrored places (see route.c).
 *
 * A ring has room for as many transfers as may be under way. A new transfer replaces the transfer that ends
 * first, which must be over: then all places of the ended transfer are free. */
#include "sim/hw/bus/ring.h"

#include "sim/base/xalloc.h"

#include <assert.h>

struct ring_path ring_path(const struct ring_parameters *parameters, unsigned from, unsigned hops) {
  unsigned lengths = parameters->hops_max + 1;
  assert(from < parameters->nunits && hops < lengths);
  return (struct ring_path){.behind = (uint32_t)((from + parameters->nunits) * lengths * lengths + hops),
                            .ahead = (uint32_t)(from * lengths * lengths - hops * lengths),
                            .travel = (uint32_t)(hops * parameters->hop),
                            .hops = (uint16_t)hops};
}

/* Return the gap between a start along the path of HOPS hops from place 0 and a start along the path of
 * FOLLOWING hops from place FROM; 0 if the paths share no place. */
static uint32_t gap(const struct ring_parameters *parameters, unsigned hops, unsigned from,
                    unsigned following) {
  uint64_t longest = 0;
  for (unsigned behind = 0; behind < (following ? following : 1); behind++) {
    unsigned place = (from + behind) % parameters->nunits;
    uint64_t passed = place * parameters->hop + parameters->beats, reached = behind * parameters->hop;
    if (place < (hops ? hops : 1) && passed > reached + longest) {
      longest = passed - reached;
    }
  }
  return (uint32_t)longest;
}

struct ring_plan *ring_plan_new(const struct ring_parameters *parameters) {
  unsigned n = parameters->nunits, lengths = parameters->hops_max + 1;
  struct ring_plan *plan = xcalloc(1, sizeof *plan + sizeof plan->gaps[0] * 2 * n * lengths * lengths);
  plan->parameters = *parameters;
  for (unsigned behind = 1; behind < 2 * n; behind++) {
    for (unsigned hops = 0; hops < lengths; hops++) {
      for (unsigned following = 0; following < lengths; following++) {
        plan->gaps[(behind * lengths + hops) * lengths + following] =
          gap(parameters, hops, behind % n, following);
      }
    }
  }
  return plan;
}

void ring_init(struct ring *ring) {
  *ring = (struct ring){.next_start = 0};
  for (unsigned i = 0; i < RING_TRANSFERS_MAX; i++) {
    ring->transfers[i].start = INT64_MIN / 2;
  }
}
