/* SPDX-License-Identifier: BSD-3-Clause
 * Commands of places, and vector clocks: a notification carries all events known to the sender when the
 * notified event happened. */
#include "algos/schedule/derive.h"

#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <string.h>

unsigned derive_push(struct derivation *d, unsigned place, struct place_command command) {
  struct place_program *program = &d->schedule->programs[place];
  size_t n = d->schedule->nplaces;
  unsigned *clock = derive_clock(d, place);
  clock[place] = (unsigned)program->ncommands + 1;
  command.knows = xcalloc(n, sizeof *command.knows);
  memcpy(command.knows, clock, n * sizeof *clock);
  VEC_ADD(program->commands, program->ncommands) = command;
  return clock[place];
}

unsigned derive_push_for(struct derivation *d, unsigned place, enum command_kind kind, unsigned operation) {
  return derive_push(d, place,
                     (struct place_command){.kind = kind, .operation = operation, .other = SCHEDULE_NONE});
}

void derive_join(struct derivation *d, unsigned place, const unsigned *other) {
  unsigned *own = derive_clock(d, place);
  for (unsigned i = 0; i < d->schedule->nplaces; i++) {
    own[i] = derive_most(own[i], other[i]);
  }
}

void derive_tell(struct derivation *d, unsigned place, unsigned other, unsigned event) {
  struct place_command *command = derive_command(d, other, event);
  VEC_ADD(command->tells, command->ntells) = (struct tell){.to = place};
}

static void hear(struct derivation *d, struct heard what) {
  derive_join(d, what.place, derive_command(d, what.other, what.event)->knows);
  derive_push(d, what.place,
              (struct place_command){.kind = COMMAND_AWAIT, .operation = SCHEDULE_NONE, .other = what.other});
}

void derive_hear_all(struct derivation *d, unsigned place, unsigned other) {
  size_t n = d->nheard;
  d->nheard = 0;
  for (size_t i = 0; i < n; i++) {
    struct heard what = d->heard[i];
    if (place == SCHEDULE_NONE || (what.place == place && what.other == other)) {
      hear(d, what);
    } else {
      d->heard[d->nheard++] = what;
    }
  }
}

void derive_learn(struct derivation *d, unsigned place, unsigned other, unsigned event) {
  if (place != other && derive_clock(d, place)[other] < event) {
    derive_hear_all(d, place, other);
  }
  if (place != other && derive_clock(d, place)[other] < event) {
    derive_tell(d, place, other, event);
    hear(d, (struct heard){place, other, event});
  }
}

/* Return how many of the events NEEDED by PLACE, and not known to PLACE, OTHER knows when its own event has
 * happened. */
static unsigned covered_by(const struct derivation *d, unsigned place, unsigned other,
                           const unsigned *needed) {
  const unsigned *knows = derive_command(d, other, needed[other])->knows;
  unsigned covers = 0;
  for (unsigned i = 0; i < d->schedule->nplaces; i++) {
    covers += i != place && derive_clock(d, place)[i] < needed[i] && knows[i] >= needed[i];
  }
  return covers;
}

/* The events of the most telling place come first. */
void derive_learn_all(struct derivation *d, unsigned place, const unsigned *needed) {
  for (;;) {
    unsigned best = SCHEDULE_NONE, best_covers = 0;
    for (unsigned i = 0; i < d->schedule->nplaces; i++) {
      if (i != place && derive_clock(d, place)[i] < needed[i]) {
        unsigned covers = covered_by(d, place, i, needed);
        if (best == SCHEDULE_NONE || covers > best_covers) {
          best = i;
          best_covers = covers;
        }
      }
    }
    if (best == SCHEDULE_NONE) {
      return;
    }
    derive_learn(d, place, best, needed[best]);
  }
}
