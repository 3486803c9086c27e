/* SPDX-License-Identifier: BSD-3-Clause
 * See path.h. Parts and segments are collected backwards and turned round in the end. */
#include "traces/path/path.h"

#include "sim/base/vec.h"

#include <assert.h>
#include <stdlib.h>

/* --- the walk --- */

/* The position of the walk. Cycles after the position are explained already. */
struct path_walk {
  struct path *path;
  const struct record *const *records; /* one per node */
  const struct net_record *net;        /* NULL: there is one node */
  unsigned node;                       /* of the position */
  const struct record *record;         /* of `node` */
  uint64_t at;                         /* cycle */
  unsigned program;                    /* of the cycles to explain next */
};

/* The blocker, and the server. */
struct path_blocker {
  unsigned spe; /* or node */
  uint32_t command;
  unsigned server;
  unsigned node; /* of the server, as in struct path_segment */
};

/* --- parts of the path --- */

/* From the position backwards the path is in PART; the beginning of the next part completes PART. */
static void begin_part(struct path_walk *walk, const struct path_part *part) {
  struct path *path = walk->path;
  struct path_part *added = &VEC_ADD(path->parts, path->nparts);
  *added = *part;
  if (part->kind != PATH_MESSAGE) {
    added->node = (uint16_t)walk->node;
  }
  added->from = added->to = walk->at;
}

/* Go back to cycle FROM, if FROM is earlier than the position; the cycles between, behind BLOCKER, get CAUSE.
 * The walk never goes beyond the first entry. */
static void back_behind(struct path_walk *walk, uint64_t from, enum path_cause cause,
                        const struct path_blocker *blocker) {
  struct path *path = walk->path;
  from = from < path->begin ? path->begin : from;
  if (from >= walk->at) {
    return;
  }
  struct path_segment segment = {.from = from,
                                 .to = walk->at,
                                 .part = (uint32_t)path->nparts - 1,
                                 .command = blocker->command,
                                 .behind = (uint16_t)blocker->spe,
                                 .server = blocker->server,
                                 .node = (uint16_t)blocker->node,
                                 .cause = (uint8_t)cause};
  struct path_segment *later = path->nsegments ? &path->segments[path->nsegments - 1] : NULL;
  assert(later ? later->from == walk->at : walk->at == path->end);
  path->totals[cause] += walk->at - from;
  path->parts[path->nparts - 1].from = walk->at = from;
  if (later && later->part == segment.part && later->cause == cause && later->behind == segment.behind &&
      later->command == segment.command && later->server == segment.server && later->node == segment.node) {
    later->from = from;
    return;
  }
  VEC_ADD(path->segments, path->nsegments) = segment;
}

/* The same for cycles behind nobody. */
static void back(struct path_walk *walk, uint64_t from, enum path_cause cause) {
  back_behind(walk, from, cause,
              &(struct path_blocker){.spe = RECORD_NOBODY, .server = RECORD_NOBODY, .node = walk->node});
}

/* Reverse the order of parts and segments, and leave out parts without cycles. */
static void turn_round(struct path *path) {
  SCOPED uint32_t *places = xcalloc(path->nparts, sizeof *places);
  size_t n = 0;
  for (size_t i = path->nparts; i-- > 0;) {
    places[i] = (uint32_t)n;
    n += path->parts[i].from < path->parts[i].to;
  }
  struct path_part *parts = xcalloc(n + 1, sizeof *parts);
  for (size_t i = path->nparts; i-- > 0;) {
    parts[places[i]] = path->parts[i].from < path->parts[i].to ? path->parts[i] : parts[places[i]];
  }
  free(path->parts);
  path->parts = parts;
  path->nparts = n;
  for (size_t i = 0; i < path->nsegments; i++) {
    path->segments[i].part = places[path->segments[i].part];
  }
  for (size_t i = 0, j = path->nsegments; i + 1 < j; i++) {
    struct path_segment segment = path->segments[i];
    path->segments[i] = path->segments[--j];
    path->segments[j] = segment;
  }
}

/* --- DMA commands ---
 *
 * Over the bus request at the end of the wait, then from grant to grant on the first on-ramp, then to the
 * issue of the command by the program. */

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

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Return AT - CYCLES, or 0. */
static uint64_t minus(uint64_t at, uint64_t cycles) {
  return at > cycles ? at - cycles : 0;
}

/* Go back over the last CYCLES, not beyond FROM. */
static void back_over(struct path_walk *walk, uint64_t cycles, uint64_t from, enum path_cause cause) {
  back(walk, later(minus(walk->at, cycles), from), cause);
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
    back(walk, from, splits[kind].own);
  } else {
    back_behind(walk, from, splits[kind].others,
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
    back(walk, later(end, from), splits[kind].idle);
    back_served(walk, later(begin, from), &entry, place->service);
  }
  back(walk, from, splits[kind].idle);
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
      back(walk, minus(walk->at, record->parameters.memory_latency), PATH_MEMORY);
    } else if (kind == RECORD_RAMP) {
      back(walk, service->at + record_ring_cycles(record, service), PATH_PORT);
      back(walk, service->at, PATH_RING);
    } else {
      back(walk, service->at, PATH_LINK);
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
      back_queue(walk, later(from, came), &memory, latency);
    }
  }
  uint64_t issued = service->late == RECORD_NEVER_LATE ? from : minus(came, service->late);
  if (service->starts) {
    back(walk, later(minus(came, record->parameters.mfc_list_element), from), PATH_LIST);
    back(walk, later(minus(came, record->parameters.mfc_command_interval), from), PATH_INTERVAL);
  }
  back(walk, later(issued, from), PATH_ORDER);
  back(walk, from, PATH_WINDOW);
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
      begin = later(entry.service->at, from);
    }
    back(walk, later(end, ready), PATH_RING_TAKEN);
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
    back(walk, memory.service->at, PATH_MEMORY);
    back_queue(walk, memory.service->at - memory.service->waited, &memory, 0);
  } else {
    uint64_t read = minus(walk->at, record->parameters.ls_read);
    back(walk, later(read, issued), PATH_LS_READ);
  }
  uint64_t far = links * record->parameters.bif_command, phase = far + record->parameters.eib_command_phase;
  back(walk, issued + phase, PATH_PORT);
  back_over(walk, far, issued, PATH_COMMAND_FAR);
  back(walk, issued, PATH_COMMAND);
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
    back(walk, begun + parameters->eib_command_phase, PATH_COMMAND_FAR);
    back(walk, begun, PATH_COMMAND);
  }
  if (dma->flags & RECORD_LIST) {
    back_over(walk, parameters->mfc_list_element, begun, PATH_LIST);
    back_over(walk, parameters->mfc_command_interval, begun, PATH_INTERVAL);
  }
  back(walk, begun, PATH_ORDER);
  if (!has_waited) {
    back(walk, reached, PATH_INTERVAL);
    back(walk, begin, PATH_TO_BUS);
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
  back(walk, later(near, visible), PATH_COMPLETION_FAR);
  back_over(walk, told, visible, PATH_COMPLETION);
  back(walk, visible, PATH_LIST);
}

static void begin_dma(struct path_walk *walk, const struct record_dma *dma,
                      const struct record_interval *interval) {
  enum path_kind kind = dma->flags & RECORD_PUT ? PATH_PUT : PATH_GET;
  if (dma->flags & (RECORD_NOTICE | RECORD_SYNC)) {
    kind = dma->flags & RECORD_NOTICE ? PATH_NOTIFICATION : PATH_SYNC;
  }
  begin_part(walk,
             &(struct path_part){.number = interval->number,
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
  back(walk, minus(walk->at, record->parameters.mfc_visible), PATH_VISIBLE);
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

/* Go back over the end of the wait INTERVAL by a command, to the cycle at which the command was given, or at
 * which another command completed for which the command had to wait.
 * returns: the number of the other command; 0: none. */
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

/* Go back over the end of the wait INTERVAL by a bus request or a completion of a DMA command, to the cycle
 * at which the command was given, or of several commands kept in order the first one. */
static void back_dma(struct path_walk *walk, const struct record_interval *interval) {
  struct record_interval end = *interval;
  while ((end.number = back_command(walk, &end))) {
    end.cause = PROBE_BY_COMPLETION;
  }
}

/* --- atomic commands --- */

/* Begin the part of atomic command NUMBER of SPE. */
static const struct record_atomic *begin_atomic(struct path_walk *walk, unsigned spe, uint32_t number) {
  begin_part(
    walk, &(struct path_part){
            .number = number, .nbytes = 128, .spe = (uint16_t)spe, .peer = RECORD_NOBODY, .kind = PATH_LINE});
  return record_atomic(walk->record, spe, number);
}

/* Go back from the cycle at which ATOMIC had its line to the cycle at which ATOMIC came to the line. */
static void back_to_line(struct path_walk *walk, const struct record_atomic *atomic) {
  back(walk, atomic->effected, PATH_ATOMIC);
  back(walk, atomic->came, PATH_LINE_TAKEN);
}

/* Go back over the atomic command that ended the wait INTERVAL, to the cycle at which the command was given,
 * or at which the awaited write was given. */
static void back_atomic(struct path_walk *walk, const struct record_interval *interval) {
  unsigned spe = interval->who;
  const struct record_atomic *atomic = begin_atomic(walk, spe, interval->number);
  if (atomic && atomic->effected < walk->at) {
    back_to_line(walk, atomic);
  }
  if (atomic && atomic->polls && atomic->writing != RECORD_NOBODY && atomic->written < walk->at) {
    back(walk, atomic->written, PATH_ATOMIC);
    spe = atomic->writing;
    atomic = begin_atomic(walk, spe, atomic->writer);
    if (atomic) {
      back_to_line(walk, atomic);
    }
  }
  back(walk, atomic ? atomic->enqueued : walk->path->begin, PATH_ATOMIC);
  walk->program = spe;
}

/* --- messages between nodes ---
 *
 * Each step of the network names its predecessor. A packet at a link follows from the same packet at the link
 * before. The first step of a packet follows from the packet before in the same server, from an
 * acknowledgement or from a timeout of TCP. */

/* Return the step of number NUMBER; NULL: there is none. */
static const struct net_record_step *step_of(const struct net_record *net, uint32_t number) {
  return number ? &net->steps[number - 1] : NULL;
}

/* Return the cause in place of CAUSE for a packet that is an acknowledgement or sent again, or on a link of a
 * triblade. */
static enum path_cause cause_of(const struct net_record_step *step, enum path_cause cause) {
  if (step->flags & (NET_RECORD_ANSWER | NET_RECORD_AGAIN)) {
    return step->flags & NET_RECORD_ANSWER ? PATH_NET_ANSWER : PATH_NET_AGAIN;
  }
  if (step->flags & NET_RECORD_PCIE && cause == PATH_NET_LATENCY) {
    return PATH_PCIE;
  }
  return step->flags & NET_RECORD_PCIE && cause == PATH_NET_OWN ? PATH_PCIE_OWN : cause;
}

/* Return the sender of messages among the programs of RECORD: the program on the PPE of chip 0. */
static unsigned sender(const struct record *record) {
  return (unsigned)VEC_INDEX(record->programs, record->nprograms - 1,
                             item->is_known && item->spe == RECORD_NOBODY && item->chip == 0);
}

/* Go back to cycle FROM over the wait of STEP for the server, split by the packets served meanwhile. */
static void back_link_queue(struct path_walk *walk, const struct net_record_step *step, uint64_t from) {
  const struct net_record *net = walk->net;
  struct path_blocker blocker = {.spe = RECORD_NOBODY, .server = step->server, .node = RECORD_NOBODY};
  for (const struct net_record_step *other = step_of(net, step->before); other && walk->at > from;
       other = step_of(net, other->before)) {
    uint64_t begin = other->begin - other->gap;
    if (begin >= walk->at) {
      continue;
    }
    bool own = other->message == step->message;
    blocker.spe = net->messages[other->message - 1].from;
    blocker.command = other->message;
    if (own) {
      back(walk, begin > from ? begin : from, cause_of(step, PATH_NET_OWN));
    } else {
      back_behind(walk, begin > from ? begin : from, cause_of(step, PATH_NET_TAKEN), &blocker);
    }
  }
  back(walk, from, cause_of(step, PATH_NET_TAKEN));
}

/* Go back over STEP, a service; NEXT is the step after STEP, or NULL for the arrival of the message. */
static void back_service(struct path_walk *walk, const struct net_record_step *step,
                         const struct net_record_step *next) {
  bool left = next && next->flags & NET_RECORD_SAME_SERVER;
  back(walk, step->end + step->latency, PATH_NET_HOST);
  if (!left) {
    uint64_t head = walk->at > step->latency ? walk->at - step->latency : 0;
    back(walk, head > step->begin ? head : step->begin, cause_of(step, PATH_NET_LATENCY));
  }
  back(walk, step->begin, cause_of(step, PATH_NET_OWN));
  back(walk, step->begin - step->gap, cause_of(step, PATH_NET_NIC));
  back_link_queue(walk, step, step->came);
}

/* Go back over the message that ended the wait INTERVAL, to the sending program.
 * returns: false if nothing is known of the message. */
static bool back_message(struct path_walk *walk, const struct record_interval *interval) {
  const struct net_record *net = walk->net;
  if (!net || interval->number == 0 || interval->number > net->nmessages) {
    return false;
  }
  const struct net_record_message *message = &net->messages[interval->number - 1];
  const struct record *from = walk->records[message->from];
  begin_part(walk, &(struct path_part){.number = interval->number,
                                       .nbytes = (uint32_t)message->nbytes,
                                       .spe = RECORD_NOBODY,
                                       .peer = message->to,
                                       .node = message->from,
                                       .step = record_step(&from->programs[sender(from)], message->sent),
                                       .kind = message->asks ? PATH_GET : PATH_MESSAGE,
                                       .is_answered = walk->node == message->from});
  back(walk, message->told, PATH_NET_ANSWER); /* a host waits until a put is acknowledged */
  back(walk, message->arrived, PATH_NET_HOST);
  const struct net_record_step *next = NULL;
  for (const struct net_record_step *step = step_of(net, message->after); step;
       step = step_of(net, step->after)) {
    if (step->kind == PROBE_PACKET) {
      back_service(walk, step, next);
    } else {
      back(walk, step->came, step->kind == PROBE_PACKET_TIMEOUT ? PATH_NET_TIMEOUT : PATH_NET_ANSWER);
    }
    next = step;
  }
  back(walk, message->sent, PATH_NET_HOST);
  walk->node = message->from;
  walk->record = from;
  walk->program = sender(from);
  return true;
}

/* --- programs --- */

static const enum path_cause computed[] = {
  [COMPUTE_OTHER] = PATH_SOFTWARE,  [COMPUTE_SEND] = PATH_SEND, [COMPUTE_RECEIVE] = PATH_RECEIVE,
  [COMPUTE_DMA] = PATH_DMA,         [COMPUTE_TAG] = PATH_TAG,   [COMPUTE_STEP] = PATH_STEP,
  [COMPUTE_COMBINE] = PATH_COMBINE, [COMPUTE_COPY] = PATH_COPY, [COMPUTE_ISSUE] = PATH_ISSUE,
  [COMPUTE_CHANNEL] = PATH_CHANNEL, [COMPUTE_MMIO] = PATH_MMIO, [COMPUTE_WORK] = PATH_WORK,
};

_Static_assert(sizeof computed / sizeof computed[0] == COMPUTE_REASONS, "each goes somewhere");

/* Return the last interval of the program of WALK with an end by WALK's cycle; NULL: none is kept. */
static const struct record_interval *interval_before(const struct path_walk *walk) {
  const struct record_program *program = &walk->record->programs[walk->program];
  size_t n = VEC_COUNT_BEFORE(program->intervals, program->nintervals, item->to > walk->at);
  return n ? &program->intervals[n - 1] : NULL;
}

/* Begin a part of computing since cycle FROM by the program of WALK, unless the walk is in one already, in
 * the same step. */
static void be_in_program(struct path_walk *walk, enum path_kind kind, uint64_t from) {
  const struct record_program *program = &walk->record->programs[walk->program];
  const struct path_part *newest = walk->path->nparts ? &walk->path->parts[walk->path->nparts - 1] : NULL;
  const char *step = kind == PATH_PROGRAM ? record_step(program, from) : NULL;
  if (!newest || newest->kind != kind || newest->number != walk->program || newest->node != walk->node ||
      newest->step != step) {
    begin_part(walk, &(struct path_part){.number = walk->program,
                                         .spe = program->spe,
                                         .chip = program->chip,
                                         .peer = RECORD_NOBODY,
                                         .step = step,
                                         .kind = (uint8_t)kind});
  }
}

/* Go back over the wait INTERVAL of the program of WALK. */
static void back_wait(struct path_walk *walk, const struct record_interval *interval) {
  switch ((enum probe_cause_kind)interval->cause) {
  case PROBE_BY_DELIVERY:
  case PROBE_BY_COMPLETION:
  case PROBE_BY_STALL:
    back_dma(walk, interval);
    break;
  case PROBE_BY_ATOMIC:
    back_atomic(walk, interval);
    break;
  case PROBE_BY_PROGRAM:
    walk->program = interval->who;
    break;
  case PROBE_BY_MESSAGE:
    if (back_message(walk, interval)) {
      break;
    }
    /* fall through */
  case PROBE_BY_DECREMENTER:
  case PROBE_BY_NOTHING:
    be_in_program(walk, PATH_PROGRAM, interval->from);
    back(walk, interval->from, PATH_TIMER);
    break;
  }
}

/* Tell whether WALK has come to where a rank enters the call. */
static bool is_at_entry(const struct path_walk *walk) {
  const struct record_program *program = &walk->record->programs[walk->program];
  return walk->at <= walk->path->begin || (program->rank != RECORD_NOBODY && walk->at <= program->entered);
}

/* Go back from the exit to an entry. */
static void go_back(struct path_walk *walk) {
  for (unsigned idle = 0; !is_at_entry(walk);) {
    uint64_t since = walk->at;
    const struct record_interval *interval = interval_before(walk);
    if (!interval || interval->to < walk->at) {
      walk->program = walk->record->programs[walk->program].starter; /* which has just started the program */
      assert(walk->program != RECORD_NOBODY);
    } else if (interval->activity == RECORD_WAITS) {
      back_wait(walk, interval);
    } else {
      be_in_program(walk, PATH_PROGRAM, interval->from);
      /* work of a PPE for a message is work for the network */
      bool sends = walk->net && walk->record->programs[walk->program].spe == RECORD_NOBODY &&
                   interval->what == COMPUTE_SEND;
      back(walk, interval->from, sends ? PATH_NET_HOST : computed[interval->what]);
    }
    idle = walk->at == since ? idle + 1 : 0;
    assert(idle <= walk->record->nprograms);
  }
  if (walk->at > walk->path->begin) {
    be_in_program(walk, PATH_ENTRY, walk->at);
    back(walk, walk->path->begin, PATH_LATE);
  }
}

/* Let WALK begin at the last program to leave; of several such programs at the lowest rank's. */
static void begin_at_last(struct path_walk *walk, unsigned nnodes) {
  unsigned rank = RECORD_NOBODY;
  for (unsigned node = 0; node < nnodes; node++) {
    const struct record *record = walk->records[node];
    for (unsigned i = 0; i < record->nprograms; i++) {
      const struct record_program *program = &record->programs[i];
      if (program->rank != RECORD_NOBODY && program->left == walk->at && program->rank < rank) {
        walk->node = node;
        walk->program = i;
        rank = program->rank;
      }
    }
  }
  walk->record = walk->records[walk->node];
}

void path_find(struct path *path, const struct path_records *records) {
  struct path_walk walk = {.path = path, .records = records->nodes, .net = records->net};
  *path = (struct path){.begin = UINT64_MAX};
  VEC_EACH(node, records->nodes, records->n) {
    const struct record *record = *node;
    if (record->calls == 0) { /* no rank is there */
      continue;
    }
    path->begin = record->begin < path->begin ? record->begin : path->begin;
    path->end = record->end > path->end ? record->end : path->end;
  }
  if (path->begin >= path->end) {
    path->begin = path->end;
    return;
  }
  walk.at = path->end;
  begin_at_last(&walk, records->n);
  go_back(&walk);
  turn_round(path);
  uint64_t sum = 0;
  VEC_EACH(total, path->totals, PATH_CAUSES) {
    sum += *total;
  }
  assert(sum == path->end - path->begin);
}

void path_fini(struct path *path) {
  free(path->parts);
  free(path->segments);
}

/* --- words --- */

const struct path_cause_words path_causes[PATH_CAUSES] = {
#define PATH_CAUSE(id, name, group, text) {name, text, PATH_GROUP_##group},
#include "traces/path/path_cause.def"
};

const struct path_group_words path_groups[PATH_GROUPS] = {
#define PATH_WORD(id, text, meaning, helps) {text, meaning, helps},
#include "traces/path/path_cause.def"
};

const char *const path_kinds[] = {[PATH_PROGRAM] = "program", [PATH_NOTIFICATION] = "notification",
                                  [PATH_GET] = "get",         [PATH_PUT] = "put",
                                  [PATH_SYNC] = "sync",       [PATH_LINE] = "atomic",
                                  [PATH_ENTRY] = "entry",     [PATH_MESSAGE] = "message",
                                  [PATH_KINDS] = NULL};

void path_sum_groups(const uint64_t totals[PATH_CAUSES], uint64_t cycles[PATH_GROUPS]) {
  memset(cycles, 0, PATH_GROUPS * sizeof *cycles);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    cycles[path_causes[i].group] += totals[i];
  }
}

void path_write_words(FILE *stream) {
  fprintf(stream, "Where the cycles of a call go (run --critical-path, explain):\n");
  for (unsigned i = 0; i < PATH_GROUPS; i++) {
    fprintf(stream, "  %s\n      means: %s\n      helps: %s\n      csv:  ", path_groups[i].text,
            path_groups[i].meaning, path_groups[i].helps);
    VEC_EACH(cause, path_causes, PATH_CAUSES) {
      fprintf(stream, "%s%s", cause->group == i ? " " : "", cause->group == i ? cause->name : "");
    }
    fprintf(stream, "\n");
  }
}
