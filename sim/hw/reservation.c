/* SPDX-License-Identifier: BSD-3-Clause
 * See reservation.h. Lines hold no data here: memory always has it. What counts is who keeps a line, which decides how long
 * an atomic command takes. */
#include "sim/hw/reservation.h"

static const struct reservation_line *
find(const struct reservation *unit, uint64_t ea)
{
  for (unsigned i = 0; i < RESERVATION_LINES; i++) {
    if (unit->lines[i].ea == ea) {
      return &unit->lines[i];
    }
  }
  return 0;
}

bool
reservation_keeps(const struct reservation *unit, uint64_t ea)
{
  return find(unit, ea) != 0;
}

unsigned
reservation_keeper(const struct reservation_units *units, uint64_t ea, unsigned except)
{
  unsigned keeper = units->n;
  uint64_t latest = 0;
  for (unsigned i = 0; i < units->n; i++) {
    const struct reservation_line *line = i == except ? 0 : find(&units->of[i], ea);
    if (line && (keeper == units->n || line->until > latest)) {
      keeper = i;
      latest = line->until;
    }
  }
  return keeper;
}

uint64_t
reservation_settled(const struct reservation_units *units, uint64_t ea)
{
  uint64_t settled = 0;
  for (unsigned i = 0; i < units->n; i++) {
    const struct reservation_line *line = find(&units->of[i], ea);
    settled = line && line->until > settled ? line->until : settled;
  }
  return settled;
}

void
reservation_keep(struct reservation *unit, uint64_t ea, uint64_t until)
{
  struct reservation_line *place = (struct reservation_line *)find(unit, ea);
  for (unsigned i = 0; !place && i < RESERVATION_LINES; i++) {
    place = unit->lines[i].ea == 0 ? &unit->lines[i] : place;
  }
  if (!place) {
    place = &unit->lines[0];
    for (unsigned i = 1; i < RESERVATION_LINES; i++) {
      place = unit->lines[i].used < place->used ? &unit->lines[i] : place;
    }
  }
  *place = (struct reservation_line){.ea = ea, .used = ++unit->clock, .until = until};
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
