/* SPDX-License-Identifier: BSD-3-Clause
 * See net_record.h. */
#include "traces/net_record.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Make room for element NUMBER, from 1 on, of ARRAY, which has *N of SIZE bytes, those between are zero, and
 * *ROOM.
 * returns: the array, or NULL if the share of RECORD has no room for it. */
static void *grow(struct net_record *record, void *array, size_t number, size_t *n, size_t *room,
                  size_t size) {
  if (number > *room) {
    size_t wanted = 2 * number + 64;
    uint64_t more = (wanted - *room) * size;
    if (record->share->nbytes + more > record->share->nbytes_max) {
      record->share->full = true;
      return NULL;
    }
    record->share->nbytes += more;
    array = xrealloc(array, wanted, size);
    memset((char *)array + *room * size, 0, (wanted - *room) * size);
    *room = wanted;
  }
  *n = number > *n ? number : *n;
  return array;
}

static struct net_record_message *message(struct net_record *record, uint64_t number) {
  struct net_record_message *messages =
    grow(record, record->messages, number, &record->nmessages, &record->messages_room, sizeof *messages);
  if (!messages) {
    return NULL;
  }
  record->messages = messages;
  return &messages[number - 1];
}

static struct net_record_step *step(struct net_record *record, const struct net_event *event) {
  struct net_record_step *steps =
    grow(record, record->steps, event->step, &record->nsteps, &record->steps_room, sizeof *steps);
  if (!steps) {
    return NULL;
  }
  record->steps = steps;
  steps[event->step - 1] = (struct net_record_step){.came = event->since,
                                                    .begin = event->since,
                                                    .end = event->cycle,
                                                    .after = (uint32_t)event->after,
                                                    .message = (uint32_t)event->message,
                                                    .server = UINT32_MAX,
                                                    .kind = (uint8_t)event->kind};
  return &steps[event->step - 1];
}

/* Return what is known of the server of SERVICE. */
static struct net_record_server *server(struct net_record *record, const struct net_service *service) {
  if (service->server >= record->nservers) {
    size_t n = 2 * service->server + 16;
    record->servers = xrealloc(record->servers, n, sizeof *record->servers);
    memset(record->servers + record->nservers, 0, (n - record->nservers) * sizeof *record->servers);
    record->nservers = n;
  }
  struct net_record_server *found = &record->servers[service->server];
  if (!found->name) {
    found->name = xstrdup(service->name);
  }
  return found;
}

static void see_service(struct net_record *record, const struct net_event *event) {
  const struct net_service *service = &event->service;
  struct net_record_step *added = step(record, event);
  if (!added) {
    return;
  }
  struct net_record_server *used = server(record, service);
  added->came = service->came;
  added->begin = service->begin;
  added->end = service->end;
  added->gap = service->gap;
  added->latency = service->latency;
  added->nbytes = (uint32_t)service->nbytes;
  added->server = (uint32_t)service->server;
  added->before = used->latest;
  added->flags =
    (uint8_t)((service->is_answer ? NET_RECORD_ANSWER : 0) | (service->again ? NET_RECORD_AGAIN : 0) |
              (service->same_server ? NET_RECORD_SAME_SERVER : 0) |
              (service->kind == NET_PCIE ? NET_RECORD_PCIE : 0) |
              (service->hop == 0 && (service->kind != NET_PCIE || event->after == 0) ? NET_RECORD_FIRST : 0));
  used->latest = (uint32_t)event->step;
}

static void forget(struct net_record *record) {
  record->share->nbytes -=
    record->messages_room * sizeof *record->messages + record->steps_room * sizeof *record->steps;
  for (size_t i = 0; i < record->nservers; i++) {
    free(record->servers[i].name);
  }
  free(record->servers);
  free(record->messages);
  free(record->steps);
  *record = (struct net_record){.probe = record->probe, .share = record->share};
}

static void see(struct net_probe *probe, const struct net_event *event) {
  struct net_record *record = (struct net_record *)probe;
  struct net_record_message *known;
  if (record->share->full) {
    return;
  }
  switch (event->kind) {
  case NET_RESET:
    forget(record);
    break;
  case NET_SEND:
    known = message(record, event->message);
    if (known) {
      *known = (struct net_record_message){.sent = event->cycle,
                                           .arrived = RECORD_NEVER,
                                           .told = RECORD_NEVER,
                                           .nbytes = event->nbytes,
                                           .asks = event->asks,
                                           .from = (uint16_t)event->from,
                                           .to = (uint16_t)event->to};
    }
    break;
  case NET_ARRIVE:
    known = message(record, event->message);
    if (known && !event->at_host) {
      known->arrived = event->cycle;
      known->told = event->told;
      known->after = (uint32_t)event->after;
    }
    break;
  case NET_SERVICE:
    see_service(record, event);
    break;
  case NET_TIMEOUT:
  case NET_DELAY:
    step(record, event);
    break;
  case NET_LEAVE:
  case NET_DROP:
    break;
  }
}

void net_record_init(struct net_record *record, struct record_share *share) {
  *record = (struct net_record){.probe.see = see, .share = share};
}

void net_record_fini(struct net_record *record) {
  forget(record);
}
