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
#include "algos/schedule/derive.h"

#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

static struct region *region_of(const struct derivation *d, unsigned place, unsigned region) {
  return &d->regions[(size_t)place * d->schedule->nregions + region];
}

/* --- transfers --- */

/* Let the actor of operation NUMBER wait for the end of the transfer. */
static void finish(struct derivation *d, unsigned number) {
  struct operation *operation = &d->schedule->operations[number];
  struct place_program *program = &d->schedule->programs[operation->actor];
  unsigned n = 0;
  if (operation->finished) {
    return;
  }
  for (unsigned i = 0; i < program->noutstanding; i++) {
    if (program->outstanding[i] != number) {
      program->outstanding[n++] = program->outstanding[i];
    }
  }
  program->noutstanding = n;
  operation->finished = derive_push_for(d, operation->actor, COMMAND_FINISH, number);
}

/* See that the receiver of operation NUMBER knows of the arrival of the data. */
static void arrive(struct derivation *d, unsigned number) {
  struct operation *operation = &d->schedule->operations[number];
  if (operation->arrived) {
    return;
  }
  if (operation->actor == operation->to) {
    finish(d, number);
    operation->arrived = operation->finished;
    return;
  }
  struct place_program *from = &d->schedule->programs[operation->from],
                       *to = &d->schedule->programs[operation->to];
  const unsigned *knew = derive_command(d, operation->from, operation->started)->knows;
  if (d->schedule->fence && knew[operation->to] > 0 && !operation->finished) {
    operation->flagged = true;
    operation->entry_in = to->nentries_in++;
    operation->entry_out = from->nentries_out++;
    derive_join(d, operation->to, knew);
    operation->arrived = derive_push_for(d, operation->to, COMMAND_AWAIT_ENTRY, number);
  } else {
    finish(d, number);
    derive_learn(d, operation->to, operation->from, operation->finished);
    operation->arrived = derive_push_for(d, operation->to, COMMAND_STEP, number);
  }
}

/* Raise NEEDED, by place, to the latest events to wait for before REGION of PLACE is read; and
 * before the region is WRITTEN. */
static void need(struct derivation *d, unsigned place, unsigned region, bool written, unsigned *needed) {
  struct region *r = region_of(d, place, region);
  unsigned event = r->event;
  if (r->writer != SCHEDULE_NONE) {
    arrive(d, r->writer);
    event = d->schedule->operations[r->writer].arrived;
  }
  needed[place] = derive_most(needed[place], event);
  for (size_t i = 0; written && i < r->readers.n; i++) {
    const struct operation *reader = &d->schedule->operations[r->readers.items[i]];
    finish(d, r->readers.items[i]);
    needed[reader->actor] = derive_most(needed[reader->actor], reader->finished);
  }
}

/* --- scratch --- */

/* Give back the units of scratch used by OPERATION. */
static void give_units(struct derivation *d, const struct operation *operation) {
  if (operation->kind == OPERATION_GETADD) {
    memset(d->schedule->programs[operation->to].units + operation->scratch, false, operation->count);
  }
}

static bool are_free(const struct place_program *program, size_t at, size_t count) {
  for (size_t i = at; i < at + count && i < program->nunits; i++) {
    if (program->units[i]) {
      return false;
    }
  }
  return true;
}

/* Take COUNT successive units of scratch of PROGRAM.
 * returns: the first one. */
static unsigned take_units(struct place_program *program, size_t count) {
  size_t at = 0;
  while (!are_free(program, at, count)) {
    at++;
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
  struct operation *operation = &d->schedule->operations[number];
  unsigned needed[SCHEDULE_PLACES_MAX] = {0};
  if (operation->combined) {
    return;
  }
  operation->combined = true;
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    need(d, operation->to, i, true, needed);
  }
  arrive(d, number);
  derive_learn_all(d, operation->to, needed);
  unsigned event = derive_push_for(d, operation->to, COMMAND_COMBINE, number);
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    struct region *region = region_of(d, operation->to, i);
    region->writer = SCHEDULE_NONE;
    region->event = event;
    region->readers.n = 0;
  }
  give_units(d, operation);
}

/* Let the receiver combine the data of operation FROM with the data of operation INTO, in scratch. */
static void merge(struct derivation *d, unsigned into, unsigned from) {
  struct operation *operations = d->schedule->operations;
  arrive(d, into);
  arrive(d, from);
  derive_push(d, operations[into].to,
              (struct place_command){.kind = COMMAND_MERGE, .operation = into, .other = from});
  operations[from].combined = true;
  give_units(d, &operations[from]);
}

/* Order the N operations ADDS of a block by the place of their data, with SCHEDULE_NONE for PLACE's own data,
 * into LIST, of N + 1 items. */
static void sort_block(const struct derivation *d, unsigned place, const unsigned *adds, size_t n,
                       unsigned *list) {
  const struct operation *operations = d->schedule->operations;
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = count++;
    for (; at > 0 && operations[list[at - 1]].from > operations[adds[i]].from; at--) {
      list[at] = list[at - 1];
    }
    list[at] = adds[i];
  }
  size_t own = 0;
  while (own < n && operations[list[own]].from < place) {
    own++;
  }
  memmove(list + own + 1, list + own, (n - own) * sizeof *list);
  list[own] = SCHEDULE_NONE;
}

/* Combine the N operations ADDS of one block into PLACE's data in pairs, in the order of the places of the
 * data: places in an exchange with one another get the same bits, since a + b has the bits of b + a, but
 * (a + b) + c has other bits than a + (b + c). */
static void combine_block(struct derivation *d, unsigned place, const unsigned *adds, size_t n) {
  unsigned *list = xcalloc(n + 1, sizeof *list);
  sort_block(d, place, adds, n, list);
  for (size_t left = n + 1; left > 1; left = (left + 1) / 2) {
    for (size_t i = 0; i < left / 2; i++) {
      unsigned a = list[2 * i], b = list[2 * i + 1];
      bool has_own = a == SCHEDULE_NONE || b == SCHEDULE_NONE;
      if (has_own) {
        combine(d, a == SCHEDULE_NONE ? b : a);
      } else {
        merge(d, a, b);
      }
      list[i] = has_own ? SCHEDULE_NONE : a;
    }
    if (left % 2) {
      list[left / 2] = list[left - 1];
    }
  }
  free(list);
}

/* Return how many of the first combinations ADDS, N of them, belong to one block and to the same regions as
 * the first. */
static size_t count_alike(const struct derivation *d, const unsigned *adds, size_t n) {
  const struct operation *first = &d->schedule->operations[adds[0]];
  size_t count = 1;
  for (; first->block && count < n && adds[count] < d->together; count++) {
    const struct operation *other = &d->schedule->operations[adds[count]];
    if (other->block != first->block || other->first != first->first || other->count != first->count ||
        other->combined) {
      break;
    }
  }
  return first->combined ? 1 : count;
}

/* Put all readable combinations into REGION of PLACE into the program. */
static void settle(struct derivation *d, unsigned place, unsigned region) {
  struct region *r = region_of(d, place, region);
  size_t n = 0;
  while (n < r->adds.n && r->adds.items[n] < d->together) {
    size_t alike = count_alike(d, r->adds.items + n, r->adds.n - n);
    if (alike > 1) {
      combine_block(d, place, r->adds.items + n, alike);
    } else {
      combine(d, r->adds.items[n]);
    }
    n += alike;
  }
  r->adds.n -= n;
  if (n > 0) {
    memmove(r->adds.items, r->adds.items + n, r->adds.n * sizeof *r->adds.items);
  }
}

/* --- operations --- */

/* Wait for old transfers of the actor of OPERATION until there is a slot. */
static void make_room(struct derivation *d, const struct operation *operation) {
  struct place_program *program = &d->schedule->programs[operation->actor];
  while (program->noutstanding >= d->schedule->depth) {
    unsigned oldest = program->outstanding[0];
    finish(d, oldest);
    if (d->schedule->operations[oldest].kind == OPERATION_GETADD && oldest < d->together) {
      combine(d, oldest);
    }
  }
}

/* Collect the events NEEDED before OPERATION. */
static void need_all(struct derivation *d, const struct operation *operation, unsigned *needed) {
  const struct schedule *schedule = d->schedule;
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    settle(d, operation->from, i);
    if (!operation_adds(operation)) {
      settle(d, operation->to, i);
      need(d, operation->to, i, true, needed);
    }
    need(d, operation->from, i, false, needed);
  }
  if (operation->kind == OPERATION_PUTADD) {
    bool trusts =
      schedule->eager && schedule->trusted[(size_t)operation->actor * schedule->nplaces + operation->to];
    needed[operation->to] = trusts ? needed[operation->to] : derive_most(needed[operation->to], 1);
  }
}

static void take_slot(const struct derivation *d, struct operation *operation) {
  const struct place_program *program = &d->schedule->programs[operation->actor];
  bool used[SCHEDULE_DEPTH_MAX + 1] = {false};
  for (unsigned i = 0; i < program->noutstanding; i++) {
    used[d->schedule->operations[program->outstanding[i]].slot] = true;
  }
  operation->slot = 0;
  while (used[operation->slot]) {
    operation->slot++;
  }
}

/* Derive the commands of operation NUMBER, a transfer. */
static void transfer(struct derivation *d, unsigned number) {
  struct operation *operation = &d->schedule->operations[number];
  unsigned needed[SCHEDULE_PLACES_MAX] = {0};
  need_all(d, operation, needed);
  make_room(d, operation);
  derive_learn_all(d, operation->actor, needed);
  take_slot(d, operation);
  struct place_program *actor = &d->schedule->programs[operation->actor];
  actor->outstanding[actor->noutstanding++] = number;
  if (operation->kind == OPERATION_GETADD) {
    operation->scratch = take_units(actor, operation->count);
  } else if (operation->kind == OPERATION_PUTADD) {
    struct place_program *to = &d->schedule->programs[operation->to];
    operation->scratch = to->nput_units;
    to->nput_units += operation->count;
  }
  operation->started = derive_push_for(d, operation->actor, COMMAND_START, number);
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

static void signal_place(struct derivation *d, const struct operation *operation) {
  unsigned event = derive_push_for(d, operation->from, COMMAND_STEP, SCHEDULE_NONE);
  derive_tell(d, operation->to, operation->from, event);
  VEC_ADD(d->heard, d->nheard) = (struct heard){operation->to, operation->from, event};
}

static void derive_operations(struct derivation *d) {
  struct schedule *schedule = d->schedule;
  for (unsigned i = 0; i < schedule->noperations; i++) {
    struct operation *operation = &schedule->operations[i];
    operation->finished = operation->arrived = operation->started = 0;
    operation->combined = operation->flagged = false;
    switch (operation->kind) {
    case OPERATION_SIGNAL:
      signal_place(d, operation);
      break;
    case OPERATION_TOGETHER:
      d->together = i;
      break;
    case OPERATION_ROUND:
      derive_hear_all(d, SCHEDULE_NONE, SCHEDULE_NONE);
      d->together = schedule->noperations;
      break;
    default:
      transfer(d, i);
    }
  }
}

/* --- the beginning and the end of a call --- */

static void enter(struct derivation *d) {
  for (unsigned place = 0; place < d->schedule->nplaces; place++) {
    derive_push_for(d, place, COMMAND_ENTER, SCHEDULE_NONE);
    for (unsigned i = 0; i < d->schedule->nregions; i++) {
      *region_of(d, place, i) = (struct region){.writer = SCHEDULE_NONE, .event = 1};
    }
  }
}

/* Let all places end all transfers and combinations, and leave when nobody touches the buffers any more; a
 * barrier, when all have entered. */
static void leave(struct derivation *d) {
  struct schedule *schedule = d->schedule;
  derive_hear_all(d, SCHEDULE_NONE, SCHEDULE_NONE);
  d->together = schedule->noperations;
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    for (unsigned i = 0; i < schedule->nregions; i++) {
      settle(d, place, i);
    }
  }
  for (unsigned i = 0; i < schedule->noperations; i++) {
    if (schedule->operations[i].kind < OPERATION_SIGNAL) {
      finish(d, i);
    }
  }
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    unsigned needed[SCHEDULE_PLACES_MAX] = {0};
    for (unsigned i = 0; i < schedule->nregions; i++) {
      need(d, place, i, true, needed);
    }
    for (unsigned i = 0; schedule->collective == COLL_BARRIER && i < schedule->nplaces; i++) {
      needed[i] = derive_most(needed[i], 1);
    }
    derive_learn_all(d, place, needed);
  }
}

/* Note the pairs with knowledge, and take back the trust of others.
 * returns: whether no trust was taken back. */
static bool keep_trust(const struct derivation *d) {
  struct schedule *schedule = d->schedule;
  bool kept = true;
  for (size_t i = 0; i < (size_t)schedule->nplaces * schedule->nplaces; i++) {
    schedule->knows[i] = d->clock[i] > 0;
    kept &= schedule->knows[i] || !schedule->trusted[i];
    schedule->trusted[i] &= schedule->knows[i];
  }
  return kept;
}

/* Release what the places know after commands. */
static void forget(struct schedule *schedule) {
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    const struct place_program *program = &schedule->programs[place];
    for (size_t i = 0; i < program->ncommands; i++) {
      free(program->commands[i].knows);
      program->commands[i].knows = NULL;
    }
  }
}

static void measure_scratch(struct schedule *schedule) {
  schedule->nown_units = schedule->nput_units = schedule->nentries = 0;
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    const struct place_program *program = &schedule->programs[place];
    schedule->nown_units = derive_most(schedule->nown_units, (unsigned)program->nunits);
    schedule->nput_units = derive_most(schedule->nput_units, program->nput_units);
    schedule->nentries =
      derive_most(schedule->nentries, derive_most(program->nentries_in, program->nentries_out));
  }
}

/* Derive all programs with the present trust.
 * returns: whether the programs keep the trust. */
static bool derive(struct schedule *schedule) {
  size_t n = schedule->nplaces, nregions = n * schedule->nregions;
  derive_clear(schedule);
  schedule->programs = xcalloc(n, sizeof *schedule->programs);
  struct derivation d = {.schedule = schedule,
                         .together = schedule->noperations,
                         .regions = xcalloc(nregions + 1, sizeof *d.regions),
                         .clock = xcalloc(n * n, sizeof *d.clock)};
  enter(&d);
  derive_operations(&d);
  leave(&d);
  bool kept = keep_trust(&d);
  measure_scratch(schedule);
  forget(schedule);
  for (size_t i = 0; i < nregions; i++) {
    free(d.regions[i].readers.items);
    free(d.regions[i].adds.items);
  }
  free(d.regions);
  free(d.clock);
  free(d.heard);
  return kept;
}

void derive_programs(struct schedule *schedule) {
  while (!derive(schedule)) {
  }
}
