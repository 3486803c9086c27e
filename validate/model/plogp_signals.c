/* SPDX-License-Identifier: BSD-3-Clause
 * See plogp.h. The parameters of algorithms by signals, each measured by the vocabulary that they use. A parent is told by
 * a signal that a child is ready, moves the data (a put to the child, or a get from it) and lets it go by a signal; the
 * bookkeeping of a step comes with every signal.
 *
 *   L(1)           half the round trip of a signal
 *   step(m)        ready, m bytes, go: what the child waits
 *   issue, handle  a parent raises signals at all ranks of its chip, or finds theirs: time by their number
 *   start, handle(m)  the same with transfers that it starts, and finds over after a long time
 *   serve(m)       what one more child adds when a parent moves the data of all the others of its chip, or of the next one
 *   beside(m)      the same on the chip if the data of one across is moved as well
 *   delay(m)       how much later a parent finds the data of a child moved if it moves that of another one behind it
 *   C(m, n)        n messages cross the BIF, n / 2 pairs both ways: mean time of one minus that with n = 2 */
#include "algos/step/step.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/pingpong.h"
#include "validate/lab/rig.h"
#include "validate/model/plogp_parts.h"

enum { LONG_ENOUGH = 200000 };

/* --- SPE programs --- */

/* Start moving the data of rank CHILD, in SLOT. */
static void
move(struct rig_rank *rank, unsigned child, unsigned slot)
{
  struct coll *c = rank->c;
  void (*start)(struct coll *, const struct step_transfer *) =
    rank->way & COST_BY_GETS ? step_start_get : step_start_put;
  start(c, &(struct step_transfer){
             .ls = c->buffer, .ea = step_peer_ea(c, child, c->buffer), .nbytes = rank->nbytes, .slot = slot});
}

static void
be_child(struct rig_rank *rank)
{
  step_begin(rank->c);
  step_signal(rank->c, rank->peer);
  step_await_signal(rank->c, rank->peer);
}

static void
be_parent(struct rig_rank *rank)
{
  step_await_any_signal(rank->c, UINT32_C(1) << rank->peer);
  move(rank, rank->peer, 0);
  if (rank->way & COST_AS_READY) {
    step_begin(rank->c);
    step_finish(rank->c, 0);
  } else {
    step_finish(rank->c, 0);
    step_begin(rank->c);
  }
  step_signal(rank->c, rank->peer);
}

/* Move the data of ranks `peer` .. `end` - 1, but wait only for those in slot 0; the first one is there, the others are in
 * SLOT. */
static void
move_into(struct rig_rank *rank, unsigned slot)
{
  for (unsigned r = rank->peer; r < rank->end; r++) {
    move(rank, r, r == rank->peer ? 0 : slot);
  }
  step_finish(rank->c, 0);
}

static void
move_all(struct rig_rank *rank)
{
  move_into(rank, 0);
}

static void
move_first(struct rig_rank *rank)
{
  move_into(rank, 1);
}

static void
start_all(struct rig_rank *rank)
{
  for (unsigned r = 1; r < rank->c->nranks; r++) {
    move(rank, r, r);
  }
}

static void
finish_all(struct rig_rank *rank)
{
  start_all(rank);
  spu_compute(LONG_ENOUGH);
  spu_sync();
  uint64_t start = spu_cycles();
  for (unsigned r = 1; r < rank->c->nranks; r++) {
    step_finish(rank->c, r);
  }
  rank->cycles = (double)(spu_cycles() - start);
}

static void
signal_all(struct rig_rank *rank)
{
  for (unsigned r = 1; r < rank->c->nranks; r++) {
    step_begin(rank->c);
    step_signal(rank->c, r);
  }
}

static void
signal_root(struct rig_rank *rank)
{
  step_signal(rank->c, 0);
}

static void
hear_all(struct rig_rank *rank)
{
  spu_compute(LONG_ENOUGH);
  spu_sync();
  uint64_t start = spu_cycles();
  for (uint32_t missing = (UINT32_C(1) << rank->c->nranks) - 2; missing;) {
    missing &= ~(UINT32_C(1) << step_await_any_signal(rank->c, missing));
  }
  rank->cycles = (double)(spu_cycles() - start);
}

/* --- measurements --- */

/* Start a rig of NRANKS ranks for the programs above. */
static void
start_rig(struct rig *rig, const struct plogp *plogp, const struct plogp_key *key, unsigned nranks)
{
  plogp_start_rig(rig, plogp, nranks, key->m == COST_ACK ? 0 : key->m);
  for (unsigned r = 0; r < nranks; r++) {
    rig->ranks[r].way = key->way;
  }
}

static double
latency(const struct plogp *plogp, bool across)
{
  struct pingpong pingpong = {.blade = plogp->blade, .profile = plogp->profile, .kind = PINGPONG_SIGNAL_STEP};
  return pingpong_mean(&pingpong, across) / 2;
}

static double
data_step(const struct plogp *plogp, const struct plogp_key *key)
{
  unsigned child = key->parameter == COST_STEP2 ? blade_spes_per_chip(plogp->blade) : 1;
  struct rig rig;
  start_rig(&rig, plogp, key, child + 1);
  rig.ranks[0].peer = child;
  rig.ranks[child].peer = 0;
  rig_set(&rig, 0, be_parent);
  rig_set(&rig, child, be_child);
  return rig_measure(&rig, child);
}

/* Return what rank 0 spends on something with each other rank of its chip by PROGRAM, while those run OTHER. */
static double
occupation(const struct plogp *plogp, const struct plogp_key *key, rig_program *program, rig_program *other)
{
  unsigned chip = blade_spes_per_chip(plogp->blade),
           nranks = chip < COLL_SIGNAL_BITS ? chip : COLL_SIGNAL_BITS;
  struct rig rig;
  start_rig(&rig, plogp, key, nranks);
  rig_set(&rig, 0, program);
  for (unsigned r = 1; r < nranks && other; r++) {
    rig_set(&rig, r, other);
  }
  return rig_measure(&rig, 0) / (nranks - 1);
}

/* Return what PROGRAM of rank 0 takes with the children RANGE[0] .. RANGE[1] - 1. */
static double
moving_time(const struct plogp *plogp, const struct plogp_key *key, rig_program *program,
            const unsigned range[2])
{
  struct rig rig;
  start_rig(&rig, plogp, key, range[1]);
  rig.ranks[0].peer = range[0];
  rig.ranks[0].end = range[1];
  rig_set(&rig, 0, program);
  return rig_measure(&rig, 0);
}

/* Return by how much each child that the second one of RANGES has more than the first one makes PROGRAM later. */
static double
added_time(const struct plogp *plogp, const struct plogp_key *key, rig_program *program,
           const unsigned ranges[2][2])
{
  unsigned n = ranges[1][1] - ranges[1][0] - (ranges[0][1] - ranges[0][0]);
  double few = moving_time(plogp, key, program, ranges[0]);
  return n ? (moving_time(plogp, key, program, ranges[1]) - few) / n : 0;
}

/* Return the mean time of a message while N cross. */
static double
crossing_time(const struct plogp *plogp, const struct plogp_key *key, unsigned n)
{
  unsigned chip = blade_spes_per_chip(plogp->blade), pairs = n / 2;
  struct rig rig;
  start_rig(&rig, plogp, key, 2 * chip);
  for (unsigned i = 0; i < n; i++) {
    unsigned r = i < pairs ? i : i - pairs + chip;
    rig.ranks[r].peer = i < pairs ? r + chip : r - chip;
    rig.ranks[r].end = rig.ranks[r].peer + 1;
    rig_set(&rig, r, move_all);
  }
  rig_run_sound(&rig);
  double time = (rig_mean(&rig, 0, pairs) + rig_mean(&rig, chip, chip + pairs)) / 2;
  rig_fini(&rig);
  return time;
}

double
plogp_measure_signals(const struct plogp *plogp, const struct plogp_key *key)
{
  bool signal = key->m == COST_ACK;
  unsigned chip = blade_spes_per_chip(plogp->blade);
  switch (key->parameter) {
  case COST_L:
  case COST_L1:
    return latency(plogp, false);
  case COST_L2:
    return latency(plogp, true);
  case COST_STEP1:
  case COST_STEP2:
    return data_step(plogp, key);
  case COST_ISSUE:
    return occupation(plogp, key, signal_all, NULL);
  case COST_START:
    return occupation(plogp, key, start_all, NULL);
  case COST_HANDLE:
    return occupation(plogp, key, signal ? hear_all : finish_all, signal ? signal_root : NULL);
  case COST_SERVE1:
    return added_time(plogp, key, move_all, (const unsigned[2][2]){{1, 2}, {1, chip}});
  case COST_SERVE2:
    return added_time(plogp, key, move_all, (const unsigned[2][2]){{chip, chip + 1}, {chip, 2 * chip}});
  case COST_BESIDE:
    return added_time(plogp, key, move_all, (const unsigned[2][2]){{chip, chip + 1}, {1, chip + 1}});
  case COST_DELAY1:
    return added_time(plogp, key, move_first, (const unsigned[2][2]){{1, 2}, {1, chip < 3 ? chip : 3}});
  case COST_DELAY2:
    return added_time(plogp, key, move_first, (const unsigned[2][2]){{chip, chip + 1}, {chip, chip + 2}});
  case COST_C:
    return crossing_time(plogp, key, key->n) - crossing_time(plogp, key, 2);
  default:
    return NAN; /* of the published equations, which know no signals */
  }
}
