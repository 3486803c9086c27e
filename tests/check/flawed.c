/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms as plugins that are wrong at some points only, each for a story of its own. */
#include "algos/plugin.h"
#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/spu/spu_time.h"

#include <string.h>

static void give_and_take(struct coll *c) {
  for (unsigned r = 0; r < c->nranks; r++) {
    if (c->rank == c->root && r != c->root) {
      step_post(c, r, c->buffer);
    }
  }
  for (unsigned r = 0; r < c->nranks; r++) {
    if (c->rank == c->root && r != c->root) {
      step_await_taken(c, r);
    }
  }
  if (c->rank != c->root) {
    step_take(c, c->root, c->buffer, c->nbytes);
  }
}

/* Wrong from the second call on, from 3 ranks and 48 bytes on. */
static void run_second(struct coll *c) {
  give_and_take(c);
  if (c->ncalls > 0 && c->nranks > 2 && c->nbytes >= 48 && c->rank != c->root) {
    spu_note_store(c->buffer, 1);
    c->buffer[0] ^= 1;
  }
}

/* Stores where it must not unless ranks are packed; the data is right. */
static void run_unpacked(struct coll *c) {
  give_and_take(c);
  if (c->rank == 0 && c->group->spe_of[0] != 0) {
    memset(spu_ls(0x3f000), 1, 16);
  }
}

/* Wrong on 16 ranks from 4096 bytes on; a fault below 16 bytes. */
static void run_two(struct coll *c) {
  if (c->nbytes < 16) {
    spu_fault("below 16 bytes");
  }
  give_and_take(c);
  if (c->nranks == 16 && c->nbytes >= 4096 && c->rank == 3) {
    spu_note_store(c->buffer, 1);
    c->buffer[0] ^= 1;
  }
}

/* Deadlocks if the last of more than 4 ranks is late. */
static void run_late(struct coll *c) {
  step_begin(c);
  if (c->nranks > 4 && c->rank == c->nranks - 1 && spu_cycles() > 20000) {
    step_await(c, 0);
  }
  for (unsigned r = 1; c->rank == 0 && r < c->nranks; r++) {
    step_await(c, r);
  }
  for (unsigned r = 1; c->rank == 0 && r < c->nranks; r++) {
    step_notify(c, r);
  }
  if (c->rank > 0) {
    step_notify(c, 0);
    step_await(c, 0);
  }
}

/* Tells the root that its bytes are taken while they still come. */
static void run_hasty(struct coll *c) {
  for (unsigned r = 0; c->rank == c->root && r < c->nranks; r++) {
    if (r != c->root) {
      step_post(c, r, c->buffer);
      step_await_taken(c, r);
    }
  }
  if (c->rank != c->root) {
    step_start_get(
      c, &(struct step_transfer){.ls = c->buffer, .ea = step_await_post(c, c->root), .nbytes = c->nbytes});
    step_acknowledge(c, c->root);
    step_finish(c, 0);
  }
}

static size_t room(const struct coll_group *group) {
  return 2 * (group->nbytes + 128);
}

/* Everybody adds the same product twice. */
static void run_twice(struct coll *c) {
  if (c->rank == 0) {
    for (unsigned r = 1; r < c->nranks; r++) {
      step_take(c, r, c->scratch, c->nbytes);
      step_combine(c, c->buffer, c->scratch, c->nbytes);
      if (r == 2 && c->group->op == OP_PROD) {
        step_combine(c, c->buffer, c->scratch, c->nbytes);
      }
    }
    for (unsigned r = 1; r < c->nranks; r++) {
      step_post(c, r, c->buffer);
    }
    for (unsigned r = 1; r < c->nranks; r++) {
      step_await_taken(c, r);
    }
  } else {
    step_post(c, 0, c->buffer);
    step_await_taken(c, 0);
    step_take(c, 0, c->buffer, c->nbytes);
  }
}

/* Every rank combines the vectors of all, beginning with that of the next rank. */
static void rotate(struct coll *c, void (*add)(struct coll *c, void *into, const void *from, size_t nbytes)) {
  uint8_t *own = c->scratch, *next = c->scratch + (c->nbytes + 127) / 128 * 128;
  spu_catch_up();
  spu_note_load(c->buffer, c->nbytes);
  spu_note_store(own, c->nbytes);
  memcpy(own, c->buffer, c->nbytes);
  for (unsigned i = 1; i < c->nranks; i++) {
    step_post(c, (c->rank + i) % c->nranks, own);
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    step_take(c, (c->rank + i) % c->nranks, i == 1 ? c->buffer : next, c->nbytes);
    if (i > 1) {
      add(c, c->buffer, next, c->nbytes);
    }
  }
  add(c, c->buffer, own, c->nranks > 1 ? c->nbytes : 0);
  for (unsigned i = 1; i < c->nranks; i++) {
    step_await_taken(c, (c->rank + i) % c->nranks);
  }
}

/* Real numbers are rounded differently. */
static void run_rotated(struct coll *c) {
  rotate(c, step_combine);
}

/* The usual minimum of C, which takes the second one of two zeros, and of a number and NaN. */
static void choose(struct coll *c, void *into, const void *from, size_t nbytes) {
  double *a = into;
  const double *b = from;
  (void)c;
  spu_catch_up();
  spu_note_load(b, nbytes);
  spu_note_store(a, nbytes);
  for (size_t i = 0; i < nbytes / sizeof *a; i++) {
    a[i] = a[i] < b[i] ? a[i] : b[i];
  }
}

static void run_chosen(struct coll *c) {
  rotate(c, choose);
}

/* The root of a scatter spoils the blocks that it has sent, and a sender of a gather its own one. */
static void spoil(struct coll *c, unsigned block) {
  uint8_t *at = c->buffer + block * layout_stride(c->group);
  spu_catch_up();
  spu_note_store(at, c->nbytes);
  memset(at, 0, c->nbytes);
}

static void run_spoils(struct coll *c) {
  uint8_t *own = c->buffer + c->rank * layout_stride(c->group);
  for (unsigned r = 0; r < c->nranks && c->rank == c->root; r++) {
    if (r != c->root) {
      step_post(c, r, c->buffer + r * layout_stride(c->group));
      step_await_taken(c, r);
      spoil(c, r);
    }
  }
  if (c->rank != c->root) {
    step_take(c, c->root, own, c->nbytes);
  }
}

static void run_spoilt(struct coll *c) {
  for (unsigned r = 0; r < c->nranks && c->rank == c->root; r++) {
    if (r != c->root) {
      step_take(c, r, c->buffer + r * layout_stride(c->group), c->nbytes);
    }
  }
  if (c->rank != c->root) {
    step_post(c, c->root, c->buffer + c->rank * layout_stride(c->group));
    step_await_taken(c, c->root);
    spoil(c, c->rank);
  }
}

/* Every 17th call is wrong. */
static void run_wraps(struct coll *c) {
  give_and_take(c);
  if (c->ncalls % 17 == 16 && c->nranks > 1 && c->rank != c->root && c->nbytes > 0) {
    spu_note_store(c->buffer, 1);
    c->buffer[0] ^= 1;
  }
}

/* Wrong from the second call on, if each call has another root. */
static void run_turns(struct coll *c) {
  give_and_take(c);
  if (c->ncalls > 0 && c->group->root_step % c->nranks > 0 && c->rank != c->root && c->nbytes > 0) {
    spu_note_store(c->buffer, 1);
    c->buffer[0] ^= 1;
  }
}

/* The size of the first call is kept for all calls. */
static void run_keeps(struct coll *c) {
  size_t *kept = (void *)c->scratch, nbytes = c->nbytes;
  *kept = c->ncalls == 0 ? nbytes : *kept;
  c->nbytes = *kept;
  give_and_take(c);
  c->nbytes = nbytes;
}

/* Wrong if COUNT is not one more than the call before left it. */
static void give_and_count(struct coll *c, uint32_t *count) {
  *count = c->ncalls == 0 ? 1 : *count + 1;
  give_and_take(c);
  if (*count != c->ncalls + 1 && c->rank != c->root && c->nbytes > 0) {
    spu_note_store(c->buffer, 1);
    c->buffer[0] ^= 1;
  }
}

/* The count lies behind the data in scratch: elsewhere, if the size changes. */
static void run_astray(struct coll *c) {
  give_and_count(c, (void *)(c->scratch + (c->nbytes + 127) / 128 * 128));
}

/* Takes calls of all algorithms for its own. */
static void run_shares(struct coll *c) {
  give_and_count(c, (void *)c->scratch);
}

/* Each rank gets the data three times. */
static void run_thrice(struct coll *c) {
  for (unsigned r = 0; r < c->nranks; r++) {
    if (c->rank == c->root && r != c->root) {
      step_post(c, r, c->buffer);
      step_await_taken(c, r);
    }
  }
  if (c->rank != c->root) {
    uint64_t ea = step_await_post(c, c->root);
    for (unsigned i = 0; i < 3; i++) {
      step_fetch(c, c->buffer, ea, c->nbytes);
    }
    step_acknowledge(c, c->root);
  }
}

/* Rank 1 of three never ends; for all that the engine knows the clock could end the loop. */
static void run_endless(struct coll *c) {
  while (c->nranks == 3 && c->rank == 1) {
    spu_compute(10 + spu_cycles() % 2);
  }
  give_and_take(c);
}

#define FLAWED(of, what) \
  static const struct algo what = {.collective = of, \
                                   .name = #what, \
                                   .source = "ali2010", \
                                   .idea = "flawed", \
                                   .scratch = room, \
                                   .run = run_##what}

FLAWED(COLL_BCAST, second);
FLAWED(COLL_BCAST, unpacked);
FLAWED(COLL_BCAST, hasty);
FLAWED(COLL_BCAST, two);
FLAWED(COLL_BARRIER, late);
FLAWED(COLL_BCAST, wraps);
FLAWED(COLL_BCAST, turns);
FLAWED(COLL_SCATTER, spoils);
FLAWED(COLL_GATHER, spoilt);
FLAWED(COLL_ALLREDUCE, twice);
FLAWED(COLL_ALLREDUCE, rotated);
FLAWED(COLL_BCAST, endless);
FLAWED(COLL_ALLREDUCE, chosen);
FLAWED(COLL_BCAST, keeps);
FLAWED(COLL_BCAST, astray);
FLAWED(COLL_BCAST, shares);
FLAWED(COLL_BCAST, thrice);

CELLCOLL_PLUGIN(&second, &unpacked, &hasty, &two, &late, &wraps, &turns, &spoils, &spoilt, &twice, &rotated,
                &endless, &chosen, &keeps, &astray, &shares, &thrice);
