/* SPDX-License-Identifier: BSD-3-Clause
 * See double_buffer.h. Slot 1 + b belongs to buffer b; a get that is fenced begins when the buffer has been written out. */
#include "algos/memory/double_buffer.h"

size_t
double_buffer_scratch(const struct coll_group *group)
{
  (void)group;
  return DOUBLE_BUFFER_BUFFERS * DOUBLE_BUFFER_BYTES;
}

/* Return piece INDEX of STAGE in its buffer; its effective address is the offset. */
static struct step_transfer
piece(struct coll *c, const struct double_buffer_copy *copy, size_t index)
{
  size_t offset = index * DOUBLE_BUFFER_BYTES, left = copy->nbytes - offset;
  unsigned buffer = index % DOUBLE_BUFFER_BUFFERS;
  return (struct step_transfer){.ls = c->scratch + buffer * DOUBLE_BUFFER_BYTES,
                                .ea = offset,
                                .nbytes = left < DOUBLE_BUFFER_BYTES ? left : DOUBLE_BUFFER_BYTES,
                                .slot = 1 + buffer};
}

static void
read_in(struct coll *c, const struct double_buffer_copy *copy, size_t index)
{
  struct step_transfer transfer = piece(c, copy, index);
  transfer.ea += copy->from;
  transfer.fenced = true;
  step_start_get(c, &transfer);
}

static void
write_out(struct coll *c, const struct double_buffer_copy *copy, size_t index)
{
  for (unsigned i = 0; i < copy->nto; i++) {
    struct step_transfer transfer = piece(c, copy, index);
    transfer.ea += copy->to[i];
    step_start_put(c, &transfer);
  }
}

void
double_buffer_copy_to_all(struct coll *c, const struct double_buffer_copy *copy)
{
  size_t npieces = (copy->nbytes + DOUBLE_BUFFER_BYTES - 1) / DOUBLE_BUFFER_BYTES;
  if (npieces == 0 || copy->nto == 0) {
    return;
  }
  read_in(c, copy, 0);
  for (size_t i = 0; i < npieces; i++) {
    if (i + 1 < npieces) {
      read_in(c, copy, i + 1);
    }
    step_finish(c, 1 + i % DOUBLE_BUFFER_BUFFERS);
    write_out(c, copy, i);
  }
  for (unsigned buffer = 0; buffer < DOUBLE_BUFFER_BUFFERS; buffer++) {
    step_finish(c, 1 + buffer);
  }
}

void
double_buffer_copy(struct coll *c, uint64_t to, uint64_t from, size_t nbytes)
{
  double_buffer_copy_to_all(
    c, &(struct double_buffer_copy){.from = from, .to = &to, .nto = 1, .nbytes = nbytes});
}
