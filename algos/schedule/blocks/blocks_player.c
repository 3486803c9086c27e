/* SPDX-License-Identifier: BSD-3-Clause
 * The player of thread blocks, with a task for each block of the rank: a task does a part of a step. */
#include "algos/schedule/blocks/blocks.h"
#include "algos/schedule/links/links.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of numbers that no sum of floating-point numbers absorbs, and no maximum or minimum, of any type. */
enum { GARBAGE = 0xfb, GARBAGE_OF_MAX = 0x7b, QUADWORD = 16 };

struct task {
  const struct block *block;
  const struct link *in, *out; /* NULL: no step has such messages */
  unsigned tag, step, part, piece;
  bool is_sending; /* the last put has not left yet */
};

struct blocks_player {
  struct player player; /* first */
  const struct blocks *schedule;
  unsigned npieces, per_slot; /* pieces of a chunk; chunks in a slot */
  size_t chunk, part;         /* bytes of a chunk; of a chunk in a slot */
  uint8_t *buffers[BUFFER_COUNT];
  struct task *tasks; /* by block of the rank */
};

/* --- the scratch of a rank --- */

size_t blocks_chunk_bytes(const struct blocks *schedule, size_t nbytes) {
  bool has_blocks = collective_has_blocks(blocks_traits[schedule->collective].played);
  return nbytes * (has_blocks ? schedule->nranks : 1) / schedule->nchunks;
}

/* Return the layout of connections of SCHEDULE in the call of GROUP.
 * owner: the caller, of the items. */
static struct links lay(const struct blocks *schedule, const struct coll_group *group) {
  struct links links = {.n = schedule->nconnections,
                        .items = xcalloc(schedule->nconnections + 1, sizeof *links.items)};
  for (size_t i = 0; i < links.n; i++) {
    links.items[i] = (struct link){.from = schedule->blocks[schedule->connections[i].from].rank,
                                   .to = schedule->blocks[schedule->connections[i].to].rank,
                                   .depth = group->call.values[PARAM_DEPTH],
                                   .slot = group->call.values[PARAM_SLOT]};
  }
  links_lay(&links, schedule->nranks);
  return links;
}

/* Return the bytes of the scratch buffer of SCHEDULE, behind the connections, in the call of GROUP. */
static size_t buffer_bytes(const struct blocks *schedule, const struct coll_group *group) {
  unsigned nchunks = 0;
  VEC_EACH(rank, schedule->ranks, schedule->nranks) {
    RAISE(nchunks, rank->nchunks[BUFFER_SCRATCH]);
  }
  return nchunks * blocks_chunk_bytes(schedule, group->nbytes);
}

static size_t scratch(const struct coll_group *group) {
  const struct blocks *schedule = blocks_of(loaded_of(group->call.algo));
  struct links links = lay(schedule, group);
  free(links.items);
  return links.nbytes + buffer_bytes(schedule, group);
}

/* --- a step --- */

static const struct block_step *step_of(const struct blocks_player *p, const struct task *task) {
  return &p->schedule->steps[task->block->first + task->step];
}

/* Do the work of KIND on NBYTES: data GOT in a slot, SRC and DST in buffers.
 * returns: the data to be sent. */
static uint8_t *work(struct blocks_player *p, enum step_kind kind, uint8_t *const data[3], size_t nbytes) {
  uint8_t *src = data[1], *dst = data[2];
  const struct step_traits *traits = &step_traits[kind];
  uint8_t *value = traits->receives ? data[0] : src;
  bool adds = traits->receives && traits->reads_src; /* src and the data got */
  if (!traits->writes) {
    if (adds) {
      step_combine(p->player.c, value, src, nbytes);
    }
    return value;
  }
  if (adds && dst != src) {
    link_copy(dst, src, nbytes);
  }
  if (adds || traits->reads_dst) {
    step_combine(p->player.c, dst, value, nbytes);
  } else {
    link_copy(dst, value, nbytes);
  }
  return dst;
}

/* Do the present part of the present step of TASK. */
static void do_part(struct blocks_player *p, struct task *task) {
  const struct block_step *step = step_of(p, task);
  const struct step_traits *traits = &step_traits[step->kind];
  struct coll *c = p->player.c;
  uint32_t *counts = p->player.counts;
  unsigned first = task->part * p->per_slot, left = step->count - first;
  size_t offset = task->piece * p->part, rest = p->chunk - offset;
  size_t nbytes = MIN(rest, p->part) * MIN(left, p->per_slot);
  uint8_t *data[3] = {NULL};
  const struct block_chunks *chunks[] = {&step->src, &step->dst};
  for (unsigned i = 0; i < 2; i++) {
    size_t chunk = (size_t)(chunks[i]->offset < 0 ? 0 : chunks[i]->offset) + first;
    data[1 + i] = p->buffers[chunks[i]->buffer] + chunk * p->chunk + offset;
  }
  if (traits->receives) {
    data[0] = link_slot(c, task->in, counts[task->in->in] + 1);
    spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
  }
  uint8_t *out = work(p, step->kind, data, nbytes);
  if (traits->sends) {
    task->is_sending = true;
    link_put(
      c, task->out,
      &(struct message){.tag = task->tag, .data = out, .nbytes = nbytes, .number = ++counts[task->out->out]});
  }
}

/* Go to the next part of TASK, of a step whose part is over. */
static void end_part(struct blocks_player *p, struct task *task) {
  const struct block_step *step = step_of(p, task);
  if (step_traits[step->kind].receives) {
    uint32_t number = ++p->player.counts[task->in->in];
    link_tell(p->player.c, task->in, &(struct message){.tag = task->tag, .number = number}, true);
  }
  if (++task->part * p->per_slot < step->count) {
    return;
  }
  task->part = 0;
  if (++task->step == task->block->nsteps) {
    task->step = 0;
    p->player.nopen -= ++task->piece == p->npieces;
  }
}

/* --- tasks --- */

/* Tell whether the dependency of the present step of TASK is over. */
static bool is_ready(const struct blocks_player *p, const struct task *task) {
  const struct block_step *step = step_of(p, task);
  const struct task *other = step->dep_block < 0 ? NULL : &p->tasks[step->dep_block];
  return !other || other->piece > task->piece ||
         (other->piece == task->piece && other->step > (unsigned)step->dep_step);
}

/* Return the name of the step of TASK, or of its wait WHICH; made once. */
static const char *name_step(const struct blocks_player *p, const struct task *task, enum block_name which) {
  static const char *const waits[BLOCK_NAMES] = {"", ", free slot", ", message"};
  char **name = &p->schedule->names[BLOCK_NAMES * (task->block->first + task->step) + which];
  if (!*name) {
    *name = xasprintf("block %u step %u (%s)%s", task->block->number, task->step,
                      step_traits[step_of(p, task)->kind].word, waits[which]);
  }
  return *name;
}

/* Tell whether the next message of TASK, or, unless RECEIVES, the next slot, is there; else TASK needs the
 * event. */
static bool look(struct blocks_player *p, const struct task *task, bool receives) {
  const struct link *link = receives ? task->in : task->out;
  uint32_t number = p->player.counts[receives ? link->in : link->out] + 1;
  struct spu_flag flag = link_flag(p->player.c, link, number, receives),
                  *missing = awaited_look(&p->player.awaited, &flag);
  if (missing) {
    missing->what = name_step(p, task, receives ? BLOCK_MESSAGE : BLOCK_SLOT);
  }
  return !missing;
}

/* Let task I go on by one part, or by the end of a put.
 * returns: whether the task did. */
static bool advance(struct player *player, unsigned i) {
  struct blocks_player *p = (struct blocks_player *)player;
  struct task *task = &p->tasks[i];
  if (task->piece == p->npieces) {
    return false;
  }
  const struct step_traits *traits = &step_traits[step_of(p, task)->kind];
  spu_compute_for(COMPUTE_OTHER, LINK_LOOK);
  if (task->is_sending) {
    task->is_sending = !awaited_tags(&player->awaited, player->c, UINT32_C(1) << task->tag);
    if (task->is_sending) {
      return false;
    }
    spu_compute_for(COMPUTE_TAG, player->c->group->costs.tag);
    spu_note_step(0, name_step(p, task, BLOCK_STEP));
    end_part(p, task);
    return true;
  }
  if (!is_ready(p, task)) {
    return false;
  }
  bool has_message = !traits->receives || look(p, task, true);
  bool has_slot = !traits->sends || look(p, task, false);
  if (has_message && has_slot) {
    spu_note_step(0, name_step(p, task, BLOCK_STEP));
    do_part(p, task);
    if (!traits->sends) {
      end_part(p, task);
    }
  }
  return has_message && has_slot;
}

/* Prepare the tasks of the rank of P. */
static void make_tasks(struct blocks_player *p) {
  const struct blocks_rank *rank = &p->schedule->ranks[p->player.c->rank];
  p->tasks = xcalloc(rank->nblocks + 1, sizeof *p->tasks);
  p->player.ntasks = rank->nblocks;
  for (unsigned i = 0; i < rank->nblocks; i++) {
    const struct block *block = &p->schedule->blocks[rank->first + i];
    const struct link *links = p->player.links->items;
    p->tasks[i] = (struct task){.block = block,
                                .in = block->in == BLOCKS_NONE ? NULL : &links[block->in],
                                .out = block->out == BLOCKS_NONE ? NULL : &links[block->out],
                                .tag = 1 + i % LINK_TAGS,
                                .piece = block->nsteps ? 0 : p->npieces};
    p->player.nopen += block->nsteps > 0 && p->npieces > 0;
  }
}

/* Let buffers be as in the schedule: the input of a gather or an all-gather in place is the own block of the
 * result, the result of a scatter or a reduce-scatter is the own block. */
static void find_buffers(struct blocks_player *p) {
  struct coll *c = p->player.c;
  const struct blocks_traits *traits = &blocks_traits[p->schedule->collective];
  bool is_apart = c->in != c->buffer;
  uint8_t *own = c->buffer + c->rank * c->nbytes;
  p->buffers[BUFFER_OUTPUT] = traits->is_block ? own : c->buffer;
  p->buffers[BUFFER_SCRATCH] = c->scratch + p->player.links->nbytes;
  p->buffers[BUFFER_INPUT] = is_apart ? c->in : blocks_joins(traits) ? own : c->buffer;
  size_t nscratch = buffer_bytes(p->schedule, c->group);
  if (nscratch) { /* values that no step has written are wrong ones in each call */
    spu_note_store(p->buffers[BUFFER_SCRATCH], nscratch);
    memset(p->buffers[BUFFER_SCRATCH], c->group->op == OP_MAX ? GARBAGE_OF_MAX : GARBAGE, nscratch);
  }
  if (is_apart && !p->schedule->is_apart) { /* an all-to-all in place */
    link_copy(c->buffer, c->in, layout_buffer_bytes(c->group));
    p->buffers[BUFFER_INPUT] = c->buffer;
  }
}

static void run(struct coll *c) {
  const struct blocks *schedule = blocks_of(loaded_of(c->group->call.algo));
  struct links links = lay(schedule, c->group);
  struct blocks_player p = {
    .player = {.c = c, .links = &links, .counts = links_begin(&links, c), .advance = advance},
    .schedule = schedule,
    .chunk = blocks_chunk_bytes(schedule, c->group->nbytes)};
  size_t slot = c->group->call.values[PARAM_SLOT];
  p.part = MIN(p.chunk, slot);
  p.per_slot = p.part ? (unsigned)(slot / p.part) : 1;
  p.npieces = (unsigned)((p.chunk + slot - 1) / slot);
  make_tasks(&p);
  find_buffers(&p);
  player_play(&p.player);
  free(p.player.awaited.flags);
  free(p.tasks);
  free(links.items);
}

/* --- the algorithm --- */

/* The way of doing the schedule, in place or apart, is the wrong one of two. */
static int complete(struct loaded *loaded, struct err *err) {
  struct blocks *schedule = (struct blocks *)loaded;
  struct algo *algo = &loaded->algo;
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  if (!traits->has_result) {
    return err_set(err, "a schedule of %s, expected a collective with a result", traits->word);
  }
  if (schedule->beyond) {
    return err_set(err, "line %u: chunks beyond the %u of buffer %c in the collective, expected none",
                   schedule->beyond->line, schedule->natural[schedule->beyond_buffer],
                   BUFFER_LETTERS[schedule->beyond_buffer]);
  }
  const struct findings *wrong = &loaded->judgement.found[FOUND_WRONG];
  const bool *claims = schedule->claims;
  schedule->is_apart =
    claims[BLOCKS_OUT_OF_PLACE] &&
    (!claims[BLOCKS_IN_PLACE] || (wrong[BLOCKS_OUT_OF_PLACE].n && !wrong[BLOCKS_IN_PLACE].n));
  schedule->names = xcalloc(BLOCK_NAMES * schedule->nsteps + 1, sizeof *schedule->names);
  algo->collective = traits->played;
  algo->scratch = scratch;
  algo->run = run;
  algo->ranks = schedule->nranks;
  algo->unit = QUADWORD * (collective_has_blocks(algo->collective) ? schedule->each : schedule->nchunks);
  algo->is_apart = algo->collective != COLL_ALLTOALL && schedule->is_apart;
  /* of the catalogue, in place */
  bool keeps = algo->collective == COLL_GATHER || algo->collective == COLL_SCATTER;
  algo->takes_input = schedule->takes_input || (keeps && !algo->is_apart);
  return 0;
}

const struct form blocks_form = {.name = "msccl",
                                 .idea = "a schedule of thread blocks",
                                 .read = msccl_read,
                                 .complete = complete,
                                 .depth = blocks_depth,
                                 .free = blocks_free};
