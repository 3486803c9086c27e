/* SPDX-License-Identifier: BSD-3-Clause
 * Barriers. A rank leaves a barrier after the entry of each rank, in happens-before and not only in time. A
 * program may poll words without a report: on an SPE words of its local store, on a PPE words of main memory.
 * So possible knowledge counts as well: the knowledge of all words there. */
#include "sim/base/vec.h"
#include "traces/order/order_private.h"

/* Tell whether CLOCK, of another node, knows or may know LANE of ORDER up to COUNT, by a message. */
static bool knows_abroad(const struct order_clock *clock, const struct order *order, uint32_t lane,
                         uint32_t count) {
  VEC_EACH(sender, order->senders, order->nsenders) {
    const struct order_clock *snapshot = order_clock_abroad(clock, *sender);
    if (snapshot && order_clock_may_get(snapshot, lane, count)) {
      return true;
    }
  }
  return false;
}

/* Tell whether a program of ORDER with CLOCK knows, or may know, of the entry into CALL among ENTRIES. */
static bool knows_entry(const struct order *order, const struct order_clock *clock,
                        const struct order_entries *entries, uint64_t call) {
  uint32_t epoch = call < entries->n ? entries->epochs[call] : 0;
  if (!epoch) {
    return false;
  }
  return entries->order == order
           ? order_clock_may_get(clock, entries->lane, epoch)
           : knows_abroad(clock, entries->order, entries->lane, epoch) ||
               (clock->may && knows_abroad(clock->may, entries->order, entries->lane, epoch));
}

void order_see_barrier(struct order *order, const struct probe_event *event) {
  const struct probe_seen *seen = &event->seen;
  struct order_net *net = order->net;
  const struct order_program *program = order_program(order, seen->program);
  if (seen->mask == 0) {
    struct order_entries *entries = VEC_REACH(net->entries, net->nentries, seen->rank);
    entries->order = order;
    entries->lane = program->lane;
    *VEC_REACH(entries->epochs, entries->n, seen->number) = order_epoch(program);
    net->has_barriers = true;
    return;
  }
  for (unsigned rank = 0; rank < seen->mask; rank++) {
    if (rank >= net->nentries || !knows_entry(order, program->clock, &net->entries[rank], seen->number)) {
      order_report_barrier(order, seen, rank);
      return;
    }
  }
}

/* Let INTO have CLOCK, and the clocks of the writers of FROM, as possible knowledge. */
static void learn(struct order *order, struct order_clock *into, const struct order_clock *clock,
                  struct order_span from) {
  order_clock_learn(order->clocks, into, clock);
  ORDER_EACH_QUAD(at, from) {
    const struct order_release *release = order_table_find(&order->releases, at / ORDER_QUAD, false);
    if (release) {
      order_clock_learn(order->clocks, into, release->clock);
    }
  }
}

void order_see_come(struct order *order, uint64_t ea, const struct order_clock *clock,
                    struct order_span from) {
  struct order_clocks *clocks = order->clocks;
  unsigned area = order_area(order, ea);
  if (!order->net->has_barriers || !clock) {
    return;
  }
  if (area < order->nspes) {
    learn(order, order_program(order, area)->clock, clock, from);
    return;
  }
  order->in_memory = order->in_memory ? order->in_memory : order_clock_new(clocks);
  learn(order, order->in_memory, clock, from);
  for (unsigned i = order->nspes; i < order->nprograms; i++) {
    if (order->programs[i].clock) {
      order_clock_join(clocks, order->programs[i].clock, order->in_memory);
    }
  }
}
