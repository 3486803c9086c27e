/* SPDX-License-Identifier: BSD-3-Clause
 * See referee.h. The limits are those of the platform file, in its own units. */
#include "tests/gaming/referee.h"

#include "platform/platform.h"

#include <stdarg.h>
#include <stdio.h>

static void __attribute__((format(printf, 2, 3))) complain(struct referee *referee, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!referee->wrong[0]) {
    vsnprintf(referee->wrong, sizeof referee->wrong, format, arguments);
  }
  va_end(arguments);
}

static double cycles_per_bus_cycle(const struct referee *referee) {
  return referee->platform->clock.bus_divider;
}

static void note(struct referee_past *past, uint64_t at, double service) {
  unsigned slot = past->count++ % REFEREE_PAST;
  past->at[slot] = at;
  past->service[slot] = (uint64_t)(1000 * service + 0.5);
}

/* Check that something may be served at cycle AT: between it and each of the services before, all those that
 * began in between fit, but for less than a cycle of rounding. */
static void check_rate(struct referee *referee, const struct referee_past *past, uint64_t at,
                       const char *what) {
  uint64_t sum = 0;
  for (uint64_t back = 1; back <= past->count && back <= REFEREE_PAST; back++) {
    unsigned slot = (past->count - back) % REFEREE_PAST;
    sum += past->service[slot];
    if (1000 * at + 999 < 1000 * past->at[slot] + sum) {
      complain(referee, "%s: service at %llu is too early for the %llu before it, from %llu on", what,
               (unsigned long long)at, (unsigned long long)back, (unsigned long long)past->at[slot]);
    }
  }
}

/* Return the place at which the transfer of E begins, in its ring's direction. */
static unsigned place_of(const struct referee *referee, const struct probe_grant *e) {
  bool clockwise = e->ring < referee->platform->eib.rings_clockwise;
  return clockwise ? e->from : (referee->nunits - e->from) % referee->nunits;
}

/* Check transfer E, granted at CYCLE, against those before it on its ring. */
static void check_ring(struct referee *referee, const struct referee_past *past, uint64_t cycle,
                       const struct probe_grant *e) {
  const struct platform *p = referee->platform;
  double bus = cycles_per_bus_cycle(referee), hop = p->eib.hop * bus;
  double beats = (double)p->eib.request_bytes / p->eib.beat_bytes * bus, now = (double)cycle;
  unsigned place = place_of(referee, e);
  unsigned running = 0;
  for (uint64_t back = 1; back <= past->count && back <= REFEREE_PAST; back++) {
    unsigned slot = (past->count - back) % REFEREE_PAST;
    double then = (double)past->at[slot];
    running += then + past->hops[slot] * hop + beats > now;
    if (back == 1 && now - then < p->eib.start_interval * bus) {
      complain(referee, "ring %u: starts at %g and %g", e->ring, then, now);
    }
    for (unsigned i = 0; i < past->hops[slot]; i++) {
      for (unsigned j = 0; j < e->hops; j++) {
        bool same = (past->from[slot] + i) % referee->nunits == (place + j) % referee->nunits;
        double apart = (now + j * hop) - (then + i * hop);
        if (same && apart < beats && apart > -beats) {
          complain(referee, "chip %u ring %u: transfers of cycles %g and %g meet", e->chip, e->ring, then,
                   now);
        }
      }
    }
  }
  if (running >= p->eib.transfers_per_ring) {
    complain(referee, "ring %u: %u transfers at cycle %g", e->ring, running + 1, now);
  }
}

static void see_grant(struct referee *referee, uint64_t cycle, const struct probe_grant *e) {
  const struct platform *p = referee->platform;
  unsigned n = referee->nunits;
  bool clockwise = e->ring < p->eib.rings_clockwise;
  unsigned way = (clockwise ? e->to + n - e->from : e->from + n - e->to) % n;
  double bus = cycles_per_bus_cycle(referee), ramp = p->eib.ramp_interval * bus;
  uint64_t arrival = cycle + (uint64_t)(e->hops * p->eib.hop * bus);
  struct referee_past *ring = &referee->rings[e->chip][e->ring];
  struct referee_past *on = &referee->on_ramps[e->chip][e->from], *off = &referee->off_ramps[e->chip][e->to];
  referee->grants++;
  if (way != e->hops || e->hops > p->eib.max_hops) {
    complain(referee, "ring %u: %u hops from %u to %u", e->ring, e->hops, e->from, e->to);
  }
  check_ring(referee, ring, cycle, e);
  check_rate(referee, on, cycle, "on-ramp");
  check_rate(referee, off, arrival, "off-ramp");
  ring->from[ring->count % REFEREE_PAST] = place_of(referee, e);
  ring->hops[ring->count % REFEREE_PAST] = e->hops;
  note(ring, cycle, 0);
  note(on, cycle, ramp);
  note(off, arrival, ramp);
}

static void see_cross(struct referee *referee, uint64_t cycle, const struct probe_cross *e) {
  const struct platform *p = referee->platform;
  struct referee_past *link = &referee->links[e->chip][e->next_chip];
  check_rate(referee, link, cycle, "link");
  note(link, cycle, (e->request.nbytes + p->bif.overhead) * p->clock.spu / p->bif.bandwidth);
}

static void see_memory(struct referee *referee, uint64_t cycle, const struct probe_memory *e) {
  const struct platform *p = referee->platform;
  struct referee_past *memory = &referee->memories[e->chip];
  uint64_t start = cycle + e->waited;
  check_rate(referee, memory, start, "memory");
  note(memory, start, e->is_write ? p->memory.write_interval : p->memory.read_interval);
}

static void see_issue(struct referee *referee, uint64_t cycle, const struct probe_request *e) {
  const struct platform *p = referee->platform;
  struct referee_past *bus = &referee->command_buses[e->spe / referee->spes_per_chip];
  check_rate(referee, bus, cycle, "command bus");
  note(bus, cycle, p->eib.command_interval * cycles_per_bus_cycle(referee));
  referee->bytes_issued += e->nbytes;
  if (++referee->in_flight[e->spe] > p->mfc.windows * p->mfc.window) {
    complain(referee, "SPE %u: %u bus requests in flight", e->spe, referee->in_flight[e->spe]);
  }
  if (e->nbytes == 0 || e->nbytes > p->eib.request_bytes) {
    complain(referee, "SPE %u: a bus request of %u bytes", e->spe, e->nbytes);
  }
}

static void see(struct probe *probe, const struct probe_event *e) {
  struct referee *referee = (struct referee *)probe;
  switch (e->kind) {
  case PROBE_COMMAND:
    referee->commands++;
    referee->bytes_asked += e->command.dma.nbytes;
    break;
  case PROBE_ISSUE:
    see_issue(referee, e->cycle, &e->issue.request);
    break;
  case PROBE_GRANT:
    see_grant(referee, e->cycle, &e->grant);
    break;
  case PROBE_CROSS:
    see_cross(referee, e->cycle, &e->cross);
    break;
  case PROBE_MEMORY:
    see_memory(referee, e->cycle, &e->memory);
    break;
  case PROBE_DELIVER:
    referee->in_flight[e->deliver.request.spe]--;
    referee->bytes_delivered += e->deliver.request.nbytes;
    break;
  case PROBE_COMPLETE:
    referee->completed++;
    break;
  case PROBE_FAULT:
    complain(referee, "SPE %u: %s", e->fault.spe, e->fault.text);
    break;
  default:
    break;
  }
}

void referee_init(struct referee *referee, const struct platform *platform) {
  *referee = (struct referee){.probe = {.see = see, .details = true},
                              .platform = platform,
                              .spes_per_chip = platform->spes_per_chip,
                              .nunits = platform->nunits};
}
