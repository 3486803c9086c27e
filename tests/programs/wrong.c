/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong algorithms for programs, and a sound one, `chain`. */
#include "algos/plugin.h"
#include "algos/step/port.h"
#include "algos/step/step.h"

#include <string.h>

/* Each rank takes the data from the rank before, up to rank END. */
static void pass_on(struct coll *c, unsigned end) {
  if (c->rank > 0 && c->rank < end) {
    step_take(c, c->rank - 1, c->buffer, c->nbytes);
  }
  if (c->rank + 1 < end) {
    step_post(c, c->rank + 1, c->buffer);
    step_await_taken(c, c->rank + 1);
  }
}

static void chain(struct coll *c) {
  pass_on(c, c->nranks);
}

/* The last rank gets nothing. */
static void forgetful(struct coll *c) {
  pass_on(c, c->nranks - 1);
}

/* A barrier that nobody waits in. */
static void idle(struct coll *c) {
  step_compute(c, 100);
}

/* The root puts the data into buffers of ranks that may be late. */
static void blind(struct coll *c) {
  for (unsigned r = 1; c->rank == 0 && r < c->nranks; r++) {
    step_store(c, c->buffer, step_peer_ea(c, r, c->buffer), c->nbytes);
    step_notify(c, r);
  }
  if (c->rank > 0) {
    step_await(c, 0);
  }
}

/* Rank 1 writes the address of rank 0 at rank 2. */
static void stranger(struct coll *c) {
  chain(c);
  if (c->rank == 1 && c->nranks > 2) {
    memset(c->scratch, 0, 16);
    spu_note_store(c->scratch, 16);
    c->group->port->tell(c->scratch, c->group->port->local_ea(c->group->spe_of[2], c->group->ls_base), 16, 5);
    c->group->port->wait_tags(1u << 5);
  }
}

static size_t line(const struct coll_group *group) {
  (void)group;
  return 128;
}

/* A rank looks into the local store of the rank before, which no SPE can: nothing moves. */
static void seer(struct coll *c) {
  if (c->rank > 0) {
    const unsigned *spe_of = c->group->spe_of;
    step_await_post(c, c->rank - 1);
    memcpy(c->buffer, c->buffer + ((ptrdiff_t)spe_of[c->rank - 1] - spe_of[c->rank]) * 0x40000, c->nbytes);
    step_acknowledge(c, c->rank - 1);
  }
  if (c->rank + 1 < c->nranks) {
    step_post(c, c->rank + 1, c->buffer);
    step_await_taken(c, c->rank + 1);
  }
}

#define WRONG(name_, collective_, ...) \
  static const struct algo name_##_algo = {.collective = (collective_), \
                                           .name = #name_, \
                                           .source = "cellcoll", \
                                           .idea = "wrong", \
                                           .run = name_, \
                                           __VA_ARGS__}
WRONG(chain, COLL_BCAST, .needs = 0);
WRONG(forgetful, COLL_BCAST, .needs = 0);
WRONG(idle, COLL_BARRIER, .needs = 0);
WRONG(blind, COLL_BCAST, .needs = 0);
WRONG(stranger, COLL_BCAST, .scratch = line);
WRONG(seer, COLL_BCAST, .needs = 0);
CELLCOLL_PLUGIN(&chain_algo, &forgetful_algo, &idle_algo, &blind_algo, &stranger_algo, &seer_algo);
