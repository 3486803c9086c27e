/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/mailbox.h"

#include "algos/step/port.h"

void mailbox_ask(const struct coll *c, const uint32_t *words, unsigned count) {
  if (c->group->on_hosts) {
    spu_fault("a mailbox on a host, expected SPEs");
  }
  for (unsigned i = 0; i < count; i++) {
    spu_write_out_mbox(words[i]);
  }
  spu_read_in_mbox();
}

void mailbox_hear(const struct coll_group *group, unsigned rank, uint32_t *words, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    words[i] = step_ppe_read_mailbox(group->spe_of[rank]);
  }
}

void mailbox_answer(const struct coll_group *group) {
  for (unsigned r = 0; r < group->nranks; r++) {
    step_ppe_write_mailbox(group->spe_of[r], 1);
  }
}
