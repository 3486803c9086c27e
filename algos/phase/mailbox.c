/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/mailbox.h"

#include "algos/step/port.h"

void mailbox_ask(const struct coll *c, const uint32_t *words, unsigned count) {
  if (!c->group->port->write_mailbox) {
    c->group->port->fault("a mailbox on a host, expected SPEs");
  }
  for (unsigned i = 0; i < count; i++) {
    c->group->port->write_mailbox(words[i]);
  }
  c->group->port->read_mailbox();
}

void mailbox_hear(const struct coll_group *group, unsigned rank, uint32_t *words, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    words[i] = group->port->ppe_read_mailbox(group->spe_of[rank]);
  }
}

void mailbox_answer(const struct coll_group *group) {
  for (unsigned r = 0; r < group->nranks; r++) {
    group->port->ppe_write_mailbox(group->spe_of[r], 1);
  }
}
