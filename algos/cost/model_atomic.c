/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands of the model machine: one line of memory, which goes from MFC to MFC. Commands for the line
 * take turns where the line is ordered; a load gets the line from the SPE that has used it last, and an SPE
 * that polls the line uses it with each load. */
#include "algos/cost/model_parts.h"
#include "sim/spu/spu_atomic.h"

#include <string.h>

/* Wait for CYCLES, in which something happens to the line. */
static void pause_for(struct model_spe *spe, double wait) {
  des_charge(spe->actor, model_cycles(wait));
  des_sync(spe->actor);
}

/* Return the cycle in which SPE has last used the line that it keeps, seen by SPE number BY: each load of one
 * that polls counts, and in this cycle those of lower numbers have been made. */
static uint64_t last_use(const struct model_spe *spe, unsigned by) {
  uint64_t now = des_now(), seen = now - (spe->index >= by);
  bool polls = spe->poll_period && seen >= spe->polls_from;
  return polls ? seen - (seen - spe->polls_from) % spe->poll_period : spe->line_used;
}

/* Return the links to the SPE other than SPE that keeps the line and has used it last, or to memory, and what
 * a load takes from there. */
static unsigned links_to_line(const struct model_spe *spe, enum model_value *load) {
  const struct model_machine *machine = spe->machine;
  const struct model_spe *keeper = NULL;
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    const struct model_spe *other = &machine->spes[i];
    if (other->keeps && other != spe &&
        (!keeper || last_use(other, spe->index) > last_use(keeper, spe->index))) {
      keeper = other;
    }
  }
  *load = keeper ? MODEL_LOAD : MODEL_LOAD_MEMORY;
  return model_links(machine, spe->chip, keeper ? keeper->chip : 0);
}

/* What a command takes, besides its issue and its turn: its way to where the line is ordered, if it needs
 * another MFC or memory; to have the line, during which no other command has it; until the program knows. */
struct line_times {
  double way, have, known;
};

/* Return what the way over LINKS takes: of a store, whose command alone crosses, what one that needs no other
 * MFC does not take. */
static double way_over(const struct model_machine *machine, unsigned links) {
  return model_value(machine, MODEL_STORE, links) - model_value(machine, MODEL_ATOMIC, 0);
}

/* Return the times of a LOAD over LINKS, which the line crosses as well. */
static struct line_times times_of_load(const struct model_machine *machine, enum model_value load,
                                       unsigned links) {
  double issue = model_value(machine, MODEL_ISSUE, 0), busy = model_value(machine, MODEL_LOAD_BUSY, 0);
  struct line_times times = {.way = way_over(machine, links)};
  times.known = model_value(machine, MODEL_LOAD, 0) - issue - way_over(machine, 0) - busy;
  times.have = model_value(machine, load, links) - issue - times.way - times.known;
  return times;
}

/* Return those of a store. */
static struct line_times times_of_store(const struct model_machine *machine, unsigned links) {
  struct line_times times = times_of_load(machine, MODEL_LOAD, links);
  times.have = model_value(machine, MODEL_ATOMIC, 0) - model_value(machine, MODEL_ISSUE, 0) - times.known;
  return times;
}

static bool is_turn(const struct des_wait *wait) {
  const unsigned *ticket = model_wait_of(wait)->what;
  return model_wait_of(wait)->spe->machine->serving == *ticket;
}

/* Go WAY to the line, and wait until those that have come before have had it. */
static void reach_line(struct model_spe *spe, double way) {
  struct model_machine *machine = spe->machine;
  pause_for(spe, way);
  unsigned ticket = machine->tickets++;
  model_wait_until(spe, MODEL_POKE_LINE, is_turn, &ticket);
  if (machine->line_free > des_now()) {
    pause_for(spe, (double)(machine->line_free - des_now()));
  }
}

/* Let the line be on its way for BUSY cycles, and then the next one have its turn. */
static void leave_line(struct model_machine *machine, double busy) {
  machine->line_free = des_now() + model_cycles(busy);
  machine->serving++;
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    des_poke(machine->spes[i].actor, MODEL_POKE_LINE);
  }
}

/* Let SPE, whose MFC has a load, get the line. */
static void get_line(struct model_spe *spe, void *line) {
  struct model_machine *machine = spe->machine;
  enum model_value load;
  unsigned links = links_to_line(spe, &load);
  reach_line(spe, times_of_load(machine, load, links).way);
  links = links_to_line(spe, &load);
  struct line_times times = times_of_load(machine, load, links);
  memcpy(line, machine->line, MODEL_LINE_BYTES);
  spe->reserved = spe->keeps = true;
  spe->line_used = des_now() + model_cycles(times.have);
  leave_line(machine, times.have);
  pause_for(spe, times.have + times.known);
}

/* Give a command to the MFC of the calling SPE. */
static struct model_spe *begin(void) {
  struct model_spe *spe = model_self();
  des_charge(spe->actor, model_cycles(model_value(spe->machine, MODEL_ISSUE, 0)));
  des_sync(spe->actor);
  return spe;
}

void model_load_line(void *line, uint64_t ea) {
  struct model_spe *spe = begin();
  (void)ea;
  if (!spe->keeps) {
    get_line(spe, line);
    return;
  }
  memcpy(line, spe->machine->line, MODEL_LINE_BYTES);
  spe->reserved = true;
  spe->line_used = des_now();
  struct line_times times = times_of_store(spe->machine, 0);
  pause_for(spe, times.have + times.known);
}

static bool has_lost_line(const struct des_wait *wait) {
  return !model_wait_of(wait)->spe->keeps;
}

/* Loads that find what the one before has found are left out: all that counts is when they use the line. */
void model_wait_line(const struct spu_line_wait *wanted) {
  struct model_spe *spe = model_self();
  const struct model_machine *machine = spe->machine;
  void *line = (void *)wanted->ls;
  model_load_line(line, wanted->ea);
  while (!wanted->found(line, wanted->context)) {
    spe->polls_from = des_now() + wanted->cycles + model_cycles(model_value(machine, MODEL_ISSUE, 0));
    spe->poll_period = wanted->cycles + model_cycles(model_value(machine, MODEL_ATOMIC, 0));
    model_wait_until(spe, MODEL_POKE_LINE, has_lost_line, NULL);
    uint64_t last = last_use(spe, machine->writer),
             miss = last < spe->polls_from ? spe->polls_from : last + spe->poll_period;
    spe->poll_period = 0;
    pause_for(spe, (double)(miss - des_now())); /* of a load that finds the line gone */
    get_line(spe, line);
  }
  des_charge(spe->actor, wanted->cycles);
}

/* Write LINE, and let all others lose it, in a store that has it for so many CYCLES. */
static void write_line(struct model_spe *spe, const void *line, double cycles) {
  struct model_machine *machine = spe->machine;
  memcpy(machine->line, line, MODEL_LINE_BYTES);
  for (unsigned i = 0; i < machine->shape->nspes; i++) {
    bool other = &machine->spes[i] != spe;
    machine->spes[i].keeps = machine->spes[i].reserved = false;
    des_poke(other ? machine->spes[i].actor : NULL, MODEL_POKE_LINE);
  }
  spe->keeps = true;
  spe->line_used = des_now() + model_cycles(cycles);
  machine->writer = spe->index;
}

bool model_store_line(void *line, uint64_t ea) {
  struct model_spe *spe = begin();
  struct model_machine *machine = spe->machine;
  enum model_value load;
  struct line_times times = times_of_store(machine, links_to_line(spe, &load));
  bool far = spe->reserved && load == MODEL_LOAD; /* another SPE keeps the line as well */
  (void)ea;
  if (far) {
    reach_line(spe, times.way);
  }
  bool stored = spe->reserved;
  if (stored) {
    write_line(spe, line, times.have);
  } else if (far) {
    times.have = 0;
  }
  if (far) {
    leave_line(machine, times.have);
  }
  pause_for(spe, times.have + times.known);
  return stored;
}
