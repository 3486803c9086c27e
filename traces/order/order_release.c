/* SPDX-License-Identifier: BSD-3-Clause
 * The knowledge that a word brings: a program that sees the word learns the clock at the begin of the command
 * that has written the word. Sixteen aligned bytes arrive together (assumption), so one entry stands for
 * sixteen bytes. */
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "traces/order/order_private.h"

#include <stdlib.h>

/* --- tables --- */

struct order_release *order_table_find(struct order_table *table, uint64_t key, bool make) {
  uint64_t code = random_mix(key);
  struct hash_place *place = hash_find(&table->places, code); /* of no other key */
  if (!place->number && make) {
    hash_add(&table->places, place, code, table->n + 1);
    VEC_ADD(table->items, table->n) = (struct order_release){0};
  }
  return place->number ? &table->items[place->number - 1] : NULL;
}

void order_table_clear(struct order_clocks *clocks, struct order_table *table) {
  VEC_EACH(entry, table->items, table->n) {
    order_clock_drop(clocks, entry->clock);
  }
  free(table->items); /* the room for a large call would slow down all later ones */
  hash_fini(&table->places);
  *table = (struct order_table){.items = NULL};
}

/* --- words --- */

void order_release(struct order *order, struct order_span span, const struct order_release *by) {
  ORDER_EACH_QUAD(at, span) {
    struct order_release *release = order_table_find(&order->releases, at / ORDER_QUAD, true);
    order_clock_drop(order->clocks, release->clock);
    release->clock = order_clock_share(by->clock);
    release->stamp = by->stamp;
    release->from = by->from ? by->from + (at - span.ea) : 0;
  }
}

void order_acquire(struct order *order, struct order_clock *into, struct order_span span) {
  ORDER_EACH_QUAD(at, span) {
    const struct order_release *release = order_table_find(&order->releases, at / ORDER_QUAD, false);
    order_clock_join(order->clocks, into, release ? release->clock : NULL);
  }
}

void order_see_access(struct order *order, unsigned program, struct order_span span,
                      struct order_stamp stamp) {
  const struct order_program *seer = order_program(order, program);
  order_shadow_mark(&order->shadows[order_area(order, span.ea)], span,
                    &(struct order_judge){&stamp, seer->clock, order}, seer->lane);
}

bool order_knows_seer(const struct order *order, const struct order_clock *clock, uint32_t last) {
  const struct order_seer *items = order->seers.items;
  while (last && items[last].count > order_clock_get(clock, items[last].lane)) {
    last = items[last].next;
  }
  return last != 0;
}

uint32_t order_seer_new(struct order *order, struct order_seer seer) {
  struct order_seers *seers = &order->seers;
  uint32_t number = seers->n ? seers->n : 1;
  *VEC_REACH(seers->items, seers->room, number) = seer;
  seers->n = number + 1;
  return number;
}

/* --- tells between processes --- */

bool order_knows_by_tell(const struct order *order, const struct order_clock *clock,
                         const struct order_stamp *stamp) {
  unsigned pair = stamp->pair - 1, receiver = pair % order->nspes, sender = pair / order->nspes;
  const struct order_spe *process = &order->spes[receiver];
  const struct order_tells *tells = sender < process->ntells ? &process->tells[sender] : NULL;
  size_t n = tells ? tells->n : 0, before = VEC_COUNT_BEFORE(tells->seen, n, item->upto >= stamp->access);
  return before < n && tells->seen[before].epoch <= order_clock_get(clock, order->programs[receiver].lane);
}

/* PROGRAM has seen the tell with STAMP, and so knows that all puts before are over. */
static void see_tell(struct order *order, unsigned program, const struct order_stamp *stamp) {
  struct order_spe *process = &order->spes[program];
  struct order_tells *tells = VEC_REACH(process->tells, process->ntells, (stamp->pair - 1) / order->nspes);
  if (tells->n == 0 || tells->seen[tells->n - 1].upto < stamp->access) {
    VEC_ADD(tells->seen, tells->n) =
      (struct order_told){stamp->access, order_epoch(order_program(order, program))};
  }
}

/* The write seen by PROGRAM is over for these sixteen bytes. The command has also read their source, since
 * bytes are read before they arrive. */
void order_see_word(struct order *order, unsigned program, uint64_t ea) {
  const struct order_release *release = order_table_find(&order->releases, ea / ORDER_QUAD, false);
  if (release) {
    struct order_span quad = {ea - ea % ORDER_QUAD, ORDER_QUAD};
    order_clock_join(order->clocks, order_program(order, program)->clock, release->clock);
    if (release->stamp.tells) {
      see_tell(order, program, &release->stamp);
      return;
    }
    order_see_access(order, program, quad, release->stamp);
    if (release->from) {
      quad.ea = release->from - release->from % ORDER_QUAD;
      order_see_access(order, program, quad, release->stamp);
    }
  }
}
