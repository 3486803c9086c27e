/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules as algorithms of the catalogue, see judge.h; the player of thread blocks. A rank looks at all
 * tasks in turn, a task for each block, and does a part of a step of each task with nothing to wait for; if
 * there is none, the rank waits for any event needed by a task. A task never waits inside a step, so the
 * program has only the deadlocks of the schedule. */
#include "algos/catalogue.h"
#include "algos/schedule/blocks/goal.h"
#include "algos/schedule/blocks/links.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  GARBAGE = 0xa5,
  QUADWORD = 16,
  CHIP_SPES = 8,
  EAGER = 65535 /* as in LogGOPSim */,
  DEPTH_MAX = 64,
  DEPTH = 2 /* as Simple in RCCL */,
  SLOT_MAX = 16384,
  SLOT = 2048
};

struct task {
  const struct block *block;
  unsigned step, part, piece;
  bool is_sending;        /* the put of the present part has not left yet */
  uint32_t *nsent, *ngot; /* messages of all calls; NULL: no step has such messages */
};

struct player {
  struct coll *c;
  const struct step_port *port;
  const struct blocks *schedule;
  struct links links;
  unsigned npieces, per_slot; /* pieces of a chunk; chunks in a slot */
  size_t chunk, part;         /* bytes of a chunk; of a chunk in a slot */
  uint8_t *buffers[BUFFER_COUNT];
  struct task *tasks; /* by block of the rank */
  unsigned ntasks, nopen;
  struct spu_flag *flags;
  struct spu_any any; /* events needed by tasks in this turn */
};

/* --- the scratch of a rank --- */

/* Return the bytes of a chunk in a call with NBYTES. */
static size_t chunk_bytes(const struct blocks *schedule, size_t nbytes) {
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
  for (unsigned r = 0; r < schedule->nranks; r++) {
    unsigned declared = schedule->ranks[r].nchunks[BUFFER_SCRATCH];
    nchunks = declared > nchunks ? declared : nchunks;
  }
  return nchunks * chunk_bytes(schedule, group->nbytes);
}

static size_t blocks_scratch(const struct coll_group *group) {
  const struct blocks *schedule = judged_of_algo(group->call.algo)->schedule;
  struct links links = lay(schedule, group);
  free(links.items);
  return links.nbytes + buffer_bytes(schedule, group);
}

/* --- a step --- */

static const struct block_step *step_of(const struct player *p, const struct task *task) {
  return &p->schedule->steps[task->block->first + task->step];
}

/* Do the work of KIND on NBYTES: data GOT in a slot, SRC and DST in buffers.
 * returns: the data to be sent. */
static uint8_t *work(struct player *p, enum step_kind kind, uint8_t *const data[3], size_t nbytes) {
  uint8_t *got = data[0], *src = data[1], *dst = data[2];
  const struct step_traits *traits = &step_traits[kind];
  if (kind == STEP_s) {
    return src;
  }
  if (kind == STEP_rrs) {
    step_combine(p->c, got, src, nbytes);
    return got;
  }
  const uint8_t *other = traits->receives ? got : src;
  if (traits->receives && traits->reads_src) { /* dst = src combined with the data got */
    if (dst != src) {
      link_copy(p->c, dst, src, nbytes);
    }
    step_combine(p->c, dst, other, nbytes);
  } else if (traits->reads_dst) {
    step_combine(p->c, dst, other, nbytes);
  } else {
    link_copy(p->c, dst, other, nbytes);
  }
  return dst;
}

/* Do the present part of the present step of TASK, with TAG. */
static void do_part(struct player *p, struct task *task, unsigned tag) {
  const struct block_step *step = step_of(p, task);
  const struct step_traits *traits = &step_traits[step->kind];
  const struct link *links = p->links.items;
  unsigned first = task->part * p->per_slot, left = step->count - first;
  size_t offset = task->piece * p->part, rest = p->chunk - offset;
  size_t nbytes = (rest < p->part ? rest : p->part) * (left < p->per_slot ? left : p->per_slot);
  uint8_t *data[3] = {NULL};
  const struct block_chunks *chunks[] = {&step->src, &step->dst};
  for (unsigned i = 0; i < 2; i++) {
    size_t chunk = (size_t)(chunks[i]->offset < 0 ? 0 : chunks[i]->offset) + first;
    data[1 + i] = p->buffers[chunks[i]->buffer] + chunk * p->chunk + offset;
  }
  if (traits->receives) {
    data[0] = link_slot(p->c, &links[task->block->in], *task->ngot + 1);
    spu_compute_for(COMPUTE_RECEIVE, p->c->group->costs.receive);
  }
  uint8_t *out = step->kind == STEP_nop ? NULL : work(p, step->kind, data, nbytes);
  if (traits->sends) {
    link_put(p->c, &links[task->block->out], &(struct link_message){++*task->nsent, tag, out, nbytes, 0});
    task->is_sending = true;
  }
}

/* Go to the next part of TASK, of a step whose part is over. */
static void end_part(struct player *p, struct task *task, unsigned tag) {
  const struct block_step *step = step_of(p, task);
  if (step_traits[step->kind].receives) {
    link_free(p->c, &p->links.items[task->block->in],
              &(struct link_message){.number = ++*task->ngot, .tag = tag});
  }
  if (++task->part * p->per_slot < step->count) {
    return;
  }
  task->part = 0;
  if (++task->step == task->block->nsteps) {
    task->step = 0;
    p->nopen -= ++task->piece == p->npieces;
  }
}

/* --- tasks --- */

/* Tell whether the dependency of the present step of TASK is over. */
static bool is_ready(const struct player *p, const struct task *task) {
  const struct block_step *step = step_of(p, task);
  const struct task *other = step->dep_block < 0 ? NULL : &p->tasks[step->dep_block];
  return !other || other->piece > task->piece ||
         (other->piece == task->piece && other->step > (unsigned)step->dep_step);
}

/* Return the name of the step of TASK, or of its wait WHICH; made once. */
static const char *name_step(const struct player *p, const struct task *task, enum block_name which) {
  static const char *const waits[BLOCK_NAMES] = {"", ", free slot", ", message"};
  char **name = &p->schedule->names[BLOCK_NAMES * (task->block->first + task->step) + which];
  if (!*name) {
    *name = xasprintf("block %u step %u (%s)%s", task->block->number, task->step,
                      step_traits[step_of(p, task)->kind].word, waits[which]);
  }
  return *name;
}

/* Tell whether the next message of TASK, or else a slot for the next message, is there; else TASK needs
 * the event. */
static bool look(struct player *p, const struct task *task, bool is_message) {
  const struct block *block = task->block;
  const struct link *link = &p->links.items[is_message ? block->in : block->out];
  struct spu_flag flag = link_flag(p->c, link, *(is_message ? task->ngot : task->nsent) + 1, is_message);
  bool is_there = spu_poll_flag(&flag);
  if (!is_there) {
    flag.what = name_step(p, task, is_message ? BLOCK_MESSAGE : BLOCK_SLOT);
    p->flags[p->any.nflags++] = flag;
  }
  return is_there;
}

/* Let TASK, with TAG, go on by one part, or by the end of a put.
 * returns: whether the task did. */
static bool advance(struct player *p, struct task *task, unsigned tag) {
  const struct step_traits *traits = &step_traits[step_of(p, task)->kind];
  spu_compute_for(COMPUTE_OTHER, LINK_LOOK);
  if (task->is_sending) {
    if (!p->port->poll_tags(UINT32_C(1) << tag)) {
      p->any.tags |= UINT32_C(1) << tag;
      return false;
    }
    spu_compute_for(COMPUTE_TAG, p->c->group->costs.tag);
    task->is_sending = false;
    spu_note_step(0, name_step(p, task, BLOCK_STEP));
    end_part(p, task, tag);
    return true;
  }
  if (!is_ready(p, task)) {
    return false;
  }
  bool has_message = !traits->receives || look(p, task, true);
  bool has_slot = !traits->sends || look(p, task, false);
  if (has_message && has_slot) {
    spu_note_step(0, name_step(p, task, BLOCK_STEP));
    do_part(p, task, tag);
    if (!task->is_sending) {
      end_part(p, task, tag);
    }
  }
  return has_message && has_slot;
}

/* Prepare the tasks of the rank of P. */
static void make_tasks(struct player *p) {
  const struct blocks_rank *rank = &p->schedule->ranks[p->c->rank];
  p->ntasks = rank->nblocks;
  p->tasks = xcalloc(p->ntasks + 1, sizeof *p->tasks);
  p->flags = xcalloc(2 * (size_t)p->ntasks + 1, sizeof *p->flags);
  p->any.flags = p->flags;
  uint32_t *messages = links_begin(&p->links, p->c);
  for (unsigned i = 0; i < p->ntasks; i++) {
    const struct block *block = &p->schedule->blocks[rank->first + i];
    p->tasks[i] =
      (struct task){.block = block,
                    .nsent = block->out == BLOCKS_NONE ? NULL : &messages[p->links.items[block->out].out],
                    .ngot = block->in == BLOCKS_NONE ? NULL : &messages[p->links.items[block->in].in],
                    .piece = block->nsteps ? 0 : p->npieces};
    p->nopen += block->nsteps > 0;
  }
}

/* Let buffers be as in the schedule: the input of a gather or an all-gather in place is the own block of the
 * result, the result of a scatter or a reduce-scatter is the own block. */
static void find_buffers(struct player *p) {
  struct coll *c = p->c;
  const struct blocks_traits *traits = &blocks_traits[p->schedule->collective];
  bool is_apart = c->in != c->buffer;
  uint8_t *own = c->buffer + c->rank * c->nbytes;
  p->buffers[BUFFER_OUTPUT] = traits->is_block ? own : c->buffer;
  p->buffers[BUFFER_SCRATCH] = c->scratch + p->links.nbytes;
  p->buffers[BUFFER_INPUT] = is_apart ? c->in : blocks_joins(traits) ? own : c->buffer;
  size_t nscratch = buffer_bytes(p->schedule, c->group);
  if (nscratch) { /* values that no step has written are wrong ones in each call */
    spu_note_store(p->buffers[BUFFER_SCRATCH], nscratch);
    memset(p->buffers[BUFFER_SCRATCH], GARBAGE, nscratch);
  }
  if (is_apart && !p->schedule->is_apart) { /* an all-to-all in place */
    link_copy(c, c->buffer, c->in, layout_buffer_bytes(c->group));
    p->buffers[BUFFER_INPUT] = c->buffer;
  }
}

static void blocks_run(struct coll *c) {
  const struct blocks *schedule = judged_of_algo(c->group->call.algo)->schedule;
  struct player p = {.c = c,
                     .port = c->group->port,
                     .schedule = schedule,
                     .links = lay(schedule, c->group),
                     .chunk = chunk_bytes(schedule, c->group->nbytes)};
  size_t slot = c->group->call.values[PARAM_SLOT];
  p.part = p.chunk < slot ? p.chunk : slot;
  p.per_slot = p.part ? (unsigned)(slot / p.part) : 1;
  p.npieces = (unsigned)((p.chunk + slot - 1) / slot);
  make_tasks(&p);
  find_buffers(&p);
  while (p.npieces > 0 && p.nopen > 0) {
    bool has_moved = false;
    p.any.nflags = p.any.tags = 0;
    spu_catch_up();
    for (unsigned i = 0; i < p.ntasks; i++) {
      if (p.tasks[i].piece < p.npieces) {
        has_moved |= advance(&p, &p.tasks[i], 1 + i % LINK_TAGS);
      }
    }
    if (p.nopen > 0 && !has_moved) {
      spu_wait_any(&p.any);
    }
  }
  p.port->wait_tags(0xffff);
  free(p.links.items);
  free(p.tasks);
  free(p.flags);
}

/* --- the algorithm --- */

/* A schedule of thread blocks, or in GOAL. */
struct loaded {
  struct algo algo; /* first */
  struct judged judged;
};

static const char *refuse(const struct coll_group *group, char *text, size_t size) {
  const struct algo *algo = group->call.algo;
  unsigned nranks = algo->ranks, root = judged_root(judged_of_algo(algo));
  if (group->nranks != nranks) {
    snprintf(text, size,
             "%u ranks, expected the %u of the file: -n %u, on a machine with as many SPEs or hosts, such as "
             "-p qs20 --set blade.chips=%u",
             group->nranks, nranks, nranks, (nranks + CHIP_SPES - 1) / CHIP_SPES);
    return text;
  }
  snprintf(text, size, "root %u, expected the %u of the file: --root %u", group->root, root, root);
  return collective_has_root(algo->collective) && group->root != root ? text : NULL;
}

/* Tell how many slots a call in a deadlock lacks. */
static const char *advise(const struct coll_group *group, char *text, size_t size) {
  const struct judged *judged = judged_of_algo(group->call.algo);
  const unsigned *values = group->call.values, present = values[PARAM_DEPTH];
  size_t slot = values[PARAM_SLOT], chunk = judged->goal ? 0 : chunk_bytes(judged->schedule, group->nbytes);
  unsigned depth = judged->goal
                     ? goal_depth(judged->goal, (struct goal_slots){present + 1, slot, values[PARAM_EAGER]})
                     : judge_depth(judged->schedule, chunk && chunk < slot ? (unsigned)(slot / chunk) : 1);
  snprintf(text, size,
           depth > present && depth != GOAL_NONE   ? "with depth=%u it ends"
           : judged->judgement.found[FOUND_OPEN].n ? "it does not end in this order of messages"
                                                   : "with no depth it ends",
           depth);
  return text;
}

unsigned judged_root(const struct judged *judged) {
  return judged->judgement.roots[judged->schedule && judged->schedule->is_apart];
}

const struct judged *judged_of_algo(const struct algo *algo) {
  return algo->refuse == refuse ? &((const struct loaded *)(const void *)algo)->judged : NULL;
}

/* Judge the schedule of thread blocks in JUDGED, and fill ALGO. The way of doing the schedule, in place or
 * apart, is the wrong one of two. */
static int fill_blocks(struct algo *algo, struct judged *judged, struct err *err) {
  struct blocks *schedule = judged->schedule;
  const bool *claims = schedule->claims;
  enum collective collective = blocks_traits[schedule->collective].played;
  if (!blocks_traits[schedule->collective].has_result) {
    return err_set(err, "a schedule of %s, expected a collective with a result",
                   blocks_traits[schedule->collective].word);
  }
  if (schedule->beyond) {
    return err_set(err, "line %u: chunks beyond the %u of buffer %c in the collective, expected none",
                   schedule->beyond->line, schedule->natural[schedule->beyond_buffer],
                   BUFFER_LETTERS[schedule->beyond_buffer]);
  }
  judged_make(judged);
  const struct findings *wrong = &judged->judgement.found[FOUND_WRONG];
  schedule->is_apart =
    claims[BLOCKS_OUT_OF_PLACE] &&
    (!claims[BLOCKS_IN_PLACE] || (wrong[BLOCKS_OUT_OF_PLACE].n && !wrong[BLOCKS_IN_PLACE].n));
  schedule->names = xcalloc(BLOCK_NAMES * schedule->nsteps + 1, sizeof *schedule->names);
  algo->collective = collective;
  algo->idea = "a schedule of thread blocks";
  algo->kind = "msccl";
  algo->scratch = blocks_scratch;
  algo->run = blocks_run;
  algo->ranks = schedule->nranks;
  algo->unit = QUADWORD * (collective_has_blocks(collective) ? schedule->each : schedule->nchunks);
  algo->is_apart = collective != COLL_ALLTOALL && schedule->is_apart;
  bool keeps = collective == COLL_GATHER || collective == COLL_SCATTER; /* of the catalogue, in place */
  algo->takes_input = schedule->takes_input || (keeps && !algo->is_apart);
  return 0;
}

/* Judge the schedule in GOAL in JUDGED, and fill ALGO. */
static int fill_goal(struct algo *algo, struct judged *judged, struct err *err) {
  struct goal *goal = judged->goal;
  (void)err;
  judged_make(judged);
  goal->names = xcalloc(2 * goal->noperations + 1, sizeof *goal->names);
  algo->collective = COLL_BARRIER;
  algo->idea = "a schedule in GOAL";
  algo->kind = "goal";
  algo->scratch = goal_scratch;
  algo->run = goal_run;
  algo->ranks = goal->nranks;
  algo->is_open = judged->judgement.least < goal->nranks || judged->judgement.found[FOUND_OPEN].n > 0;
  algo->params[PARAM_EAGER] =
    (struct coll_param){.name = "eager", .most = INT_MAX, .initial = EAGER, .is_asked = true};
  return 0;
}

const struct algo *judged_add(struct judged *judged, const char *name, struct err *err) {
  struct loaded *loaded = xcalloc(1, sizeof *loaded);
  struct algo *algo = &loaded->algo;
  *algo = (struct algo){
    .name = name,
    .source = ALGO_SOURCE_OWN,
    .params =
      {[PARAM_DEPTH] = {.name = "depth", .least = 1, .most = DEPTH_MAX, .initial = DEPTH, .is_asked = true},
       [PARAM_SLOT] = {.name = "slot",
                       .least = QUADWORD,
                       .most = SLOT_MAX,
                       .initial = SLOT,
                       .multiple = QUADWORD,
                       .is_asked = true}},
    .refuse = refuse,
    .advise = advise};
  int status = (judged->goal ? fill_goal : fill_blocks)(algo, judged, err);
  loaded->judged = *judged;
  if (status != 0 || catalogue_add(algo, judged->sum, err) != 0) {
    free(loaded);
    return NULL;
  }
  return algo;
}
