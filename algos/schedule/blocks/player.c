/* SPDX-License-Identifier: BSD-3-Clause
 * See player.h. A rank looks at all tasks in turn, a task for each block, and does a part of a step of each
 * task that can go on; if none can, the rank waits for any event that a task needs. A task never waits inside
 * a step, so the program has no deadlock that the schedule lacks. */
#include "algos/schedule/blocks/player.h"

#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { GARBAGE = 0xa5 };

/* Messages of a block, of all calls. */
struct messages {
  uint32_t sent, got;
};

struct task {
  const struct block *block;
  unsigned step, part, piece;
  bool is_sending; /* the put of the present part has not left yet */
  struct messages messages;
};

struct player {
  struct coll *c;
  const struct step_port *port;
  const struct blocks *schedule;
  struct blocks_layout layout;
  unsigned npieces, per_slot; /* pieces of a chunk; chunks in a slot */
  size_t part;                /* bytes of a chunk in a slot */
  uint8_t *buffers[BUFFER_COUNT];
  struct task *tasks; /* by block of the rank */
  unsigned ntasks, nopen;
  struct spu_flag *flags;
  struct spu_any any; /* events needed by tasks in this turn */
};

/* --- the scratch of a rank --- */

size_t blocks_chunk(const struct blocks *schedule, size_t nbytes) {
  bool is_vector = schedule->collective == BLOCKS_allreduce;
  return nbytes * (is_vector ? 1 : schedule->nranks) / schedule->nchunks;
}

struct blocks_layout blocks_layout_new(const struct blocks *schedule, const struct coll_group *group) {
  struct blocks_layout layout = {.slot = group->call.values[BLOCKS_SLOT],
                                 .chunk = blocks_chunk(schedule, group->nbytes)};
  struct links *links = &layout.links;
  links->n = schedule->nconnections;
  links->items = xcalloc(links->n + 1, sizeof *links->items);
  for (size_t i = 0; i < links->n; i++) {
    links->items[i] = (struct link){.from = schedule->blocks[schedule->connections[i].from].rank,
                                    .to = schedule->blocks[schedule->connections[i].to].rank,
                                    .depth = group->call.values[BLOCKS_DEPTH],
                                    .slot = group->call.values[BLOCKS_SLOT]};
  }
  size_t nscratch = 0, nblocks = 0;
  for (unsigned r = 0; r < schedule->nranks; r++) {
    const struct blocks_rank *rank = &schedule->ranks[r];
    nscratch = rank->nchunks[BUFFER_SCRATCH] > nscratch ? rank->nchunks[BUFFER_SCRATCH] : nscratch;
    nblocks = rank->nblocks > nblocks ? rank->nblocks : nblocks;
  }
  links_lay(links, schedule->nranks, nblocks * sizeof(struct messages));
  layout.scratch = links->nbytes;
  layout.nbytes = layout.scratch + nscratch * layout.chunk;
  return layout;
}

void blocks_layout_fini(struct blocks_layout *layout) {
  free(layout->links.items);
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
  const struct link *links = p->layout.links.items;
  unsigned first = task->part * p->per_slot, left = step->count - first;
  size_t offset = task->piece * p->part, rest = p->layout.chunk - offset;
  size_t nbytes = (rest < p->part ? rest : p->part) * (left < p->per_slot ? left : p->per_slot);
  uint8_t *data[3] = {NULL};
  const struct block_chunks *chunks[] = {&step->src, &step->dst};
  for (unsigned i = 0; i < 2; i++) {
    size_t chunk = (size_t)(chunks[i]->offset < 0 ? 0 : chunks[i]->offset) + first;
    data[1 + i] = p->buffers[chunks[i]->buffer] + chunk * p->layout.chunk + offset;
  }
  if (traits->receives) {
    data[0] = link_slot(p->c, &links[task->block->in], task->messages.got + 1);
    p->port->compute(COMPUTE_RECEIVE, p->c->group->costs.receive);
  }
  uint8_t *out = step->kind == STEP_nop ? NULL : work(p, step->kind, data, nbytes);
  if (traits->sends) {
    link_put(p->c, &links[task->block->out],
             &(struct link_message){++task->messages.sent, tag, out, nbytes, 0});
    task->is_sending = true;
  }
}

/* Go to the next part of TASK, of a step whose part is over. */
static void end_part(struct player *p, struct task *task, unsigned tag) {
  const struct block_step *step = step_of(p, task);
  if (step_traits[step->kind].receives) {
    link_free(p->c, &p->layout.links.items[task->block->in],
              &(struct link_message){.number = ++task->messages.got, .tag = tag});
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
  const struct link *link = &p->layout.links.items[is_message ? block->in : block->out];
  struct spu_flag flag =
    link_flag(p->c, link, (is_message ? task->messages.got : task->messages.sent) + 1, is_message);
  bool is_there = p->port->poll_flag(&flag);
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
  p->port->compute(COMPUTE_OTHER, LINK_LOOK);
  if (task->is_sending) {
    if (!p->port->poll_tags(UINT32_C(1) << tag)) {
      p->any.tags |= UINT32_C(1) << tag;
      return false;
    }
    p->port->compute(COMPUTE_TAG, p->c->group->costs.tag);
    task->is_sending = false;
    p->port->note_step(0, name_step(p, task, BLOCK_STEP));
    end_part(p, task, tag);
    return true;
  }
  if (!is_ready(p, task)) {
    return false;
  }
  bool has_message = !traits->receives || look(p, task, true);
  bool has_slot = !traits->sends || look(p, task, false);
  if (has_message && has_slot) {
    p->port->note_step(0, name_step(p, task, BLOCK_STEP));
    do_part(p, task, tag);
    if (!task->is_sending) {
      end_part(p, task, tag);
    }
  }
  return has_message && has_slot;
}

/* Return the messages of all blocks of the rank of P up to the call before, in scratch. */
static struct messages *kept_messages(const struct player *p) {
  return (struct messages *)(void *)(p->c->scratch + p->layout.links.kept);
}

/* Prepare the tasks of the rank of P. */
static void make_tasks(struct player *p) {
  const struct blocks_rank *rank = &p->schedule->ranks[p->c->rank];
  p->ntasks = rank->nblocks;
  p->tasks = xcalloc(p->ntasks + 1, sizeof *p->tasks);
  p->flags = xcalloc(2 * (size_t)p->ntasks + 1, sizeof *p->flags);
  p->any.flags = p->flags;
  for (unsigned i = 0; i < p->ntasks; i++) {
    const struct block *block = &p->schedule->blocks[rank->first + i];
    struct task *task = &p->tasks[i];
    task->block = block;
    task->messages = coll_own_calls(p->c) > 0 ? kept_messages(p)[i] : (struct messages){0, 0};
    task->piece = block->nsteps ? 0 : p->npieces;
    p->nopen += block->nsteps > 0;
  }
}

/* Let buffers be as in the schedule: the input of an all-gather in place is the own block of the result, the
 * result of a reduce-scatter is the own block. */
static void find_buffers(struct player *p) {
  struct coll *c = p->c;
  bool is_apart = c->in != c->buffer, is_block = c->group->call.algo->collective == COLL_REDUCESCATTER;
  uint8_t *own = c->buffer + c->rank * c->nbytes;
  p->buffers[BUFFER_OUTPUT] = is_block ? own : c->buffer;
  p->buffers[BUFFER_SCRATCH] = c->scratch + p->layout.scratch;
  p->buffers[BUFFER_INPUT] = is_apart ? c->in : p->schedule->collective == BLOCKS_allgather ? own : c->buffer;
  size_t nscratch = p->layout.nbytes - p->layout.scratch;
  if (nscratch) { /* values that no step has written are wrong ones in each call */
    c->group->port->note_store(p->buffers[BUFFER_SCRATCH], nscratch);
    memset(p->buffers[BUFFER_SCRATCH], GARBAGE, nscratch);
  }
  if (is_apart && !p->schedule->is_apart) { /* an all-to-all in place */
    link_copy(c, c->buffer, c->in, layout_buffer_bytes(c->group));
    p->buffers[BUFFER_INPUT] = c->buffer;
  }
}

void blocks_run(const struct blocks *schedule, struct coll *c) {
  struct player p = {.c = c, .port = c->group->port, .schedule = schedule};
  p.layout = blocks_layout_new(schedule, c->group);
  p.part = p.layout.chunk < p.layout.slot ? p.layout.chunk : p.layout.slot;
  p.per_slot = p.part ? (unsigned)(p.layout.slot / p.part) : 1;
  p.npieces = (unsigned)((p.layout.chunk + p.layout.slot - 1) / p.layout.slot);
  if (coll_own_calls(c) == 0) {
    p.port->note_flags(c->scratch, p.layout.links.counts);
  }
  make_tasks(&p);
  find_buffers(&p);
  while (p.npieces > 0 && p.nopen > 0) {
    bool has_moved = false;
    p.any.nflags = p.any.tags = 0;
    p.port->sync();
    for (unsigned i = 0; i < p.ntasks; i++) {
      if (p.tasks[i].piece < p.npieces) {
        has_moved |= advance(&p, &p.tasks[i], 1 + i % LINK_TAGS);
      }
    }
    if (p.nopen > 0 && !has_moved) {
      p.port->wait_any(&p.any);
    }
  }
  p.port->wait_tags(0xffff);
  for (unsigned i = 0; i < p.ntasks; i++) {
    kept_messages(&p)[i] = p.tasks[i].messages;
  }
  blocks_layout_fini(&p.layout);
  free(p.tasks);
  free(p.flags);
}
