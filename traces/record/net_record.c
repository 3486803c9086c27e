/* SPDX-License-Identifier: BSD-3-Clause
 * See record.h: the network. Messages and steps are numbered by the events. */
#include "traces/record/record.h"

#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Make room for element NUMBER, from 1 on, of ARRAY. ARRAY has *N elements of SIZE bytes and room for *ROOM;
 * new elements are zero.
 * returns: the array, or NULL if the share of RECORD has no room for the array. */
static void *grow(struct net_record *record, void *array, size_t number, size_t *n, size_t *room,
                  size_t size) {
  if (number > *room) {
    size_t wanted = 2 * number + 64;
    if (!record_share_take(record->share, (wanted - *room) * size)) {
      return NULL;
    }
    array = xrealloc(array, wanted, size);
    memset((char *)array + *room * size, 0, (wanted - *room) * size);
    *room = wanted;
  }
  RAISE(*n, number);
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

static struct net_record_step *add_step(struct net_record *record, const struct probe_event *event) {
  struct net_record_step *steps =
    grow(record, record->steps, event->message.step, &record->nsteps, &record->steps_room, sizeof *steps);
  if (!steps) {
    return NULL;
  }
  record->steps = steps;
  steps[event->message.step - 1] = (struct net_record_step){.came = event->timer.since,
                                                            .begin = event->timer.since,
                                                            .end = event->cycle,
                                                            .after = (uint32_t)event->message.after,
                                                            .message = (uint32_t)event->message.number,
                                                            .server = UINT32_MAX,
                                                            .kind = (uint8_t)event->kind};
  return &steps[event->message.step - 1];
}

static void see_packet(struct net_record *record, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  bool is_pcie = packet->server.kind == PROBE_SERVER_PCIE;
  struct net_record_step *added = add_step(record, event);
  if (!added) {
    return;
  }
  struct net_record_server *used = VEC_REACH(record->servers, record->nservers, packet->server.number);
  if (!used->name) {
    used->name = xstrdup(packet->server.name);
  }
  added->came = packet->came;
  added->begin = packet->begin;
  added->end = packet->end;
  added->gap = packet->gap;
  added->latency = packet->latency;
  added->nbytes = (uint32_t)packet->nbytes;
  added->server = (uint32_t)packet->server.number;
  added->before = used->latest;
  added->flags =
    (uint8_t)((packet->is_answer ? NET_RECORD_ANSWER : 0) | (packet->again ? NET_RECORD_AGAIN : 0) |
              (packet->same_server ? NET_RECORD_SAME_SERVER : 0) | (is_pcie ? NET_RECORD_PCIE : 0) |
              (packet->hop == 0 && (!is_pcie || event->message.after == 0) ? NET_RECORD_FIRST : 0));
  used->latest = (uint32_t)event->message.step;
}

static void forget(struct net_record *record) {
  record->share->nbytes -=
    record->messages_room * sizeof *record->messages + record->steps_room * sizeof *record->steps;
  VEC_EACH(server, record->servers, record->nservers) {
    free(server->name);
  }
  free(record->servers);
  free(record->messages);
  free(record->steps);
  *record = (struct net_record){.probe = record->probe, .share = record->share};
}

static void see_send(struct net_record *record, const struct probe_event *event) {
  struct net_record_message *known = message(record, event->message.number);
  if (known) {
    *known = (struct net_record_message){.sent = event->cycle,
                                         .arrived = RECORD_NEVER,
                                         .told = RECORD_NEVER,
                                         .nbytes = event->message.nbytes,
                                         .asks = event->send.asks,
                                         .from = (uint16_t)event->message.from,
                                         .to = (uint16_t)event->message.to};
  }
}

static void see_arrive(struct net_record *record, const struct probe_event *event) {
  struct net_record_message *known = message(record, event->message.number);
  if (known && !event->arrive.at_host) {
    known->arrived = event->cycle;
    known->told = event->arrive.told;
    known->after = (uint32_t)event->message.after;
  }
}

static void see_timer(struct net_record *record, const struct probe_event *event) {
  add_step(record, event);
}

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct net_record *, const struct probe_event *) = {
    [PROBE_MESSAGE_SEND] = see_send,    [PROBE_MESSAGE_ARRIVE] = see_arrive, [PROBE_PACKET] = see_packet,
    [PROBE_PACKET_TIMEOUT] = see_timer, [PROBE_PACKET_DELAY] = see_timer,
  };
  struct net_record *record = (struct net_record *)probe;
  if (record->share->full) {
    return;
  }
  if (event->kind == PROBE_RESET) {
    forget(record);
  } else if (handlers[event->kind]) {
    handlers[event->kind](record, event);
  }
}

void net_record_init(struct net_record *record, struct record_share *share) {
  *record = (struct net_record){.probe = {.see = see, .details = true}, .share = share};
}

void net_record_fini(struct net_record *record) {
  forget(record);
}
