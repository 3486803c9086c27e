/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_time.h. */
#include "validate/memory_time.h"

#include "algos/stage.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_time.h"
#include "validate/plogp.h"
#include "validate/rig.h"

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
    nbytes = m - done < STAGE_BYTES ? m - done : STAGE_BYTES;
    if (write) {
      step_store(c, c->scratch, mover->to[0] + done, nbytes);
    } else {
      step_fetch(c, c->scratch, mover->from + done, nbytes);
    }
  }
}

static void
move(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  const struct mover *mover = c->owner;
  coll_enter(c);
  c->scratch = c->buffer;
  uint64_t start = spu_cycles();
  if (mover->kind == COST_COPY1 || mover->kind == COST_COPY2) {
    stage_copy_to_all(c, &(struct stage){mover->from, mover->to, mover->nto, rank->nbytes});
  } else {
    move_one_way(c, mover, rank->nbytes);
  }
  rank->cycles = (double)(spu_cycles() - start);
}

double
memory_time(const struct plogp *plogp, enum cost_parameter kind, size_t m, struct cost_movers movers)
{
  struct blade *blade = plogp->blade;
  unsigned chip = kind == COST_COPY2 || kind == COST_READ2 || kind == COST_WRITE2 ? 1 : 0;
  unsigned first = chip * blade->spes_per_chip, end = first + movers.spes;
  struct rig rig;
  struct rig_spec spec = {
    .nranks = end, .nbytes = stage_scratch(NULL), .nrepeats = 1, .profile = plogp->profile};
  rig_init_known(&rig, blade, &spec);
  struct mover *all = xcalloc(movers.spes, sizeof *all);
  uint64_t *to = xcalloc(movers.spes * movers.writes, sizeof *to);
  for (unsigned i = 0; i < movers.spes; i++) {
    uint64_t place = blade_allocate(blade, blade_data_chip(blade, chip), m);
    all[i] = (struct mover){kind, blade_allocate(blade, blade_data_chip(blade, 0), m), &to[i * movers.writes],
                            movers.writes};
    for (unsigned j = 0; j < movers.writes; j++) {
      all[i].to[j] = place;
    }
    rig.ranks[first + i].nbytes = m;
    rig.ranks[first + i].c.owner = &all[i];
    rig_set(&rig, first + i, move);
  }
  rig_run_sound(&rig);
  double time = rig_mean(&rig, first, end);
  rig_fini(&rig);
  free(all);
  free(to);
  return time;
}
