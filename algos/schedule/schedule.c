/* SPDX-License-Identifier: BSD-3-Clause
 * See schedule.h.
 *
 * Two words of a text need trust. Place p trusts place q if p knows, at the end of a call, of the entry of q:
 * data of p in the next call cannot overtake q. The trusting pairs are the greatest fixed point: all pairs
 * trust one another at first, and pairs without knowledge lose trust, until nothing changes. Trust is about
 * places; if the root moves, places are other ranks. So a call with another root than the call before has
 * another program, without trust, and a trusting pair needs knowledge at the end of this program, too. */
#include "algos/schedule/schedule.h"

#include "algos/step/needs.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Release the programs of SCHEDULE. */
static void clear(struct schedule *schedule) {
  for (unsigned place = 0; schedule->programs && place < schedule->nplaces; place++) {
    struct place_program *program = &schedule->programs[place];
    for (size_t i = 0; i < program->ncommands; i++) {
      free(program->commands[i].tells);
      free(program->commands[i].knows);
    }
    free(program->commands);
    free(program->units);
  }
  free(schedule->programs);
  schedule->programs = NULL;
}

/* Take back trust without knowledge.
 * returns: whether no trust was taken back. */
static bool keep_trust(struct schedule *schedule) {
  bool kept = true;
  for (size_t i = 0; i < (size_t)schedule->nplaces * schedule->nplaces; i++) {
    kept &= schedule->knows[i] || !schedule->trusted[i];
    schedule->trusted[i] &= schedule->knows[i];
  }
  return kept;
}

static void raise(unsigned *most, size_t value) {
  *most = value > *most ? (unsigned)value : *most;
}

/* Measure the scratch of SCHEDULE, and release the knowledge of places after commands. */
static void finish(struct schedule *schedule) {
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    const struct place_program *program = &schedule->programs[place];
    raise(&schedule->nown_units, program->nunits);
    raise(&schedule->nput_units, program->nput_units);
    raise(&schedule->nentries, program->nentries_in);
    raise(&schedule->nentries, program->nentries_out);
    for (size_t i = 0; i < program->ncommands; i++) {
      free(program->commands[i].knows);
      program->commands[i].knows = NULL;
    }
  }
}

/* Count the notifications of each pair of places into COUNTS, [from * nplaces + to]. */
static void count_tells(const struct schedule *schedule, unsigned *counts) {
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    const struct place_program *program = &schedule->programs[place];
    for (size_t i = 0; i < program->ncommands; i++) {
      for (size_t k = 0; k < program->commands[i].ntells; k++) {
        counts[(size_t)place * schedule->nplaces + program->commands[i].tells[k].to]++;
      }
    }
  }
}

/* Let the notification of a pair with only one in a call be a signal, if the sender knows in each call that
 * the signal of the call before the last one has been read. A register has one bit for each sender, so
 * several notifications of a pair stay flags. */
static void use_signals(struct schedule *schedule) {
  size_t n = schedule->nplaces;
  unsigned *counts = xcalloc(n * n, sizeof *counts);
  count_tells(schedule, counts);
  for (unsigned place = 0; place < n; place++) {
    const struct place_program *program = &schedule->programs[place];
    for (size_t i = 0; i < program->ncommands; i++) {
      struct place_command *command = &program->commands[i];
      for (size_t k = 0; k < command->ntells; k++) {
        size_t pair = place * n + command->tells[k].to;
        command->tells[k].by_signal = counts[pair] == 1 && schedule->trusted[pair];
      }
      size_t pair = command->kind == COMMAND_AWAIT ? command->other * n + place : 0;
      if (command->kind == COMMAND_AWAIT && counts[pair] == 1 && schedule->trusted[pair]) {
        command->kind = COMMAND_AWAIT_SIGNAL;
      }
    }
  }
  free(counts);
}

/* Return a copy of the list of SCHEDULE without need of trust. */
static struct schedule *copy_without_trust(const struct schedule *schedule) {
  struct schedule *copy = xcalloc(1, sizeof *copy);
  *copy = *schedule;
  copy->signals = copy->eager = false;
  copy->operations = xcalloc(schedule->noperations + 1, sizeof *copy->operations);
  for (size_t i = 0; i < schedule->noperations; i++) {
    copy->operations[i] = schedule->operations[i];
  }
  return copy;
}

void schedule_derive(struct schedule *schedule) {
  size_t npairs = (size_t)schedule->nplaces * schedule->nplaces;
  schedule->safe = schedule->signals || schedule->eager ? copy_without_trust(schedule) : NULL;
  schedule->trusted = xcalloc(npairs, sizeof *schedule->trusted);
  schedule->knows = xcalloc(npairs, sizeof *schedule->knows);
  struct schedule *safe = schedule->safe;
  if (safe) {
    schedule_derive(safe);
    memcpy(schedule->trusted, safe->knows, npairs * sizeof *schedule->trusted);
  }
  do {
    clear(schedule);
    schedule_derive_programs(schedule);
  } while (!keep_trust(schedule));
  finish(schedule);
  if (safe) { /* both have one layout of scratch */
    raise(&schedule->nown_units, safe->nown_units);
    raise(&schedule->nput_units, safe->nput_units);
    raise(&schedule->nentries, safe->nentries);
    safe->nown_units = schedule->nown_units;
    safe->nput_units = schedule->nput_units;
    safe->nentries = schedule->nentries;
  }
  if (schedule->signals && schedule->nplaces <= COLL_SIGNAL_BITS) {
    use_signals(schedule);
  }
}

void schedule_free(struct schedule *schedule) {
  if (schedule) {
    schedule_free(schedule->safe);
    clear(schedule);
    free(schedule->trusted);
    free(schedule->knows);
    free(schedule->operations);
    free(schedule);
  }
}
