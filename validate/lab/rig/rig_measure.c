/* SPDX-License-Identifier: BSD-3-Clause
 * See rig.h: measurements by programs that are known to be sound. */
#include "algos/step/step.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig/rig.h"

#include <math.h>
#include <string.h>

unsigned rig_next_chip(const struct machine *machine) {
  const struct blade *blade = machine_blade(machine, 0);
  unsigned chip = 0;
  while (blade_nchips(blade) > 1 && blade_links_between(blade, 0, chip) != 1) {
    chip++;
  }
  return chip;
}

/* The first reason noted; NULL: none. */
static char *stop;

void rig_note_stop(const char *why) {
  if (!stop) {
    stop = xstrdup(why);
  }
}

void rig_run_sound(struct rig *rig) {
  struct blade_result result = rig_run(rig);
  const char *why = result.faults ? result.faults : result.stuck;
  for (unsigned r = 0; r < rig->group.nranks && why; r++) {
    rig->ranks[r].cycles = NAN;
  }
  if (why) {
    SCOPED char *how =
      xasprintf("%s: %.*s", result.faults ? "fault" : "deadlock", (int)strcspn(why, "\n"), why);
    rig_note_stop(how);
  }
  blade_result_fini(&result);
}

char *rig_take_stop(void) {
  char *taken = stop;
  stop = NULL;
  return taken;
}

double rig_measure(struct rig *rig, unsigned first, unsigned end) {
  rig_run_sound(rig);
  double cycles = rig_mean(rig, first, end);
  rig_fini(rig);
  return cycles;
}

double rig_measure_pair(struct machine *machine, const struct rig_pair *pair) {
  uint64_t spes[] = {0, pair->spe};
  struct rig rig;
  struct call call = {.nranks = pair->spe ? 2 : 1,
                      .nbytes = pair->nbytes,
                      .placement = {PLACEMENT_LIST, {spes, 2}},
                      .repeat = 1,
                      .profile = pair->profile};
  rig_init_known(&rig, machine, &call);
  for (unsigned i = 0; i < call.nranks && pair->programs[i]; i++) {
    struct rig_rank *rank = &rig.ranks[i];
    rank->peer = !i;
    rank->nbytes = pair->nbytes;
    rank->job = pair->job;
    rig_set(&rig, i, pair->programs[i]);
  }
  return rig_measure(&rig, 0, 1);
}

double rig_mean_of_pairs(struct machine *machine, struct rig_pair pair, bool across) {
  unsigned chip = machine_platform(machine)->spes_per_chip, base = across ? rig_next_chip(machine) * chip : 0;
  unsigned first = across ? base : 1, end = base + chip;
  double sum = 0;
  for (pair.spe = first; pair.spe < end; pair.spe++) {
    sum += rig_measure_pair(machine, &pair);
  }
  return sum / (end - first);
}

double rig_mean(const struct rig *rig, unsigned first, unsigned end) {
  double sum = 0;
  for (unsigned r = first; r < end; r++) {
    sum += rig->ranks[r].cycles;
  }
  return sum / (end - first);
}

/* --- round trips --- */

/* Round trips, of which the first is not counted. */
enum { ROUNDS = 4 };

static void send(struct rig_rank *rank, enum pingpong_kind kind) {
  if (kind == PINGPONG_FLAG) {
    step_notify(rank->c, rank->peer);
  } else if (kind == PINGPONG_DATA) {
    step_post(rank->c, rank->peer, rank->c->buffer);
  } else {
    step_signal(rank->c, rank->peer);
  }
}

static void receive(struct rig_rank *rank, enum pingpong_kind kind) {
  if (kind == PINGPONG_FLAG) {
    step_await(rank->c, rank->peer);
  } else if (kind == PINGPONG_DATA) {
    step_fetch(rank->c, rank->c->buffer, step_await_post(rank->c, rank->peer), rank->nbytes);
  } else {
    step_await_signal(rank->c, rank->peer);
  }
}

static void play(struct rig_rank *rank) {
  const enum pingpong_kind *kind = rank->job;
  uint64_t start = 0;
  for (unsigned i = 0; i < ROUNDS; i++) {
    start = i == 1 ? spu_cycles() : start;
    if (rank->c->rank == 0) {
      send(rank, *kind);
      receive(rank, *kind);
    } else {
      receive(rank, *kind);
      send(rank, *kind);
    }
  }
  rank->cycles = (double)(spu_cycles() - start) / (ROUNDS - 1);
}

struct rig_pair rig_pingpong(enum pingpong_kind kind, size_t nbytes, const struct profile *profile) {
  static const enum pingpong_kind kinds[] = {PINGPONG_FLAG, PINGPONG_SIGNAL, PINGPONG_DATA};
  return (struct rig_pair){
    .nbytes = nbytes, .programs = {play, play}, .job = &kinds[kind], .profile = profile};
}
