/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/cluster/handover.h"

#include "algos/step/port.h"
#include "algos/step/step.h"

#include <string.h>

/* Slots of transfers: flags have a slot of their own, because the program waits for flags and data at
 * different points. */
enum { SLOT_DATA = 0, SLOT_FLAG = STEP_SLOTS - 1, FLAG = 16 };

/* Start to put the flag of this call into the place of flag NUMBER, behind all earlier transfers of SLOT. A
 * put may read the local store late, so two flags are used in turn. */
static void start_flag(struct coll *c, unsigned number, unsigned slot) {
  const struct cluster_call *cluster = c->group->cluster;
  uint32_t *flag = spu_ls(cluster->line_at + c->ncalls % 2 * FLAG);
  spu_note_store(flag, FLAG);
  memset(flag, 0, FLAG);
  *flag = c->ncalls + 1;
  step_start_put(c, &(struct step_transfer){.ls = flag,
                                            .ea = cluster->flags_ea + (uint64_t)number * FLAG,
                                            .nbytes = FLAG,
                                            .slot = slot,
                                            .fenced = true});
}

void handover_tell(struct coll *c) {
  start_flag(c, c->rank, SLOT_FLAG);
}

void handover_settle(struct coll *c) {
  step_finish(c, SLOT_FLAG);
}

void handover_hear(const struct coll_group *group, bool all) {
  const struct cluster_call *cluster = group->cluster;
  for (unsigned r = all ? 0 : group->nranks, end = all ? group->nranks : r + 1; r < end; r++) {
    ppe_wait_word(cluster->flags_ea + (uint64_t)r * FLAG, cluster->ncalls + 1,
                  group_name(group, all ? r : group->root));
  }
}

void handover_say(struct coll *c, bool own) {
  start_flag(c, own ? c->rank : c->nranks, SLOT_DATA);
  step_finish(c, SLOT_DATA);
}

struct span handover_blocks(const struct coll_group *group, unsigned first, unsigned end) {
  const unsigned *places = group->cluster->place.first;
  size_t stride = layout_stride(group), count = places[end] - places[first];
  return (struct span){places[first] * stride, count ? (count - 1) * stride + group->nbytes : 0};
}

struct span handover_exchanged(const struct coll_group *group, unsigned node) {
  const struct cluster_place *place = &group->cluster->place;
  size_t stride = layout_stride(group), own = group->nranks, theirs = cluster_place_ranks(place, node);
  return (struct span){own * place->first[node] * stride, (own * theirs - 1) * stride + group->nbytes};
}

void handover_start(struct coll *c, const struct handover_move *move, bool put) {
  const unsigned *ranks = c->group->cluster->place.ranks;
  size_t stride = layout_stride(c->group);
  for (unsigned place = move->first, next; place < move->end; place = next) {
    next = place + 1;
    while (next < move->end && ranks[next] == ranks[next - 1] + 1) {
      next++;
    }
    struct step_transfer transfer = {.ls = move->buffer + ranks[place] * stride,
                                     .ea = move->ea + (place - move->first) * stride,
                                     .nbytes = (next - place - 1) * stride + c->nbytes,
                                     .slot = SLOT_DATA};
    (put ? step_start_put : step_start_get)(c, &transfer);
  }
}

void handover_start_all(struct coll *c, bool put) {
  const struct cluster_call *cluster = c->group->cluster;
  handover_start(c,
                 &(struct handover_move){.buffer = c->buffer,
                                         .ea = cluster_call_ea(cluster, c->ncalls),
                                         .end = cluster->place.nranks},
                 put);
}

void handover_get_all(struct coll *c) {
  handover_start_all(c, false);
  step_finish(c, SLOT_DATA);
}

/* Move NBYTES between LS, in local store, and OFFSET in the data of the current call of C. PUT: start a put,
 * so that a flag can follow; else get the bytes and wait. */
static void move(struct coll *c, uint8_t *ls, struct span data, bool put) {
  uint64_t ea = cluster_call_ea(c->group->cluster, c->ncalls) + data.offset;
  if (!put) {
    step_fetch(c, ls, ea, data.nbytes);
  } else if (data.nbytes) {
    step_start_put(c, &(struct step_transfer){.ls = ls, .ea = ea, .nbytes = data.nbytes, .slot = SLOT_DATA});
  }
}

/* The same for the blocks of the node of C, which lie apart from the buffer, or for the OWN block in the
 * buffer. */
static void move_blocks(struct coll *c, bool own, bool put) {
  const struct cluster_call *cluster = c->group->cluster;
  unsigned node = cluster->place.node;
  size_t stride = layout_stride(c->group);
  struct span blocks = handover_blocks(c->group, node, node + 1);
  if (own) {
    struct span block = {blocks.offset + c->rank * stride, c->nbytes};
    move(c, c->buffer + group_name(c->group, c->rank) * stride, block, put);
  } else {
    move(c, cluster->parts[CLUSTER_INNER].ranks[c->rank]->buffer, blocks, put);
  }
}

void handover_give(struct coll *c, size_t nbytes) {
  move(c, c->buffer, (struct span){0, nbytes}, true);
  handover_say(c, false);
}

void handover_take(struct coll *c) {
  move(c, c->buffer, (struct span){0, c->nbytes}, false);
}

void handover_give_blocks(struct coll *c, bool own) {
  move_blocks(c, own, true);
  handover_say(c, own);
}

void handover_take_blocks(struct coll *c, bool own) {
  move_blocks(c, own, false);
}

void handover_answer(const struct coll_group *group, bool all) {
  for (unsigned r = all ? 0 : group->root, end = all ? group->nranks : r + 1; r < end; r++) {
    step_ppe_write_mailbox(group->spe_of[r], group->cluster->ncalls + 1);
  }
}

void handover_await(struct coll *c) {
  (void)c;
  spu_read_in_mbox();
}
