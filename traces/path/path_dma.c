/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path over a DMA command: over the bus request that ended the wait, then from grant to grant on
 * the first on-ramp, then to the issue of the command by the program. */
#include "sim/base/vec.h"
#include "traces/path/path_walk.h"

#include <stddef.h>

/* A service of a bus request, and the server. */
struct place {
  const struct record_service *service; /* NULL: no service, or none is kept */
  unsigned server;
  uint32_t number;
};

static struct place place_of(const struct record *record, unsigned server, uint32_t number) {
  struct place place = {.server = server, .number = number};
  if (server != RECORD_NOBODY) {
    place.service = record_service(record, server, number);
  }
  return place;
}

/* Return the service before PLACE of the same bus request. */
static struct place before(const struct record *record, const struct place *place) {
  return place_of(record, place->service->before_server, place->service->before);
}

static enum record_server_kind kind_of(const struct record *record, const struct place *place) {
  return record_server(record, place->server).kind;
}

/* Return AT - CYCLES, or 0. */
static uint64_t minus(uint64_t at, uint64_t cycles) {
  return at > cycles ? at - cycles : 0;
}

/* Go back over the last CYCLES, not beyond FROM. */
static void back_over(struct path_walk *walk, uint64_t cycles, uint64_t from, enum path_cause cause) {
  path_back(walk, MAX(minus(walk->at, cycles), from), cause);
}

/* --- services at a server --- */

/* The causes of cycles at a server: the server serves the path's command, serves another command, or serves
 * none although one waits. A link or a memory controller is idle for parts of a cycle only. */
static const struct {
  enum path_cause own, others, idle;
} splits[] = {
  [RECORD_RAMP] = {PATH_OWN_RAMP, PATH_OTHERS_RAMP, PATH_RING_TAKEN},
  [RECORD_MEMORY] = {PATH_OWN_MEMORY, PATH_OTHERS_MEMORY, PATH_OWN_MEMORY},
  [RECORD_LINK] = {PATH_OWN_LINK, PATH_OTHERS_LINK, PATH_OWN_LINK},
};

/* Go back to cycle FROM while ENTRY, of SERVER, is served, for the command of MINE or for another one. */
static void back_served(struct path_walk *walk, uint64_t from, const struct place *entry,
                        const struct record_service *mine) {
  enum record_server_kind kind = kind_of(walk->record, entry);
  const struct record_service *service = entry->service;
  if (service->spe == mine->spe && service->command == mine->command) {
    path_back(walk, from, splits[kind].own);
  } else {
    path_back_behind(walk, from, splits[kind].others,
                     &(struct path_blocker){service->spe, service->command, entry->server, walk->node});
  }
}

/* Return the first cycle after ENTRY in which the server is free. */
static uint64_t served_until(const struct record *record, const struct place *entry) {
  return entry->service->at + (record_interval_mcyc(record, entry->server, entry->service) + 999) / 1000;
}

/* Return the service before ENTRY of the same server. */
static struct place served_before(const struct record *record, const struct place *entry) {
  return place_of(record, entry->server, entry->number - 1);
}

/* Go back to cycle FROM over the wait of PLACE's request for its service. Cycles with a service at the server
 * have the cause of that service; other cycles are IDLE. A service explains the cycles SHIFT cycles later. */
static void back_queue(struct path_walk *walk, uint64_t from, const struct place *place, uint64_t shift) {
  const struct record *record = walk->record;
  enum record_server_kind kind = kind_of(record, place);
  struct place entry = served_before(record, place);
  for (; walk->at > from && walk->at > walk->path->begin && entry.service;
       entry = served_before(record, &entry)) {
    uint64_t end = served_until(record, &entry) + shift, begin = entry.service->at + shift;
    path_back(walk, MAX(end, from), splits[kind].idle);
    back_served(walk, MAX(begin, from), &entry, place->service);
  }
  path_back(walk, from, splits[kind].idle);
}

/* --- from the wait to the first on-ramp --- */

/* Go back over the services of a bus request after the first on-ramp, from the last service, PLACE; the bytes
 * of PLACE have just become visible. *LINKS becomes the number of links on the way.
 * returns: the grant of the first on-ramp; the way to its last beat is done. */
static struct place back_to_first_ramp(struct path_walk *walk, struct place place, unsigned *links) {
  const struct record *record = walk->record;
  *links = 0;
  while (place.service) {
    const struct record_service *service = place.service;
    struct place earlier_one = before(record, &place);
    enum record_server_kind kind = kind_of(record, &place);
    bool is_first =
      kind == RECORD_RAMP && (!earlier_one.service || kind_of(record, &earlier_one) == RECORD_MEMORY);
    if (kind == RECORD_MEMORY) {
      path_back(walk, minus(walk->at, record->parameters.memory_latency), PATH_MEMORY);
    } else if (kind == RECORD_RAMP) {
      path_back(walk, service->at + record_ring_cycles(record, service), PATH_PORT);
      path_back(walk, service->at, PATH_RING);
    } else {
      path_back(walk, service->at, PATH_LINK);
      ++*links;
    }
    if (is_first) {
      break;
    }
    back_queue(walk, service->at - service->waited, &place, 0);
    place = earlier_one;
  }
  return place;
}

/* --- on the first on-ramp --- */

/* Return the latest grant of the command of SERVICE on the ramp of PLACE, before PLACE and not before cycle
 * SINCE. */
static struct place own_before(const struct record *record, const struct record_service *service,
                               struct place place, uint64_t since) {
  for (place = served_before(record, &place); place.service; place = served_before(record, &place)) {
    if (place.service->at < since) {
      place.service = NULL;
      break;
    }
    if (place.service->spe == service->spe && place.service->command == service->command) {
      break;
    }
  }
  return place;
}

/* Return the latest grant of DMA on a first on-ramp before PLACE, since cycle SINCE. A list with elements
 * from several SPEs has several first on-ramps. */
static struct place grant_before(const struct record *record, const struct record_dma *dma,
                                 const struct place *place, uint64_t since) {
  struct place best = own_before(record, place->service, *place, since);
  if (!(dma->flags & RECORD_SEVERAL) || (dma->flags & RECORD_PUT)) {
    return best;
  }
  for (unsigned server = 0; record_server(record, server).kind == RECORD_RAMP; server++) {
    const struct record_log *log = &record->logs[server];
    size_t earlier = VEC_COUNT_BEFORE(log->services, log->n, item->at >= place->service->at);
    struct place end = {.server = server, .number = log->first + (uint32_t)earlier};
    struct place other = server == place->server ? best : own_before(record, place->service, end, since);
    bool is_first =
      other.service && (other.service->before_server == RECORD_NOBODY ||
                        record_server(record, other.service->before_server).kind == RECORD_MEMORY);
    best = is_first && (!best.service || other.service->at > best.service->at) ? other : best;
  }
  return best;
}

/* Go back to cycle FROM over a time without bytes on the on-ramp of PLACE and without a ready request: the
 * request waited for main memory, or came late; else the window was full, or a credit was missing. */
static void back_not_ready(struct path_walk *walk, uint64_t from, const struct place *place) {
  const struct record *record = walk->record;
  const struct record_service *service = place->service;
  struct place memory = before(record, place);
  uint64_t came = service->at - service->waited;
  if (memory.service) {
    uint64_t latency = came - memory.service->at;
    service = memory.service;
    came -= service->waited;
    if (came < walk->at) {
      back_queue(walk, MAX(from, came), &memory, latency);
    }
  }
  uint64_t issued = service->late == RECORD_NEVER_LATE ? from : minus(came, service->late);
  if (service->starts) {
    path_back(walk, MAX(minus(came, record->parameters.mfc_list_element), from), PATH_LIST);
    path_back(walk, MAX(minus(came, record->parameters.mfc_command_interval), from), PATH_INTERVAL);
  }
  path_back(walk, MAX(issued, from), PATH_ORDER);
  path_back(walk, from, PATH_WINDOW);
}

/* Go back from the grant PLACE to PREVIOUS, the grant of the same command before PLACE. */
static void back_to_grant(struct path_walk *walk, const struct place *place, const struct place *previous) {
  const struct record *record = walk->record;
  const struct record_service *service = place->service;
  uint64_t from = previous->service->at, ready = service->at - service->waited;
  struct place entry = served_before(record, place);
  for (; walk->at > from && walk->at > walk->path->begin; entry = served_before(record, &entry)) {
    uint64_t end = from, begin = from;
    if (entry.service && served_until(record, &entry) > from) {
      end = served_until(record, &entry);
      begin = MAX(entry.service->at, from);
    }
    path_back(walk, MAX(end, ready), PATH_RING_TAKEN);
    if (end < walk->at) {
      back_not_ready(walk, end, place);
    }
    if (begin < end) {
      back_served(walk, begin, &entry, service);
    }
  }
}

/* --- from the first grant to where the command was given --- */

/* Go back from PLACE, the first grant of a command, to the issue of the command, at cycle ISSUED or later;
 * LINKS is the number of links on the way. */
static void back_to_issue(struct path_walk *walk, const struct place *place, uint64_t issued,
                          unsigned links) {
  const struct record *record = walk->record;
  struct place memory = before(record, place);
  back_queue(walk, place->service->at - place->service->waited, place, 0);
  if (memory.service) {
    path_back(walk, memory.service->at, PATH_MEMORY);
    back_queue(walk, memory.service->at - memory.service->waited, &memory, 0);
  } else {
    uint64_t read = minus(walk->at, record->parameters.ls_read);
    path_back(walk, MAX(read, issued), PATH_LS_READ);
  }
  uint64_t far = links * record->parameters.bif_command, phase = far + record->parameters.eib_command_phase;
  path_back(walk, issued + phase, PATH_PORT);
  back_over(walk, far, issued, PATH_COMMAND_FAR);
  path_back(walk, issued, PATH_COMMAND);
}

/* Return the cycle at which the first bus request of DMA since BEGIN was issued; PLACE is the first grant of
 * this request. */
static uint64_t issued_at(const struct record *record, const struct record_dma *dma,
                          const struct place *place, uint64_t begin, unsigned links) {
  if (begin == dma->enqueued) {
    return dma->issued;
  }
  struct place memory = before(record, place);
  uint64_t ready = memory.service ? memory.service->at - memory.service->waited
                                  : place->service->at - place->service->waited - record->parameters.ls_read;
  return minus(ready, record->parameters.eib_command_phase + links * record->parameters.bif_command);
}

/* Go back from the cycle at which DMA, of SPE, could issue, or completed without a bus request, to the cycle
 * BEGIN at which DMA was given, or went on.
 * returns: true if the walk has come to the completion of another command, for which DMA had to wait. */
static bool back_to_enqueue(struct path_walk *walk, unsigned spe, const struct record_dma *dma,
                            uint64_t begin) {
  const struct parameters *parameters = &walk->record->parameters;
  uint64_t reached = begin + parameters->mfc_to_bus, begun = begin == dma->enqueued ? dma->arrived : reached;
  const struct record_dma *earlier =
    begin == dma->enqueued ? record_dma(walk->record, spe, dma->after) : NULL;
  bool has_waited = earlier && earlier->completed > begun;
  begun = has_waited ? earlier->completed : begun;
  if (dma->flags & RECORD_SYNC) {
    path_back(walk, begun + parameters->eib_command_phase, PATH_COMMAND_FAR);
    path_back(walk, begun, PATH_COMMAND);
  }
  if (dma->flags & RECORD_LIST) {
    back_over(walk, parameters->mfc_list_element, begun, PATH_LIST);
    back_over(walk, parameters->mfc_command_interval, begun, PATH_INTERVAL);
  }
  path_back(walk, begun, PATH_ORDER);
  if (!has_waited) {
    path_back(walk, reached, PATH_INTERVAL);
    path_back(walk, begin, PATH_TO_BUS);
  }
  return has_waited;
}

/* --- the whole command --- */

/* Tell whether the bus request of last service PLACE went over a link. */
static bool crosses(const struct record *record, struct place place) {
  bool found = false;
  for (; place.service && !found; place = before(record, &place)) {
    found = kind_of(record, &place) == RECORD_LINK;
  }
  return found;
}

/* Go back from the end of the wait for DMA to the cycle at which the bus request with last service PLACE was
 * visible. */
static void back_to_delivery(struct path_walk *walk, const struct record_dma *dma,
                             const struct place *place) {
  const struct parameters *parameters = &walk->record->parameters;
  uint64_t visible = dma->delivered, told = parameters->mfc_complete - parameters->mfc_visible;
  bool is_far = (dma->flags & RECORD_PUT) && crosses(walk->record, *place);
  if (dma->delivered > walk->at) {
    return;
  }
  uint64_t near = minus(walk->at, is_far ? parameters->bif_put_complete : 0);
  path_back(walk, MAX(near, visible), PATH_COMPLETION_FAR);
  back_over(walk, told, visible, PATH_COMPLETION);
  path_back(walk, visible, PATH_LIST);
}

static void begin_dma(struct path_walk *walk, const struct record_dma *dma,
                      const struct record_interval *interval) {
  enum path_kind kind = dma->flags & RECORD_PUT ? PATH_PUT : PATH_GET;
  if (dma->flags & (RECORD_NOTICE | RECORD_SYNC)) {
    kind = dma->flags & RECORD_NOTICE ? PATH_NOTIFICATION : PATH_SYNC;
  }
  path_begin_part(
    walk, &(struct path_part){.number = interval->number,
                              .nbytes = dma->nbytes,
                              .spe = interval->who,
                              .peer = dma->peer,
                              .step = record_step(&walk->record->programs[dma->program], dma->enqueued),
                              .kind = (uint8_t)kind,
                              .is_list = dma->flags & RECORD_LIST});
}

/* Go back over the bus requests of DMA, from the request with last service LAST to the first request issued
 * since BEGIN. */
static void back_requests(struct path_walk *walk, const struct record_dma *dma, struct place last,
                          uint64_t begin) {
  const struct record *record = walk->record;
  unsigned links = 0;
  path_back(walk, minus(walk->at, record->parameters.mfc_visible), PATH_VISIBLE);
  struct place place = back_to_first_ramp(walk, last, &links);
  while (place.service) {
    struct place previous = grant_before(record, dma, &place, begin);
    if (!previous.service) {
      back_to_issue(walk, &place, issued_at(record, dma, &place, begin, links), links);
      return;
    }
    back_to_grant(walk, &place, &previous);
    place = previous;
  }
}

static uint32_t back_command(struct path_walk *walk, const struct record_interval *interval) {
  const struct record *record = walk->record;
  const struct record_dma *dma = record_dma(record, interval->who, interval->number);
  begin_dma(walk, dma, interval);
  uint64_t begin = dma->resumed < walk->at ? dma->resumed : dma->enqueued;
  struct place last = place_of(record, dma->server, dma->service);
  if (interval->cause == PROBE_BY_DELIVERY && interval->server != RECORD_NOBODY) {
    last = place_of(record, interval->server, interval->service);
  } else if (last.service) {
    back_to_delivery(walk, dma, &last);
  }
  if (last.service) {
    back_requests(walk, dma, last, begin);
  }
  walk->program = dma->program;
  return back_to_enqueue(walk, interval->who, dma, begin) ? dma->after : 0;
}

void path_back_dma(struct path_walk *walk, const struct record_interval *interval) {
  struct record_interval end = *interval;
  while ((end.number = back_command(walk, &end))) {
    end.cause = PROBE_BY_COMPLETION;
  }
}
