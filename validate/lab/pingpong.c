/* SPDX-License-Identifier: BSD-3-Clause
 * See pingpong.h. */
#include "validate/lab/pingpong.h"

#include "algos/step/step.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig.h"

/* Round trips, of which the first is not counted. */
enum { ROUNDS = 4 };

static enum pingpong_kind kind_of(const struct rig_rank *rank) {
  const struct pingpong *pingpong = rank->job;
  return pingpong->kind;
}

static void send(struct rig_rank *rank) {
  enum pingpong_kind kind = kind_of(rank);
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

static void receive(struct rig_rank *rank) {
  enum pingpong_kind kind = kind_of(rank);
  if (kind == PINGPONG_FLAG || kind == PINGPONG_FLAG_STEP) {
    step_await(rank->c, rank->peer);
  } else if (kind == PINGPONG_DATA) {
    step_fetch(rank->c, rank->c->buffer, step_await_post(rank->c, rank->peer), rank->nbytes);
  } else {
    step_await_signal(rank->c, rank->peer);
  }
}

static void play(struct rig_rank *rank) {
  uint64_t start = 0;
  for (unsigned i = 0; i < ROUNDS; i++) {
    start = i == 1 ? spu_cycles() : start;
    if (rank->c->rank == 0) {
      send(rank);
      receive(rank);
    } else {
      receive(rank);
      send(rank);
    }
  }
  rank->cycles = (double)(spu_cycles() - start) / (ROUNDS - 1);
}

/* Return the two ranks of PINGPONG. */
static struct rig_pair pair_of(const struct pingpong *pingpong) {
  return (struct rig_pair){.nbytes = pingpong->kind == PINGPONG_DATA ? pingpong->nbytes : 0,
                           .programs = {play, play},
                           .job = pingpong,
                           .profile = pingpong->profile};
}

double pingpong_between(const struct pingpong *pingpong, unsigned spe) {
  struct rig_pair pair = pair_of(pingpong);
  pair.spe = spe;
  return rig_measure_pair(pingpong->blade, &pair);
}

double pingpong_mean(const struct pingpong *pingpong, bool across) {
  return rig_mean_of_pairs(pingpong->blade, pair_of(pingpong), across);
}
