/* SPDX-License-Identifier: BSD-3-Clause
 * See copies.h. Slot 1 + b belongs to buffer b; a get that is fenced begins when the buffer has been written out. */
#include "algos/memory/copies.h"

/* Return the transfer between BUFFER and EA. */
static struct step_transfer
transfer_of(const struct coll *c, unsigned buffer, uint64_t ea, size_t nbytes)
{
  return (struct step_transfer){
    .ls = c->scratch + buffer * DOUBLE_BUFFER_BYTES, .ea = ea, .nbytes = nbytes, .slot = 1 + buffer};
}

/* Write the waiting piece out as soon as it has been read. */
static void
write_out(struct coll *c, struct copies *copies, unsigned buffer)
{
  if (copies->waiting.nbytes > 0) {
    struct step_transfer out = transfer_of(c, buffer, copies->waiting.to, copies->waiting.nbytes);
    step_finish(c, 1 + buffer);
    step_start_put(c, &out);
    copies->waiting.nbytes = 0;
  }
}

void
copies_add(struct coll *c, struct copies *copies, struct copy copy)
{
  for (size_t done = 0, nbytes; done < copy.nbytes; done += nbytes) {
    nbytes = copy.nbytes - done < DOUBLE_BUFFER_BYTES ? copy.nbytes - done : DOUBLE_BUFFER_BYTES;
    struct step_transfer in = transfer_of(c, copies->next, copy.from + done, nbytes);
    in.fenced = true;
    step_start_get(c, &in);
    copies->next = (copies->next + 1) % DOUBLE_BUFFER_BUFFERS;
    write_out(c, copies, copies->next);
    copies->waiting = (struct copy){.to = copy.to + done, .nbytes = nbytes};
  }
}

void
copies_finish(struct coll *c, struct copies *copies)
{
  write_out(c, copies, (copies->next + 1) % DOUBLE_BUFFER_BUFFERS);
  for (unsigned buffer = 0; buffer < DOUBLE_BUFFER_BUFFERS; buffer++) {
    step_finish(c, 1 + buffer);
  }
}
