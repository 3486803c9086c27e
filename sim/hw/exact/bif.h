/* SPDX-License-Identifier: BSD-3-Clause
 * The links between chips (BIF): bandwidth, delay and queue. */
#pragma once

#include "sim/base/engine/rate_server.h"
#include "sim/base/engine/wheel.h"
#include "sim/base/pool.h"
#include "sim/hw/exact/bus_request.h"

#include <stdint.h>

struct board;
struct credits;

/* Waiting bus requests of one MFC for a link, in the order of arrival: not empty. */
struct bif_queue {
  struct bif_link *link;
  struct bus_request *first, *last;
  struct bif_queue *next;    /* in the round of the link */
  struct bif_queue *sibling; /* of the same MFC, for another link */
};

/* One direction of a link. */
struct bif_link {
  struct bif *bif;
  unsigned from, to; /* chips */
  struct rate_server pace;
  struct event event; /* the link can take the next request */
  /* requests on the way to the link, in the order of arrival */
  struct bus_request *coming, *coming_last;
  struct bif_queue *round_first,
    *round_last; /* queues with requests that have reached the link, in the order of their turns */
};

struct bif {
  struct board *board;
  unsigned nchips;
  struct bif_link *links;       /* [from * nchips + neighbour]; no such link: without `bif` */
  struct bif_link **first;      /* [from * nchips + to]: the first link of the way */
  struct bif_queue **queues_of; /* by SPE: the queues of the SPE, rarely more than one */
  struct pool queues;           /* struct bif_queue */
  struct credits *chip_credits; /* [chip * DMA_DIRECTIONS + direction] */
  uint64_t *credit_places;      /* of all chips and all MFCs */
  size_t ncredit_places;
};

/* Lay a link in each direction between all neighbouring chips of BOARD. */
void bif_init(struct bif *bif, struct board *board);

/* Release the memory of BIF. */
void bif_fini(struct bif *bif);

/* Make all links idle. */
void bif_reset(struct bif *bif);

/* Give back all credits of all chips and MFCs. */
void bif_reset_credits(struct bif *bif);

/* Queue REQUEST, which reaches the BIF of its current chip at cycle AT with ORDER, for the next link of its
 * way. The link serves the MFCs of waiting requests round robin, and calls bus_request_crossed when the
 * request can enter the next chip. */
void bif_send(struct bif *bif, struct bus_request *request, uint64_t at, uint32_t order);
