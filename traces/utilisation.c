/* SPDX-License-Identifier: BSD-3-Clause
 * See utilisation.h.
 *
 * A busy part cannot serve another request at the same time. A ring serves several transfers at a time: each
 * place of the ring is looked at, and the busiest one counts. The busy time of a service follows from the
 * machine's own parameters.
 *
 * The causes of a transfer's wait follow from the cycles at which the ramps were free: first the wait for
 * earlier bytes on its own on-ramp, then the wait for the receiver. The rest is the wait for a ring, or for
 * other transfers whose turn was first. */
#include "traces/utilisation.h"

#include "platform/platform.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <stdlib.h>

static void see(struct probe *probe, const struct probe_event *event);

void utilisation_init(struct utilisation *utilisation, const struct platform *platform) {
  *utilisation =
    (struct utilisation){.probe = {.see = see, .details = true, .counts = true}, .platform = platform};
  parameters_init(&utilisation->parameters, platform);
  const struct parameters *parameters = &utilisation->parameters;
  size_t nchips = parameters->nchips;
  utilisation->rings = xcalloc(nchips * parameters->nrings, sizeof *utilisation->rings);
  utilisation->ramps = xcalloc(nchips * parameters->ring.nunits, sizeof *utilisation->ramps);
  utilisation->links = xcalloc(nchips * nchips, sizeof *utilisation->links);
  utilisation->memories = xcalloc(nchips, sizeof *utilisation->memories);
  utilisation->command_buses = xcalloc(nchips, sizeof *utilisation->command_buses);
  utilisation->mfcs = xcalloc(parameters->nspes, sizeof *utilisation->mfcs);
}

void utilisation_fini(struct utilisation *utilisation) {
  free(utilisation->rings);
  free(utilisation->ramps);
  free(utilisation->links);
  free(utilisation->memories);
  free(utilisation->command_buses);
  free(utilisation->mfcs);
}

double utilisation_cycles(const struct utilisation *utilisation) {
  return (double)utilisation->end_mcyc / 1000;
}

double utilisation_share(const struct utilisation *utilisation, const struct utilisation_server *server) {
  return utilisation->end_mcyc ? (double)server->busy_mcyc / (double)utilisation->end_mcyc : 0;
}

double utilisation_ring_share(const struct utilisation *utilisation, size_t ring) {
  uint64_t most = 0;
  VEC_EACH(passed, utilisation->rings[ring].passed, utilisation->parameters.ring.nunits) {
    RAISE(most, *passed);
  }
  uint64_t busy = 1000 * most * utilisation->parameters.ring.beats;
  return utilisation->end_mcyc ? (double)busy / (double)utilisation->end_mcyc : 0;
}

/* Something goes on until END_MCYC. */
static void extend(struct utilisation *utilisation, uint64_t end_mcyc) {
  RAISE(utilisation->end_mcyc, end_mcyc);
}

/* A turn of a bus request at a server. */
struct turn {
  uint64_t at, waited; /* cycle at which the service begins; cycles before */
  struct rate_interval interval;
};

/* SERVER serves REQUEST in TURN. */
static void serve(struct utilisation *utilisation, struct utilisation_server *server,
                  const struct probe_request *request, struct turn turn) {
  server->served++;
  server->nbytes += request->nbytes;
  server->busy_mcyc += rate_interval_mcyc(turn.interval);
  server->waited += turn.waited;
  RAISE(server->waited_max, turn.waited);
  rate_server_take(&server->pace, turn.at, turn.interval);
  extend(utilisation, rate_server_free_mcyc(&server->pace));
}

/* Split the wait of the transfer of GRANT, a grant, among the causes, with the paces before the grant. */
static void split_wait(struct utilisation_ramps *sender, const struct utilisation_ramps *receiver,
                       const struct probe_event *grant, uint64_t travel) {
  uint64_t ready = grant->cycle - grant->grant.waited, free[WAITED_CAUSES];
  uint64_t receiver_free = rate_server_ready(&receiver->in.pace, 0);
  free[WAITED_OWN_RAMP] = rate_server_ready(&sender->out.pace, 0);
  free[WAITED_RECEIVER] = receiver_free > travel ? receiver_free - travel : 0;
  free[WAITED_RING] = grant->cycle;
  unsigned last = WAITED_CAUSES;
  for (unsigned cause = 0; cause < WAITED_CAUSES; cause++) {
    uint64_t until = MIN(free[cause], grant->cycle);
    if (until > ready) {
      sender->cycles[cause] += until - ready;
      ready = until;
      last = cause;
    }
  }
  if (last < WAITED_CAUSES) {
    sender->conflicts[last]++;
  }
}

static void see_grant(struct utilisation *utilisation, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  const struct parameters *parameters = &utilisation->parameters;
  unsigned n = parameters->ring.nunits;
  struct utilisation_ramps *ramps = &utilisation->ramps[(size_t)grant->chip * n];
  struct utilisation_ramps *sender = &ramps[grant->from], *receiver = &ramps[grant->to];
  struct utilisation_ring *ring = &utilisation->rings[(size_t)grant->chip * parameters->nrings + grant->ring];
  struct rate_interval interval = parameters->ramp_interval;
  uint64_t travel = grant->hops * parameters->ring.hop;
  split_wait(sender, receiver, event, travel);
  serve(utilisation, &sender->out, &grant->request, (struct turn){event->cycle, grant->waited, interval});
  serve(utilisation, &receiver->in, &grant->request, (struct turn){event->cycle + travel, 0, interval});
  RAISE(sender->queued_max, grant->queued);
  ring->served++;
  ring->nbytes += grant->request.nbytes;
  bool clockwise = grant->ring < parameters->eib_rings_clockwise;
  unsigned at = grant->from;
  for (unsigned hop = 0; hop < grant->hops; hop++) {
    ring->passed[at]++;
    at = clockwise ? (at + 1 < n ? at + 1 : 0) : (at > 0 ? at : n) - 1;
  }
  extend(utilisation, 1000 * (event->cycle + travel + parameters->ring.beats));
}

static void see_link(struct utilisation *utilisation, const struct probe_event *event) {
  const struct probe_cross *cross = &event->cross;
  const struct parameters *parameters = &utilisation->parameters;
  uint64_t busy = parameters_link_mcyc(parameters, cross->request.nbytes);
  serve(utilisation, &utilisation->links[(size_t)cross->chip * parameters->nchips + cross->next_chip],
        &cross->request, (struct turn){event->cycle, cross->waited, rate_interval(busy)});
}

static void see_memory(struct utilisation *utilisation, const struct probe_event *event) {
  const struct probe_memory *memory = &event->memory;
  const struct parameters *parameters = &utilisation->parameters;
  uint64_t busy = memory->is_write ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
  serve(utilisation, &utilisation->memories[memory->chip], &memory->request,
        (struct turn){event->cycle + memory->waited, memory->waited, rate_interval(busy)});
}

static void see_issue(struct utilisation *utilisation, const struct probe_event *event) {
  const struct probe_issue *issue = &event->issue;
  const struct parameters *parameters = &utilisation->parameters;
  uint64_t busy = issue->coherent ? parameters->memory_interval : parameters->eib_command_interval;
  struct utilisation_mfc *mfc = &utilisation->mfcs[issue->request.spe];
  serve(utilisation, &utilisation->command_buses[issue->chip], &issue->request,
        (struct turn){event->cycle, 0, {.cycles = busy}});
  mfc->requests++;
  mfc->nbytes += issue->request.nbytes;
  mfc->cycles_in -= event->cycle;
  RAISE(mfc->flying_max, issue->in_flight);
}

static void see_enqueue(struct utilisation *utilisation, const struct probe_event *event) {
  struct utilisation_mfc *mfc = &utilisation->mfcs[event->enqueue.dma.spe];
  mfc->commands++;
  mfc->queued++;
  RAISE(mfc->queued_max, mfc->queued);
}

static void see_complete(struct utilisation *utilisation, const struct probe_event *event) {
  utilisation->mfcs[event->complete.dma.spe].queued--;
}

static void see_delivery(struct utilisation *utilisation, const struct probe_event *event) {
  utilisation->mfcs[event->deliver.request.spe].cycles_in += event->deliver.free_at;
  extend(utilisation, 1000 * event->deliver.free_at);
}

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct utilisation *, const struct probe_event *) = {
    [PROBE_ISSUE] = see_issue,       [PROBE_DELIVER] = see_delivery, [PROBE_GRANT] = see_grant,
    [PROBE_CROSS] = see_link,        [PROBE_MEMORY] = see_memory,    [PROBE_ENQUEUE] = see_enqueue,
    [PROBE_COMPLETE] = see_complete,
  };
  struct utilisation *utilisation = (struct utilisation *)probe;
  extend(utilisation, 1000 * (event->kind == PROBE_END ? event->end.at : event->cycle));
  if (handlers[event->kind]) {
    handlers[event->kind](utilisation, event);
  }
}

/* --- the counters, one by one --- */

int utilisation_decimals(const struct utilisation_row *row) {
  return strcmp(row->unit, "%") == 0 || strcmp(row->counter, "window-mean") == 0 ? 2 : 0;
}

void utilisation_show_count(const struct utilisation_show *show, const char *counter, uint64_t value,
                            const char *unit) {
  show->show(show->context, &(struct utilisation_row){show->where, counter, (double)value, unit});
}

void utilisation_show_busy(const struct utilisation_show *show, double percent) {
  show->show(show->context, &(struct utilisation_row){show->where, "busy", percent, "%"});
}

/* Show the traffic of a part, with the busy share. */
static void show_traffic(const struct utilisation_show *show, const struct utilisation *utilisation,
                         const char *served, const struct utilisation_server *server) {
  utilisation_show_count(show, served, server->served, "1");
  utilisation_show_count(show, "bytes", server->nbytes, "B");
  utilisation_show_busy(show, 100 * utilisation_share(utilisation, server));
}

static void show_waiting(const struct utilisation_show *show, const struct utilisation_server *server) {
  utilisation_show_count(show, "waiting", server->waited, "cycles");
  utilisation_show_count(show, "longest-wait", server->waited_max, "cycles");
}

static void list_rings(struct utilisation_show *show, const struct utilisation *utilisation) {
  unsigned nrings = utilisation->parameters.nrings;
  for (unsigned i = 0; i < utilisation->parameters.nchips * nrings; i++) {
    const struct utilisation_ring *ring = &utilisation->rings[i];
    snprintf(show->where, sizeof show->where, "chip %u ring %u", i / nrings, i % nrings);
    if (ring->served) {
      utilisation_show_count(show, "transfers", ring->served, "1");
      utilisation_show_count(show, "bytes", ring->nbytes, "B");
      utilisation_show_busy(show, 100 * utilisation_ring_share(utilisation, i));
    }
  }
}

/* Show the ramps of UNIT (a name), NUMBER among the units of all chips. */
static void list_ramps(struct utilisation_show *show, const struct utilisation *utilisation, size_t number,
                       const char *unit) {
  static const char *const conflicts[] = {"conflicts-own-ramp", "conflicts-receiver", "conflicts-ring"};
  static const char *const waits[] = {"waiting-own-ramp", "waiting-receiver", "waiting-ring"};
  const struct utilisation_ramps *ramps = &utilisation->ramps[number];
  size_t chip = number / utilisation->platform->nunits;
  if (ramps->out.served) {
    snprintf(show->where, sizeof show->where, "chip %zu %.32s out", chip, unit);
    show_traffic(show, utilisation, "transfers", &ramps->out);
    show_waiting(show, &ramps->out);
    utilisation_show_count(show, "longest-queue", ramps->queued_max, "requests");
    for (unsigned cause = 0; cause < WAITED_CAUSES; cause++) {
      utilisation_show_count(show, conflicts[cause], ramps->conflicts[cause], "1");
      utilisation_show_count(show, waits[cause], ramps->cycles[cause], "cycles");
    }
  }
  if (ramps->in.served) {
    snprintf(show->where, sizeof show->where, "chip %zu %.32s in", chip, unit);
    show_traffic(show, utilisation, "transfers", &ramps->in);
  }
}

static void list_units(struct utilisation_show *show, const struct utilisation *utilisation) {
  const struct platform *platform = utilisation->platform;
  unsigned n = platform->nunits, most = platform->spes_per_chip;
  for (unsigned i = 0; i < platform->blade.chips * n; i++) {
    unsigned spe = (unsigned)VEC_INDEX(platform->spe_units, most, *item == i % n);
    char name[16]; /* a text_brief does not last over all rows of a unit */
    snprintf(name, sizeof name, "SPE %u", i / n * most + spe);
    list_ramps(show, utilisation, i, spe < most ? name : platform->units[i % n]);
  }
}

static void list_servers(struct utilisation_show *show, const struct utilisation *utilisation) {
  const unsigned n = utilisation->parameters.nchips;
  const struct {
    const char *name; /* of one server, with the number divided by PER, and the rest */
    unsigned n, per;
    const struct utilisation_server *servers;
    bool waits; /* bus requests wait for the server */
  } kinds[] = {{"chip %u command bus", n, 1, utilisation->command_buses, false},
               {"link %u-%u", n * n, n, utilisation->links, true},
               {"memory %u", n, 1, utilisation->memories, true}};
  VEC_EACH(kind, kinds, VEC_LENGTH(kinds)) {
    for (unsigned i = 0; i < kind->n; i++) {
      snprintf(show->where, sizeof show->where, kind->name, i / kind->per, i % kind->per);
      if (kind->servers[i].served) {
        show_traffic(show, utilisation, "requests", &kind->servers[i]);
      }
      if (kind->servers[i].served && kind->waits) {
        show_waiting(show, &kind->servers[i]);
      }
    }
  }
}

static void list_mfcs(struct utilisation_show *show, const struct utilisation *utilisation) {
  const struct parameters *parameters = &utilisation->parameters;
  double cycles = utilisation_cycles(utilisation);
  for (unsigned i = 0; i < parameters->nspes; i++) {
    const struct utilisation_mfc *mfc = &utilisation->mfcs[i];
    if (mfc->commands) {
      snprintf(show->where, sizeof show->where, "chip %u SPE %u MFC", i / parameters->spes_per_chip, i);
      utilisation_show_count(show, "commands", mfc->commands, "1");
      utilisation_show_count(show, "requests", mfc->requests, "1");
      utilisation_show_count(show, "bytes", mfc->nbytes, "B");
      utilisation_show_count(show, "longest-queue", mfc->queued_max, "commands");
      show->show(show->context,
                 &(struct utilisation_row){show->where, "window-mean",
                                           cycles > 0 ? (double)mfc->cycles_in / cycles : 0, "requests"});
      utilisation_show_count(show, "window-max", mfc->flying_max, "requests");
    }
  }
}

void utilisation_list(const struct utilisation *utilisation,
                      void (*show)(void *context, const struct utilisation_row *row), void *context) {
  struct utilisation_show listing = {.show = show, .context = context};
  list_rings(&listing, utilisation);
  list_units(&listing, utilisation);
  list_servers(&listing, utilisation);
  list_mfcs(&listing, utilisation);
}
