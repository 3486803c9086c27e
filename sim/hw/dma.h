/* SPDX-License-Identifier: BSD-3-Clause
 * The DMA engine of an SPE (its memory flow controller): command queue, unrolling, tag groups. */
#pragma once

#include "sim/base/wheel.h"
#include "sim/hw/bus_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of the Cell Broadband Engine Architecture. */
enum {
  DMA_TAGS = 32,
  DMA_BYTES_MAX = 16384,
  DMA_QUEUE_MAX = 32, /* ours: queue entries fit a 32-bit mask */
};

enum dma_direction {
  DMA_GET, /* into the local store of the issuer */
  DMA_PUT, /* out of it */
};

/* How a command is ordered among those of its tag group in its queue. */
enum dma_order {
  DMA_FREE,    /* not at all */
  DMA_FENCE,   /* after all earlier ones */
  DMA_BARRIER, /* after all earlier ones, before all later ones */
};

/* A DMA command, and how far it has come. */
struct dma_command {
  enum dma_direction direction;
  enum dma_order order;
  uint32_t ls; /* local store address */
  uint64_t ea; /* effective address */
  uint32_t nbytes;
  uint32_t tag;
  /* kept by the engine: */
  struct event event; /* its first bus request can be made; later: its tag is told */
  struct dma *dma;
  struct bus_end far; /* the end that the effective address names */
  uint32_t issued;    /* bytes turned into bus requests */
  uint32_t delivered; /* bytes visible in the target */
  uint32_t after;     /* queue entries that must complete first */
  bool arrived;       /* past the way from queue to bus */
};

struct dma {
  struct spe *spe;
  struct dma_command *commands; /* figures.queue of them */
  uint32_t used;                /* entries with a command */
  uint32_t ready;               /* entries with bytes to issue that wait for nothing */
  unsigned last;                /* entry that issued last: round robin */
  struct bus_request *free;     /* window entries */
  struct bus_request *window;   /* figures.window of them */
  unsigned pending[DMA_TAGS];   /* incomplete commands of a tag */
};

/* Prepare the engine of SPE. */
void dma_init(struct dma *dma, struct spe *spe);

/* Release what DMA allocated. */
void dma_fini(struct dma *dma);

/* Empty queue and window. */
void dma_reset(struct dma *dma);

/* Check COMMAND as the hardware does when it takes it.
 * faults: size, alignment, tag, end of the local store, address that nothing lies behind.
 * returns: NULL, or what is wrong, formatted into TEXT. */
const char *dma_check(struct dma *dma, const struct dma_command *command, char *text, size_t size);

/* Tell whether the queue has room. */
bool dma_has_room(const struct dma *dma);

/* Take COMMAND (its first six fields), which dma_check accepts, at cycle AT; the queue must have room. */
void dma_enqueue(struct dma *dma, const struct dma_command *command, uint64_t at);

/* Return the tags of MASK whose commands have all completed. */
uint32_t dma_tags_done(const struct dma *dma, uint32_t mask);

/* --- for the bus --- */

/* The command bus accepts one bus request of this engine. */
void dma_granted(struct dma *dma);

/* One bus request of COMMAND has been delivered; if it is the last, its tag is told at cycle COMPLETE_AT. */
void dma_delivered(struct dma *dma, struct dma_command *command, const struct bus_request *request,
                   uint64_t complete_at);

/* The window entry REQUEST is free again. */
void dma_retire(struct dma *dma, struct bus_request *request);
