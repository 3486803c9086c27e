/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of DMA commands, puts, gets and tells: the accesses that are over when a command begins, and the
 * programs that know the command to be over. A command is judged when a program gives the command; an element
 * of a list when the MFC reads the element. The cycle at which a command ends does not count. */
#include "sim/base/vec.h"
#include "traces/order/order_private.h"

#include <string.h>

/* A program may announce flags after they have arrived, since the program may come late. So each short
 * command may bring flags, and a longer command only if its target has been announced. Between hosts tells
 * bring flags. */
enum { SHORT = 512 };

struct order_command *order_find(const struct order *order, unsigned spe, uint64_t number) {
  struct order_command *command = order->spes[spe].commands;
  while (command && command->number != number) {
    command = command->next;
  }
  return command;
}

void order_drop_command(struct order *order, struct order_command **link) {
  struct order_command *command = *link;
  *link = command->next;
  order_clock_drop(order->clocks, command->begin);
  command->next = order->unused;
  order->unused = command;
}

/* Return a command without moves, the newest one of SPE. */
static struct order_command *new_command(struct order *order, struct order_spe *spe) {
  struct order_command *command = order->unused;
  if (command) {
    order->unused = command->next;
  } else {
    command = xcalloc(1, sizeof *command);
  }
  command->next = spe->commands;
  command->nmoves = 0;
  command->of_flags = command->stopped = false;
  return spe->commands = command;
}

/* --- moves of a command, and stores without a report --- */

/* Keep the bytes at the target of MOVE, of COMMAND. Overlapping targets are not watched: of two commands in
 * order the first changes the bytes. */
static void watch(struct order *order, struct order_command *command, const struct order_move *move) {
  const struct order_spe *spe = &order->spes[command->spe];
  for (struct order_command *other = spe->commands; other; other = other->next) {
    VEC_EACH(old, other->moves, other == command ? 0 : other->nmoves) {
      if (old->to < move->to + move->nbytes && move->to < old->to + old->nbytes) {
        command->is_watched = other->is_watched = false;
      }
    }
  }
  if (command->is_watched) {
    size_t last = move->offset + move->nbytes - 1;
    (void)VEC_REACH(command->before, command->nbefore, last);
    memcpy(command->before + move->offset, spe->store + (move->to - order_ea(order, command->spe, 0)),
           move->nbytes);
  }
}

/* NBYTES of COMMAND, from OFFSET on, arrive at TO: compare the present bytes there. */
static void compare(struct order *order, struct order_command *command, uint64_t to, uint32_t offset,
                    uint32_t nbytes) {
  const uint8_t *there = order->spes[command->spe].store + (to - order_ea(order, command->spe, 0));
  if (memcmp(there, command->before + offset, nbytes) != 0) {
    const uint8_t *expected = command->before + offset;
    order_report_store(order, command, to + VEC_INDEX(there, nbytes, *item != expected[item - there]));
    command->is_watched = false;
  }
}

/* Judge the last move of COMMAND. A get of flags is a poll, and not judged. */
static void judge(struct order *order, struct order_command *command) {
  const struct order_move *move = &command->moves[command->nmoves - 1];
  struct order_span from = {move->from, move->nbytes}, to = {move->to, move->nbytes};
  struct order_judge begun = {&command->stamp, command->begin, order};
  if (command->is_watched) {
    watch(order, command, move);
  }
  if (order_is_flags(order, from, false)) {
    command->of_flags = true;
  } else if (from.ea && !order_is_register(order, from.ea)) {
    order_touch(begun, from, false);
  }
  if (!order_is_register(order, to.ea)) {
    order_touch(begun, to, true);
    command->of_flags |=
      move->nbytes <= (order->on_hosts ? ORDER_QUAD : SHORT) || order_is_flags(order, to, true);
  }
}

/* Set the accesses that are over when COMMAND begins, the newest command of QUEUE, as EVENT says. */
static void set_begin(struct order *order, struct order_queue *queue, struct order_command *command,
                      const struct probe_enqueue *event) {
  uint32_t lane = command->stamp.lane, count = command->stamp.count;
  struct order_clocks *clocks = order->clocks;
  order_clock_raise(command->begin, lane, event->fence ? count - 1 : order->lanes[lane].held);
  order_clock_join(clocks, command->begin, queue->held);
  if (event->all_tags) {
    for (uint32_t left = queue->used; left; left &= left - 1) {
      uint32_t other = queue->lanes[__builtin_ctz(left)];
      order_clock_raise(command->begin, other, order->lanes[other].latest - (other == lane));
    }
    order_clock_drop(clocks, queue->held);
    queue->held = order_clock_copy(clocks, command->begin);
  } else if (event->barrier) {
    order->lanes[lane].held = count;
  }
}

/* Note the sender and the receiver of COMMAND, a transfer between processes as EVENT says; some pairs of more
 * than 32,767 processes have no number. A tell through shared memory follows earlier tells of this kind only:
 * the process counts as another sender. */
static void set_pair(const struct order *order, struct order_command *command,
                     const struct probe_enqueue *event) {
  uint64_t sender = event->dma.spe + (event->fence && !event->all_tags ? order->nspes : 0),
           pair = sender * order->nspes + order_area(order, event->ea) + 1;
  if (event->is_put && pair <= INT32_MAX) {
    command->stamp.pair = pair & INT32_MAX;
    command->stamp.tells = event->fence;
  }
}

/* Keep the command at LINK, of a process, with a clock of its own, if the command brings flags. The end of
 * other commands does not count. */
static void keep_flags(struct order *order, struct order_command **link) {
  struct order_clock *clock = (*link)->begin;
  if ((*link)->of_flags) {
    (*link)->begin = order_clock_copy(order->clocks, clock);
    order_clock_drop(order->clocks, clock);
  } else {
    order_drop_command(order, link);
  }
}

void order_see_enqueue(struct order *order, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  const struct probe_dma *dma = &enqueue->dma;
  struct order_spe *spe = &order->spes[dma->spe];
  struct order_queue *queue =
    VEC_REACH(spe->queues, spe->nqueues, enqueue->is_proxy * (1 + dma->tag / ORDER_TAGS));
  struct order_program *program = order_program(order, enqueue->program);
  order->at = enqueue->at;
  unsigned tag = dma->tag % ORDER_TAGS;
  if (!(queue->used >> tag & 1)) {
    queue->used |= UINT32_C(1) << tag;
    queue->lanes[tag] = order_lane_new(order);
  }
  uint32_t lane = queue->lanes[tag];
  bool is_proxy = enqueue->is_proxy && !order->on_hosts, tells = enqueue->fence && order->on_hosts;
  uint32_t access = order_access_add(order, (struct order_access){.program = enqueue->program,
                                                                  .is_dma = !tells,
                                                                  .spe = dma->spe,
                                                                  .tag = dma->tag,
                                                                  .nbytes = dma->nbytes,
                                                                  .ls = enqueue->ls,
                                                                  .ea = enqueue->ea,
                                                                  .is_put = enqueue->is_put,
                                                                  .is_list = enqueue->is_list,
                                                                  .is_proxy = is_proxy});
  struct order_command *command = new_command(order, spe);
  command->number = dma->command;
  command->spe = dma->spe;
  command->tag = dma->tag;
  command->program = enqueue->program;
  command->is_watched = enqueue->store && !enqueue->is_put && !enqueue->is_sync && !enqueue->is_proxy;
  spe->store = enqueue->store;
  command->begin =
    order->on_hosts ? order_clock_share(program->clock) : order_clock_copy(order->clocks, program->clock);
  command->stamp = (struct order_stamp){.lane = lane, .count = ++order->lanes[lane].latest, .access = access};
  if (order->on_hosts) {
    set_pair(order, command, enqueue);
  } else {
    set_begin(order, queue, command, enqueue);
  }
  if (is_proxy) {
    struct order_clock **told = &order->lanes[lane].told;
    *told = *told ? *told : order_clock_new(order->clocks);
    order_clock_join(order->clocks, *told, program->clock);
  }
  /* the bytes of a tell have left the memory of the process already: a store of the program */
  uint64_t local = tells ? 0 : order_ea(order, dma->spe, enqueue->ls);
  if (enqueue->is_list) {
    order_touch((struct order_judge){&command->stamp, command->begin, order},
                (struct order_span){local, dma->nbytes}, false);
  } else if (!enqueue->is_sync && dma->nbytes) {
    VEC_ADD(command->moves, command->nmoves) =
      (struct order_move){.from = enqueue->is_put ? local : enqueue->ea,
                          .to = enqueue->is_put ? enqueue->ea : local,
                          .nbytes = dma->nbytes};
    judge(order, command);
  }
  *enqueue->arrives |= command->of_flags;
  if (command->is_watched) {
    *enqueue->before = command->before;
  }
  if (order->on_hosts) {
    keep_flags(order, &spe->commands);
  }
  order_next_epoch(program);
}

void order_see_element(struct order *order, const struct probe_event *event) {
  const struct probe_element *element = &event->element;
  struct order_command *command = order_find(order, element->dma.spe, element->dma.command);
  if (command && element->nbytes) {
    uint64_t local = order_ea(order, element->dma.spe, element->ls);
    VEC_ADD(command->moves, command->nmoves) =
      (struct order_move){.from = element->is_put ? local : element->ea,
                          .to = element->is_put ? element->ea : local,
                          .offset = element->offset,
                          .nbytes = element->nbytes};
    judge(order, command);
    *element->arrives |= command->of_flags;
    if (command->is_watched) {
      *element->before = command->before;
    }
  }
}

/* --- the end of a command --- */

/* Bytes have arrived, perhaps flags. A program that sees the flags learns the clock at the begin of the
 * command. A program that has fetched flags of another SPE learns the clock of their writer. */
void order_see_arrive(struct order *order, const struct probe_event *event) {
  const struct probe_request *request = &event->landed;
  struct order_command *command = order_find(order, request->spe, request->command);
  if (!command || !(command->of_flags || command->is_watched)) {
    return;
  }
  VEC_EACH(move, command->moves, command->nmoves) {
    if (request->offset < move->offset || request->offset >= move->offset + move->nbytes) {
      continue;
    }
    uint32_t skip = request->offset - move->offset;
    if (command->is_watched) {
      compare(order, command, move->to + skip, request->offset, request->nbytes);
    }
    if (!command->of_flags) {
      continue;
    }
    struct order_span from = {move->from + skip, request->nbytes};
    if (order_is_flags(order, from, false)) {
      struct order_clock **told = &order->lanes[command->stamp.lane].told;
      *told = *told ? *told : order_clock_new(order->clocks);
      order_acquire(order, *told, from);
    }
    order_see_come(order, move->to, command->begin, from);
    order_release(order, (struct order_span){move->to + skip, request->nbytes},
                  &(struct order_release){.clock = command->begin, .stamp = command->stamp, .from = from.ea});
  }
}

void order_see_complete(struct order *order, const struct probe_event *event) {
  for (struct order_command **link = &order->spes[event->complete.dma.spe].commands; *link;
       link = &(*link)->next) {
    if ((*link)->number == event->complete.dma.command) {
      order_drop_command(order, link);
      return;
    }
  }
}

/* Return the queue whose tags have been SEEN; the number counts the 32 tags of a process. */
static struct order_queue *queue_of(const struct order *order, const struct probe_seen *seen) {
  struct order_spe *spe = &order->spes[seen->spe];
  return VEC_REACH(spe->queues, spe->nqueues, seen->is_proxy + (size_t)seen->number);
}

void order_see_tags_done(struct order *order, const struct probe_event *event) {
  struct order_queue *queue = queue_of(order, &event->seen);
  queue->answer = event->seen.mask & queue->used;
  for (uint32_t left = queue->answer; left; left &= left - 1) {
    unsigned tag = (unsigned)__builtin_ctz(left);
    queue->done[tag] = order->lanes[queue->lanes[tag]].latest;
  }
}

void order_see_tags(struct order *order, const struct probe_event *event) {
  const struct probe_seen *seen = &event->seen;
  struct order_queue *queue = queue_of(order, seen);
  struct order_clock *clock = order_program(order, seen->program)->clock;
  if (seen->is_proxy) {
    order_see_tags_done(order, event);
  }
  for (uint32_t left = queue->answer; left; left &= left - 1) {
    unsigned tag = (unsigned)__builtin_ctz(left);
    order_clock_raise(clock, queue->lanes[tag], queue->done[tag]);
    order_clock_join(order->clocks, clock, order->lanes[queue->lanes[tag]].told);
  }
}

/* --- stopped lists --- */

/* A list has stopped, or goes on: the MFC reads the remaining elements from now on. */
void order_see_stall(struct order *order, const struct probe_event *event) {
  const struct probe_stall *stall = &event->stall;
  bool goes_on = event->kind == PROBE_RESUME;
  struct order_command *command = order_find(order, stall->dma.spe, stall->dma.command);
  if (command) {
    command->stopped = !goes_on;
    command->list = order_ea(order, stall->dma.spe, stall->ls);
    command->list_left = stall->left;
  }
  if (command && goes_on) {
    struct order_clock *clock = order_program(order, command->program)->clock;
    struct order_clock *begin = order_clock_copy(order->clocks, command->begin);
    order_clock_drop(order->clocks, command->begin); /* flags that have arrived keep the old clock */
    command->begin = begin;
    order_clock_join(order->clocks, command->begin, clock);
    order_touch((struct order_judge){&command->stamp, command->begin, order},
                (struct order_span){command->list, command->list_left}, false);
    order_next_epoch(order_program(order, command->program));
  }
}

/* A program knows that lists have stopped: their moves so far are over, and no element is being read. */
void order_see_stalls(struct order *order, const struct probe_event *event) {
  const struct probe_seen *seen = &event->seen;
  for (struct order_command *command = order->spes[seen->spe].commands; command; command = command->next) {
    if (command->stopped && (seen->mask >> command->tag & 1)) {
      struct order_span left = {command->list, command->list_left};
      order_see_access(order, seen->program, left, command->stamp);
      VEC_EACH(move, command->moves, command->nmoves) {
        order_see_access(order, seen->program, (struct order_span){move->from, move->nbytes}, command->stamp);
        order_see_access(order, seen->program, (struct order_span){move->to, move->nbytes}, command->stamp);
      }
    }
  }
}
