/* SPDX-License-Identifier: BSD-3-Clause
 * The texts of hazards: the two accesses, and the missing order. */
#include "sim/base/xalloc.h"
#include "traces/order/order_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the list --- */

void hazard_list_add(struct hazard_list *list, const char *format, ...) {
  va_list arguments;
  if (list->count++ < HAZARD_LINES_MAX) {
    char text[1024];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    list->lines[list->count - 1] = xstrdup(text);
  }
}

void hazard_list_clear(struct hazard_list *list) {
  for (unsigned i = 0; i < HAZARD_LINES_MAX; i++) {
    free(list->lines[i]);
  }
  *list = (struct hazard_list){0};
}

/* --- parties --- */

static const char *place_name(const struct order *order) {
  return order->on_hosts ? "process" : "SPE";
}

static const char *describe_place(char text[HAZARD_PLACE_SIZE], const struct order *order, uint64_t ea) {
  unsigned area = order_area(order, ea);
  unsigned long long offset = (ea - order->base) % order->stride;
  if (area == order->nspes) {
    snprintf(text, HAZARD_PLACE_SIZE, "main memory 0x%llx", (unsigned long long)ea);
  } else if (order_is_register(order, ea)) {
    snprintf(text, HAZARD_PLACE_SIZE, "a register of SPE %u", area);
  } else {
    snprintf(text, HAZARD_PLACE_SIZE, "0x%llx of %s %u", offset, place_name(order), area);
  }
  return text;
}

static const char *describe_program(char text[HAZARD_PLACE_SIZE], const struct order *order,
                                    unsigned number) {
  const char *name = order->names[number];
  if (number < order->nspes) {
    snprintf(text, HAZARD_PLACE_SIZE, "%.24s on %s %u", name ? name : "nobody", place_name(order), number);
  } else {
    snprintf(text, HAZARD_PLACE_SIZE, "%.24s on a PPE", name ? name : "a program");
  }
  return text;
}

static const char *describe(char text[HAZARD_PARTY_SIZE], const struct order *order,
                            const struct order_access *access) {
  char who[HAZARD_PLACE_SIZE], one[HAZARD_PLACE_SIZE], other[HAZARD_PLACE_SIZE];
  if (!access) {
    return "an access of long ago";
  }
  unsigned long long at = access->at;
  describe_program(who, order, access->program);
  if (!access->is_dma) {
    snprintf(text, HAZARD_PARTY_SIZE, "%s (cycle %llu)", who, at);
    return text;
  }
  const char *way = access->is_put ? "put" : "get", *proxy = access->is_proxy ? "proxy " : "";
  describe_place(one, order, order_ea(order, access->spe, access->ls));
  describe_place(other, order, access->ea);
  if (access->is_list) {
    snprintf(text, HAZARD_PARTY_SIZE, "%s%s list (%s, tag %u, cycle %llu, list at %s)", proxy, way, who,
             access->tag, at, one);
  } else {
    snprintf(text, HAZARD_PARTY_SIZE, "%s%s of %u bytes (%s, tag %u, cycle %llu, from %s to %s)", proxy, way,
             access->nbytes, who, access->tag, at, access->is_put ? one : other,
             access->is_put ? other : one);
  }
  return text;
}

/* Name the missing order between FIRST and SECOND. KNOWS is the clock of the program that makes or gives
 * SECOND. */
static void advise(char text[HAZARD_PARTY_SIZE], struct order *order, const struct order_access *first,
                   const struct order_access *second, const struct order_clock *knows) {
  bool one_queue = !order->on_hosts && first->is_dma && second->is_dma && first->spe == second->spe &&
                   first->is_proxy == second->is_proxy;
  uint32_t lane = order_program(order, first->program)->lane;
  bool is_told = order_clock_get(knows, lane) > first->epoch;
  if (one_queue && first->tag == second->tag) {
    snprintf(text, HAZARD_PARTY_SIZE, "a fence on the second would order the two");
  } else if (one_queue) {
    snprintf(text, HAZARD_PARTY_SIZE,
             "a wait for tag %u between the two, or one tag for both and a fence, would order the two",
             first->tag);
  } else if (first->is_dma && first->program == second->program) {
    snprintf(text, HAZARD_PARTY_SIZE, "a wait for tag %u between the two would order the two", first->tag);
  } else if (first->is_dma && is_told) {
    char fence[HAZARD_PLACE_SIZE] = "";
    if (!order->on_hosts) {
      snprintf(fence, sizeof fence, ", or a fence under tag %u on that message,", first->tag);
    }
    snprintf(text, HAZARD_PARTY_SIZE,
             "a wait for tag %u before the message that followed the first%s would order the two", first->tag,
             fence);
  } else {
    snprintf(text, HAZARD_PARTY_SIZE,
             "before the second its program must learn from a flag or a signal that the first is over");
  }
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
  const struct order_access *second = access_of(order, judge->stamp.access);
  bool first_writes = earlier == &cell->writer;
  char one[HAZARD_PARTY_SIZE], two[HAZARD_PARTY_SIZE], place[HAZARD_PLACE_SIZE], advice[HAZARD_PARTY_SIZE];
  if (order->last_pair[0] == earlier->access && order->last_pair[1] == judge->stamp.access) {
    return;
  }
  order->last_pair[0] = earlier->access;
  order->last_pair[1] = judge->stamp.access;
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
  if (first && second) {
    advise(advice, order, first, second, judge->knows);
  }
  hazard_list_add(&order->hazards, "%s %s and %s %s %llu bytes at %s, in no order%s%s",
                  describe(one, order, first), first_writes ? "writes" : "reads",
                  describe(two, order, second), writes ? "writes" : "reads",
                  (unsigned long long)(cell->end - cell->start), describe_place(place, order, cell->start),
                  first && second ? ": " : "", first && second ? advice : "");
}

void order_report_store(struct order *order, const struct order_command *command, uint64_t ea) {
  char get[HAZARD_PARTY_SIZE], place[HAZARD_PLACE_SIZE];
  uint32_t number = command->stamp.access;
  if (number != order->last_pair[0] && number != order->last_pair[1]) {
    hazard_list_add(&order->hazards,
                    "%s writes and a store of its program, without a report, writes bytes from %s on, in no "
                    "order: a wait for tag %u between the two would order the two",
                    describe(get, order, access_of(order, number)), describe_place(place, order, ea),
                    command->tag);
  }
}

void order_report_signal(struct order *order, const struct probe_signal *event, uint64_t cycle) {
  struct order_signal *signal = &order->spes[event->peer].signals[event->number - 1];
  uint32_t lost = event->combines ? event->old & event->value : event->old;
  char who[HAZARD_PLACE_SIZE], other[HAZARD_PLACE_SIZE];
  if (event->full && (event->combines ? lost != 0 : event->old != event->value)) {
    unsigned bit = lost ? (unsigned)__builtin_ctz(lost) : 0;
    hazard_list_add(
      &order->hazards,
      "%s sends signal 0x%x to register %u of SPE %u at cycle %llu, which %s 0x%x of %s (cycle %llu)",
      describe_program(who, order, event->by.who), (unsigned)event->value, event->number, event->peer,
      (unsigned long long)cycle, event->combines ? "adds nothing to the unread" : "overwrites the unread",
      (unsigned)lost, describe_program(other, order, signal->program[bit]),
      (unsigned long long)signal->cycle[bit]);
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    if (!event->combines || (event->value >> bit & 1)) {
      signal->program[bit] = event->by.who;
      signal->cycle[bit] = cycle;
    }
  }
}
