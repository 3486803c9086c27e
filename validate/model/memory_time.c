/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_time.h. */
#include "validate/model/memory_time.h"

#include "algos/memory/copies.h"
#include "algos/memory/double_buffer.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig.h"
#include "validate/model/plogp_parts.h"

#include <stdlib.h>

/* What one SPE does. */
struct mover {
  enum cost_parameter kind;
  uint64_t from;
  uint64_t *to; /* places */
  unsigned nto;
};

/* Read, or write, M bytes through one buffer. */
static void
move_one_way(struct coll *c, const struct mover *mover, size_t m)
{
  bool write = mover->kind == COST_WRITE1 || mover->kind == COST_WRITE2;
  for (size_t done = 0, nbytes; done < m; done += nbytes) {
    nbytes = m - done < DOUBLE_BUFFER_BYTES ? m - done : DOUBLE_BUFFER_BYTES;
    if (write) {
      step_store(c, c->scratch, mover->to[0] + done, nbytes);
    } else {
      step_fetch(c, c->scratch, mover->from + done, nbytes);
    }
  }
}

/* Copy as many blocks of M bytes as there are places, as one stream. */
static void
move_blocks(struct coll *c, const struct mover *mover, size_t m)
{
  struct copies copies = {0};
  for (unsigned i = 0; i < mover->nto; i++) {
    step_begin(c);
    copies_add(c, &copies, (struct copy){.to = mover->to[i], .from = mover->from, .nbytes = m});
  }
  copies_finish(c, &copies);
}

static void
move(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  const struct mover *mover = rank->job;
  c->scratch = c->buffer;
  if (mover->kind == COST_COPY1 || mover->kind == COST_COPY2) {
    double_buffer_copy_to_all(c,
                              &(struct double_buffer_copy){mover->from, mover->to, mover->nto, rank->nbytes});
  } else if (mover->kind == COST_BLOCKS1 || mover->kind == COST_BLOCKS2) {
    move_blocks(c, mover, rank->nbytes);
  } else {
    move_one_way(c, mover, rank->nbytes);
  }
}

double
memory_time(const struct plogp *plogp, enum cost_parameter kind, size_t m, struct cost_movers movers)
{
  struct blade *blade = plogp->blade;
  unsigned chip = (kind - COST_READ1) % 2; /* kinds come in pairs */
  unsigned first = chip * blade_spes_per_chip(blade), end = first + movers.spes;
  struct rig rig;
  struct rig_spec spec = {
    .nranks = end, .nbytes = double_buffer_scratch(NULL), .nrepeats = 1, .profile = plogp->profile};
  rig_init_known(&rig, blade, &spec);
  struct mover *all = xcalloc(movers.spes, sizeof *all);
  unsigned nto = movers.writes > 0 ? movers.writes : 1;
  uint64_t *to = xcalloc(nto, sizeof *to);
  for (unsigned j = 0; j < nto; j++) {
    to[j] = blade_allocate(blade, blade_data_chip(blade, chip), m);
  }
  for (unsigned i = 0; i < movers.spes; i++) {
    all[i] = (struct mover){kind, blade_allocate(blade, blade_data_chip(blade, 0), m), to, nto};
    rig.ranks[first + i].nbytes = m;
    rig.ranks[first + i].job = &all[i];
    rig_set(&rig, first + i, move);
  }
  rig_run_sound(&rig);
  double time = rig_mean(&rig, first, end);
  rig_fini(&rig);
  free(all);
  free(to);
  return time;
}

/* Begin to write, then give the buffer away; or take it. */
static void
write_and_give(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  const struct mover *mover = rank->job;
  step_start_put(c,
                 &(struct step_transfer){
                   .ls = c->buffer, .ea = mover->to[0], .nbytes = mover->nto ? rank->nbytes : 0, .slot = 1});
  step_post(c, rank->peer, c->buffer);
}

static void
take(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  step_fetch(c, c->buffer, step_await_post(c, rank->peer), rank->nbytes);
}

double
memory_time_behind(const struct plogp *plogp, bool across, size_t m)
{
  unsigned giver = across ? blade_spes_per_chip(plogp->blade) : 0, taker = giver + 1;
  double times[2];
  for (unsigned writes = 0; writes < 2; writes++) {
    struct rig rig;
    plogp_start_rig(&rig, plogp, taker + 1, m);
    uint64_t to = blade_allocate(plogp->blade, blade_data_chip(plogp->blade, across), m);
    struct mover mover = {.to = &to, .nto = writes};
    rig.ranks[giver].job = &mover;
    rig.ranks[giver].peer = taker;
    rig.ranks[taker].peer = giver;
    rig_set(&rig, giver, write_and_give);
    rig_set(&rig, taker, take);
    times[writes] = rig_measure(&rig, taker);
  }
  return times[1] - times[0];
}
