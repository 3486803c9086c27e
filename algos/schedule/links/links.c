/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/links/links.h"

#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
  QUADWORD = 16,
  COUNT_BYTES = QUADWORD,
  COPY_CYCLES = 2 /* of a quadword: a load and a store */
};

/* Take NBYTES behind OFFSET; MOST becomes at least the end. */
static size_t take(size_t *offset, size_t nbytes, size_t *most) {
  size_t at = *offset;
  *offset += nbytes;
  RAISE(*most, *offset);
  return at;
}

void links_lay(struct links *links, unsigned nranks) {
  SCOPED size_t *counts = xcalloc(nranks, sizeof *counts), *slots = xcalloc(nranks, sizeof *slots),
                *ends = xcalloc(nranks, sizeof *ends);
  size_t nslots = 0;
  links->counts = links->nends = 0;
  VEC_EACH(link, links->items, links->n) {
    link->slot = (link->slot + QUADWORD - 1) / QUADWORD * QUADWORD;
    size_t nstaged = call_map_line((size_t)link->depth * COUNT_BYTES);
    link->out = (unsigned)take(&ends[link->from], 1, &links->nends);
    link->in = (unsigned)take(&ends[link->to], 1, &links->nends);
    link->arrived = take(&counts[link->to], (size_t)link->depth * COUNT_BYTES, &links->counts);
    link->freed = take(&counts[link->from], (size_t)link->depth * COUNT_BYTES, &links->counts);
    link->slots = take(&slots[link->to], call_map_line((size_t)link->depth * link->slot), &nslots);
    link->freed_out = take(&slots[link->to], nstaged, &nslots);
    link->arrived_out = take(&slots[link->from], nstaged, &nslots);
  }
  links->kept = call_map_line(links->counts);
  size_t behind = links->kept + call_map_line(links->nends * sizeof(uint32_t));
  VEC_EACH(link, links->items, links->n) {
    link->slots += behind;
    link->freed_out += behind;
    link->arrived_out += behind;
  }
  links->nbytes = behind + nslots;
}

uint32_t *links_begin(const struct links *links, const struct coll *c) {
  uint32_t *messages = (uint32_t *)(void *)(c->scratch + links->kept);
  if (coll_own_calls(c) == 0) {
    spu_note_flags(c->scratch, links->counts);
    memset(messages, 0, links->nends * sizeof *messages);
  }
  return messages;
}

void awaited_clear(struct awaited *awaited) {
  awaited->any = (struct spu_any){.flags = awaited->flags};
}

struct spu_flag *awaited_look(struct awaited *awaited, const struct spu_flag *flag) {
  if (spu_poll_flag(flag)) {
    return NULL;
  }
  if (awaited->any.nflags == awaited->room) {
    awaited->room = 2 * awaited->room + 8;
    awaited->flags = xrealloc(awaited->flags, awaited->room, sizeof *awaited->flags);
    awaited->any.flags = awaited->flags;
  }
  struct spu_flag *noted = &awaited->flags[awaited->any.nflags++];
  *noted = *flag;
  return noted;
}

bool awaited_tags(struct awaited *awaited, const struct coll *c, uint32_t tags) {
  bool has_ended = c->group->port->poll_tags(tags) != 0;
  awaited->any.tags |= has_ended ? 0 : tags;
  return has_ended;
}

void player_turn(struct player *player, bool blocks) {
  bool has_moved = false;
  awaited_clear(&player->awaited);
  spu_catch_up();
  for (unsigned i = 0; i < player->ntasks; i++) {
    has_moved |= player->advance(player, i);
  }
  if (blocks && !has_moved) {
    spu_wait_any(&player->awaited.any);
  }
}

void player_play(struct player *player) {
  while (player->nopen > 0) {
    player_turn(player, true);
  }
  player->c->group->port->wait_tags(0xffff);
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

void link_tell(struct coll *c, const struct link *link, const struct message *message, bool frees) {
  size_t at = turn(link, message->number), from = frees ? link->freed_out : link->arrived_out,
         to = frees ? link->freed : link->arrived;
  uint32_t *entry = (uint32_t *)(void *)(c->scratch + from + at);
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
  spu_note_store(entry, COUNT_BYTES);
  entry[0] = message->number;
  entry[LINK_BYTES] = (uint32_t)message->nbytes;
  entry[LINK_REST] = (uint32_t)message->rest;
  entry[LINK_CALL] = (uint32_t)coll_own_calls(c);
  unsigned rank = frees ? link->from : link->to;
  c->group->port->tell(entry, step_peer_ea(c, rank, c->scratch + to + at), COUNT_BYTES, message->tag);
}

void link_put(struct coll *c, const struct link *link, const struct message *message) {
  spu_compute_for(COMPUTE_DMA, c->group->costs.dma);
  size_t nbytes = (message->nbytes + QUADWORD - 1) / QUADWORD * QUADWORD;
  uint64_t ea = step_peer_ea(c, link->to, link_slot(c, link, message->number));
  for (size_t done = 0, piece; done < nbytes; done += piece) {
    piece = c->group->port->any_size || nbytes - done < MFC_MAX_DMA_SIZE ? nbytes - done : MFC_MAX_DMA_SIZE;
    c->group->port->move(&(struct step_dma){.ls = message->data + done,
                                            .ea = ea + done,
                                            .nbytes = (uint32_t)piece,
                                            .tag = message->tag,
                                            .put = true});
  }
  link_tell(c, link, message, false);
}

void link_copy(uint8_t *into, const uint8_t *from, size_t nbytes) {
  spu_catch_up();
  spu_note_load(from, nbytes);
  if (into != from) {
    spu_note_store(into, nbytes);
    memmove(into, from, nbytes);
  }
  spu_compute_for(COMPUTE_COPY, COPY_CYCLES * (nbytes + 15) / 16);
}
