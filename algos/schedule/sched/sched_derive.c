/* SPDX-License-Identifier: BSD-3-Clause
 * Who waits for whom: from the list of operations to a program for each place.
 *
 * An event is the end of a command of a place. Each operation has events to wait for: the source has data,
 * all readers of the old data of the target are done, the receiver has entered the call. Each place has a
 * vector clock, the latest known event of each place. If an event is unknown to the acting place, the place
 * of the event tells the acting place directly after the event. The notification carries the clock of the
 * event.
 *
 * Two words of a text need trust. Place p trusts place q if p knows, at the end of a call, of the entry of q:
 * data of p in the next call cannot overtake q. The trusting pairs are the greatest fixed point: all pairs
 * trust one another at first, and pairs without knowledge lose trust, until nothing changes. Trust is about
 * places; if the root moves, places are other ranks. So a call with another root than the call before has
 * another program, without trust, and a trusting pair needs knowledge at the end of this program, too.
 *
 * source: the idea of proving order by vector clocks: Fidge 1988; Mattern 1989. */
#include "algos/schedule/sched/sched.h"

#include "algos/step/needs.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* A list of numbers of operations. */
struct numbers {
  unsigned *items;
  size_t n;
};

/* What is known of a region of a place while the list is read. */
struct region {
  unsigned writer;        /* last operation to write the region; SCHED_NONE: none, or a combination */
  unsigned event;         /* the end of the last write, at the place */
  struct numbers readers; /* operations with a read of the region since */
  struct numbers adds;    /* combinations in no program yet */
};

/* A signal sent and not awaited yet. */
struct heard {
  unsigned place, other, event;
};

struct derivation {
  struct sched *sched;
  struct heard *heard;
  size_t nheard;
  size_t together; /* combinations of this operation and of later ones are not read yet */
  struct region *regions;
  unsigned *clock; /* [place * nplaces + other] */
};

static unsigned *clock_of(const struct derivation *d, unsigned place) {
  return d->clock + (size_t)place * d->sched->nplaces;
}

static struct place_command *command_of(const struct derivation *d, unsigned place, unsigned event) {
  return &d->sched->programs[place].commands[event - 1];
}

/* --- commands and clocks: a notification carries all events known to the sender at the notified event --- */

/* Append a command of KIND for OPERATION to the program of PLACE.
 * returns: the event of the command. */
static unsigned push(struct derivation *d, unsigned place, enum command_kind kind, unsigned operation) {
  struct place_program *program = &d->sched->programs[place];
  size_t n = d->sched->nplaces;
  unsigned *clock = clock_of(d, place);
  struct place_command command = {.kind = kind, .operation = operation, .other = SCHED_NONE};
  clock[place] = (unsigned)program->ncommands + 1;
  command.knows = xcalloc(n, sizeof *command.knows);
  memcpy(command.knows, clock, n * sizeof *clock);
  VEC_ADD(program->commands, program->ncommands) = command;
  return clock[place];
}

/* Let PLACE know all events of the clock OTHER. */
static void join(struct derivation *d, unsigned place, const unsigned *other) {
  unsigned *own = clock_of(d, place);
  for (unsigned i = 0; i < d->sched->nplaces; i++) {
    RAISE(own[i], other[i]);
  }
}

/* Let OTHER tell PLACE of EVENT, behind the command of the event. */
static void tell(struct derivation *d, unsigned place, unsigned other, unsigned event) {
  struct place_command *command = command_of(d, other, event);
  VEC_ADD(command->tells, command->ntells) = (struct tell){.to = place};
}

static void hear(struct derivation *d, struct heard what) {
  join(d, what.place, command_of(d, what.other, what.event)->knows);
  unsigned event = push(d, what.place, COMMAND_AWAIT, SCHED_NONE);
  command_of(d, what.place, event)->other = what.other;
}

/* Let PLACE await the signals sent by OTHER; with PLACE SCHED_NONE all places all signals. */
static void hear_all(struct derivation *d, unsigned place, unsigned other) {
  size_t n = d->nheard;
  d->nheard = 0;
  for (size_t i = 0; i < n; i++) {
    struct heard what = d->heard[i];
    if (place == SCHED_NONE || (what.place == place && what.other == other)) {
      hear(d, what);
    } else {
      d->heard[d->nheard++] = what;
    }
  }
}

/* Let PLACE know of EVENT of OTHER; a notification is added for an unknown event. */
static void learn(struct derivation *d, unsigned place, unsigned other, unsigned event) {
  if (place != other && clock_of(d, place)[other] < event) {
    hear_all(d, place, other);
  }
  if (place != other && clock_of(d, place)[other] < event) {
    tell(d, place, other, event);
    hear(d, (struct heard){place, other, event});
  }
}

/* Return how many of the events NEEDED by PLACE, and not known to PLACE, OTHER knows when its own event has
 * happened. */
static unsigned covered_by(const struct derivation *d, unsigned place, unsigned other,
                           const unsigned *needed) {
  const unsigned *knows = command_of(d, other, needed[other])->knows;
  unsigned covers = 0;
  for (unsigned i = 0; i < d->sched->nplaces; i++) {
    covers += i != place && clock_of(d, place)[i] < needed[i] && knows[i] >= needed[i];
  }
  return covers;
}

/* Let PLACE know of all events NEEDED, by place; those of the most telling place come first. */
static void learn_all(struct derivation *d, unsigned place, const unsigned *needed) {
  const unsigned *clock = clock_of(d, place);
  unsigned best;
  do {
    unsigned best_covers = 0;
    best = SCHED_NONE;
    for (unsigned i = 0; i < d->sched->nplaces; i++) {
      unsigned covers = i != place && clock[i] < needed[i] ? covered_by(d, place, i, needed) : 0;
      if (covers > best_covers) {
        best = i;
        best_covers = covers;
      }
    }
    if (best != SCHED_NONE) {
      learn(d, place, best, needed[best]);
    }
  } while (best != SCHED_NONE);
}

static struct region *region_of(const struct derivation *d, unsigned place, unsigned region) {
  return &d->regions[(size_t)place * d->sched->nregions + region];
}

/* --- transfers --- */

/* Let the actor of operation NUMBER wait for the end of the transfer. */
static void finish(struct derivation *d, unsigned number) {
  struct operation *operation = &d->sched->operations[number];
  struct place_program *program = &d->sched->programs[operation->actor];
  if (!operation->finished) {
    program->under_way[operation->slot] = 0;
    program->nunder_way--;
    operation->finished = push(d, operation->actor, COMMAND_FINISH, number);
  }
}

/* Let the receiver of operation NUMBER know of the arrival of the data. */
static void arrive(struct derivation *d, unsigned number) {
  struct operation *operation = &d->sched->operations[number];
  if (operation->arrived) {
    return;
  }
  if (operation->actor == operation->to) {
    finish(d, number);
    operation->arrived = operation->finished;
    return;
  }
  struct place_program *programs = d->sched->programs;
  const unsigned *knew = command_of(d, operation->from, operation->started)->knows;
  if (d->sched->fence && knew[operation->to] > 0 && !operation->finished) {
    operation->flagged = true;
    operation->entry_in = programs[operation->to].nentries_in++;
    operation->entry_out = programs[operation->from].nentries_out++;
    join(d, operation->to, knew);
    operation->arrived = push(d, operation->to, COMMAND_AWAIT_ENTRY, number);
  } else {
    finish(d, number);
    learn(d, operation->to, operation->from, operation->finished);
    operation->arrived = push(d, operation->to, COMMAND_NOTHING, number);
  }
}

/* Raise NEEDED, by place, to the latest events to wait for before REGION of PLACE is read; and
 * before the region is WRITTEN. */
static void need(struct derivation *d, unsigned place, unsigned region, bool written, unsigned *needed) {
  struct region *r = region_of(d, place, region);
  unsigned event = r->event;
  if (r->writer != SCHED_NONE) {
    arrive(d, r->writer);
    event = d->sched->operations[r->writer].arrived;
  }
  RAISE(needed[place], event);
  for (size_t i = 0; written && i < r->readers.n; i++) {
    const struct operation *reader = &d->sched->operations[r->readers.items[i]];
    finish(d, r->readers.items[i]);
    RAISE(needed[reader->actor], reader->finished);
  }
}

/* --- scratch --- */

/* Give back the units of scratch used by OPERATION. */
static void give_units(struct derivation *d, const struct operation *operation) {
  if (operation->kind == OPERATION_GETADD) {
    memset(d->sched->programs[operation->to].units + operation->scratch, false, operation->count);
  }
}

/* Take COUNT successive units of scratch of PROGRAM.
 * returns: the first one. */
static unsigned take_units(struct place_program *program, size_t count) {
  size_t at = 0;
  for (size_t i = 0; i < at + count && i < program->nunits; i++) {
    at = program->units[i] ? i + 1 : at;
  }
  while (program->nunits < at + count) {
    VEC_ADD(program->units, program->nunits) = false;
  }
  memset(program->units + at, true, count);
  return (unsigned)at;
}

/* --- combinations --- */

/* Let the receiver of operation NUMBER combine the data with the receiver's data. */
static void combine(struct derivation *d, unsigned number) {
  struct operation *operation = &d->sched->operations[number];
  unsigned needed[SCHED_PLACES_MAX] = {0};
  if (operation->combined) {
    return;
  }
  operation->combined = true;
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    need(d, operation->to, i, true, needed);
  }
  arrive(d, number);
  learn_all(d, operation->to, needed);
  unsigned event = push(d, operation->to, COMMAND_COMBINE, number);
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    struct region *region = region_of(d, operation->to, i);
    region->writer = SCHED_NONE;
    region->event = event;
    region->readers.n = 0;
  }
  give_units(d, operation);
}

/* Let the receiver combine the data of operation FROM with the data of operation INTO, in scratch. */
static void merge(struct derivation *d, unsigned into, unsigned from) {
  struct operation *operations = d->sched->operations;
  arrive(d, into);
  arrive(d, from);
  unsigned event = push(d, operations[into].to, COMMAND_MERGE, into);
  command_of(d, operations[into].to, event)->other = from;
  operations[from].combined = true;
  give_units(d, &operations[from]);
}

/* Return the place of the data of operation NUMBER; SCHED_NONE: PLACE's own data. */
static unsigned source_of(const struct derivation *d, unsigned place, unsigned number) {
  return number == SCHED_NONE ? place : d->sched->operations[number].from;
}

/* Order the N operations ADDS of a block by the place of their data, with SCHED_NONE for PLACE's own data,
 * into LIST, of N + 1 items. */
static void sort_block(const struct derivation *d, unsigned place, const unsigned *adds, size_t n,
                       unsigned *list) {
  for (size_t i = 0; i <= n; i++) {
    unsigned number = i < n ? adds[i] : SCHED_NONE, source = source_of(d, place, number);
    size_t at = i;
    for (; at > 0 && source_of(d, place, list[at - 1]) > source; at--) {
      list[at] = list[at - 1];
    }
    list[at] = number;
  }
}

/* Combine the operation, or the N operations of one block, ADDS into PLACE's data in pairs, in the order of
 * the places of the data: places in an exchange with one another get the same bits, since a + b has the bits
 * of b + a, but (a + b) + c has other bits than a + (b + c). */
static void combine_block(struct derivation *d, unsigned place, const unsigned *adds, size_t n) {
  SCOPED unsigned *list = xcalloc(n + 1, sizeof *list);
  sort_block(d, place, adds, n, list);
  for (size_t left = n + 1; left > 1; left = (left + 1) / 2) {
    for (size_t i = 0; i < left / 2; i++) {
      unsigned a = list[2 * i], b = list[2 * i + 1];
      bool has_own = a == SCHED_NONE || b == SCHED_NONE;
      if (has_own) {
        combine(d, a == SCHED_NONE ? b : a);
      } else {
        merge(d, a, b);
      }
      list[i] = has_own ? SCHED_NONE : a;
    }
    if (left % 2) {
      list[left / 2] = list[left - 1];
    }
  }
}

/* Return how many of the first combinations ADDS, N of them, belong to one block and to the same regions as
 * the first. */
static size_t count_alike(const struct derivation *d, const unsigned *adds, size_t n) {
  const struct operation *first = &d->sched->operations[adds[0]];
  size_t count = 1;
  for (; first->block && count < n && adds[count] < d->together; count++) {
    const struct operation *other = &d->sched->operations[adds[count]];
    if (other->block != first->block || other->first != first->first || other->count != first->count ||
        other->combined) {
      break;
    }
  }
  return first->combined ? 1 : count;
}

/* Put all readable combinations into REGION of PLACE into the program. */
static void settle(struct derivation *d, unsigned place, unsigned region) {
  struct numbers *adds = &region_of(d, place, region)->adds;
  size_t n = 0;
  while (n < adds->n && adds->items[n] < d->together) {
    size_t alike = count_alike(d, adds->items + n, adds->n - n);
    combine_block(d, place, adds->items + n, alike);
    n += alike;
  }
  adds->n -= n;
  if (n > 0) {
    memmove(adds->items, adds->items + n, adds->n * sizeof *adds->items);
  }
}

/* --- operations --- */

/* Wait for old transfers of PROGRAM until there is a slot. */
static void make_room(struct derivation *d, const struct place_program *program) {
  while (program->nunder_way >= d->sched->depth) {
    unsigned oldest = SCHED_NONE;
    for (unsigned i = 0; i < SCHED_DEPTH_MAX; i++) {
      oldest = program->under_way[i] && program->under_way[i] <= oldest ? program->under_way[i] - 1 : oldest;
    }
    finish(d, oldest);
    if (d->sched->operations[oldest].kind == OPERATION_GETADD && oldest < d->together) {
      combine(d, oldest);
    }
  }
}

/* Collect the events NEEDED before OPERATION. */
static void need_all(struct derivation *d, const struct operation *operation, unsigned *needed) {
  const struct sched *sched = d->sched;
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    settle(d, operation->from, i);
    if (!operation_adds(operation)) {
      settle(d, operation->to, i);
      need(d, operation->to, i, true, needed);
    }
    need(d, operation->from, i, false, needed);
  }
  if (operation->kind == OPERATION_PUTADD) {
    bool trusts = sched->eager && sched->trusted[(size_t)operation->actor * sched->nplaces + operation->to];
    RAISE(needed[operation->to], trusts ? 0U : 1U);
  }
}

/* Derive the commands of operation NUMBER, a transfer. */
static void transfer(struct derivation *d, unsigned number) {
  struct operation *operation = &d->sched->operations[number];
  unsigned needed[SCHED_PLACES_MAX] = {0};
  struct place_program *actor = &d->sched->programs[operation->actor];
  need_all(d, operation, needed);
  make_room(d, actor);
  learn_all(d, operation->actor, needed);
  operation->slot = 0;
  while (actor->under_way[operation->slot]) {
    operation->slot++;
  }
  actor->under_way[operation->slot] = number + 1;
  actor->nunder_way++;
  if (operation->kind == OPERATION_GETADD) {
    operation->scratch = take_units(actor, operation->count);
  } else if (operation->kind == OPERATION_PUTADD) {
    struct place_program *to = &d->sched->programs[operation->to];
    operation->scratch = to->nput_units;
    to->nput_units += operation->count;
  }
  operation->started = push(d, operation->actor, COMMAND_START, number);
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    struct region *from = region_of(d, operation->from, i), *to = region_of(d, operation->to, i);
    VEC_ADD(from->readers.items, from->readers.n) = number;
    if (operation_adds(operation)) {
      VEC_ADD(to->adds.items, to->adds.n) = number;
    } else {
      to->writer = number;
      to->readers.n = 0;
    }
  }
}

static void derive_operations(struct derivation *d) {
  struct sched *sched = d->sched;
  for (unsigned i = 0; i < sched->noperations; i++) {
    struct operation *operation = &sched->operations[i];
    unsigned from = operation->from, to = operation->to, event;
    operation->finished = operation->arrived = operation->started = 0;
    operation->combined = operation->flagged = false;
    switch (operation->kind) {
    case OPERATION_SIGNAL:
      event = push(d, from, COMMAND_STEP, SCHED_NONE);
      tell(d, to, from, event);
      VEC_ADD(d->heard, d->nheard) = (struct heard){to, from, event};
      break;
    case OPERATION_TOGETHER:
      d->together = i;
      break;
    case OPERATION_ROUND:
      hear_all(d, SCHED_NONE, SCHED_NONE);
      d->together = sched->noperations;
      break;
    default:
      transfer(d, i);
    }
  }
}

/* --- the beginning and the end of a call --- */

/* Let all places end all transfers and combinations, and leave when nobody touches the buffers any more; a
 * barrier, when all have entered. */
static void leave(struct derivation *d) {
  struct sched *sched = d->sched;
  hear_all(d, SCHED_NONE, SCHED_NONE);
  d->together = sched->noperations;
  for (unsigned place = 0; place < sched->nplaces; place++) {
    for (unsigned i = 0; i < sched->nregions; i++) {
      settle(d, place, i);
    }
  }
  for (unsigned i = 0; i < sched->noperations; i++) {
    if (sched->operations[i].kind < OPERATION_SIGNAL) {
      finish(d, i);
    }
  }
  for (unsigned place = 0; place < sched->nplaces; place++) {
    unsigned needed[SCHED_PLACES_MAX] = {0};
    for (unsigned i = 0; i < sched->nregions; i++) {
      need(d, place, i, true, needed);
    }
    for (unsigned i = 0; sched->collective == COLL_BARRIER && i < sched->nplaces; i++) {
      RAISE(needed[i], 1);
    }
    learn_all(d, place, needed);
  }
}

/* Derive the programs with the trust allowed by SCHED, and take back trust without knowledge at the end.
 * returns: whether no trust was taken back. */
static bool derive_programs(struct sched *sched) {
  bool kept = true;
  size_t n = sched->nplaces, nregions = n * sched->nregions;
  sched->programs = xcalloc(n, sizeof *sched->programs);
  struct derivation d = {.sched = sched,
                         .together = sched->noperations,
                         .regions = xcalloc(nregions + 1, sizeof *d.regions),
                         .clock = xcalloc(n * n, sizeof *d.clock)};
  VEC_EACH(region, d.regions, nregions) {
    *region = (struct region){.writer = SCHED_NONE, .event = 1};
  }
  for (unsigned place = 0; place < n; place++) {
    push(&d, place, COMMAND_NOTHING, SCHED_NONE);
  }
  derive_operations(&d);
  leave(&d);
  for (size_t i = 0; i < n * n; i++) {
    kept &= d.clock[i] > 0 || !sched->trusted[i];
    sched->trusted[i] &= d.clock[i] > 0;
  }
  VEC_EACH(region, d.regions, nregions) {
    free(region->readers.items);
    free(region->adds.items);
  }
  free(d.regions);
  free(d.clock);
  free(d.heard);
  return kept;
}

/* --- trust --- */

static void clear(struct sched *sched) {
  VEC_EACH(program, sched->programs, sched->programs ? sched->nplaces : 0) {
    VEC_EACH(command, program->commands, program->ncommands) {
      free(command->tells);
      free(command->knows);
    }
    free(program->commands);
    free(program->units);
  }
  free(sched->programs);
  sched->programs = NULL;
}

/* Measure the scratch of SCHED, and release all that served the derivation alone. */
static void measure(struct sched *sched) {
  VEC_EACH(program, sched->programs, sched->nplaces) {
    RAISE(sched->nown_units, (unsigned)program->nunits);
    RAISE(sched->nput_units, program->nput_units);
    RAISE(sched->nentries, MAX(program->nentries_in, program->nentries_out));
    VEC_EACH(command, program->commands, program->ncommands) {
      free(command->knows);
      command->knows = NULL;
    }
    program->commands = xrealloc(program->commands, program->ncommands, sizeof *program->commands);
  }
}

/* Count the notifications of each pair of places into COUNTS, [from * nplaces + to]. */
static void count_tells(const struct sched *sched, unsigned *counts) {
  for (unsigned place = 0; place < sched->nplaces; place++) {
    const struct place_program *program = &sched->programs[place];
    VEC_EACH(command, program->commands, program->ncommands) {
      VEC_EACH(tell, command->tells, command->ntells) {
        counts[(size_t)place * sched->nplaces + tell->to]++;
      }
    }
  }
}

/* Let the notification of a pair with only one in a call be a signal, if the sender knows in each call that
 * the signal of the call before the last one has been read. A register has two bits for each sender, used in
 * turn, so several notifications of a pair in a call stay flags. */
static void use_signals(struct sched *sched) {
  size_t n = sched->nplaces;
  SCOPED unsigned *counts = xcalloc(n * n, sizeof *counts);
  count_tells(sched, counts);
  for (unsigned place = 0; place < n; place++) {
    const struct place_program *program = &sched->programs[place];
    VEC_EACH(command, program->commands, program->ncommands) {
      VEC_EACH(tell, command->tells, command->ntells) {
        size_t pair = place * n + tell->to;
        tell->by_signal = counts[pair] == 1 && sched->trusted[pair];
      }
      size_t pair = command->kind == COMMAND_AWAIT ? command->other * n + place : 0;
      if (command->kind == COMMAND_AWAIT && counts[pair] == 1 && sched->trusted[pair]) {
        command->kind = COMMAND_AWAIT_SIGNAL;
      }
    }
  }
}

/* Return a copy of the list of SCHED without need of trust. */
static struct sched *copy_without_trust(const struct sched *sched) {
  struct sched *copy = xcalloc(1, sizeof *copy);
  *copy = *sched;
  copy->signals = copy->eager = false;
  copy->operations = xcalloc(sched->noperations + 1, sizeof *copy->operations);
  if (sched->noperations) {
    memcpy(copy->operations, sched->operations, sched->noperations * sizeof *copy->operations);
  }
  return copy;
}

void sched_derive(struct sched *sched) {
  size_t npairs = (size_t)sched->nplaces * sched->nplaces;
  sched->safe = sched->signals || sched->eager ? copy_without_trust(sched) : NULL;
  sched->trusted = xcalloc(npairs, sizeof *sched->trusted);
  struct sched *safe = sched->safe;
  if (safe) {
    sched_derive(safe);
    memcpy(sched->trusted, safe->trusted, npairs * sizeof *sched->trusted);
  } else {
    memset(sched->trusted, true, npairs * sizeof *sched->trusted);
  }
  do {
    clear(sched);
  } while (!derive_programs(sched) && safe); /* without a safe list no program rests on trust */
  measure(sched);
  if (safe) { /* both have one layout of scratch */
    sched->nown_units = safe->nown_units = MAX(sched->nown_units, safe->nown_units);
    sched->nput_units = safe->nput_units = MAX(sched->nput_units, safe->nput_units);
    sched->nentries = safe->nentries = MAX(sched->nentries, safe->nentries);
  }
  if (sched->signals && sched->nplaces <= COLL_SIGNAL_BITS) {
    use_signals(sched);
  }
}

void sched_free(struct sched *sched) {
  if (sched) {
    sched_free(sched->safe);
    clear(sched);
    free(sched->trusted);
    free(sched->operations);
    free(sched);
  }
}
