/* SPDX-License-Identifier: BSD-3-Clause
 * See pingpong.h. */
#include "validate/lab/pingpong.h"

#include "algos/step/driver.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig.h"

#include <assert.h>

/* Round trips, of which the first is not counted. */
enum { ROUNDS = 4 };

static void
send(struct rig_rank *rank, enum pingpong_kind kind)
{
  if (kind == PINGPONG_FLAG_STEP || kind == PINGPONG_SIGNAL_STEP) {
    step_begin(rank->c);
  }
  if (kind == PINGPONG_FLAG || kind == PINGPONG_FLAG_STEP) {
    step_notify(rank->c, rank->peer);
  } else if (kind == PINGPONG_DATA) {
    step_post(rank->c, rank->peer, rank->c->buffer);
  } else {
    step_signal(rank->c, rank->peer);
  }
}

static void
receive(struct rig_rank *rank, enum pingpong_kind kind)
{
  if (kind == PINGPONG_FLAG || kind == PINGPONG_FLAG_STEP) {
    step_await(rank->c, rank->peer);
  } else if (kind == PINGPONG_DATA) {
    step_fetch(rank->c, rank->c->buffer, step_await_post(rank->c, rank->peer), rank->nbytes);
  } else {
    step_await_signal(rank->c, rank->peer);
  }
}

static void
play(struct rig_rank *rank, enum pingpong_kind kind)
{
  uint64_t start = 0;
  driver_enter(rank->c);
  for (unsigned i = 0; i < ROUNDS; i++) {
    start = i == 1 ? spu_cycles() : start;
    if (rank->c->rank == 0) {
      send(rank, kind);
      receive(rank, kind);
    } else {
      receive(rank, kind);
      send(rank, kind);
    }
  }
  rank->cycles = (double)(spu_cycles() - start) / (ROUNDS - 1);
}

static void
play_flag(void *argument)
{
  play(argument, PINGPONG_FLAG);
}

static void
play_signal(void *argument)
{
  play(argument, PINGPONG_SIGNAL);
}

static void
play_flag_step(void *argument)
{
  play(argument, PINGPONG_FLAG_STEP);
}

static void
play_signal_step(void *argument)
{
  play(argument, PINGPONG_SIGNAL_STEP);
}

static void
play_data(void *argument)
{
  play(argument, PINGPONG_DATA);
}

double
pingpong_between(const struct pingpong *pingpong, unsigned peer)
{
  static void (*const programs[])(void *) = {[PINGPONG_FLAG] = play_flag,
                                             [PINGPONG_SIGNAL] = play_signal,
                                             [PINGPONG_FLAG_STEP] = play_flag_step,
                                             [PINGPONG_SIGNAL_STEP] = play_signal_step,
                                             [PINGPONG_DATA] = play_data};
  struct rig rig;
  struct rig_spec spec = {.nranks = peer + 1,
                          .nbytes = pingpong->kind == PINGPONG_DATA ? pingpong->nbytes : 0,
                          .nrepeats = 1,
                          .profile = pingpong->profile};
  rig_init_known(&rig, pingpong->blade, &spec);
  rig.ranks[0].peer = peer;
  rig.ranks[peer].peer = 0;
  rig.ranks[0].nbytes = rig.ranks[peer].nbytes = pingpong->nbytes;
  rig_set(&rig, 0, programs[pingpong->kind]);
  rig_set(&rig, peer, programs[pingpong->kind]);
  rig_run_sound(&rig);
  double cycles = rig.ranks[0].cycles;
  rig_fini(&rig);
  return cycles;
}

double
pingpong_mean(const struct pingpong *pingpong, bool across)
{
  unsigned chip = pingpong->blade->spes_per_chip;
  unsigned first = across ? chip : 1, end = across ? 2 * chip : chip;
  double sum = 0;
  for (unsigned peer = first; peer < end; peer++) {
    sum += pingpong_between(pingpong, peer);
  }
  return sum / (end - first);
}
