/* SPDX-License-Identifier: BSD-3-Clause
 * See double_buffer.h. Slot 1 + b belongs to buffer b; a fenced get begins when the buffer has been written
 * out. */
#include "algos/memory/double_buffer.h"

size_t double_buffer_scratch(const struct coll_group *group) {
  (void)group;
  return DOUBLE_BUFFER_BUFFERS * DOUBLE_BUFFER_BYTES;
}

/* Return the transfer between BUFFER and EA. */
static struct step_transfer transfer_of(const struct coll *c, unsigned buffer, uint64_t ea, size_t nbytes) {
  return (struct step_transfer){
    .ls = c->scratch + buffer * DOUBLE_BUFFER_BYTES, .ea = ea, .nbytes = nbytes, .slot = 1 + buffer};
}

/* Write the waiting piece out as soon as the piece has been read. */
static void write_out(struct coll *c, struct copies *copies) {
  unsigned buffer = (copies->next + 1) % DOUBLE_BUFFER_BUFFERS;
  struct copy *waiting = &copies->waiting;
  if (waiting->nbytes > 0) {
    step_finish(c, 1 + buffer);
    for (unsigned i = 0; i < (copies->to ? copies->nto : 1); i++) {
      uint64_t from = copies->to ? copies->to[i] : 0;
      struct step_transfer out = transfer_of(c, buffer, from + waiting->to, waiting->nbytes);
      step_start_put(c, &out);
    }
    waiting->nbytes = 0;
  }
}

void copies_add(struct coll *c, struct copies *copies, struct copy copy) {
  for (size_t done = 0, nbytes; done < copy.nbytes; done += nbytes) {
    nbytes = copy.nbytes - done < DOUBLE_BUFFER_BYTES ? copy.nbytes - done : DOUBLE_BUFFER_BYTES;
    struct step_transfer in = transfer_of(c, copies->next, copy.from + done, nbytes);
    in.fenced = true;
    step_start_get(c, &in);
    write_out(c, copies);
    copies->next = (copies->next + 1) % DOUBLE_BUFFER_BUFFERS;
    copies->waiting = (struct copy){.to = copy.to + done, .nbytes = nbytes};
  }
}

void copies_finish(struct coll *c, struct copies *copies) {
  write_out(c, copies);
  for (unsigned buffer = 0; buffer < DOUBLE_BUFFER_BUFFERS; buffer++) {
    step_finish(c, 1 + buffer);
  }
}

void double_buffer_copy_to_all(struct coll *c, const struct double_buffer_copy *copy) {
  struct copies copies = {.to = copy->to, .nto = copy->nto};
  if (copy->nbytes > 0 && copy->nto > 0) {
    copies_add(c, &copies, (struct copy){.from = copy->from, .nbytes = copy->nbytes});
    copies_finish(c, &copies);
  }
}

void double_buffer_copy(struct coll *c, uint64_t to, uint64_t from, size_t nbytes) {
  double_buffer_copy_to_all(
    c, &(struct double_buffer_copy){.from = from, .to = &to, .nto = 1, .nbytes = nbytes});
}
