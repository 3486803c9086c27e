/* SPDX-License-Identifier: BSD-3-Clause
 * See mailbox.h. */
#include "algos/phase/mailbox.h"

#include "sim/spu/ppe_api.h"
#include "sim/spu/spu_mailbox.h"

void
mailbox_ask(const uint32_t *words, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    spu_write_out_mbox(words[i]);
  }
  spu_read_in_mbox();
}

void
mailbox_hear(const struct coll_group *group, unsigned rank, uint32_t *words, unsigned count)
{
  unsigned spe = group->spe_of[rank];
  for (unsigned i = 0; i < count; i++) {
    ppe_wait_out_mbox(&spe, 1);
    spe_out_mbox_read(spe, &words[i], 1);
  }
}

void
mailbox_answer(const struct coll_group *group)
{
  static const uint32_t answer = 1;
  for (unsigned r = 0; r < group->nranks; r++) {
    spe_in_mbox_write(group->spe_of[r], &answer, 1, SPE_MBOX_ALL_BLOCKING);
  }
}
