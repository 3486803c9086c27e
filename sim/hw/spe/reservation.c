/* SPDX-License-Identifier: BSD-3-Clause
 * See reservation.h. Lines hold no data here: memory always has the data. Only the keeper of a line counts,
 * since the keeper decides the time of an atomic command.
 *
 * Every line has lists of the units that keep the line, hold a reservation of the line, or wait for the line.
 * So a command looks only at units concerned. Copies are in the order of their arrival, equal copies in the
 * order of their units: nearly always a new copy is the first. */
#include "sim/hw/spe/reservation.h"

#include "sim/base/xalloc.h"

#include <assert.h>
#include <stdlib.h>

void reservation_init(struct reservation_units *units, unsigned n) {
  *units = (struct reservation_units){.n = n, .of = xcalloc(n, sizeof *units->of)};
  units->in_use = true; /* so that the reset begins the units */
  reservation_reset(units);
}

void reservation_fini(struct reservation_units *units) {
  reservation_reset(units);
  free(units->of);
}

void reservation_reset(struct reservation_units *units) {
  if (!units->in_use) {
    return;
  }
  for (unsigned i = 0; i < RESERVATION_BUCKETS; i++) {
    while (units->buckets[i]) {
      struct reservation_line *line = units->buckets[i];
      units->buckets[i] = line->next;
      free(line);
    }
  }
  for (unsigned i = 0; i < units->n; i++) {
    units->of[i] = (struct reservation){.units = units, .spe = i};
  }
  units->in_use = false;
}

/* Return the place of line EA in its bucket; the place holds NULL if the line does not exist. */
static struct reservation_line **find_line(struct reservation_units *units, uint64_t ea) {
  struct reservation_line **place = &units->buckets[ea / RESERVATION_BYTES % RESERVATION_BUCKETS];
  while (*place && (*place)->ea != ea) {
    place = &(*place)->next;
  }
  return place;
}

struct reservation_line *reservation_line(struct reservation_units *units, uint64_t ea) {
  struct reservation_line **place = find_line(units, ea);
  if (!*place) {
    units->in_use = true;
    *place = xcalloc(1, sizeof **place);
    (*place)->ea = ea;
  }
  return *place;
}

/* --- the keepers of a line --- */

/* Return the place of line EA in UNIT; RESERVATION_LINES: none. An empty place holds line 0. */
static unsigned find(const struct reservation *unit, uint64_t ea) {
  unsigned place = 0;
  while (place < RESERVATION_LINES && unit->lines[place].ea != ea) {
    place++;
  }
  return place;
}

bool reservation_keeps(const struct reservation *unit, uint64_t ea) {
  return find(unit, ea) < RESERVATION_LINES;
}

bool reservation_is_shared(struct reservation_units *units, uint64_t ea, unsigned except) {
  const struct reservation_line *line = *find_line(units, ea);
  const struct reservation_copy *copy = line ? line->copies : NULL;
  return copy && (copy->spe != except || copy->next);
}

/* Return the cycle of the arrival of COPY at its unit, or of the unit's last load before MOMENT. */
static uint64_t latest_use(const struct reservation_copy *copy, struct reservation_moment moment) {
  uint64_t end = copy->spe < moment.spe ? moment.cycle : moment.cycle - 1;
  assert(!copy->period || end >= copy->until);
  return copy->until + (copy->period ? (end - copy->until) / copy->period * copy->period : 0);
}

unsigned reservation_keeper(struct reservation_units *units, uint64_t ea, struct reservation_moment moment) {
  const struct reservation_line *line = *find_line(units, ea);
  unsigned keeper = units->n;
  uint64_t latest = 0;
  for (const struct reservation_copy *copy = line ? line->copies : NULL; copy; copy = copy->next) {
    uint64_t use = latest_use(copy, moment);
    if (copy->spe != moment.spe &&
        (keeper == units->n || use > latest || (use == latest && copy->spe < keeper))) {
      keeper = copy->spe;
      latest = use;
    }
  }
  return keeper;
}

uint64_t reservation_settled(const struct reservation_line *line) {
  return line->copies ? line->copies->until : 0;
}

/* Take COPY, of UNITS, out of the copies of its line. */
static void drop_copy(struct reservation_units *units, struct reservation_copy *copy) {
  struct reservation_copy **place = &reservation_line(units, copy->ea)->copies;
  while (*place != copy) {
    place = &(*place)->next;
  }
  *place = copy->next;
  *copy = (struct reservation_copy){0};
}

void reservation_keep(struct reservation *unit, uint64_t ea, uint64_t until) {
  unsigned place = find(unit, ea);
  place = place < RESERVATION_LINES ? place : find(unit, 0);
  if (place == RESERVATION_LINES) {
    place = 0;
    for (unsigned i = 1; i < RESERVATION_LINES; i++) {
      place = unit->lines[i].used < unit->lines[place].used ? i : place;
    }
  }
  struct reservation_copy *copy = &unit->lines[place];
  if (copy->ea) {
    drop_copy(unit->units, copy);
  }
  struct reservation_copy **link = &reservation_line(unit->units, ea)->copies;
  while (*link && ((*link)->until > until || ((*link)->until == until && (*link)->spe < unit->spe))) {
    link = &(*link)->next;
  }
  *copy = (struct reservation_copy){
    .ea = ea, .used = ++unit->clock, .until = until, .spe = unit->spe, .next = *link};
  *link = copy;
}

void reservation_poll(struct reservation *unit, uint64_t ea, uint64_t now, uint64_t period) {
  reservation_keep(unit, ea, now);
  unit->lines[find(unit, ea)].period = period;
}

/* --- reservations --- */

void reservation_lose(struct reservation *unit) {
  if (unit->held) {
    LIST_REMOVE(unit, others);
    unit->held = false;
  }
}

void reservation_take(struct reservation *unit, uint64_t ea) {
  struct reservation_line *line = reservation_line(unit->units, ea);
  reservation_lose(unit);
  unit->held = true;
  unit->ea = ea;
  LIST_INSERT_HEAD(&line->holders, unit, others);
}

void reservation_written(struct reservation_units *units, uint64_t ea,
                         const struct reservation_write *write) {
  struct reservation_line *line = *find_line(units, ea - ea % RESERVATION_BYTES);
  if (!line) {
    return;
  }
  for (struct reservation *holder; (holder = LIST_FIRST(&line->holders));) {
    reservation_lose(holder);
    if (holder->spe != write->writer && units->lost) {
      units->lost(units->whom, holder->spe, write->cause);
    }
  }
  for (struct reservation_copy *copy = line->copies, *next; copy; copy = next) {
    struct reservation_copy lost = *copy;
    next = copy->next;
    if (copy->spe != write->writer) {
      drop_copy(units, copy);
      if (lost.period) {
        units->resume(units->whom, lost.spe, latest_use(&lost, write->moment) + lost.period);
      }
    }
  }
}
