/* SPDX-License-Identifier: BSD-3-Clause
 * The life of an observer of orders, and functions for all rules. */
#include "sim/base/vec.h"
#include "traces/order/order_private.h"

#include <stdlib.h>

/* --- places --- */

bool order_is_flags(const struct order *order, struct order_span span, bool any) {
  unsigned area = order_area(order, span.ea);
  const struct order_spe *spe = area < order->nspes ? &order->spes[area] : NULL;
  uint64_t end = span.ea + span.nbytes;
  return spe && VEC_FIND(spe->flags, spe->nflags,
                         any ? item->ea < end && span.ea < item->ea + item->nbytes
                             : item->ea <= span.ea && end <= item->ea + item->nbytes);
}

/* --- programs --- */

uint32_t order_lane_new(struct order *order) {
  *VEC_REACH(order->lanes, order->lanes_room, order->nlanes) = (struct order_lane){0};
  return order->nlanes++;
}

struct order_program *order_program_new(struct order *order, unsigned number) {
  struct order_program *program = VEC_REACH(order->programs, order->nprograms, number);
  program->lane = order_lane_new(order);
  program->clock = order_clock_new(order->clocks);
  order_clock_raise(program->clock, program->lane, 1);
  if (number >= order->nspes) {
    order_clock_join(order->clocks, program->clock, order->in_memory);
  }
  return program;
}

/* --- accesses --- */

uint32_t order_access_add(struct order *order, struct order_access access) {
  uint32_t place = ++order->naccesses % ORDER_ACCESSES_MAX;
  if (place >= order->accesses_room) {
    order->accesses_room = order->accesses_room ? 2 * order->accesses_room : 256;
    order->accesses = xrealloc(order->accesses, order->accesses_room, sizeof *order->accesses);
  }
  access.number = order->naccesses;
  access.epoch = order_epoch(order_program(order, access.program));
  access.at = order->at;
  order->accesses[place] = access;
  return access.number;
}

void order_touch(struct order_judge judge, struct order_span span, bool writes) {
  struct order_shadow *shadow = &judge.order->shadows[order_area(judge.order, span.ea)];
  if (span.nbytes) {
    (writes ? order_shadow_write : order_shadow_read)(shadow, span, &judge);
  }
}

/* --- life --- */

static void forget_spe(struct order *order, struct order_spe *spe) {
  struct order_clocks *clocks = order->clocks;
  while (spe->commands) {
    order_drop_command(order, &spe->commands);
  }
  VEC_EACH(queue, spe->queues, spe->nqueues) {
    if (queue->used) {
      order_clock_drop(clocks, queue->held);
      *queue = (struct order_queue){.held = NULL};
    }
  }
  VEC_EACH(signal, spe->signals, ORDER_SIGNALS) {
    order_clock_drop(clocks, signal->clock);
    signal->clock = NULL;
    signal->nsources = 0;
  }
  VEC_EACH(box, spe->mailboxes, ORDER_MAILBOXES) {
    while (box->n) {
      order_clock_drop(clocks, box->words[--box->n]);
    }
  }
  VEC_EACH(tells, spe->tells, spe->ntells) {
    tells->n = 0;
  }
  spe->nflags = 0;
}

void order_forget(struct order *order) {
  struct order_clocks *clocks = order->clocks;
  VEC_EACH(spe, order->spes, order->nspes) {
    forget_spe(order, spe);
  }
  VEC_EACH(shadow, order->shadows, order->nspes + 1) {
    order_shadow_clear(shadow);
  }
  VEC_EACH(program, order->programs, order->nprograms) {
    order_clock_drop(clocks, program->clock);
    *program = (struct order_program){0};
  }
  VEC_EACH(lane, order->lanes, order->nlanes) {
    order_clock_drop(clocks, lane->told);
  }
  order_table_clear(clocks, &order->releases);
  order_table_clear(clocks, &order->net->messages); /* all nodes are made as new at the same time */
  order->nsenders = order->net->nsenders = 0;
  order->net->has_barriers = false;
  VEC_EACH(entries, order->net->entries, order->net->nentries) {
    entries->n = 0;
  }
  order_clock_drop(clocks, order->in_memory);
  order->in_memory = NULL;
  order->nlanes = order->naccesses = order->seers.n = 0;
  order->last_pair[0] = order->last_pair[1] = 0;
}

struct order_net *order_net_new(void) {
  return xcalloc(1, sizeof(struct order_net));
}

void order_net_free(struct order_net *net) {
  if (net) {
    order_clocks_fini(&net->clocks);
    VEC_EACH(entries, net->entries, net->nentries) {
      free(entries->epochs);
    }
    free(net->entries);
    free(net);
  }
}

struct order *order_new(unsigned nspes, struct order_net *net) {
  struct order *order = xcalloc(1, sizeof *order);
  *order = (struct order){.probe = {.see = order_see, .details = true, .accesses_only = true, .orders = true},
                          .base = EA_SPE_BASE,
                          .stride = __builtin_ctzll(EA_SPE_STRIDE),
                          .nspes = nspes,
                          .net = net ? net : order_net_new(),
                          .is_alone = !net,
                          .spes = xcalloc(nspes, sizeof *order->spes),
                          .shadows = xcalloc(nspes + 1, sizeof *order->shadows)};
  order->clocks = &order->net->clocks;
  VEC_EACH(shadow, order->shadows, nspes + 1) {
    pool_init(&shadow->reads, sizeof(struct order_read));
  }
  return order;
}

struct order *order_new_on_hosts(unsigned nprocesses) {
  struct order *order = order_new(nprocesses, NULL);
  order->on_hosts = true;
  order->base = EA_PROCESS_BASE;
  order->stride = __builtin_ctzll(EA_PROCESS_STRIDE);
  return order;
}

void order_free(struct order *order) {
  if (!order) {
    return;
  }
  order_forget(order);
  VEC_EACH(spe, order->spes, order->nspes) {
    VEC_EACH(signal, spe->signals, ORDER_SIGNALS) {
      free(signal->sources);
    }
    VEC_EACH(box, spe->mailboxes, ORDER_MAILBOXES) {
      free(box->words);
    }
    VEC_EACH(tells, spe->tells, spe->ntells) {
      free(tells->seen);
    }
    free(spe->tells);
    free(spe->queues);
    free(spe->flags);
  }
  VEC_EACH(shadow, order->shadows, order->nspes + 1) {
    free(shadow->cells);
    pool_fini(&shadow->reads);
  }
  while (order->unused) {
    SCOPED struct order_command *command = order->unused;
    order->unused = command->next;
    free(command->moves);
    free(command->before);
  }
  if (order->is_alone) {
    order_net_free(order->net);
  }
  hazard_list_clear(&order->hazards);
  free(order->spes);
  free(order->shadows);
  free(order->seers.items);
  free(order->lanes);
  free(order->programs);
  free(order->senders);
  free(order->accesses);
  free(order);
}

struct probe *order_probe(struct order *order) {
  return &order->probe;
}

struct hazard_list *order_hazards(struct order *order) {
  return &order->hazards;
}
