/* SPDX-License-Identifier: BSD-3-Clause
 * Words from all ranks to the PPE, and the PPE's answers.
 * source: Velamati et al. 2007, section 5.3. */
#pragma once

#include "algos/step/coll.h"
#include "algos/step/port.h"

/* On an SPE: send COUNT words to the PPE and wait for the answer. */
static inline void mailbox_ask(const struct coll *c, const uint32_t *words, unsigned count) {
  if (c->group->on_hosts) {
    spu_fault("a mailbox on a host, expected SPEs");
  }
  for (unsigned i = 0; i < count; i++) {
    spu_write_out_mbox(words[i]);
  }
  spu_read_in_mbox();
}

/* On the PPE: wait for COUNT words of RANK. */
static inline void mailbox_hear(const struct coll_group *group, unsigned rank, uint32_t *words,
                                unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    words[i] = step_ppe_read_mailbox(group->spe_of[rank]);
  }
}

/* On the PPE: answer every rank. */
static inline void mailbox_answer(const struct coll_group *group) {
  for (unsigned r = 0; r < group->nranks; r++) {
    step_ppe_write_mailbox(group->spe_of[r], 1);
  }
}
