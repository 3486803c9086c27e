/* SPDX-License-Identifier: BSD-3-Clause
 * See handover.h. */
#include "algos/cluster/handover.h"

#include "algos/cluster/node_order.h"
#include "algos/step/port.h"
#include "algos/step/step.h"

#include <string.h>

/* Slots of transfers: those of flags are apart from those of data, which are waited for at other places. */
enum { SLOT_DATA = 0, SLOT_FLAG = STEP_SLOTS - 1, FLAG = 16 };

/* Start to put the flag of this call, behind all earlier transfers of SLOT, into the place of flag NUMBER. A put reads the local
 * store late: there are two flags, used in turn. */
static void
start_flag(struct coll *c, unsigned number, unsigned slot)
{
  const struct cluster_call *cluster = c->group->cluster;
  uint32_t *flag = c->group->port->local(cluster->line_at + c->ncalls % 2 * FLAG);
  c->group->port->note_store(flag, FLAG);
  memset(flag, 0, FLAG);
  *flag = c->ncalls + 1;
  step_start_put(c, &(struct step_transfer){.ls = flag,
                                            .ea = cluster->flags_ea + (uint64_t)number * FLAG,
                                            .nbytes = FLAG,
                                            .slot = slot,
                                            .fenced = true});
}

void
handover_tell(struct coll *c)
{
  start_flag(c, c->rank, SLOT_FLAG);
}

void
handover_settle(struct coll *c)
{
  step_finish(c, SLOT_FLAG);
}

/* Wait on the PPE for flag NUMBER of the call that it is in. */
static void
hear(const struct coll_group *group, unsigned number)
{
  const struct cluster_call *cluster = group->cluster;
  group->port->ppe_wait_word(cluster->flags_ea + (uint64_t)number * FLAG, cluster->ncalls + 1,
                             group_name(group, number < group->nranks ? number : group->root));
}

void
handover_hear_all(const struct coll_group *group)
{
  for (unsigned r = 0; r < group->nranks; r++) {
    hear(group, r);
  }
}

void
handover_hear(const struct coll_group *group)
{
  hear(group, group->nranks);
}

void
handover_start(struct coll *c, const uint8_t *from, size_t offset, size_t nbytes)
{
  uint64_t ea = cluster_call_ea(c->group->cluster, c->ncalls) + offset;
  if (nbytes) {
    step_start_put(
      c, &(struct step_transfer){.ls = (void *)from, .ea = ea, .nbytes = nbytes, .slot = SLOT_DATA});
  }
}

/* Return where the blocks of the ranks of the node of C are in the data of its call. */
static struct span
node_blocks(const struct coll *c)
{
  unsigned node = c->group->cluster->place.node;
  return node_order_blocks(c->group, node, node + 1);
}

void
handover_start_node(struct coll *c)
{
  struct span blocks = node_blocks(c);
  handover_start(c, c->group->cluster->inners[c->rank]->buffer, blocks.offset, blocks.nbytes);
}

void
handover_start_own(struct coll *c)
{
  size_t stride = layout_stride(c->group);
  handover_start(c, c->buffer + group_name(c->group, c->rank) * stride,
                 node_blocks(c).offset + c->rank * stride, c->nbytes);
}

void
handover_take_node(struct coll *c)
{
  const struct cluster_call *cluster = c->group->cluster;
  struct span blocks = node_blocks(c);
  step_fetch(c, cluster->inners[c->rank]->buffer, cluster_call_ea(cluster, c->ncalls) + blocks.offset,
             blocks.nbytes);
}

void
handover_take_own(struct coll *c)
{
  const struct cluster_call *cluster = c->group->cluster;
  size_t stride = layout_stride(c->group);
  step_fetch(c, c->buffer + group_name(c->group, c->rank) * stride,
             cluster_call_ea(cluster, c->ncalls) + node_blocks(c).offset + c->rank * stride, c->nbytes);
}

void
handover_say(struct coll *c)
{
  start_flag(c, c->nranks, SLOT_DATA);
  step_finish(c, SLOT_DATA);
}

void
handover_say_own(struct coll *c)
{
  start_flag(c, c->rank, SLOT_DATA);
  step_finish(c, SLOT_DATA);
}

void
handover_give(struct coll *c, size_t offset, size_t nbytes)
{
  handover_start(c, c->buffer + offset, offset, nbytes);
  handover_say(c);
}

void
handover_answer(const struct coll_group *group)
{
  group->port->ppe_write_mailbox(group->spe_of[group->root], group->cluster->ncalls + 1);
}

void
handover_answer_all(const struct coll_group *group)
{
  for (unsigned r = 0; r < group->nranks; r++) {
    group->port->ppe_write_mailbox(group->spe_of[r], group->cluster->ncalls + 1);
  }
}

void
handover_await(struct coll *c)
{
  c->group->port->read_mailbox();
}

void
handover_take(struct coll *c, size_t offset, size_t nbytes)
{
  step_fetch(c, c->buffer + offset, cluster_call_ea(c->group->cluster, c->ncalls) + offset, nbytes);
}
