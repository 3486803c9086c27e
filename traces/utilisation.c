/* SPDX-License-Identifier: BSD-3-Clause
 * See utilisation.h.
 *
 * A busy part cannot serve anything else at that time; a ring serves several transfers at a time, so that each place on it
 * is looked at, and the busiest one counts. Busy time is what the machine's own figures say that a service takes.
 *
 * What a transfer waited for follows from when the ramps were free: first until its own on-ramp had sent what came before,
 * then until the receiver could take it; the rest it waited for a ring, or for others whose turn was first. */
#include "traces/utilisation.h"

#include "sim/base/xalloc.h"

#include <math.h>
#include <stdlib.h>

static void see(struct probe *probe, const struct probe_event *event);

void
utilisation_init(struct utilisation *utilisation, const struct blade *blade)
{
  const struct parameters *figures = &blade->parameters;
  unsigned nchips = blade->nchips, nunits = figures->ring.nunits;
  *utilisation =
    (struct utilisation){.probe = {.see = see, .details = true}, .blade = blade, .nunits = nunits};
  utilisation->rings = xcalloc((size_t)nchips * figures->nrings, sizeof *utilisation->rings);
  utilisation->ramps = xcalloc((size_t)nchips * nunits, sizeof *utilisation->ramps);
  utilisation->links = xcalloc((size_t)nchips * nchips, sizeof *utilisation->links);
  utilisation->memories = xcalloc(nchips, sizeof *utilisation->memories);
  utilisation->command_buses = xcalloc(nchips, sizeof *utilisation->command_buses);
  utilisation->mfcs = xcalloc(blade->nspes, sizeof *utilisation->mfcs);
}

void
utilisation_fini(struct utilisation *utilisation)
{
  free(utilisation->rings);
  free(utilisation->ramps);
  free(utilisation->links);
  free(utilisation->memories);
  free(utilisation->command_buses);
  free(utilisation->mfcs);
}

double
utilisation_cycles(const struct utilisation *utilisation)
{
  return (double)utilisation->end_mcyc / 1000;
}

double
utilisation_share(const struct utilisation *utilisation, const struct utilisation_server *server)
{
  return utilisation->end_mcyc ? (double)server->busy_mcyc / (double)utilisation->end_mcyc : 0;
}

double
utilisation_ring_share(const struct utilisation *utilisation, size_t ring)
{
  uint64_t most = 0;
  for (unsigned i = 0; i < utilisation->nunits; i++) {
    uint64_t passed = utilisation->rings[ring].passed[i];
    most = passed > most ? passed : most;
  }
  uint64_t busy = 1000 * most * utilisation->blade->parameters.ring.beats;
  return utilisation->end_mcyc ? (double)busy / (double)utilisation->end_mcyc : 0;
}

/* Something goes on until END_MCYC. */
static void
extend(struct utilisation *utilisation, uint64_t end_mcyc)
{
  if (end_mcyc > utilisation->end_mcyc) {
    utilisation->end_mcyc = end_mcyc;
  }
}

/* SERVER serves the bus request of EVENT for BUSY_MCYC. */
static void
serve(struct utilisation_server *server, const struct probe_event *event, uint64_t busy_mcyc)
{
  server->served++;
  server->nbytes += event->nbytes;
  server->busy_mcyc += busy_mcyc;
  server->waited += event->waited;
  server->waited_max = event->waited > server->waited_max ? event->waited : server->waited_max;
}

/* Split what the transfer of GRANT waited for among its causes; the paces are those before it. */
static void
split_wait(struct utilisation_ramps *sender, const struct utilisation_ramps *receiver,
           const struct probe_event *grant, uint64_t travel)
{
  uint64_t ready = grant->cycle - grant->waited, free[WAITED_CAUSES];
  uint64_t receiver_free = rate_server_ready(&receiver->in_pace, 0);
  free[WAITED_OWN_RAMP] = rate_server_ready(&sender->out_pace, 0);
  free[WAITED_RECEIVER] = receiver_free > travel ? receiver_free - travel : 0;
  free[WAITED_RING] = grant->cycle;
  unsigned last = WAITED_CAUSES;
  for (unsigned cause = 0; cause < WAITED_CAUSES; cause++) {
    uint64_t until = free[cause] < grant->cycle ? free[cause] : grant->cycle;
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

static void
see_grant(struct utilisation *utilisation, const struct probe_event *event)
{
  const struct parameters *figures = &utilisation->blade->parameters;
  struct utilisation_ramps *ramps = utilisation->ramps + (size_t)event->chip * utilisation->nunits;
  struct utilisation_ramps *sender = &ramps[event->from], *receiver = &ramps[event->to];
  struct utilisation_ring *ring = &utilisation->rings[(size_t)event->chip * figures->nrings + event->ring];
  struct rate_interval interval = figures->ramp_interval;
  uint64_t busy = rate_interval_mcyc(interval), travel = event->hops * figures->ring.hop;
  struct probe_event arrival = *event;
  arrival.waited = 0;
  split_wait(sender, receiver, event, travel);
  rate_server_take(&sender->out_pace, event->cycle, interval);
  rate_server_take(&receiver->in_pace, event->cycle + travel, interval);
  serve(&sender->out, event, busy);
  serve(&receiver->in, &arrival, busy);
  sender->queued_max = event->queued > sender->queued_max ? event->queued : sender->queued_max;
  ring->served++;
  ring->nbytes += event->nbytes;
  unsigned n = utilisation->nunits;
  bool clockwise = event->ring < figures->nrings_clockwise;
  for (unsigned hop = 0; hop < event->hops; hop++) {
    ring->passed[(clockwise ? event->from + hop : event->from + n - hop) % n]++;
  }
  extend(utilisation, rate_server_free_mcyc(&receiver->in_pace));
  extend(utilisation, rate_server_free_mcyc(&sender->out_pace));
  extend(utilisation, 1000 * (event->cycle + travel + figures->ring.beats));
}

static void
see_link(struct utilisation *utilisation, const struct probe_event *event)
{
  const struct blade *blade = utilisation->blade;
  const struct bif_link *link = &blade->bif.links[event->chip * blade->nchips + event->next_chip];
  uint64_t busy =
    (uint64_t)llround((event->nbytes + blade->parameters.bif_overhead) * blade->parameters.bif_byte_mcyc);
  serve(&utilisation->links[event->chip * blade->nchips + event->next_chip], event, busy);
  extend(utilisation, rate_server_free_mcyc(&link->pace));
}

static void
see_memory(struct utilisation *utilisation, const struct probe_event *event)
{
  const struct blade *blade = utilisation->blade;
  uint64_t busy = event->is_put ? blade->parameters.memory_write_mcyc : blade->parameters.memory_read_mcyc;
  serve(&utilisation->memories[event->chip], event, busy);
  extend(utilisation, rate_server_free_mcyc(&blade->memories[event->chip].pace));
}

static void
see_issue(struct utilisation *utilisation, const struct probe_event *event)
{
  const struct blade *blade = utilisation->blade;
  uint64_t busy = event->coherent ? blade->parameters.coherent_interval : blade->parameters.command_interval;
  struct utilisation_mfc *mfc = &utilisation->mfcs[event->spe];
  serve(&utilisation->command_buses[blade->spes[event->spe].chip], event, 1000 * busy);
  extend(utilisation, 1000 * (event->cycle + busy));
  mfc->requests++;
  mfc->nbytes += event->nbytes;
  mfc->cycles_in -= event->cycle;
  mfc->flying_max = event->in_flight > mfc->flying_max ? event->in_flight : mfc->flying_max;
}

static void
see(struct probe *probe, const struct probe_event *event)
{
  struct utilisation *utilisation = (struct utilisation *)probe;
  struct utilisation_mfc *mfc = &utilisation->mfcs[event->spe];
  extend(utilisation, 1000 * event->cycle);
  switch (event->kind) {
  case PROBE_END:
    extend(utilisation, 1000 * event->at);
    break;
  case PROBE_ENQUEUE:
    mfc->commands++;
    mfc->queued++;
    mfc->queued_max = mfc->queued > mfc->queued_max ? mfc->queued : mfc->queued_max;
    break;
  case PROBE_COMPLETE:
    mfc->queued--;
    break;
  case PROBE_ISSUE:
    see_issue(utilisation, event);
    break;
  case PROBE_DELIVER:
    mfc->cycles_in += event->at;
    extend(utilisation, 1000 * event->at);
    break;
  case PROBE_GRANT:
    see_grant(utilisation, event);
    break;
  case PROBE_CROSS:
    see_link(utilisation, event);
    break;
  case PROBE_MEMORY:
    see_memory(utilisation, event);
    break;
  default:
    break;
  }
}
