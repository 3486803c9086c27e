/* SPDX-License-Identifier: BSD-3-Clause
 * See bif.h.
 *
 * A link is a server in each direction: a bus request takes the time of its bytes and of its commands and
 * responses, then a fixed delay. A link serves the MFCs with queued requests in turn (assumption): a short
 * notification does not wait behind all data of another MFC. All links of a chip share the ramp of the chip's
 * BIF unit; requests that only pass through a chip do not enter the chip's rings.
 * source: Gaona, Fernandez, Acacio 2009, section 2 (20 GB/s in each direction); Ali, Midkiff, Pai 2010,
 * section 2. */
#include "sim/hw/exact/bif.h"

#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/bus/blade_plan.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/spe/spe.h"

#include <stdlib.h>
#include <string.h>

void bif_reset_credits(struct bif *bif) {
  const struct parameters *parameters = bif->board->parameters;
  uint64_t *places = bif->credit_places;
  memset(places, 0, bif->ncredit_places * sizeof *places);
  for (unsigned i = 0; i < bif->nchips * DMA_DIRECTIONS; i++) {
    bif->chip_credits[i] = credits_at(&places, parameters->bif_chip_requests);
  }
  for (unsigned i = 0; i < parameters->nspes * DMA_DIRECTIONS; i++) {
    struct dma *dma = &bif->board->spes[i / DMA_DIRECTIONS].dma;
    dma->credits[i % DMA_DIRECTIONS] = credits_at(&places, parameters->bif_mfc_requests);
    dma->chip_credits = &bif->chip_credits[dma->spe->chip * DMA_DIRECTIONS];
  }
}

void bif_init(struct bif *bif, struct board *board) {
  const struct parameters *parameters = board->parameters;
  unsigned n = parameters->nchips;
  size_t room = credits_room(parameters->bif_mfc_requests),
         chip_room = credits_room(parameters->bif_chip_requests);
  *bif = (struct bif){.board = board, .nchips = n};
  bif->links = xcalloc((size_t)n * n, sizeof *bif->links);
  bif->first = xcalloc((size_t)n * n, sizeof(struct bif_link *));
  for (unsigned from = 0; from < n; from++) {
    for (unsigned to = 0; to < n; to++) {
      bif->first[from * n + to] = &bif->links[from * n + chip_ways_next(board->ways, from, to)];
      if (chip_ways_distance(board->ways, from, to) == 1) {
        bif->links[from * n + to] = (struct bif_link){.bif = bif, .from = from, .to = to};
      }
    }
  }
  pool_init(&bif->queues, sizeof(struct bif_queue));
  bif->queues_of = xcalloc(parameters->nspes, sizeof *bif->queues_of);
  bif->ncredit_places = DMA_DIRECTIONS * (parameters->nspes * room + n * chip_room);
  bif->credit_places = xcalloc(bif->ncredit_places, sizeof *bif->credit_places);
  bif->chip_credits = xcalloc((size_t)n * DMA_DIRECTIONS, sizeof *bif->chip_credits);
}

void bif_fini(struct bif *bif) {
  pool_fini(&bif->queues);
  free(bif->queues_of);
  free(bif->links);
  free(bif->first);
  free(bif->chip_credits);
  free(bif->credit_places);
}

static void serve(struct event *event);

void bif_reset(struct bif *bif) {
  for (size_t i = 0; i < (size_t)bif->nchips * bif->nchips; i++) {
    struct bif_link *link = &bif->links[i];
    if (link->bif) {
      link->pace = (struct rate_server){0};
      link->event = (struct event){.run = serve};
      link->coming = link->coming_last = NULL;
      link->round_first = link->round_last = NULL;
    }
  }
  memset(bif->queues_of, 0, bif->board->parameters->nspes * sizeof *bif->queues_of);
  pool_reset(&bif->queues);
}

static void join_round(struct bif_link *link, struct bif_queue *queue) {
  queue->next = NULL;
  if (link->round_last) {
    link->round_last->next = queue;
  } else {
    link->round_first = queue;
  }
  link->round_last = queue;
}

/* Return the place of SPE's queue for LINK; the place holds NULL if no request waits. */
static struct bif_queue **find_queue(const struct bif_link *link, unsigned spe) {
  struct bif_queue **place = &link->bif->queues_of[spe];
  while (*place && (*place)->link != link) {
    place = &(*place)->sibling;
  }
  return place;
}

/* Let all requests wait that have reached LINK by now. */
static void let_arrive(struct bif_link *link) {
  while (link->coming && link->coming->event.at <= des_now()) {
    struct bus_request *request = link->coming;
    struct bif_queue **place = find_queue(link, request->transfer->dma->issuer), *queue = *place;
    link->coming = request->next;
    request->next = NULL;
    if (queue) {
      queue->last->next = request;
    } else {
      queue = *place = pool_take(&link->bif->queues);
      *queue = (struct bif_queue){.link = link, .first = request};
      join_round(link, queue);
    }
    queue->last = request;
  }
}

/* Take the next request: the first request of the queue whose turn comes first; this queue then goes to the
 * end of the round. */
static struct bus_request *take_next(struct bif_link *link) {
  struct bif *bif = link->bif;
  struct bif_queue *queue = link->round_first;
  struct bus_request *request = queue->first;
  link->round_first = queue->next;
  if (!link->round_first) {
    link->round_last = NULL;
  }
  queue->first = request->next;
  if (queue->first) {
    join_round(link, queue);
  } else {
    *find_queue(link, request->transfer->dma->issuer) = queue->sibling;
    pool_give(&bif->queues, queue);
  }
  return request;
}

/* Tell the observers that LINK takes REQUEST. */
static void __attribute__((cold))
see_crossing(const struct bif_link *link, const struct bus_request *request) {
  board_tell(link->bif->board, &(struct probe_event){.kind = PROBE_CROSS,
                                                     .cross = {.request = bus_request_name(request),
                                                               .chip = link->from,
                                                               .next_chip = link->to,
                                                               .waited = des_now() - request->event.at}});
}

/* Let LINK serve a request that is there at cycle AT as soon as LINK can. */
static void serve_from(struct bif_link *link, uint64_t at) {
  at = rate_server_ready(&link->pace, at);
  if (link->event.pending && link->event.at > at) {
    des_cancel(&link->event);
  }
  if (!link->event.pending) {
    des_schedule(&link->event, at, DES_LINK, link->from * link->bif->nchips + link->to);
  }
}

static void serve(struct event *event) {
  struct bif_link *link = EVENT_OWNER(event, struct bif_link, event);
  struct bif *bif = link->bif;
  struct board *board = bif->board;
  uint64_t now = des_now();
  let_arrive(link);
  struct bus_request *request = take_next(link);
  rate_server_take(&link->pace, now, board->plan->link_intervals[request->nbytes]);
  if (board_is_followed(board)) {
    see_crossing(link, request);
  }
  if (link->round_first) {
    serve_from(link, now);
  } else if (link->coming) {
    serve_from(link, link->coming->event.at);
  }
  bus_request_crossed(request, link->to, now + board->parameters->bif_data);
}

void bif_send(struct bif *bif, struct bus_request *request, uint64_t at, uint32_t order) {
  struct bif_link *link = bif->first[request->chip * bif->nchips + request->transfer->target.chip];
  struct bus_request **place = &link->coming;
  request->event.at = at;
  request->event.order = order;
  if (*place && !event_is_before(&request->event, &link->coming_last->event)) { /* nearly always */
    place = &link->coming_last->next;
  }
  while (*place && !event_is_before(&request->event, &(*place)->event)) {
    place = &(*place)->next;
  }
  request->next = *place;
  *place = request;
  if (!request->next) {
    link->coming_last = request;
  }
  if (link->coming == request) {
    serve_from(link, at);
  }
}
