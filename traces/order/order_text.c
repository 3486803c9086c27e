/* SPDX-License-Identifier: BSD-3-Clause
 * The texts of hazards: the two accesses, and the missing order. */
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "traces/order/order_private.h"

#include <stdarg.h>
#include <stdlib.h>

/* --- the list --- */

void hazard_list_add(struct hazard_list *list, const char *format, ...) {
  va_list arguments;
  if (list->count++ < HAZARD_LINES_MAX) {
    va_start(arguments, format);
    list->lines[list->count - 1] = xvasprintf(format, arguments);
    va_end(arguments);
  }
}

void hazard_list_clear(struct hazard_list *list) {
  VEC_EACH(line, list->lines, HAZARD_LINES_MAX) {
    free(*line);
  }
  *list = (struct hazard_list){0};
}

/* --- parties --- */

static const char *place_name(const struct order *order) {
  return order->on_hosts ? "process" : "SPE";
}

static const char *describe_place(const struct order *order, uint64_t ea) {
  unsigned area = order_area(order, ea);
  unsigned long long offset = (ea - order->base) & ((UINT64_C(1) << order->stride) - 1);
  if (area == order->nspes) {
    return text_brief("main memory 0x%llx", (unsigned long long)ea);
  }
  return order_is_register(order, ea) ? text_brief("a register of SPE %u", area)
                                      : text_brief("0x%llx of %s %u", offset, place_name(order), area);
}

static const char *describe_program(const struct order *order, unsigned number) {
  const char *name = order->names[number];
  return number < order->nspes
           ? text_brief("%.24s on %s %u", name ? name : "nobody", place_name(order), number)
           : text_brief("%.24s on a PPE", name ? name : "a program");
}

static const char *describe(const struct order *order, const struct order_access *access) {
  if (!access) {
    return "an access of long ago";
  }
  unsigned long long at = access->at;
  const char *who = describe_program(order, access->program);
  if (!access->is_dma) {
    return text_brief("%s (cycle %llu)", who, at);
  }
  const char *way = access->is_put ? "put" : "get", *proxy = access->is_proxy ? "proxy " : "",
             *one = describe_place(order, order_ea(order, access->spe, access->ls)),
             *other = describe_place(order, access->ea);
  return access->is_list ? text_brief("%s%s list (%s, tag %u, cycle %llu, list at %s)", proxy, way, who,
                                      access->tag, at, one)
                         : text_brief("%s%s of %u bytes (%s, tag %u, cycle %llu, from %s to %s)", proxy, way,
                                      access->nbytes, who, access->tag, at, access->is_put ? one : other,
                                      access->is_put ? other : one);
}

/* Name the missing order between FIRST and SECOND. KNOWS is the clock of the program that makes or gives
 * SECOND. */
static const char *advise(struct order *order, const struct order_access *first,
                          const struct order_access *second, const struct order_clock *knows) {
  bool one_queue = !order->on_hosts && first->is_dma && second->is_dma && first->spe == second->spe &&
                   first->is_proxy == second->is_proxy;
  uint32_t lane = order_program(order, first->program)->lane;
  bool is_told = order_clock_get(knows, lane) > first->epoch;
  if (one_queue && first->tag == second->tag) {
    return "a fence on the second would order the two";
  }
  if (one_queue) {
    return text_brief(
      "a wait for tag %u between the two, or one tag for both and a fence, would order the two", first->tag);
  }
  if (first->is_dma && first->program == second->program) {
    return text_brief("a wait for tag %u between the two would order the two", first->tag);
  }
  if (first->is_dma && is_told) {
    const char *fence =
      order->on_hosts ? "" : text_brief(", or a fence under tag %u on that message,", first->tag);
    return text_brief("a wait for tag %u before the message that followed the first%s would order the two",
                      first->tag, fence);
  }
  return "before the second its program must learn from a flag or a signal that the first is over";
}

/* Return access NUMBER; NULL: the access is forgotten. */
static const struct order_access *access_of(const struct order *order, uint32_t number) {
  const struct order_access *access = &order->accesses[number % ORDER_ACCESSES_MAX];
  return access->number == number ? access : NULL;
}

void order_report(const struct order_judge *judge, const struct order_stamp *earlier,
                  const struct order_cell *cell, bool writes) {
  struct order *order = judge->order;
  const struct order_access *first = access_of(order, earlier->access);
  const struct order_access *second = access_of(order, judge->stamp->access);
  bool first_writes = earlier == &cell->writer;
  if (order->last_pair[0] == earlier->access && order->last_pair[1] == judge->stamp->access) {
    return;
  }
  order->last_pair[0] = earlier->access;
  order->last_pair[1] = judge->stamp->access;
  if (order->hazards.count >= HAZARD_LINES_MAX) {
    order->hazards.count++;
    return;
  }
  if (first && second && first->number > second->number) { /* an element of a list was read late */
    const struct order_access *list = second;
    bool list_writes = writes;
    second = first, first = list;
    writes = first_writes, first_writes = list_writes;
  }
  hazard_list_add(&order->hazards, "%s %s and %s %s %llu bytes at %s, in no order%s%s",
                  describe(order, first), first_writes ? "writes" : "reads", describe(order, second),
                  writes ? "writes" : "reads", (unsigned long long)(cell->end - cell->start),
                  describe_place(order, cell->start), first && second ? ": " : "",
                  first && second ? advise(order, first, second, judge->knows) : "");
}

void order_report_store(struct order *order, const struct order_command *command, uint64_t ea) {
  uint32_t number = command->stamp.access;
  if (number != order->last_pair[0] && number != order->last_pair[1]) {
    hazard_list_add(&order->hazards,
                    "%s writes and a store of its program, without a report, writes bytes from %s on, in no "
                    "order: a wait for tag %u between the two would order the two",
                    describe(order, access_of(order, number)), describe_place(order, ea), command->tag);
  }
}

void order_report_barrier(struct order *order, const struct probe_seen *seen, unsigned other) {
  hazard_list_add(
    &order->hazards,
    "%s leaves the barrier of call %llu at cycle %llu and no flag or signal or message that came "
    "to rank %u tells that rank %u has entered: the order is by chance",
    describe_program(order, seen->program), (unsigned long long)seen->number, (unsigned long long)order->at,
    seen->rank, other);
}

void order_report_signal(struct order *order, const struct probe_signal *event) {
  struct order_signal *signal = &order->spes[event->peer].signals[event->number - 1];
  uint32_t lost = event->combines ? event->old & event->value : event->old;
  if (event->full && (event->combines ? lost != 0 : event->old != event->value)) {
    unsigned bit = lost ? (unsigned)__builtin_ctz(lost) : 0;
    hazard_list_add(
      &order->hazards,
      "%s sends signal 0x%x to register %u of SPE %u at cycle %llu, which %s 0x%x of %s (cycle %llu)",
      describe_program(order, event->by.who), (unsigned)event->value, event->number, event->peer,
      (unsigned long long)order->at, event->combines ? "adds nothing to the unread" : "overwrites the unread",
      (unsigned)lost, describe_program(order, signal->program[bit]), (unsigned long long)signal->cycle[bit]);
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    if (!event->combines || (event->value >> bit & 1)) {
      signal->program[bit] = event->by.who;
      signal->cycle[bit] = order->at;
    }
  }
}
