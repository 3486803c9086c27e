/* SPDX-License-Identifier: BSD-3-Clause
 * See mailbox.h. */
#include "algos/phase/mailbox.h"

#include "algos/step/port.h"

void
mailbox_ask(const struct coll *c, const uint32_t *words, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    c->group->port->write_mailbox(words[i]);
  }
  c->group->port->read_mailbox();
}

void
mailbox_hear(const struct coll_group *group, unsigned rank, uint32_t *words, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    words[i] = group->port->ppe_read_mailbox(group->spe_of[rank]);
  }
}

void
mailbox_copy(const struct coll_group *group, uint64_t to, uint64_t from, size_t nbytes)
{
  group->port->ppe_copy(to, from, (uint32_t)nbytes);
}

void
mailbox_answer_one(const struct coll_group *group, unsigned rank)
{
  group->port->ppe_write_mailbox(group->spe_of[rank], 1);
}

void
mailbox_answer(const struct coll_group *group)
{
  for (unsigned r = 0; r < group->nranks; r++) {
    mailbox_answer_one(group, r);
  }
}
