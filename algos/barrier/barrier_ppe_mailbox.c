/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier through the PPE: every rank writes a word into its outbound mailbox; the PPE reads all words, then
 * writes a word into every inbound mailbox.
 *
 *   0 1 2 ... p-1  >  PPE  >  0 1 2 ... p-1
 *
 * source: Velamati et al. 2007, section 5.3. */
#include "algos/phase/mailbox.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  step_begin(c);
  mailbox_ask(c, &c->rank, 1);
}

static void ppe(const struct coll_group *group) {
  uint32_t word;
  for (unsigned r = 0; r < group->nranks; r++) {
    mailbox_hear(group, r, &word, 1);
  }
  mailbox_answer(group);
}

const struct algo barrier_ppe_mailbox = {
  .collective = COLL_BARRIER,
  .name = "ppe-mailbox",
  .source = "velamati2007",
  .idea = "the PPE reads a word of every rank and answers all",
  .run = run,
  .ppe = ppe,
};
