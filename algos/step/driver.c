/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/driver.h"

#include "algos/step/call_map.h"
#include "algos/step/coll_state.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/base/pool.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* A rank and its state, in one block of memory. */
struct driven {
  struct coll c; /* first */
  struct coll_state state;
  struct coll_group *now;     /* the group of the current call if calls differ; NULL: calls are alike */
  struct peer_count *peers[]; /* behind the pointers: three cycles for each call */
};

/* Blocks of counts: a rank of a large machine has a dozen for a call, and there may be thousands of ranks. */
static struct pool peers = {.nbytes = PEER_BLOCK * sizeof(struct peer_count)};

struct peer_count *driver_peers(void) {
  return memset(pool_take(&peers), 0, peers.nbytes);
}

static unsigned blocks_of(unsigned nranks) {
  return (nranks + PEER_BLOCK - 1) / PEER_BLOCK;
}

struct coll *driver_new(const struct coll_group *group, unsigned rank) {
  unsigned n = group->nranks, nblocks = blocks_of(n);
  size_t npeers = nblocks * sizeof(struct peer_count *), ncycles = group->nrepeats * sizeof(uint64_t);
  struct driven *driven = xcalloc(1, sizeof *driven + npeers + 3 * ncycles);
  uint64_t *cycles = (void *)&driven->peers[nblocks];
  driven->state = (struct coll_state){.peers = driven->peers,
                                      .entered = cycles,
                                      .left = cycles + group->nrepeats,
                                      .delays = cycles + 2 * group->nrepeats};
  driven->c = (struct coll){.rank = rank,
                            .nranks = n,
                            .root = group->root,
                            .nbytes = group->nbytes,
                            .group = group,
                            .state = &driven->state};
  driven->now = group_changes(group) ? xcalloc(1, sizeof *driven->now) : NULL;
  return &driven->c;
}

void driver_free(struct coll *c) {
  if (c) {
    for (unsigned i = 0; i < blocks_of(c->nranks); i++) {
      if (c->state->peers[i]) {
        pool_give(&peers, c->state->peers[i]);
      }
    }
    free(((struct driven *)c)->now);
    free(c); /* with all other members of its block */
  }
}

void driver_delay(struct coll *c, unsigned call, uint64_t delay) {
  c->state->delays[call] = delay;
}

void driver_attach(struct coll *c, const struct call_hooks *hooks) {
  c->state->hooks = hooks;
}

bool driver_has_data(const struct coll *c) {
  return c->state->hooks && c->state->hooks->before;
}

/* Find the data and the scratch of the current call of C. */
static void find_data(struct coll *c) {
  const struct coll_group *group = c->group;
  const struct step_port *port = group->port;
  unsigned spe = group->spe_of[c->rank];
  c->scratch =
    group->call.algo && group->call.algo->scratch ? spu_ls((uint32_t)call_map_scratch(group)) : NULL;
  if (!group_in_memory(group)) {
    uint32_t buffer = call_map_buffer(group);
    uint32_t in = layout_in_bytes(group) ? (uint32_t)call_map_in(group) : buffer;
    c->buffer = spu_ls(buffer);
    c->buffer_ea = port->local_ea(spe, buffer);
    c->in = spu_ls(in);
    c->in_ea = port->local_ea(spe, in);
  }
}

void driver_enter(struct coll *c) {
  c->state->arrays = spu_ls(c->group->ls_base);
  find_data(c);
  step_enter(c);
}

/* Let the owner put data into the buffers of C. */
static void before_call(struct coll *c, const struct call_hooks *hooks) {
  if (hooks && hooks->before) {
    if (c->buffer) {
      spu_note_store(c->buffer, layout_buffer_bytes(c->group));
      spu_note_store(c->in, layout_in_bytes(c->group));
    } else {
      spu_note_memory_store(c->buffer_ea, layout_buffer_bytes(c->group));
      spu_note_memory_store(c->in_ea, layout_in_bytes(c->group));
    }
    hooks->before(c, hooks->owner);
  }
}

/* Let the owner look at the buffer of C. */
static void after_call(struct coll *c, const struct call_hooks *hooks) {
  if (hooks && hooks->after) {
    if (c->buffer) {
      spu_note_load(c->buffer, layout_buffer_bytes(c->group));
    } else {
      spu_note_memory_load(c->buffer_ea, layout_buffer_bytes(c->group));
    }
    hooks->after(c, hooks->owner);
  }
}

/* Let C make call number CALL of GROUP, the group of all ranks, whose calls differ. Not in the frame of
 * driver_main: each stack would have a page more in use. */
static __attribute__((noinline)) void begin_call(struct coll *c, const struct coll_group *group,
                                                 unsigned call) {
  struct coll_group *now = ((struct driven *)c)->now;
  *now = group_of_call(group, call); /* by now the shared memory is known */
  c->group = now;
  c->root = now->root;
  c->nbytes = now->nbytes;
  find_data(c);
}

void driver_call(struct coll *c) {
  c->state->step = 0;
  c->group->call.algo->run(c);
  c->ncalls++;
}

void driver_call_as(struct coll *c, const struct coll_group *group, const struct coll *outer,
                    uint64_t times[2]) {
  const struct call_hooks *hooks = outer->state->hooks;
  c->group = group;
  c->root = group->root;
  c->nbytes = group->nbytes;
  if (group_in_memory(group)) {
    c->buffer = c->in = NULL;
  }
  find_data(c);
  spu_catch_up();
  before_call(c, hooks);
  times[0] = spu_cycles();
  c->state->step = 0;
  group->call.algo->run(c);
  times[1] = spu_cycles();
  after_call(c, hooks);
  c->ncalls++;
}

/* If call number CALL of C is a barrier, tell the observers of its begin, or (LEAVES) of its end. */
static void note_barrier(const struct coll *c, unsigned call, bool leaves) {
  const struct coll_group *group = c->group;
  const struct algo *algo = group->call.algo;
  if (algo->collective == COLL_BARRIER && !algo->is_open) {
    unsigned all = group->nranks_all ? group->nranks_all : group->nranks;
    spu_note_barrier(group_name(group, c->rank), call, leaves ? all : 0);
  }
}

void driver_main(void *argument) {
  struct coll *c = argument;
  struct coll_state *state = c->state;
  const struct coll_group *group = c->group;
  driver_enter(c);
  for (unsigned i = 0; i < group->nrepeats; i++) {
    if (((struct driven *)c)->now) {
      begin_call(c, group, i);
    }
    spu_compute_for(COMPUTE_OTHER, state->delays[i]);
    spu_catch_up();
    before_call(c, state->hooks);
    state->entered[i] = spu_cycles();
    state->step = 0;
    spu_note_enter(c->rank, i);
    note_barrier(c, i, false);
    c->group->call.algo->run(c);
    note_barrier(c, i, true);
    spu_note_leave(c->rank, i);
    state->left[i] = spu_cycles();
    after_call(c, state->hooks);
    c->ncalls++;
  }
}

void driver_ppe_main(void *argument) {
  const struct coll_group *group = argument;
  for (unsigned i = 0; i < group->nrepeats; i++) {
    struct coll_group now = group_of_call(group, i);
    if (now.call.algo->ppe) {
      ppe_note_enter(i);
      now.call.algo->ppe(&now);
      ppe_note_leave(i);
    }
  }
}

uint64_t driver_entered(const struct coll *c, unsigned call) {
  return c->state->entered[call];
}

uint64_t driver_left(const struct coll *c, unsigned call) {
  return c->state->left[call];
}
