/* SPDX-License-Identifier: BSD-3-Clause
 * See plogp.h. The parameters of the refined model for algorithms by flags.
 *
 *   L(1)           half the round trip of a flag with the bookkeeping of a step
 *   step(m)        address there, m bytes, acknowledgement; half of one there and one back
 *   serve(m)       what one more reader adds when the others of a chip get m bytes from one rank, of it or of the one before
 *   issue          a rank raises flags at all others of its chip, or at those of the next one: time by their number;
 *                  `more` without waiting for any
 *   start          the same with transfers of a few bytes that it starts
 *   handle         what one more flag adds when all others of its chip raise theirs at one rank at once */
#include "algos/step/step.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/pingpong.h"
#include "validate/lab/rig.h"
#include "validate/model/plogp_parts.h"

/* Give the buffer away, then take one: a data step there and one back, each with its acknowledgement. */
static void
give_and_take(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  step_begin(c);
  step_post(c, rank->peer, c->buffer);
  step_begin(c);
  step_take(c, rank->peer, c->buffer, rank->nbytes);
}

static void
take_and_give(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  step_begin(c);
  step_take(c, rank->peer, c->buffer, rank->nbytes);
  step_begin(c);
  step_post(c, rank->peer, c->buffer);
}

/* How a rank tells others something. */
struct telling {
  void (*tell)(struct coll *c, unsigned to);
};

/* Tell all ranks from `peer` on. */
static void
tell_all(struct rig_rank *rank)
{
  const struct telling *telling = rank->job;
  for (unsigned r = rank->peer; r < rank->c->nranks; r++) {
    telling->tell(rank->c, r);
  }
}

static void
notify_in_step(struct coll *c, unsigned to)
{
  step_begin(c);
  step_notify(c, to);
}

/* Start a transfer to the buffer of rank TO. */
static void
start_transfer(struct coll *c, unsigned to)
{
  step_start_put(c, &(struct step_transfer){
                      .ls = c->buffer, .ea = step_peer_ea(c, to, c->buffer), .nbytes = MFC_MIN_DMA_SIZE});
}

static void
hear_all(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  for (unsigned r = 1; r < c->nranks; r++) {
    step_await(c, r);
  }
}

/* Return by how much each of the ranks of a chip but one makes it later that all have got M bytes from rank 0, which is on
 * the chip before if ACROSS. */
static double
serving_time(const struct plogp *plogp, bool across, size_t m)
{
  unsigned chip = blade_spes_per_chip(plogp->blade), first = across ? chip : 1,
           end = across ? 2 * chip : chip;
  double times[2];
  for (unsigned all = 0; all < 2; all++) {
    struct rig rig;
    plogp_start_rig(&rig, plogp, end, m);
    for (unsigned r = first; r < (all ? end : first + 1); r++) {
      rig_set(&rig, r, plogp_get_from_peer);
    }
    rig_run_sound(&rig);
    times[all] = rig_mean(&rig, first, all ? end : first + 1);
    rig_fini(&rig);
  }
  return end - first > 1 ? (times[1] - times[0]) / (end - first - 1) : 0;
}

/* Return what rank 0 spends on a flag for each other rank of its chip, or for each of the next one. */
static double
telling_time(const struct plogp *plogp, bool across, struct telling telling)
{
  unsigned chip = blade_spes_per_chip(plogp->blade), first = across ? chip : 1,
           end = across ? 2 * chip : chip;
  struct rig rig;
  plogp_start_rig(&rig, plogp, end, MFC_MIN_DMA_SIZE);
  rig.ranks[0].peer = first;
  rig.ranks[0].job = &telling;
  rig_set(&rig, 0, tell_all);
  return rig_measure(&rig, 0) / (end - first);
}

/* Return how much later each of the other ranks of its chip makes it that rank 0 has heard all of them, who tell it at
 * once. */
static double
hearing_time(const struct plogp *plogp)
{
  unsigned chip = blade_spes_per_chip(plogp->blade);
  double times[2];
  for (unsigned all = 0; all < 2; all++) {
    unsigned nranks = all ? chip : 2;
    struct rig rig;
    plogp_start_rig(&rig, plogp, nranks, 0);
    rig_set(&rig, 0, hear_all);
    for (unsigned r = 1; r < nranks; r++) {
      rig_set(&rig, r, plogp_notify_peer);
    }
    times[all] = rig_measure(&rig, 0);
  }
  return chip > 2 ? (times[1] - times[0]) / (chip - 2) : 0;
}

double
plogp_measure_flags(const struct plogp *plogp, const struct plogp_key *key)
{
  static rig_program *const steps[2] = {give_and_take, take_and_give};
  struct telling usual = {key->way & COST_WITH_STEPS ? notify_in_step : step_notify};
  struct pingpong flags = {.blade = plogp->blade, .profile = plogp->profile, .kind = PINGPONG_FLAG_STEP};
  switch (key->parameter) {
  case COST_L:
  case COST_L1:
    return pingpong_mean(&flags, false) / 2;
  case COST_L2:
    return pingpong_mean(&flags, true) / 2;
  case COST_STEP1:
    return plogp_measure_pair(plogp, 1, key->m, steps) / 2;
  case COST_STEP2:
    return plogp_measure_pair(plogp, blade_spes_per_chip(plogp->blade), key->m, steps) / 2;
  case COST_SERVE1:
    return serving_time(plogp, false, key->m);
  case COST_SERVE2:
    return serving_time(plogp, true, key->m);
  case COST_ISSUE:
    return telling_time(plogp, false, usual);
  case COST_ISSUE2:
    return telling_time(plogp, true, usual);
  case COST_ISSUE_MORE:
    return telling_time(plogp, false, (struct telling){step_notify_more});
  case COST_START:
    return telling_time(plogp, false, (struct telling){start_transfer});
  default:
    return hearing_time(plogp);
  }
}
