/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder's part for DMA commands and for the services of bus requests. */
#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "traces/record/record_private.h"

/* --- DMA commands --- */

struct record_dma *record_dma(const struct record *record, unsigned spe, uint64_t number) {
  const struct record_dmas *dmas = &record->dmas[spe];
  uint64_t place = number - dmas->first;
  return number >= dmas->first && place < dmas->n ? &dmas->dmas[place] : NULL;
}

/* Return the SPE of the area of EA; RECORD_NOBODY: main memory. */
static uint16_t spe_at(uint64_t ea) {
  return ea < EA_SPE_BASE || ea >= EA_MEMORY_BASE ? RECORD_NOBODY
                                                  : (uint16_t)((ea - EA_SPE_BASE) / EA_SPE_STRIDE);
}

/* Tell whether a put of SPE to EA notifies another SPE. A program may be ahead of the others when it gives
 * the command: programs declare their polled bytes at the beginning. */
static bool is_notice(const struct record *record, unsigned spe, uint64_t ea) {
  unsigned peer = spe_at(ea);
  if (peer == RECORD_NOBODY || peer == spe || peer >= record->parameters.nspes) {
    return false;
  }
  uint64_t place = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  const struct record_flags *flags = &record->flags[peer];
  return place >= EA_PROBLEM_STATE ||
         VEC_FIND(flags->spans, flags->n, place >= item->ls && place - item->ls < item->nbytes);
}

static unsigned flags_of(const struct probe_enqueue *enqueue) {
  return (enqueue->is_put ? RECORD_PUT : 0U) | (enqueue->is_list ? RECORD_LIST : 0U) |
         (enqueue->is_sync ? RECORD_SYNC : 0U) | (enqueue->is_proxy ? RECORD_PROXY : 0U) |
         (enqueue->fence || enqueue->barrier ? RECORD_ORDERED : 0U) |
         (enqueue->barrier ? RECORD_BARRIER : 0U) | (enqueue->all_tags ? RECORD_ALL_TAGS : 0U);
}

void record_see_enqueue(struct record *record, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  struct record_dmas *dmas = &record->dmas[enqueue->dma.spe];
  struct record_dma *dma = record_add(record, &dmas->dmas, &dmas->n, &dmas->room, sizeof *dma);
  if (!dma) {
    return;
  }
  dmas->first = dmas->n == 1 ? enqueue->dma.command : dmas->first;
  bool moves = !enqueue->is_sync && !enqueue->is_list;
  *dma = (struct record_dma){.enqueued = enqueue->at,
                             .arrived = RECORD_NEVER,
                             .resumed = RECORD_NEVER,
                             .issued = RECORD_NEVER,
                             .granted = RECORD_NEVER,
                             .delivered = RECORD_NEVER,
                             .completed = RECORD_NEVER,
                             .ea = enqueue->ea,
                             .nbytes = moves ? enqueue->dma.nbytes : 0,
                             .server = RECORD_NOBODY,
                             .program = (uint16_t)enqueue->program,
                             .peer = moves ? spe_at(enqueue->ea) : RECORD_NOBODY,
                             .tag = (uint8_t)enqueue->dma.tag,
                             .flags = (uint16_t)flags_of(enqueue)};
}

void record_see_element(struct record *record, const struct probe_event *event) {
  const struct probe_element *element = &event->element;
  struct record_dma *dma = record_dma(record, element->dma.spe, element->dma.command);
  uint16_t peer = spe_at(element->ea);
  if (!dma || element->nbytes == 0) {
    return;
  }
  if (dma->nbytes == 0) {
    bool notice = element->is_put && is_notice(record, element->dma.spe, element->ea);
    dma->peer = peer;
    dma->flags |= (uint16_t)(notice ? RECORD_NOTICE : 0);
  } else if (dma->peer != peer) {
    dma->flags |= RECORD_SEVERAL;
  }
  dma->element = element->offset;
  dma->nbytes = element->offset + element->nbytes;
}

/* Tell whether LATER, of the same MFC, had to wait for EARLIER, as the MFC decides (dma.c). */
static bool waits_for(const struct record_dma *later, const struct record_dma *earlier) {
  bool ordered = (later->flags & RECORD_ORDERED) || (earlier->flags & RECORD_BARRIER);
  bool all_tags = (later->flags | earlier->flags) & RECORD_ALL_TAGS;
  bool same_queue = (later->flags & RECORD_PROXY) == (earlier->flags & RECORD_PROXY);
  return same_queue && (all_tags || (ordered && later->tag == earlier->tag));
}

void record_see_complete(struct record *record, const struct probe_event *event) {
  const struct record_dmas *dmas = &record->dmas[event->complete.dma.spe];
  struct record_dma *dma = record_dma(record, event->complete.dma.spe, event->complete.dma.command);
  if (!dma) {
    return;
  }
  dma->completed = event->cycle;
  for (struct record_dma *later = dma + 1; later < dmas->dmas + dmas->n; later++) {
    later->after = waits_for(later, dma) ? (uint32_t)event->complete.dma.command : later->after;
  }
}

/* --- bus requests --- */

static struct record_flight *flight_of(struct record *record, const struct probe_request *request) {
  size_t nentries = (size_t)record->parameters.mfc_windows * record->parameters.mfc_window;
  return &record->flights[request->spe * nentries + request->entry];
}

void record_see_issue(struct record *record, const struct probe_event *event) {
  const struct probe_request *request = &event->issue.request;
  struct record_flight *flight = flight_of(record, request);
  struct record_dma *dma = record_dma(record, request->spe, request->command);
  uint64_t credited = event->issue.credited;
  uint64_t late = event->cycle - (credited > flight->free_at ? credited : flight->free_at);
  flight->server = RECORD_NOBODY;
  flight->service = 0;
  flight->late = late < RECORD_NEVER_LATE ? (uint16_t)late : RECORD_NEVER_LATE;
  flight->starts = false;
  if (dma) {
    flight->starts = (dma->flags & RECORD_LIST) && request->offset && request->offset == dma->element;
    dma->issued = dma->issued == RECORD_NEVER ? event->cycle : dma->issued;
  }
}

/* SERVER serves REQUEST: keep SERVICE, completed here. */
static void add_service(struct record *record, const struct probe_request *request, unsigned server,
                        const struct record_service *service) {
  struct record_log *log = &record->logs[server];
  struct record_flight *flight = flight_of(record, request);
  struct record_service *added =
    record_add(record, &log->services, &log->n, &log->room, sizeof *log->services);
  if (!added) {
    return;
  }
  *added = *service;
  added->command = (uint32_t)request->command;
  added->before = flight->service;
  added->before_server = flight->server;
  added->spe = (uint16_t)request->spe;
  added->late = flight->late;
  added->nbytes = (uint8_t)request->nbytes;
  added->starts = flight->starts;
  flight->server = (uint16_t)server;
  flight->service = log->first + (uint32_t)log->n - 1;
}

void record_see_grant(struct record *record, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  struct record_dma *dma = record_dma(record, grant->request.spe, grant->request.command);
  if (dma && dma->granted == RECORD_NEVER) {
    dma->granted = event->cycle;
  }
  add_service(record, &grant->request, grant->chip * record->parameters.ring.nunits + grant->from,
              &(struct record_service){.at = event->cycle,
                                       .waited = (uint32_t)grant->waited,
                                       .ring = (uint8_t)grant->ring,
                                       .hops = (uint8_t)grant->hops,
                                       .to = (uint8_t)grant->to});
}

void record_see_delivery(struct record *record, const struct probe_event *event) {
  const struct probe_deliver *deliver = &event->deliver;
  const struct probe_request *request = &deliver->request;
  struct record_flight *flight = flight_of(record, request);
  struct record_dma *dma = record_dma(record, request->spe, request->command);
  flight->free_at = deliver->free_at;
  if (dma) {
    dma->delivered = event->cycle;
    dma->server = flight->server;
    dma->service = flight->service;
  }
  if (deliver->wakes) {
    record->wakers[deliver->peer] = (struct record_waker){.command = request->command,
                                                          .service = flight->service,
                                                          .server = flight->server,
                                                          .spe = (uint16_t)request->spe};
  }
}

/* The list of EVENT goes on. */
void record_see_resume(struct record *record, const struct probe_event *event) {
  struct record_dma *dma = record_dma(record, event->stall.dma.spe, event->stall.dma.command);
  if (dma) {
    dma->resumed = event->cycle;
  }
}

void record_see_arrival(struct record *record, const struct probe_event *event) {
  struct record_dma *dma = record_dma(record, event->command.dma.spe, event->command.dma.command);
  if (dma) {
    bool is_put = (dma->flags & RECORD_PUT) && !(dma->flags & (RECORD_LIST | RECORD_SYNC));
    dma->arrived = event->cycle;
    dma->flags |=
      (uint16_t)(is_put && is_notice(record, event->command.dma.spe, dma->ea) ? RECORD_NOTICE : 0);
  }
}

void record_see_cross(struct record *record, const struct probe_event *event) {
  unsigned server = record->parameters.nchips * (record->parameters.ring.nunits + event->cross.chip + 1) +
                    event->cross.next_chip;
  add_service(record, &event->cross.request, server,
              &(struct record_service){.at = event->cycle, .waited = (uint32_t)event->cross.waited});
}

void record_see_memory(struct record *record, const struct probe_event *event) {
  unsigned server = record->parameters.nchips * record->parameters.ring.nunits + event->memory.chip;
  add_service(record, &event->memory.request, server,
              &(struct record_service){.at = event->cycle + event->memory.waited,
                                       .waited = (uint32_t)event->memory.waited,
                                       .to = event->memory.is_write});
}

/* --- servers --- */

const struct record_service *record_service(const struct record *record, unsigned server, uint32_t number) {
  const struct record_log *log = &record->logs[server];
  return number >= log->first && number - log->first < log->n ? &log->services[number - log->first] : NULL;
}

struct record_server record_server(const struct record *record, unsigned server) {
  unsigned nchips = record->parameters.nchips, nunits = record->parameters.ring.nunits;
  if (server < nchips * nunits) {
    return (struct record_server){.kind = RECORD_RAMP, .chip = server / nunits, .other = server % nunits};
  }
  server -= nchips * nunits;
  if (server < nchips) {
    return (struct record_server){.kind = RECORD_MEMORY, .chip = server};
  }
  server -= nchips;
  return (struct record_server){.kind = RECORD_LINK, .chip = server / nchips, .other = server % nchips};
}

uint64_t record_interval_mcyc(const struct record *record, unsigned server,
                              const struct record_service *service) {
  const struct parameters *parameters = &record->parameters;
  switch (record_server(record, server).kind) {
  case RECORD_RAMP:
    return rate_interval_mcyc(parameters->ramp_interval);
  case RECORD_MEMORY:
    return service->to ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
  case RECORD_LINK:
    return parameters_link_mcyc(parameters, service->nbytes);
  }
  return 0;
}

uint64_t record_ring_cycles(const struct record *record, const struct record_service *service) {
  return service->hops * record->parameters.ring.hop + record->parameters.ring.beats;
}
