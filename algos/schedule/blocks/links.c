/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/blocks/links.h"

#include "algos/step/step.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum {
  LINE = 128,
  QUADWORD = 16,
  COUNT_BYTES = QUADWORD,
  COPY_CYCLES = 2 /* of a quadword: a load and a store */
};

static size_t lines(size_t nbytes) {
  return (nbytes + LINE - 1) / LINE * LINE;
}

/* Take NBYTES behind OFFSET; MOST becomes at least the end. */
static size_t take(size_t *offset, size_t nbytes, size_t *most) {
  size_t at = *offset;
  *offset += nbytes;
  *most = *offset > *most ? *offset : *most;
  return at;
}

void links_lay(struct links *links, unsigned nranks) {
  size_t *counts = xcalloc(nranks, sizeof *counts), *slots = xcalloc(nranks, sizeof *slots),
         *ends = xcalloc(nranks, sizeof *ends), nslots = 0;
  links->counts = links->nends = 0;
  for (size_t i = 0; i < links->n; i++) {
    struct link *link = &links->items[i];
    size_t nstaged = lines((size_t)link->depth * COUNT_BYTES);
    link->out = (unsigned)take(&ends[link->from], 1, &links->nends);
    link->in = (unsigned)take(&ends[link->to], 1, &links->nends);
    link->arrived = take(&counts[link->to], (size_t)link->depth * COUNT_BYTES, &links->counts);
    link->freed = take(&counts[link->from], (size_t)link->depth * COUNT_BYTES, &links->counts);
    link->slots = take(&slots[link->to], lines((size_t)link->depth * link->slot), &nslots);
    link->freed_out = take(&slots[link->to], nstaged, &nslots);
    link->arrived_out = take(&slots[link->from], nstaged, &nslots);
  }
  links->kept = lines(links->counts);
  size_t behind = links->kept + lines(links->nends * sizeof(uint32_t));
  for (size_t i = 0; i < links->n; i++) {
    links->items[i].slots += behind;
    links->items[i].freed_out += behind;
    links->items[i].arrived_out += behind;
  }
  links->nbytes = behind + nslots;
  free(counts);
  free(slots);
  free(ends);
}

uint32_t *links_begin(const struct links *links, const struct coll *c) {
  uint32_t *messages = (uint32_t *)(void *)(c->scratch + links->kept);
  if (coll_own_calls(c) == 0) {
    spu_note_flags(c->scratch, links->counts);
    memset(messages, 0, links->nends * sizeof *messages);
  }
  return messages;
}

/* Return the offset of the count of message NUMBER of LINK among the counts of all slots. */
static size_t turn(const struct link *link, uint32_t number) {
  return (size_t)((number - 1) % link->depth) * COUNT_BYTES;
}

struct spu_flag link_flag(const struct coll *c, const struct link *link, uint32_t number, bool arrives) {
  uint8_t *count = c->scratch + (arrives ? link->arrived : link->freed) + turn(link, number);
  return (struct spu_flag){.word = (uint32_t *)(void *)count,
                           .value = arrives ? number : number - link->depth,
                           .peer = (int)(arrives ? link->from : link->to)};
}

uint8_t *link_slot(const struct coll *c, const struct link *link, uint32_t number) {
  return c->scratch + link->slots + (size_t)((number - 1) % link->depth) * link->slot;
}

/* Tell a rank the number of MESSAGE of LINK. TO: the rank, the counts to be sent, and the counts there. */
static void tell(struct coll *c, const struct link *link, const struct link_message *message,
                 const size_t to[3]) {
  size_t at = turn(link, message->number);
  uint32_t *entry = (uint32_t *)(void *)(c->scratch + to[1] + at);
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
  spu_note_store(entry, COUNT_BYTES);
  entry[0] = message->number;
  entry[LINK_BYTES] = (uint32_t)message->nbytes;
  entry[LINK_REST] = (uint32_t)message->rest;
  entry[LINK_CALL] = (uint32_t)coll_own_calls(c);
  c->group->port->tell(entry, step_peer_ea(c, (unsigned)to[0], c->scratch + to[2] + at), COUNT_BYTES,
                       message->tag);
}

void link_put(struct coll *c, const struct link *link, const struct link_message *message) {
  spu_compute_for(COMPUTE_DMA, c->group->costs.dma);
  if (message->nbytes) {
    c->group->port->move(
      &(struct step_dma){.ls = message->data,
                         .ea = step_peer_ea(c, link->to, link_slot(c, link, message->number)),
                         .nbytes = (uint32_t)(message->nbytes + QUADWORD - 1) / QUADWORD * QUADWORD,
                         .tag = message->tag,
                         .put = true});
  }
  tell(c, link, message, (size_t[]){link->to, link->arrived_out, link->arrived});
}

void link_free(struct coll *c, const struct link *link, const struct link_message *message) {
  tell(c, link, message, (size_t[]){link->from, link->freed_out, link->freed});
}

void link_copy(struct coll *c, uint8_t *into, const uint8_t *from, size_t nbytes) {
  (void)c;
  spu_catch_up();
  spu_note_load(from, nbytes);
  if (into != from) {
    spu_note_store(into, nbytes);
    memmove(into, from, nbytes);
  }
  spu_compute_for(COMPUTE_COPY, COPY_CYCLES * (nbytes + 15) / 16);
}
