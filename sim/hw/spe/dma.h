/* SPDX-License-Identifier: BSD-3-Clause
 * The DMA engine of an SPE (its memory flow controller): command queue, unrolling, lists, tag groups. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/engine/wheel.h"
#include "sim/hw/board/bus_end.h"
#include "sim/hw/bus/credits.h"
#include "sim/hw/spe/dma_list.h"
#include "sim/hw/watch/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct board;
struct bus_request;
struct bus_transfer;
struct command_bus;
struct fault;

/* Limits of the Cell Broadband Engine Architecture. */
enum {
  DMA_TAGS = 32,
  DMA_BYTES_MAX = 16384,
  DMA_LIST_BYTES_MAX = 16384, /* 2048 elements */
  DMA_QUEUE_MAX = 32,         /* ours: queue entries fit a 32-bit mask */
  DMA_WINDOWS_MAX = 2,
};

enum dma_direction {
  DMA_GET, /* into the local store of the issuer */
  DMA_PUT, /* out of it */
  DMA_DIRECTIONS,
};

/* How a command is ordered among those of its tag group in its queue. */
enum dma_order {
  DMA_FREE,        /* not at all */
  DMA_FENCE,       /* after all earlier ones */
  DMA_BARRIER,     /* after all earlier ones, before all later ones */
  DMA_BARRIER_ALL, /* the same among all commands of the queue, whatever their tags */
};

/* What a command is. */
enum dma_kind {
  DMA_DATA,
  DMA_LIST, /* its elements are in the local store */
  DMA_SYNC, /* moves nothing; in the order DMA_BARRIER it goes over the command bus */
};

/* Who gives the commands: each side of an MFC has its own queue and its own tag groups. */
enum dma_side {
  DMA_SPU,   /* the program on its SPE */
  DMA_PROXY, /* the PPE */
  DMA_SIDES,
};

/* The two ends of a transfer. */
struct dma_transfer {
  enum dma_direction direction;
  uint32_t ls, nbytes;
  uint64_t ea;
};

/* A DMA command as a program gives the command. */
struct dma_given {
  enum dma_direction direction;
  enum dma_order order;
  enum dma_kind kind;
  uint32_t ls;     /* local store address of the data */
  uint64_t ea;     /* effective address; of a list only the high word counts */
  uint32_t nbytes; /* of the data, or of the list */
  uint32_t list;   /* local store address of the list */
  uint32_t tag;
  enum dma_side side;
  bool is_data; /* no program looks at the bytes: a machine with times_only need not move them */
};

/* A DMA command, and how far it has come; of a list, `ls` and `ea` go from element to element. */
struct dma_command {
  struct dma_given given;
  struct event event; /* it reaches the bus; a list element is there; its tag is told */
  struct dma *dma;
  unsigned transfers; /* not yet delivered; of a list, an element is one */
  uint32_t list_left; /* bytes of the list that have not been read */
  uint32_t begun;     /* bytes of the transfers that have begun */
  /* the bytes behind the end of the memory of the current transfer, in the memory of the next chip */
  struct dma_transfer rest;
  bool stops;            /* the list stops behind the element that was read last */
  bool stalled;          /* it has stopped, until the program acknowledges that */
  bool has_stopped;      /* it has stopped at least once */
  uint64_t done_at;      /* cycle at which all that was delivered so far is accounted for */
  uint64_t number;       /* among all of this engine, from 1 on */
  uint32_t after;        /* queue entries that must complete first */
  uint8_t entry;         /* of its queue */
  bool arrived;          /* past the way from queue to bus */
  bool arrives;          /* an observer is told of the bytes that arrive */
  const uint8_t *before; /* an observer is told where the target has other bytes; NULL: not told */
};

/* When the answer comes; the values of channel MFC_WrTagUpdate. */
enum dma_tag_condition {
  DMA_TAGS_NOW,
  DMA_TAGS_ANY, /* one of the tag groups has no command outstanding */
  DMA_TAGS_ALL, /* no tag group has outstanding commands */
  DMA_TAG_CONDITIONS,
};

/* The question of an SPU: the tag groups without outstanding commands, now or once a condition is met.
 * source: Cell Broadband Engine Architecture, MFC tag-group status channels. */
struct dma_tag_query {
  uint32_t mask; /* mask of the question: bit t for tag t */
  enum dma_tag_condition condition;
  bool asked;      /* the condition has not been met yet */
  bool answered;   /* the answer has not been read */
  uint32_t answer; /* tag groups of the mask without outstanding commands when the condition was met */
};

/* Queue entries of an MFC: bits by dma_bit. */
typedef uint64_t dma_entries;

/* Return the bit of queue entry ENTRY of SIDE. */
static inline dma_entries dma_bit(enum dma_side side, unsigned entry) {
  return UINT64_C(1) << (side * DMA_QUEUE_MAX + entry);
}

/* Bus requests that may be under way at the same time. */
struct dma_window {
  struct bus_request *free; /* entries, shared by both sides, by when they are free */
  struct bus_request *last_free;
  uint64_t free_at;  /* the first of them; UINT64_MAX: there is none, as far as is known */
  dma_entries ready; /* those with bytes to issue that wait for a window entry alone */
};

/* Free entries of a window, as observers want to know: their number, and the last one. */
struct dma_window_seen {
  unsigned n;
  const struct bus_request *last;
};

/* The commands of one side. */
struct dma_queue {
  struct dma_command *commands; /* `size` of them; NULL: no command has come yet */
  unsigned size;
  uint32_t used;             /* entries with a command */
  uint32_t waiting;          /* entries with a command or list element held up by mfc.command-interval */
  unsigned last;             /* entry that issued last: round robin */
  uint8_t pending[DMA_TAGS]; /* incomplete commands of a tag */
  struct bus_transfer **transfers; /* what an entry issues */
  uint32_t held; /* entries with a lazy command before the begin; behind the members for each request */
};

struct dma {
  struct board *board;
  const struct parameters *parameters;
  /* kept by the exact bus (exact_bus.c): */
  struct command_bus *command_bus;            /* of its chip */
  struct dma_window windows[DMA_WINDOWS_MAX]; /* parameters.mfc_windows of them */
  dma_entries
    crossing[DMA_DIRECTIONS];  /* those with bytes to issue that wait for a window entry and credits */
  struct bus_request *entries; /* of all windows, parameters.mfc_window for each; NULL: another bus */
  enum dma_side last;          /* the latest side to issue: sides take turns */
  bool issues;                 /* a bus request, now */
  /* kept by the BIF: */
  struct credits credits[DMA_DIRECTIONS]; /* of bus requests to local stores of other chips */
  struct credits *chip_credits;           /* [direction], of all MFCs of its chip */
  /* kept by the engine: */
  unsigned issuer;      /* the number of its SPE */
  struct event begin;   /* the next command or list element can begin */
  uint64_t begins_from; /* cycle from which on a command or list element can begin */
  bool stopped;         /* by a fault: nothing is issued any more */
  struct dma_queue queues[DMA_SIDES];
  struct dma_tag_query tag_query;
  uint32_t list_stalls; /* tags of lists that have stopped since the SPU looked last */
  struct spe *spe;
  uint64_t ncommands;                           /* taken so far, on both sides */
  struct dma_window_seen seen[DMA_WINDOWS_MAX]; /* by window */
};

/* Return the number of the window of DMA whose entries bus requests of DIRECTION take. */
static inline unsigned dma_window_of(const struct dma *dma, enum dma_direction direction) {
  return direction & (dma->parameters->mfc_windows - 1);
}

/* Prepare the engine of SPE. */
void dma_init(struct dma *dma, struct spe *spe);

/* Release what DMA allocated. */
void dma_fini(struct dma *dma);

/* Empty queues and windows. */
void dma_reset(struct dma *dma);

/* Check the command GIVEN as the hardware does when the MFC takes the command; the elements of a list are
 * checked when they are read. *FAR becomes the end at the effective address of data.
 * faults: size, alignment, tag, end of the local store, address that nothing lies behind.
 * returns: NULL, or what is wrong, which is also in FAULT. */
const char *dma_check(const struct dma *dma, const struct dma_given *given, struct bus_end *far,
                      struct fault *fault);

/* Tell whether the queue of SIDE can take no command. */
static inline bool dma_is_full(const struct dma *dma, enum dma_side side) {
  return dma->queues[side].used == UINT32_MAX >> (DMA_QUEUE_MAX - dma->queues[side].size);
}

/* Take the command GIVEN, which dma_check accepts with FAR, at cycle AT; the queue of its side must have
 * room.
 * returns: the cycles for which the program stands still, until an eager command is over; only of a shuffled
 * run. */
uint64_t dma_enqueue(struct dma *dma, const struct dma_given *given, const struct bus_end *far, uint64_t at);

/* Let DMA issue nothing more: what it has on the bus goes on, also the request for which it has asked the
 * command bus. */
void dma_stop(struct dma *dma);

/* Return the tags of MASK whose commands, of SIDE, have all completed. */
uint32_t dma_tags_done(const struct dma *dma, enum dma_side side, uint32_t mask);

/* Let the lazy commands of the tags in MASK begin, after all lazy predecessors: at cycle AT the program asks
 * for the end of these tags. ANY: the end of one tag is enough. */
void dma_let_held_go(struct dma *dma, enum dma_side side, uint32_t mask, bool any, uint64_t at);

static inline void dma_let_go(struct dma *dma, enum dma_side side, uint32_t mask, bool any, uint64_t at) {
  if (__builtin_expect(dma->queues[side].held != 0, 0)) {
    dma_let_held_go(dma, side, mask, any, at);
  }
}

/* Tell whether CONDITION is met by the tag groups of the mask. */
bool dma_tags_meet(const struct dma *dma, enum dma_tag_condition condition);

/* Ask DMA in place of the last open question. An unread answer stays until the new condition is met. */
void dma_tags_ask(struct dma *dma, enum dma_tag_condition condition);

/* Answer the question, if one is open and its condition is met, because of CAUSE: the completion of a command
 * of the SPU, or the question itself, which has no name. */
void dma_tags_look(struct dma *dma, struct probe_cause cause);

/* Let the stopped lists of tag TAG of the SPU go on. */
void dma_list_resume(struct dma *dma, uint32_t tag);

/* Return the tags of stopped lists of the SPU. */
uint32_t dma_list_stopped(const struct dma *dma);

/* --- for the bus --- */

/* All bytes that COMMAND has to move, or those of its current list element, have been issued. */
void dma_issued(struct dma_command *command);

/* All bytes of TRANSFER have been delivered now. */
void dma_transfer_delivered(struct bus_transfer *transfer);
