/* SPDX-License-Identifier: BSD-3-Clause
 * See schedule.h. */
#include "algos/schedule/schedule.h"

#include "algos/schedule/derive.h"
#include "algos/step/needs.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

void derive_clear(struct schedule *schedule) {
  for (unsigned place = 0; schedule->programs && place < schedule->nplaces; place++) {
    struct place_program *program = &schedule->programs[place];
    for (size_t i = 0; i < program->ncommands; i++) {
      free(program->commands[i].tells);
    }
    free(program->commands);
    free(program->units);
  }
  free(schedule->programs);
  schedule->programs = NULL;
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
 * the signal of the call before the last one has been read. A register has one bit for each sender, so that
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
  derive_programs(schedule);
  if (safe) { /* both have one layout of scratch */
    schedule->nown_units = safe->nown_units = derive_most(schedule->nown_units, safe->nown_units);
    schedule->nput_units = safe->nput_units = derive_most(schedule->nput_units, safe->nput_units);
    schedule->nentries = safe->nentries = derive_most(schedule->nentries, safe->nentries);
  }
  if (schedule->signals && schedule->nplaces <= COLL_SIGNAL_BITS) {
    use_signals(schedule);
  }
}

void schedule_free(struct schedule *schedule) {
  if (schedule) {
    schedule_free(schedule->safe);
    derive_clear(schedule);
    free(schedule->trusted);
    free(schedule->knows);
    free(schedule->operations);
    free(schedule);
  }
}
