/* SPDX-License-Identifier: BSD-3-Clause
 * See stage.h. Slot 1 + b belongs to buffer b; a get that is fenced begins when the buffer has been written out. */
#include "algos/memory/stage.h"

size_t
stage_scratch(const struct coll_group *group)
{
  (void)group;
  return STAGE_BUFFERS * STAGE_BYTES;
}

/* Return piece INDEX of STAGE in its buffer; its effective address is the offset. */
static struct step_transfer
piece(struct coll *c, const struct stage *stage, size_t index)
{
  size_t offset = index * STAGE_BYTES, left = stage->nbytes - offset;
  unsigned buffer = index % STAGE_BUFFERS;
  return (struct step_transfer){.ls = c->scratch + buffer * STAGE_BYTES,
                                .ea = offset,
                                .nbytes = left < STAGE_BYTES ? left : STAGE_BYTES,
                                .slot = 1 + buffer};
}

static void
read_in(struct coll *c, const struct stage *stage, size_t index)
{
  struct step_transfer transfer = piece(c, stage, index);
  transfer.ea += stage->from;
  transfer.fenced = true;
  step_start_get(c, &transfer);
}

static void
write_out(struct coll *c, const struct stage *stage, size_t index)
{
  for (unsigned i = 0; i < stage->nto; i++) {
    struct step_transfer transfer = piece(c, stage, index);
    transfer.ea += stage->to[i];
    step_start_put(c, &transfer);
  }
}

void
stage_copy_to_all(struct coll *c, const struct stage *stage)
{
  size_t npieces = (stage->nbytes + STAGE_BYTES - 1) / STAGE_BYTES;
  if (npieces == 0 || stage->nto == 0) {
    return;
  }
  read_in(c, stage, 0);
  for (size_t i = 0; i < npieces; i++) {
    if (i + 1 < npieces) {
      read_in(c, stage, i + 1);
    }
    step_finish(c, 1 + i % STAGE_BUFFERS);
    write_out(c, stage, i);
  }
  for (unsigned buffer = 0; buffer < STAGE_BUFFERS; buffer++) {
    step_finish(c, 1 + buffer);
  }
}

void
stage_copy(struct coll *c, uint64_t to, uint64_t from, size_t nbytes)
{
  stage_copy_to_all(c, &(struct stage){.from = from, .to = &to, .nto = 1, .nbytes = nbytes});
}
