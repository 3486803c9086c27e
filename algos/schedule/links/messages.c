/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/links/messages.h"

#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum {
  LINE = 128,
  HOST_BYTES = 1 << 30, /* windows of all processes */
  STRIDE = 16,          /* bytes between places of ranks in a pattern */
  RANK_STRIDES = 31     /* number of such places from a rank to the next one */
};

static const struct link *link_of(const struct messages *m, const struct message_request *request) {
  return &m->player.links->items[request->link];
}

static uint32_t tag_of(const struct message_request *request) {
  return 1 + request->link % LINK_TAGS;
}

/* --- data --- */

size_t messages_place(struct message_places *places, const struct coll_group *group, size_t largest,
                      size_t at) {
  size_t most = call_map_line(largest), starts = (MESSAGE_STARTS - 1) * LINE;
  size_t copy = largest <= places->eager ? most : call_map_line(places->eager);
  size_t taken = at + copy + starts + LINE, room = group->ls_bytes > taken ? group->ls_bytes - taken : 0;
  if (largest > places->eager) {
    room = group->on_hosts ? HOST_BYTES / group->nranks : room;
    room = room / (MESSAGE_WINDOWS + 1) >= copy ? room / (MESSAGE_WINDOWS + 1)
                                                : (room > copy ? room - copy : 0) / MESSAGE_WINDOWS;
    size_t window = room / LINE * LINE, least = places->least ? places->least : LINE;
    RAISE(window, least);
    places->window = MIN(window, most);
  }
  places->nbytes = MAX(places->window, copy) + starts;
  places->copy = (uint32_t)at;
  places->send = (uint32_t)(at + copy);
  places->windows = (uint32_t)(places->send + places->nbytes);
  return places->windows + MESSAGE_WINDOWS * places->window;
}

size_t messages_pattern_bytes(const struct message_places *places) {
  return places->nbytes + (size_t)MESSAGE_STRIDES * STRIDE;
}

/* Return the bytes of RANK in the pattern. */
static const uint8_t *bytes_of(const struct messages *m, unsigned rank) {
  return m->pattern + (size_t)rank * RANK_STRIDES % MESSAGE_STRIDES * STRIDE;
}

/* Return the place, among the bytes of the sender, of the data of REQUEST from byte `done` on. */
static size_t place_of(const struct messages *m, const struct message_request *request) {
  size_t windows = m->places->window ? request->done / m->places->window : 0;
  return (request->number + request->link + windows) % MESSAGE_STARTS * LINE;
}

/* Check the NBYTES GOT of REQUEST from byte `done` on. */
static void check(const struct messages *m, const struct message_request *request, const uint8_t *got,
                  size_t nbytes) {
  if (!m->pattern) {
    return;
  }
  unsigned from = link_of(m, request)->from;
  spu_catch_up();
  spu_note_load(got, nbytes);
  const uint8_t *wanted = bytes_of(m, from) + place_of(m, request);
  for (size_t i = 0; memcmp(got, wanted, nbytes) != 0 && i < nbytes; i++) {
    if (got[i] != wanted[i]) {
      spu_fault(text_brief("line %u: byte %llu of message %u from rank %u is 0x%02x, expected 0x%02x",
                           request->line, (unsigned long long)(request->done + i), request->number,
                           group_name(m->player.c->group, from), got[i], wanted[i]));
    }
  }
}

void messages_fini(struct messages *m) {
  free(m->requests);
  free(m->player.awaited.flags);
}

/* --- a request --- */

/* Put the message of REQUEST into a slot, or only the size of a large message. */
static void put(struct messages *m, struct message_request *request) {
  bool is_eager = request->nbytes <= m->places->eager;
  uint8_t *data =
    is_eager && request->nbytes ? (uint8_t *)spu_ls(m->places->send) + place_of(m, request) : NULL;
  link_put(m->player.c, link_of(m, request),
           &(struct message){.number = request->number,
                             .tag = tag_of(request),
                             .data = data,
                             .nbytes = is_eager ? request->nbytes : 0,
                             .rest = is_eager ? 0 : request->nbytes});
  request->state = is_eager ? MESSAGE_LEAVING : MESSAGE_SENT;
  request->flag.value = request->number; /* the slot of this message is free again */
  request->flag.what = "end of a message";
}

/* Give the slot of the message of REQUEST back. */
static void end_receive(struct messages *m, struct message_request *request) {
  link_tell(m->player.c, link_of(m, request),
            &(struct message){.number = request->number, .tag = tag_of(request)}, true);
  request->state = MESSAGE_DONE;
}

/* Return the slot, as of step.h, of the window of REQUEST. */
static unsigned slot_of(const struct message_request *request) {
  return 1 + request->window;
}

/* Get the next bytes of REQUEST into the window. */
static void get(struct messages *m, struct message_request *request) {
  const struct message_places *places = m->places;
  unsigned from = m->player.c->group->spe_of[link_of(m, request)->from];
  uint64_t left = request->nbytes - request->done;
  request->present = MIN(left, places->window);
  request->state = MESSAGE_GETTING;
  step_start_get(m->player.c,
                 &(struct step_transfer){
                   .ls = spu_ls((uint32_t)(places->windows + request->window * places->window)),
                   .ea = m->player.c->group->port->local_ea(from, places->send) + place_of(m, request),
                   .nbytes = request->present,
                   .slot = slot_of(request)});
}

/* Return the bytes of the message of REQUEST, now arrived. */
static uint64_t bytes_arrived(const struct message_request *request) {
  const volatile uint32_t *count = request->flag.word;
  return (uint64_t)count[LINK_BYTES] + count[LINK_REST];
}

/* Return the first window that is not in use; MESSAGE_WINDOWS: none. */
static unsigned free_window(const struct messages *m) {
  return (unsigned)__builtin_ctz(~m->used);
}

/* Take the message of REQUEST, now arrived, out of the slot, or begin to get the message. */
static void take(struct messages *m, struct message_request *request) {
  const struct link *link = link_of(m, request);
  uint64_t nbytes = bytes_arrived(request);
  spu_compute_for(COMPUTE_RECEIVE, m->player.c->group->costs.receive);
  if (nbytes > request->nbytes) {
    spu_fault(text_brief("line %u: a message of %llu bytes from rank %u, expected at most %llu",
                         request->line, (unsigned long long)nbytes,
                         group_name(m->player.c->group, link->from), (unsigned long long)request->nbytes));
  }
  request->nbytes = nbytes;
  if (nbytes <= m->places->eager) {
    uint8_t *copy = spu_ls(m->places->copy);
    link_copy(copy, link_slot(m->player.c, link, request->number), nbytes);
    check(m, request, copy, nbytes);
    end_receive(m, request);
  } else {
    request->window = free_window(m);
    m->used |= 1U << request->window;
    get(m, request);
  }
}

/* Bytes of REQUEST have come: get the next ones, or end. */
static void take_window(struct messages *m, struct message_request *request) {
  const struct message_places *places = m->places;
  spu_compute_for(COMPUTE_TAG, m->player.c->group->costs.tag);
  check(m, request, spu_ls((uint32_t)(places->windows + request->window * places->window)), request->present);
  request->done += request->present;
  if (request->done < request->nbytes) {
    get(m, request);
  } else {
    m->used &= ~(1U << request->window);
    end_receive(m, request);
  }
}

bool messages_look(struct messages *m, size_t number) {
  struct awaited *awaited = &m->player.awaited;
  const struct message_request *request = &m->requests[number];
  spu_compute_for(COMPUTE_OTHER, LINK_LOOK);
  if (request->state == MESSAGE_LEAVING || request->state == MESSAGE_GETTING) {
    bool gets = request->state == MESSAGE_GETTING;
    return awaited_tags(awaited, m->player.c,
                        gets ? step_slot_tags(m->player.c, slot_of(request))
                             : UINT32_C(1) << tag_of(request));
  }
  return !awaited_look(awaited, &request->flag) &&
         (request->state != MESSAGE_POSTED || bytes_arrived(request) <= m->places->eager ||
          free_window(m) < MESSAGE_WINDOWS);
}

bool messages_go_on(struct messages *m, size_t number) {
  struct message_request *request = &m->requests[number];
  if (request->state == MESSAGE_QUEUED) {
    put(m, request);
  } else if (request->state == MESSAGE_POSTED) {
    take(m, request);
  } else if (request->state == MESSAGE_GETTING) {
    take_window(m, request);
  } else {
    bool leaves = request->state == MESSAGE_LEAVING;
    spu_compute_for(leaves ? COMPUTE_TAG : COMPUTE_RECEIVE,
                    leaves ? m->player.c->group->costs.tag : m->player.c->group->costs.receive);
    request->state = MESSAGE_DONE;
  }
  return request->state == MESSAGE_DONE;
}

/* --- all requests --- */

size_t messages_add(struct messages *m, unsigned link, uint64_t nbytes, bool sends) {
  const struct link *of = &m->player.links->items[link];
  size_t i = VEC_INDEX(m->requests, m->nrequests, item->state == MESSAGE_FREE);
  struct message_request *request = i == m->nrequests ? &VEC_ADD(m->requests, m->nrequests) : &m->requests[i];
  *request = (struct message_request){.state = sends ? MESSAGE_QUEUED : MESSAGE_POSTED,
                                      .link = link,
                                      .line = m->line,
                                      .number = ++m->player.counts[sends ? of->out : of->in],
                                      .nbytes = nbytes};
  request->flag = link_flag(m->player.c, of, request->number, !sends);
  request->flag.what = sends ? "free slot" : "message";
  return i;
}

size_t messages_oldest(const struct messages *m, unsigned link) {
  size_t oldest = SIZE_MAX;
  for (size_t i = 0; i < m->nrequests; i++) {
    const struct message_request *request = &m->requests[i];
    if (request->state != MESSAGE_FREE && request->link == link &&
        (oldest == SIZE_MAX || (int32_t)(request->number - m->requests[oldest].number) < 0)) {
      oldest = i;
    }
  }
  return oldest;
}

static bool is_open(const struct message_request *request) {
  return request->state != MESSAGE_FREE && request->state != MESSAGE_DONE;
}

/* Let request I go on, if open, or note the awaited event.
 * returns: whether the request went on. */
static bool advance(struct player *player, unsigned i) {
  struct messages *m = (struct messages *)player;
  bool can = is_open(&m->requests[i]) && messages_look(m, i);
  if (can) {
    messages_go_on(m, i);
  }
  return can;
}

void messages_begin(struct messages *m) {
  m->player.counts = links_begin(m->player.links, m->player.c);
  m->player.advance = advance;
  if (m->pattern && coll_own_calls(m->player.c) == 0) {
    uint8_t *data = spu_ls(m->places->send);
    spu_note_store(data, m->places->nbytes);
    memcpy(data, bytes_of(m, m->player.c->rank), m->places->nbytes);
  }
}

void messages_start(struct messages *m, size_t request) {
  awaited_clear(&m->player.awaited);
  spu_catch_up();
  advance(&m->player, (unsigned)request);
}

/* Let all open requests go on. */
static void go_on(struct messages *m, bool blocks) {
  m->player.ntasks = m->nrequests;
  player_turn(&m->player, blocks);
}

void messages_forget(struct messages *m, size_t request) {
  m->requests[request].state = MESSAGE_FREE;
}

void messages_test(struct messages *m, size_t request) {
  go_on(m, false);
  if (request != SIZE_MAX && !is_open(&m->requests[request])) {
    messages_forget(m, request);
  }
}

void messages_wait(struct messages *m, size_t request) {
  if (request != SIZE_MAX) {
    while (is_open(&m->requests[request])) {
      go_on(m, true);
    }
    messages_forget(m, request);
  }
}

void messages_wait_all(struct messages *m) {
  for (size_t i = 0; i < m->nrequests; i++) {
    messages_wait(m, i);
  }
  m->nrequests = 0;
}
