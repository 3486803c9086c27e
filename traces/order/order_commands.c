/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of DMA commands: the accesses that are over when a command begins, and the programs that know the
 * command to be over. A command is judged when a program gives the command; an element of a list when the MFC
 * reads the element. The cycle at which a command ends does not count. */
#include "sim/base/vec.h"
#include "sim/hw/ea.h"
#include "traces/order/order_private.h"

#include <stdlib.h>
#include <string.h>

/* A program may announce flags after they have arrived, since the program may come late. So each short
 * command may bring flags, and a longer command only if its target has been announced. */
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
  order_clock_drop(&order->net->clocks, command->begin);
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
  *command = (struct order_command){.next = spe->commands, .moves = command->moves};
  return spe->commands = command;
}

static uint32_t lane_of(struct order *order, struct order_queue *queue, unsigned tag) {
  if (!(queue->used >> tag & 1)) {
    queue->used |= UINT32_C(1) << tag;
    queue->lanes[tag] = order_lane_new(order);
  }
  return queue->lanes[tag];
}

/* --- moves of a command --- */

/* Tell whether bytes of SPAN are flags. */
static bool touches_flags(const struct order *order, struct order_span span) {
  unsigned area = order_area(order, span.ea);
  const struct order_spe *spe = area < order->nspes ? &order->spes[area] : NULL;
  for (size_t i = 0; spe && i < spe->nflags; i++) {
    if (spe->flags[i].ea < span.ea + span.nbytes && span.ea < spe->flags[i].ea + spe->flags[i].nbytes) {
      return true;
    }
  }
  return false;
}

/* COMMAND moves bytes as MOVE says. A get of flags is a poll, and not judged. */
static void move(struct order *order, struct order_command *command, struct order_move move) {
  struct order_span from = {move.from, move.nbytes}, to = {move.to, move.nbytes};
  VEC_ADD(command->moves, command->nmoves) = move;
  if (order_is_flags(order, from.ea, from.nbytes)) {
    command->of_flags = true;
  } else if (!order_is_register(order, from.ea)) {
    order_read(order, from, &command->stamp, command->begin);
  }
  if (!order_is_register(order, to.ea)) {
    order_write(order, to, &command->stamp, command->begin);
    command->of_flags |= move.nbytes <= SHORT || touches_flags(order, to);
  }
}

/* Set the accesses that are over when COMMAND begins, the newest command of QUEUE, as EVENT says. */
static void set_begin(struct order *order, struct order_queue *queue, struct order_command *command,
                      const struct probe_enqueue *event) {
  uint32_t lane = command->stamp.lane, count = command->stamp.count;
  struct order_clocks *clocks = &order->net->clocks;
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

void order_see_enqueue(struct order *order, const struct probe_enqueue *event) {
  const struct probe_dma *dma = &event->dma;
  struct order_spe *spe = &order->spes[dma->spe];
  struct order_queue *queue = &spe->queues[event->is_proxy];
  struct order_clock *clock = order_program(order, event->program)->clock;
  uint32_t lane = lane_of(order, queue, dma->tag);
  struct order_command *command = new_command(order, spe);
  command->number = dma->command;
  command->spe = dma->spe;
  command->tag = dma->tag;
  command->program = event->program;
  command->begin = order_clock_copy(&order->net->clocks, clock);
  command->stamp.lane = lane;
  command->stamp.count = ++order->lanes[lane].latest;
  command->stamp.access = order_access_new(order, (struct order_access){.is_dma = true,
                                                                        .program = event->program,
                                                                        .spe = dma->spe,
                                                                        .tag = dma->tag,
                                                                        .nbytes = dma->nbytes,
                                                                        .at = event->at,
                                                                        .ls = event->ls,
                                                                        .ea = event->ea,
                                                                        .is_put = event->is_put,
                                                                        .is_list = event->is_list,
                                                                        .is_proxy = event->is_proxy});
  set_begin(order, queue, command, event);
  if (event->is_proxy) {
    struct order_clock **told = &order->lanes[lane].told;
    *told = *told ? *told : order_clock_new(&order->net->clocks);
    order_clock_join(&order->net->clocks, *told, clock);
  }
  uint64_t local = ea_of_ls(dma->spe, (uint32_t)event->ls);
  if (event->is_list) {
    order_read(order, (struct order_span){local, dma->nbytes}, &command->stamp, command->begin);
  } else if (!event->is_sync && dma->nbytes) {
    move(order, command,
         (struct order_move){.from = event->is_put ? local : event->ea,
                             .to = event->is_put ? event->ea : local,
                             .nbytes = dma->nbytes});
  }
  *event->arrives |= command->of_flags;
  order_next_epoch(order_program(order, event->program));
}

void order_see_element(struct order *order, const struct probe_element *event) {
  struct order_command *command = order_find(order, event->dma.spe, event->dma.command);
  if (command && event->nbytes) {
    uint64_t local = ea_of_ls(event->dma.spe, (uint32_t)event->ls);
    move(order, command,
         (struct order_move){.from = event->is_put ? local : event->ea,
                             .to = event->is_put ? event->ea : local,
                             .offset = event->offset,
                             .nbytes = event->nbytes});
    *event->arrives |= command->of_flags;
  }
}

/* --- the end of a command --- */

/* Bytes have arrived, perhaps flags. A program that sees the flags learns the clock at the begin of the
 * command. A program that has fetched flags of another SPE learns the clock of their writer. */
void order_see_arrive(struct order *order, const struct probe_request *request) {
  struct order_command *command = order_find(order, request->spe, request->command);
  for (size_t i = 0; command && command->of_flags && i < command->nmoves; i++) {
    const struct order_move *move = &command->moves[i];
    if (request->offset < move->offset || request->offset >= move->offset + move->nbytes) {
      continue;
    }
    uint32_t skip = request->offset - move->offset;
    struct order_span from = {move->from + skip, request->nbytes};
    if (order_is_flags(order, from.ea, from.nbytes)) {
      struct order_clock **told = &order->lanes[command->stamp.lane].told;
      *told = *told ? *told : order_clock_new(&order->net->clocks);
      order_acquire(order, *told, from);
    }
    order_release(order, (struct order_span){move->to + skip, request->nbytes},
                  &(struct order_release){.clock = command->begin, .stamp = command->stamp, .from = from.ea});
  }
}

void order_see_complete(struct order *order, const struct probe_dma *dma) {
  for (struct order_command **link = &order->spes[dma->spe].commands; *link; link = &(*link)->next) {
    if ((*link)->number == dma->command) {
      order_drop_command(order, link);
      return;
    }
  }
}

void order_see_tags_done(struct order *order, const struct probe_seen *seen) {
  struct order_queue *queue = &order->spes[seen->spe].queues[seen->is_proxy];
  queue->answer = seen->mask & queue->used;
  for (uint32_t left = queue->answer; left; left &= left - 1) {
    unsigned tag = (unsigned)__builtin_ctz(left);
    queue->done[tag] = order->lanes[queue->lanes[tag]].latest;
  }
}

void order_see_tags(struct order *order, const struct probe_seen *seen) {
  struct order_queue *queue = &order->spes[seen->spe].queues[seen->is_proxy];
  struct order_clock *clock = order_program(order, seen->program)->clock;
  if (seen->is_proxy) {
    order_see_tags_done(order, seen);
  }
  for (uint32_t left = queue->answer; left; left &= left - 1) {
    unsigned tag = (unsigned)__builtin_ctz(left);
    order_clock_raise(clock, queue->lanes[tag], queue->done[tag]);
    order_clock_join(&order->net->clocks, clock, order->lanes[queue->lanes[tag]].told);
  }
}

/* --- stopped lists --- */

/* A list has stopped, or GOES_ON: the MFC reads the remaining elements from now on. */
void order_see_stall(struct order *order, const struct probe_stall *event, bool goes_on) {
  struct order_command *command = order_find(order, event->dma.spe, event->dma.command);
  if (command) {
    command->stopped = !goes_on;
    command->list = ea_of_ls(event->dma.spe, (uint32_t)event->ls);
    command->list_left = event->left;
  }
  if (command && goes_on) {
    struct order_clock *clock = order_program(order, command->program)->clock;
    struct order_clock *begin = order_clock_copy(&order->net->clocks, command->begin);
    order_clock_drop(&order->net->clocks, command->begin); /* flags that have arrived keep the old clock */
    command->begin = begin;
    order_clock_join(&order->net->clocks, command->begin, clock);
    order_read(order, (struct order_span){command->list, command->list_left}, &command->stamp,
               command->begin);
    order_next_epoch(order_program(order, command->program));
  }
}

/* A program knows that lists have stopped: their moves so far are over, and no element is being read. */
void order_see_stalls(struct order *order, const struct probe_seen *seen) {
  for (struct order_command *command = order->spes[seen->spe].commands; command; command = command->next) {
    if (command->stopped && (seen->mask >> command->tag & 1)) {
      struct order_span left = {command->list, command->list_left};
      order_see_access(order, seen->program, left, command->stamp);
      for (size_t i = 0; i < command->nmoves; i++) {
        const struct order_move *move = &command->moves[i];
        order_see_access(order, seen->program, (struct order_span){move->from, move->nbytes}, command->stamp);
        order_see_access(order, seen->program, (struct order_span){move->to, move->nbytes}, command->stamp);
      }
    }
  }
}
