/* SPDX-License-Identifier: BSD-3-Clause
 * See reservation.h. Lines hold no data here: memory always has it. What counts is who keeps a line, which decides how long
 * an atomic command takes. */
#include "sim/hw/reservation.h"

/* Return the place of line EA in UNIT; RESERVATION_LINES: none. An empty place holds line 0. */
static unsigned
find(const struct reservation *unit, uint64_t ea)
{
  unsigned place = 0;
  while (place < RESERVATION_LINES && unit->lines[place].ea != ea) {
    place++;
  }
  return place;
}

bool
reservation_keeps(const struct reservation *unit, uint64_t ea)
{
  return find(unit, ea) < RESERVATION_LINES;
}

unsigned
reservation_keeper(const struct reservation_units *units, uint64_t ea, unsigned except)
{
  unsigned keeper = units->n;
  uint64_t latest = 0;
  for (unsigned i = 0; i < units->n; i++) {
    unsigned place = i == except ? RESERVATION_LINES : find(&units->of[i], ea);
    uint64_t until = place < RESERVATION_LINES ? units->of[i].lines[place].until : 0;
    if (place < RESERVATION_LINES && (keeper == units->n || until > latest)) {
      keeper = i;
      latest = until;
    }
  }
  return keeper;
}

uint64_t
reservation_settled(const struct reservation_units *units, uint64_t ea)
{
  uint64_t settled = 0;
  for (unsigned i = 0; i < units->n; i++) {
    unsigned place = find(&units->of[i], ea);
    if (place < RESERVATION_LINES && units->of[i].lines[place].until > settled) {
      settled = units->of[i].lines[place].until;
    }
  }
  return settled;
}

void
reservation_keep(struct reservation *unit, uint64_t ea, uint64_t until)
{
  unsigned place = find(unit, ea);
  place = place < RESERVATION_LINES ? place : find(unit, 0);
  if (place == RESERVATION_LINES) {
    place = 0;
    for (unsigned i = 1; i < RESERVATION_LINES; i++) {
      place = unit->lines[i].used < unit->lines[place].used ? i : place;
    }
  }
  unit->lines[place] = (struct reservation_line){.ea = ea, .used = ++unit->clock, .until = until};
}

void
reservation_take(struct reservation *unit, uint64_t ea)
{
  unit->held = true;
  unit->ea = ea;
}

void
reservation_written(struct reservation_units *units, uint64_t ea, unsigned writer)
{
  for (unsigned i = 0; i < units->n; i++) {
    struct reservation *unit = &units->of[i];
    if (unit->held && unit->ea == ea) {
      unit->held = false;
    }
    for (unsigned j = 0; i != writer && j < RESERVATION_LINES; j++) {
      if (unit->lines[j].ea == ea) {
        unit->lines[j] = (struct reservation_line){0};
      }
    }
  }
}
