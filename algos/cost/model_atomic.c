/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands of the model machine: one line of memory, which goes from MFC to MFC. */
#include "algos/cost/model_parts.h"
#include "sim/spu/spu_atomic.h"

#include <string.h>

/* Wait for CYCLES, in which something happens to the line. */
static void
pause_for(struct model_spe *spe, double wait)
{
  des_charge(spe->actor, model_cycles(wait));
  des_sync(spe->actor);
}

/* Return the links to the SPE other than SPE that keeps the line and has used it last, or to memory, and what a load takes from
 * there. */
static unsigned
links_to_line(const struct model_spe *spe, enum model_value *load)
{
  const struct model_machine *machine = spe->machine;
  const struct model_spe *keeper = NULL;
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    const struct model_spe *other = &machine->spes[i];
    if (other->keeps && other != spe && (!keeper || other->line_used > keeper->line_used)) {
      keeper = other;
    }
  }
  *load = keeper ? MODEL_LOAD : MODEL_LOAD_MEMORY;
  return model_links(machine, spe->chip, keeper ? keeper->chip : 0);
}

/* Return for how long a load over LINKS keeps the line on its way: as on a chip, and what crossing makes longer but not with a
 * store, whose command alone crosses. */
static double
busy_for(const struct model_machine *machine, unsigned links)
{
  double load = model_value(machine, MODEL_LOAD, links) - model_value(machine, MODEL_LOAD, 0);
  double store = model_value(machine, MODEL_STORE, links) - model_value(machine, MODEL_STORE, 0);
  return model_value(machine, MODEL_LOAD_BUSY, 0) + load - store;
}

static bool
is_turn(const struct des_wait *wait)
{
  const unsigned *ticket = model_wait_of(wait)->what;
  return model_wait_of(wait)->spe->machine->serving == *ticket;
}

/* Go WAY to the line, and wait until those that have come before have had it. */
static void
reach_line(struct model_spe *spe, double way)
{
  struct model_machine *machine = spe->machine;
  pause_for(spe, way);
  unsigned ticket = machine->tickets++;
  model_wait_until(spe, MODEL_POKE_LINE, is_turn, &ticket);
  if (machine->line_free > des_now()) {
    pause_for(spe, (double)(machine->line_free - des_now()));
  }
}

/* Let the line be on its way for BUSY cycles, and then the next one have its turn. */
static void
leave_line(struct model_machine *machine, double busy)
{
  machine->line_free = des_now() + model_cycles(busy);
  machine->serving++;
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    des_poke(machine->spes[i].actor, MODEL_POKE_LINE);
  }
}

void
model_load_line(void *line, uint64_t ea)
{
  struct model_spe *spe = model_self();
  struct model_machine *machine = spe->machine;
  (void)ea;
  des_sync(spe->actor);
  if (spe->keeps) {
    memcpy(line, machine->line, MODEL_LINE_BYTES);
    spe->reserved = true;
    spe->line_used = des_now();
    pause_for(spe, model_value(machine, MODEL_ATOMIC, 0));
    return;
  }
  enum model_value load;
  unsigned links = links_to_line(spe, &load);
  double whole = model_value(machine, load, links), busy = busy_for(machine, links);
  reach_line(spe, whole - busy);
  busy = busy_for(machine, links_to_line(spe, &load));
  memcpy(line, machine->line, MODEL_LINE_BYTES);
  spe->reserved = spe->keeps = true;
  spe->line_used = des_now() + model_cycles(busy);
  leave_line(machine, busy);
  pause_for(spe, busy);
}

static bool
has_lost_line(const struct des_wait *wait)
{
  return !model_wait_of(wait)->spe->keeps;
}

/* Loads that find what the one before has found are left out. */
void
model_wait_line(const struct spu_line_wait *wanted)
{
  struct model_spe *spe = model_self();
  void *line = (void *)wanted->ls;
  for (;;) {
    model_load_line(line, wanted->ea);
    des_charge(spe->actor, wanted->cycles);
    if (wanted->found(line, wanted->context)) {
      return;
    }
    model_wait_until(spe, MODEL_POKE_LINE, has_lost_line, NULL);
  }
}

/* Write LINE, and let all others lose it. */
static void
write_line(struct model_spe *spe, const void *line)
{
  struct model_machine *machine = spe->machine;
  memcpy(machine->line, line, MODEL_LINE_BYTES);
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    bool other = &machine->spes[i] != spe;
    machine->spes[i].keeps = machine->spes[i].reserved = false;
    des_poke(other ? machine->spes[i].actor : NULL, MODEL_POKE_LINE);
  }
  spe->keeps = true;
  spe->line_used = des_now();
}

bool
model_store_line(void *line, uint64_t ea)
{
  struct model_spe *spe = model_self();
  struct model_machine *machine = spe->machine;
  double here = model_value(machine, MODEL_ATOMIC, 0);
  bool alone = true;
  (void)ea;
  des_sync(spe->actor);
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    alone &= i == spe->index || !machine->spes[i].keeps;
  }
  bool far = spe->reserved && !alone;
  if (far) {
    enum model_value load;
    unsigned links = links_to_line(spe, &load);
    reach_line(spe, model_value(machine, MODEL_STORE, links) - here);
  }
  bool stored = spe->reserved;
  if (stored) {
    write_line(spe, line);
  }
  if (far) {
    leave_line(machine, stored ? here : 0);
  }
  pause_for(spe, here);
  return stored;
}
