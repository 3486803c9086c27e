/* SPDX-License-Identifier: BSD-3-Clause
 * The buses of the reference machine: command buses, data arbiters with rings and ramps, links. */
#include "sim/hw/board/chip_ways.h"
#include "tests/reference/machine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { UNITS = 32, RINGS = 16, MANY = 4096, ENDLESS_TRANSFERS = 64 };

/* Requests in the order of arrival. */
struct line {
  struct reference_request *waiting[MANY];
  unsigned count;
};

struct chip {
  unsigned number;
  /* command bus */
  bool asking[UNITS];
  int spe_of[UNITS];
  unsigned served; /* unit served last */
  uint64_t bus_free_at;
  bool bus_scheduled;
  /* data */
  struct line ramps[UNITS];
  uint64_t out_mcyc[UNITS], in_mcyc[UNITS]; /* when ramps are free again, in thousandths of a cycle */
  uint64_t not_before[UNITS];               /* the arbiter need not look at a unit earlier */
  bool claims[UNITS];      /* at the last look only the receiver kept the unit from starting */
  bool passed_over[UNITS]; /* the receiver is kept for another unit */
  unsigned granted;        /* unit granted last */
  unsigned heard[UNITS];   /* by receiver: the unit granted last among its senders */
  bool arbiter_scheduled;
  uint64_t arbiter_at;
  /* rings */
  uint64_t place_free[RINGS][UNITS]; /* by place in the direction of travel */
  uint64_t next_start[RINGS];
  uint64_t ends[RINGS][ENDLESS_TRANSFERS]; /* of the last transfers */
  unsigned nstarted[RINGS];
};

/* One direction of a link: the requests waiting for the link, and the order of turns. */
struct link {
  unsigned from, to;
  struct line line;
  unsigned turns[REFERENCE_SPES], nturns;
  uint64_t free_mcyc;
  bool scheduled;
};

static struct chip chips[REFERENCE_CHIPS];
static struct link links[REFERENCE_CHIPS][REFERENCE_CHIPS];

static const struct parameters *figures(void) {
  return blade_parameters(reference_blade);
}

static uint64_t ramp_mcyc(void) {
  return rate_interval_mcyc(figures()->ramp_interval);
}

static uint64_t whole(uint64_t mcyc) {
  return (mcyc + 999) / 1000;
}

/* Return when a server is free again: the server is taken at cycle AT for INTERVAL_MCYC, and was free at
 * FREE_MCYC. */
static uint64_t after_service(uint64_t free_mcyc, uint64_t at, uint64_t interval_mcyc) {
  uint64_t start = free_mcyc + 1000 > 1000 * at ? free_mcyc : 1000 * at;
  return start + interval_mcyc;
}

static struct reference_request *take(struct line *line, unsigned place) {
  struct reference_request *request = line->waiting[place];
  line->count--;
  memmove(&line->waiting[place], &line->waiting[place + 1], (line->count - place) * sizeof line->waiting[0]);
  return request;
}

static void join(struct line *line, struct reference_request *request) {
  assert(line->count < MANY);
  line->waiting[line->count++] = request;
}

void reference_bus_reset(void) {
  const struct blade *blade = reference_blade;
  unsigned last = figures()->ring.nunits - 1, n = blade_nchips(blade);
  assert(n <= REFERENCE_CHIPS);
  memset(chips, 0, n * sizeof *chips);
  for (unsigned i = 0; i < n; i++) {
    chips[i].number = i;
    chips[i].served = chips[i].granted = last;
    for (unsigned unit = 0; unit < UNITS; unit++) {
      chips[i].heard[unit] = last;
    }
    memset(links[i], 0, n * sizeof *links[i]);
    for (unsigned to = 0; to < n; to++) {
      links[i][to].from = i;
      links[i][to].to = to;
    }
  }
  for (unsigned i = 0; i < blade_nspes(blade); i++) {
    chips[blade_board(blade)->spes[i].chip].spe_of[blade_unit_of(blade, i)] = (int)i;
  }
}

/* --- command bus --- */

static void run_command_bus(void *thing);

static void schedule_command_bus(struct chip *chip) {
  bool anybody = false;
  for (unsigned unit = 0; unit < UNITS; unit++) {
    anybody |= chip->asking[unit];
  }
  if (anybody && !chip->bus_scheduled) {
    chip->bus_scheduled = true;
    reference_later(
      (struct reference_event){.cycle = chip->bus_free_at > reference_now ? chip->bus_free_at : reference_now,
                               .phase = REFERENCE_COMMAND,
                               .unit = chip->number,
                               .run = run_command_bus,
                               .thing = chip});
  }
}

static void run_command_bus(void *thing) {
  struct chip *chip = thing;
  unsigned unit = (chip->served + 1) % UNITS, nlooked = 0;
  chip->bus_scheduled = false;
  for (; nlooked < UNITS; nlooked++, unit = (unit + 1) % UNITS) {
    if (chip->asking[unit]) {
      chip->asking[unit] = false;
      if (reference_has_request((unsigned)chip->spe_of[unit])) {
        break; /* else another MFC has taken the last credit of the chip since */
      }
    }
  }
  if (nlooked == UNITS) {
    return;
  }
  unsigned spe = (unsigned)chip->spe_of[unit];
  chip->served = unit;
  bool to_memory = reference_granted(spe);
  chip->bus_free_at =
    reference_now + (to_memory ? figures()->memory_interval : figures()->eib_command_interval);
  reference_pump(spe);
  schedule_command_bus(chip);
}

void reference_ask(unsigned spe) {
  struct chip *chip = &chips[blade_board(reference_blade)->spes[spe].chip];
  chip->asking[blade_unit_of(reference_blade, spe)] = true;
  schedule_command_bus(chip);
}

/* --- data arbiter --- */

/* Return the place of UNIT in the direction of travel of RING. */
static unsigned place_of(unsigned ring, unsigned unit) {
  unsigned n = figures()->ring.nunits;
  return ring < figures()->eib_rings_clockwise ? unit : (n - unit) % n;
}

static unsigned hops_on(unsigned ring, const struct reference_request *request) {
  unsigned n = figures()->ring.nunits;
  return (place_of(ring, request->to) + n - place_of(ring, request->from)) % n;
}

/* Tell whether data of UNIT may go on RING: on any, or on every n-th ring of the ring's direction. */
static bool is_bound_to(unsigned ring, unsigned unit) {
  unsigned shared = figures()->eib_bound_neighbours, clockwise = figures()->eib_rings_clockwise;
  unsigned first = ring < clockwise ? 0 : clockwise,
           n = ring < clockwise ? clockwise : figures()->nrings - first;
  return shared == 0 || unit / shared % n == ring - first;
}

/* Tell whether RING allows REQUEST to start at cycle AT: not too soon after the last start, not too many
 * transfers, and every place free when the first beat gets there. A transfer from a unit to the same unit
 * takes the place where the unit enters. */
static bool ring_is_free(const struct chip *chip, unsigned ring, const struct reference_request *request,
                         uint64_t at) {
  const struct ring_parameters *f = &figures()->ring;
  unsigned running = 0, hops = hops_on(ring, request), place = place_of(ring, request->from);
  for (unsigned i = 0; i < ENDLESS_TRANSFERS; i++) {
    running += chip->ends[ring][i] > at;
  }
  bool free = at >= chip->next_start[ring] && running < f->transfers_max;
  for (unsigned d = 0; d < (hops ? hops : 1); d++) {
    free &= chip->place_free[ring][(place + d) % f->nunits] <= at + d * f->hop;
  }
  return free;
}

/* The arbiter's finding about the oldest request of a unit. */
struct finding {
  uint64_t at; /* the earliest start */
  unsigned ring;
  bool claims;
};

static struct finding look_at(const struct chip *chip, const struct reference_request *request) {
  uint64_t now = reference_now, hop = figures()->ring.hop, longest = figures()->ring.hops_max * hop;
  uint64_t sender = whole(chip->out_mcyc[request->from]), receiver = whole(chip->in_mcyc[request->to]);
  struct finding best = {.at = UINT64_MAX};
  if (sender > now) {
    return (struct finding){.at = sender};
  }
  if (receiver > now + longest) {
    return (struct finding){.at = receiver - longest};
  }
  for (unsigned ring = 0; ring < figures()->nrings; ring++) {
    unsigned hops = hops_on(ring, request);
    if (hops > figures()->ring.hops_max || !is_bound_to(ring, request->from)) {
      continue;
    }
    uint64_t for_receiver = receiver > now + hops * hop ? receiver - hops * hop : now, at = for_receiver;
    while (!ring_is_free(chip, ring, request, at)) {
      at++;
    }
    if (at < best.at || (at == best.at && chip->next_start[ring] < chip->next_start[best.ring])) {
      best = (struct finding){.at = at, .ring = ring, .claims = at > now && at == for_receiver};
    }
  }
  return best;
}

static void grant(struct chip *chip, unsigned unit, unsigned ring) {
  const struct ring_parameters *f = &figures()->ring;
  struct reference_request *request = take(&chip->ramps[unit], 0);
  unsigned hops = hops_on(ring, request), place = place_of(ring, request->from);
  uint64_t now = reference_now, end = now + hops * f->hop + f->beats;
  chip->out_mcyc[request->from] = after_service(chip->out_mcyc[request->from], now, ramp_mcyc());
  chip->in_mcyc[request->to] = after_service(chip->in_mcyc[request->to], now + hops * f->hop, ramp_mcyc());
  for (unsigned d = 0; d < (hops ? hops : 1); d++) {
    chip->place_free[ring][(place + d) % f->nunits] = now + d * f->hop + f->beats;
  }
  chip->next_start[ring] = now + f->start_interval;
  chip->ends[ring][chip->nstarted[ring]++ % ENDLESS_TRANSFERS] = end;
  chip->granted = chip->heard[request->to] = unit;
  chip->claims[unit] = false;
  chip->not_before[unit] = whole(chip->out_mcyc[unit]) > now + 1 ? whole(chip->out_mcyc[unit]) : now + 1;
  struct reference_entry entry = reference_entry_of(request, PROBE_GRANT);
  entry.chip = chip->number;
  entry.ring = ring;
  entry.from = request->from;
  entry.to = request->to;
  reference_note(reference_log, entry);
  reference_arrived(request, end);
}

static void run_arbiter(void *thing);

static void schedule_arbiter(struct chip *chip, uint64_t at) {
  if (!chip->arbiter_scheduled || at < chip->arbiter_at) {
    chip->arbiter_scheduled = true;
    chip->arbiter_at = at;
    reference_later((struct reference_event){
      .cycle = at, .phase = REFERENCE_ARBITRATE, .unit = chip->number, .run = run_arbiter, .thing = chip});
  }
}

/* List the units with data to send in the order of turns: the unit of main memory first, then round the ring
 * from the unit after LAST.
 * returns: the number of units. */
static unsigned turns(const struct chip *chip, unsigned last, unsigned order[UNITS]) {
  unsigned count = 0, memory = blade_parameters(reference_blade)->memory_unit;
  if (chip->ramps[memory].count) {
    order[count++] = memory;
  }
  for (unsigned step = 1; step <= UNITS; step++) {
    unsigned unit = (last + step) % UNITS;
    if (unit != memory && chip->ramps[unit].count) {
      order[count++] = unit;
    }
  }
  return count;
}

/* Sort the COUNT units in ORDER by the cycle at which their oldest requests became ready; units with equal
 * cycles keep their order. */
static void sort_by_age(const struct chip *chip, unsigned order[UNITS], unsigned count) {
  for (unsigned i = 1; i < count; i++) {
    unsigned unit = order[i], place = i;
    for (; place > 0 &&
           chip->ramps[order[place - 1]].waiting[0]->ready_at > chip->ramps[unit].waiting[0]->ready_at;
         place--) {
      order[place] = order[place - 1];
    }
    order[place] = unit;
  }
}

static bool same_receiver(const struct chip *chip, unsigned unit, unsigned other) {
  return chip->ramps[unit].waiting[0]->to == chip->ramps[other].waiting[0]->to;
}

/* Choose the units to look at now among the COUNT units in ORDER: the units due now, unless the receiver will
 * be busy for longer than the longest way takes; and also the units passed over for the same receiver. */
static void choose_units(struct chip *chip, const unsigned order[UNITS], unsigned count, bool chosen[UNITS]) {
  uint64_t longest = figures()->ring.hops_max * figures()->ring.hop;
  for (unsigned i = 0; i < count; i++) {
    unsigned unit = order[i];
    uint64_t receiver = whole(chip->in_mcyc[chip->ramps[unit].waiting[0]->to]);
    if (!chip->passed_over[unit] && chip->not_before[unit] <= reference_now) {
      chosen[unit] = receiver <= reference_now + longest;
      chip->not_before[unit] = chosen[unit] ? chip->not_before[unit] : receiver - longest;
      chip->claims[unit] &= chosen[unit];
    }
  }
  for (unsigned i = 0; i < count; i++) {
    for (unsigned j = 0; j < count && chip->passed_over[order[i]]; j++) {
      if (chosen[order[j]] && same_receiver(chip, order[i], order[j])) {
        chosen[order[i]] = true;
        chip->passed_over[order[i]] = false;
      }
    }
  }
}

/* Look at the oldest request of UNIT, or mark UNIT as PASSED_OVER. */
static void arbitrate(struct chip *chip, unsigned unit, bool passed_over) {
  chip->passed_over[unit] = passed_over;
  if (!passed_over) {
    struct finding finding = look_at(chip, chip->ramps[unit].waiting[0]);
    chip->not_before[unit] = finding.at;
    chip->claims[unit] = finding.claims;
    if (finding.at == reference_now) {
      grant(chip, unit, finding.ring);
    }
  }
}

/* Look at the CHOSEN unit with the turn at RECEIVER, if any; main memory takes the oldest data first. If
 * another unit with an earlier turn there waits only for the receiver, the chosen unit is passed over until
 * that other unit is looked at again. */
static void serve_receiver(struct chip *chip, unsigned receiver, bool chosen[UNITS]) {
  unsigned order[UNITS], count = turns(chip, chip->heard[receiver], order);
  bool kept = false;
  if (receiver == figures()->memory_unit) {
    sort_by_age(chip, order, count);
  }
  for (unsigned i = 0; i < count; i++) {
    unsigned unit = order[i];
    if (chip->ramps[unit].waiting[0]->to == receiver) {
      if (chosen[unit]) {
        chosen[unit] = false;
        arbitrate(chip, unit, kept);
        return;
      }
      kept |= chip->claims[unit];
    }
  }
}

/* Look at the oldest requests of the units due now, one after the other in the order of turns; among the
 * senders to one receiver, in the order of turns at the receiver. */
static void run_arbiter(void *thing) {
  struct chip *chip = thing;
  unsigned order[UNITS], count = turns(chip, chip->granted, order);
  bool chosen[UNITS] = {false};
  uint64_t next = UINT64_MAX;
  if (!chip->arbiter_scheduled || chip->arbiter_at != reference_now) {
    return; /* the arbiter was needed earlier, and has run */
  }
  chip->arbiter_scheduled = false;
  choose_units(chip, order, count, chosen);
  for (unsigned i = 0; i < count; i++) {
    while (chosen[order[i]]) {
      serve_receiver(chip, chip->ramps[order[i]].waiting[0]->to, chosen);
    }
  }
  for (unsigned i = 0; i < count; i++) {
    unsigned unit = order[i];
    if (chip->ramps[unit].count && !chip->passed_over[unit] && chip->not_before[unit] < next) {
      next = chip->not_before[unit];
    }
  }
  if (next != UINT64_MAX) {
    schedule_arbiter(chip, next);
  }
}

void reference_send(struct reference_request *request) {
  struct chip *chip = &chips[request->chip];
  unsigned unit = request->from;
  request->ready_at = reference_now;
  join(&chip->ramps[unit], request);
  if (chip->ramps[unit].count == 1) {
    uint64_t free_at = whole(chip->out_mcyc[unit]);
    chip->not_before[unit] = free_at > reference_now ? free_at : reference_now;
    schedule_arbiter(chip, chip->not_before[unit]);
  }
}

/* --- links --- */

static void run_link(void *thing);

static void schedule_link(struct link *link) {
  if (link->nturns && !link->scheduled) {
    uint64_t free_at = whole(link->free_mcyc);
    link->scheduled = true;
    reference_later((struct reference_event){.cycle = free_at > reference_now ? free_at : reference_now,
                                             .phase = REFERENCE_LINK,
                                             .unit = link->from * blade_nchips(reference_blade) + link->to,
                                             .run = run_link,
                                             .thing = link});
  }
}

/* Return the place of the first request of SPE in LINE, or the number of requests if there is none. */
static unsigned find(const struct line *line, unsigned spe) {
  unsigned place = 0;
  while (place < line->count && line->waiting[place]->command->spe != spe) {
    place++;
  }
  return place;
}

/* Serve the MFC with the turn; an MFC with more requests here goes to the end of the round. */
static void run_link(void *thing) {
  struct link *link = thing;
  unsigned spe = link->turns[0];
  struct reference_request *request = take(&link->line, find(&link->line, spe));
  link->scheduled = false;
  memmove(&link->turns[0], &link->turns[1], --link->nturns * sizeof link->turns[0]);
  if (find(&link->line, spe) < link->line.count) {
    link->turns[link->nturns++] = spe;
  }
  uint64_t interval_mcyc =
    (uint64_t)llround((request->nbytes + figures()->bif_overhead) * figures()->bif_byte_mcyc);
  link->free_mcyc = after_service(link->free_mcyc, reference_now, interval_mcyc);
  struct reference_entry entry = reference_entry_of(request, PROBE_CROSS);
  entry.chip = link->from;
  entry.to = link->to;
  reference_note(reference_log, entry);
  request->chip = link->to;
  reference_crossed(request, reference_now + figures()->bif_data);
  schedule_link(link);
}

void reference_cross(struct reference_request *request) {
  unsigned next = chip_ways_next(blade_board(reference_blade)->ways, request->chip, request->target_chip);
  struct link *link = &links[request->chip][next];
  if (find(&link->line, request->command->spe) == link->line.count) {
    link->turns[link->nturns++] = request->command->spe;
  }
  join(&link->line, request);
  schedule_link(link);
}
