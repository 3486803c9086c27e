/* SPDX-License-Identifier: BSD-3-Clause
 * See handover.h. */
#include "algos/cluster/handover.h"

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
  group->port->ppe_wait_word(cluster->flags_ea + (uint64_t)number * FLAG, cluster->ncalls + 1);
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
handover_give(struct coll *c, size_t offset, size_t nbytes)
{
  if (nbytes) {
    step_start_put(c, &(struct step_transfer){.ls = c->buffer + offset,
                                              .ea = c->group->cluster->data_ea + offset,
                                              .nbytes = nbytes,
                                              .slot = SLOT_DATA});
  }
  start_flag(c, c->nranks, SLOT_DATA);
  step_finish(c, SLOT_DATA);
}

void
handover_answer(const struct coll_group *group)
{
  group->port->ppe_write_mailbox(group->spe_of[group->root], group->cluster->ncalls + 1);
}

void
handover_await(struct coll *c)
{
  c->group->port->read_mailbox();
}

void
handover_take(struct coll *c, size_t offset, size_t nbytes)
{
  step_fetch(c, c->buffer + offset, c->group->cluster->data_ea + offset, nbytes);
}
