/* SPDX-License-Identifier: BSD-3-Clause
 * The program of a rank: the commands of the rank's place, in the vocabulary of algos/step.
 *
 * Scratch, one after the other: units of this place, each with a piece; units for puts of others, twice,
 * used in turn by calls; flags behind data; the flags put by this place, twice; the root of the call
 * before. */
#include "algos/schedule/sched/sched.h"

#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/vec.h"

#include <string.h>

enum { FLAG_BYTES = 16 };

/* Parts of scratch, by the offset of the end; bytes of a unit. */
struct layout {
  size_t own_units, put_units, flags_in, flags_out, last_root, unit;
};

/* A rank in a call. */
struct runner {
  struct coll *c;
  const struct sched *sched;
  unsigned ranks[SCHED_PLACES_MAX]; /* by place */
  bool unsettled[SCHED_PLACES_MAX]; /* places with a notification under way */
  bool any;
  struct layout layout;
  size_t unit; /* bytes of the largest piece */
};

/* --- places and bytes --- */

/* Let place 0 be the root, chips follow one another from the chip of the root on, and the places of each chip
 * be turned as on that chip.
 * returns: the place of the rank of R. */
static unsigned map_places(struct runner *r) {
  const struct coll_group *g = r->c->group;
  unsigned n = 0, own = 0, home = g->chip_of[r->c->root],
           turn = g->place_of[r->c->root] - g->chip_first[home];
  for (unsigned i = 0; i < g->nchips; i++) {
    unsigned chip = (home + i) % g->nchips, first = g->chip_first[chip],
             size = g->chip_first[chip + 1] - first;
    for (unsigned k = 0; k < size; k++) {
      r->ranks[n] = g->by_chip[first + (k + turn) % size];
      own = r->ranks[n] == r->c->rank ? n : own;
      n++;
    }
  }
  return own;
}

/* Return the bytes of region I in a buffer. */
static struct span region_span(const struct runner *r, unsigned i) {
  const struct coll_group *group = r->c->group;
  unsigned npieces = r->sched->npieces;
  struct span part = layout_piece(group, i % npieces, npieces);
  if (r->sched->is_vector) {
    return part;
  }
  return (struct span){layout_block(group, r->ranks[i / npieces]).offset + part.offset, part.nbytes};
}

/* Return the bytes of the largest piece, a multiple of 16. */
static size_t unit_bytes(const struct sched *sched, size_t nbytes) {
  size_t npieces = sched->npieces;
  return ((nbytes + 15) / 16 + npieces - 1) / npieces * 16;
}

/* Return the layout of scratch in a call of GROUP. */
static struct layout lay(const struct sched *sched, const struct coll_group *group) {
  struct layout l = {.unit = unit_bytes(sched, group_most_bytes(group))};
  size_t flags = FLAG_BYTES * (size_t)sched->nentries;
  l.own_units = sched->nown_units * l.unit;
  l.put_units = l.own_units + 2 * sched->nput_units * l.unit;
  l.flags_in = l.put_units + flags;
  l.flags_out = l.flags_in + 2 * flags;
  l.last_root = l.flags_out + FLAG_BYTES;
  return l;
}

size_t sched_scratch(const struct coll_group *group) {
  const struct sched *sched = sched_of(group);
  return sched ? lay(sched, group).last_root : 0;
}

/* Return the scratch of OPERATION, an addition. */
static uint8_t *scratch_of(const struct runner *r, const struct operation *operation) {
  size_t half = coll_own_calls(r->c) % 2 * r->sched->nput_units;
  bool is_own = operation->kind == OPERATION_GETADD;
  return r->c->scratch + (is_own ? 0 : r->layout.own_units) +
         (operation->scratch + (is_own ? 0 : half)) * r->layout.unit;
}

/* Return the flag INDEX behind the part of scratch that ends at END. */
static uint32_t *flag_at(const struct runner *r, size_t end, size_t index) {
  return (uint32_t *)(void *)(r->c->scratch + end + FLAG_BYTES * index);
}

/* --- notifications --- */

static void settle(struct runner *r) {
  if (r->any) {
    step_settle_all(r->c);
    memset(r->unsettled, false, sizeof r->unsettled);
    r->any = false;
  }
}

static void tell_all(struct runner *r, const struct place_command *command) {
  VEC_EACH(tell, command->tells, command->ntells) {
    if (tell->by_signal) {
      step_signal(r->c, r->ranks[tell->to]);
      continue;
    }
    if (r->unsettled[tell->to]) {
      settle(r);
    }
    step_notify_more(r->c, r->ranks[tell->to]);
    r->unsettled[tell->to] = r->any = true;
  }
  if (!r->sched->late) {
    settle(r);
  }
}

/* --- transfers --- */

/* Find the RUN of bytes without a gap from region I of OPERATION on; of an addition, as long as the regions
 * lie in the buffer as in scratch.
 * returns: the number of regions in RUN. */
static unsigned find_run(const struct runner *r, const struct operation *operation, unsigned i,
                         struct span *run) {
  bool adds = operation_adds(operation);
  unsigned n = 1;
  *run = region_span(r, operation->first + i);
  for (; i + n < operation->count; n++) {
    struct span next = region_span(r, operation->first + i + n);
    if (next.offset < run->offset + run->nbytes || next.offset >= run->offset + run->nbytes + 16 ||
        (adds && next.offset != run->offset + n * r->unit)) {
      break;
    }
    run->nbytes = next.nbytes ? next.offset + next.nbytes - run->offset : run->nbytes;
  }
  return n;
}

static void put_flag(const struct runner *r, const struct operation *operation) {
  size_t half = coll_own_calls(r->c) % 2 * (size_t)r->sched->nentries;
  uint32_t *flag = flag_at(r, r->layout.flags_in, half + operation->entry_out);
  flag[0] = coll_own_calls(r->c) + 1;
  step_start_flag(
    r->c, &(struct step_transfer){.ls = flag,
                                  .ea = step_peer_ea(r->c, r->ranks[operation->to],
                                                     flag_at(r, r->layout.put_units, operation->entry_in)),
                                  .nbytes = FLAG_BYTES,
                                  .slot = operation->slot});
}

/* Start the transfers of OPERATION, one for each run of bytes; an addition moves a vector piece by piece. */
static void start(const struct runner *r, const struct operation *operation) {
  struct coll *c = r->c;
  bool is_get = operation->actor == operation->to;
  bool adds = operation_adds(operation);
  unsigned peer = r->ranks[is_get ? operation->from : operation->to];
  step_begin(c);
  for (unsigned i = 0; i < operation->count;) {
    struct span run = region_span(r, operation->first + i);
    unsigned n = adds && r->sched->is_vector ? 1 : find_run(r, operation, i, &run);
    uint8_t *buffer = c->buffer + run.offset,
            *scratch = adds ? scratch_of(r, operation) + i * r->unit : buffer;
    struct step_transfer transfer = {.ls = is_get ? scratch : buffer,
                                     .ea = step_peer_ea(c, peer, is_get ? buffer : scratch),
                                     .nbytes = run.nbytes,
                                     .slot = operation->slot};
    if (run.nbytes > 0) {
      (is_get ? step_start_get : step_start_put)(c, &transfer);
    }
    i += n;
  }
  if (operation->flagged) {
    put_flag(r, operation);
  }
}

/* --- combining --- */

static void combine(const struct runner *r, const struct operation *operation) {
  struct span run;
  for (unsigned i = 0, n; i < operation->count; i += n) {
    n = find_run(r, operation, i, &run);
    step_combine(r->c, r->c->buffer + run.offset, scratch_of(r, operation) + i * r->unit, run.nbytes);
  }
}

/* Combine the data of operation FROM with the data of operation INTO, in scratch. */
static void merge(const struct runner *r, const struct operation *into, const struct operation *from) {
  for (unsigned i = 0; i < into->count; i++) {
    step_combine(r->c, scratch_of(r, into) + i * r->unit, scratch_of(r, from) + i * r->unit,
                 region_span(r, into->first + i).nbytes);
  }
}

/* --- the program --- */

static void execute(struct runner *r, const struct place_command *command) {
  const struct operation *operations = r->sched->operations, *operation = &operations[0];
  operation += command->operation == SCHED_NONE ? 0 : command->operation;
  switch (command->kind) {
  case COMMAND_NOTHING:
    break;
  case COMMAND_STEP:
    step_begin(r->c);
    break;
  case COMMAND_START:
    start(r, operation);
    break;
  case COMMAND_FINISH:
    step_finish(r->c, operation->slot);
    break;
  case COMMAND_COMBINE:
    combine(r, operation);
    break;
  case COMMAND_MERGE:
    merge(r, operation, &operations[command->other]);
    break;
  case COMMAND_AWAIT:
    step_await(r->c, r->ranks[command->other]);
    break;
  case COMMAND_AWAIT_SIGNAL:
    step_await_signal(r->c, r->ranks[command->other]);
    break;
  case COMMAND_AWAIT_ENTRY:
    step_await_entry(r->c, r->ranks[operation->from], flag_at(r, r->layout.put_units, operation->entry_in));
    step_receive_entries(r->c);
    break;
  }
}

/* Note the root of this call of R.
 * returns: whether a place is the same rank as in the call before, as trust needs. */
static bool is_same_root(const struct runner *r) {
  uint32_t *last = flag_at(r, r->layout.flags_out, 0);
  bool is_same = coll_own_calls(r->c) == 0 || *last == r->c->root;
  *last = r->c->root;
  return is_same;
}

void sched_run(struct coll *c) {
  const struct sched *sched = sched_of(c->group);
  struct runner r = {
    .c = c, .sched = sched, .layout = lay(sched, c->group), .unit = unit_bytes(sched, c->nbytes)};
  if (sched->safe && !is_same_root(&r)) {
    r.sched = sched->safe;
  }
  const struct place_program *program = &r.sched->programs[map_places(&r)];
  if (coll_own_calls(c) == 0 && sched->nentries > 0) {
    step_note_entries(c, flag_at(&r, r.layout.put_units, 0), FLAG_BYTES * (size_t)sched->nentries);
  }
  VEC_EACH(command, program->commands, program->ncommands) {
    execute(&r, command);
    tell_all(&r, command);
  }
  settle(&r);
}
