/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcast by the PPE: all ranks tell the PPE through their mailboxes the places of their data; the PPE
 * copies the root's data to each rank and answers.
 *
 *   addresses: all > PPE   then   memory of 0 > PPE > memory of 1, then of 2, ...
 *
 * The PPE does one thing after the other. The first rank takes a round trip through the mailboxes, `mail`.
 * Each other rank adds the receipt of an address, `hear`, and a copy, and delays later answers by `answer`.
 * So rank r is through at
 *
 *   mail + (p - 1) (hear + copy(m)) + r answer
 *
 * and then all synchronize.
 * source: Velamati et al. 2007, section 6.3. */
#include "algos/phase/mailbox.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  step_begin(c);
  mailbox_ask(c, (uint32_t[]){(uint32_t)(c->buffer_ea >> 32), (uint32_t)c->buffer_ea}, 2);
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

/* Return the place of RANK's buffer. */
static uint64_t hear_address(const struct coll_group *group, unsigned rank) {
  uint32_t words[2];
  mailbox_hear(group, rank, words, 2);
  return (uint64_t)words[0] << 32 | words[1];
}

static void ppe(const struct coll_group *group) {
  uint64_t from = hear_address(group, group->root);
  for (unsigned r = 0; r < group->nranks; r++) {
    if (r != group->root) {
      ppe_memcpy(hear_address(group, r), from, (uint32_t)group->nbytes);
    }
  }
  mailbox_answer(group);
}

const struct algo bcast_mm_ppe = {
  .collective = COLL_BCAST,
  .name = "mm-ppe",
  .source = "velamati2007",
  .idea = "the PPE copies the data from memory to memory",
  .in_memory = true,
  .run = run,
  .ppe = ppe,
};
