/* SPDX-License-Identifier: BSD-3-Clause
 * See double_buffer.h. Slot 1 + b belongs to buffer b; a fenced get begins when the buffer has been written
 * out. */
#include "algos/memory/double_buffer.h"

#include "sim/base/minmax.h"

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
    nbytes = MIN(copy.nbytes - done, DOUBLE_BUFFER_BYTES);
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

/* --- combination ---
 *
 * Buffers 0 and 1 take pieces of the first vector in turn, buffers 2 and 3 pieces of the other
 * vectors. The program gets each piece one piece ahead. */

enum { HALF_BYTES = DOUBLE_BUFFER_BYTES / 2 };

/* Return get INDEX of COMBINE: vector INDEX modulo nfrom of a piece. */
static struct step_transfer operand(const struct coll *c, const struct memory_combine *combine,
                                    size_t index) {
  size_t piece = index / combine->nfrom, vector = index % combine->nfrom;
  size_t offset = piece * HALF_BYTES, left = combine->nbytes - offset;
  size_t before = piece * (combine->nfrom - 1) + vector - 1; /* operands other than first vectors */
  unsigned buffer = (unsigned)(vector == 0 ? piece % 2 : 2 + before % 2);
  return (struct step_transfer){.ls = c->scratch + (size_t)buffer * HALF_BYTES,
                                .ea = combine->from[vector] + offset,
                                .nbytes = MIN(left, HALF_BYTES),
                                .slot = 1 + buffer,
                                .fenced = true};
}

void memory_combine(struct coll *c, const struct memory_combine *combine) {
  size_t n = (combine->nbytes + HALF_BYTES - 1) / HALF_BYTES * combine->nfrom;
  for (size_t i = 0; i <= n && n > 0; i++) {
    if (i < n) {
      struct step_transfer next = operand(c, combine, i);
      step_start_get(c, &next);
    }
    if (i == 0) {
      continue;
    }
    struct step_transfer into = operand(c, combine, (i - 1) / combine->nfrom * combine->nfrom);
    struct step_transfer from = operand(c, combine, i - 1);
    step_finish(c, from.slot);
    if (from.ls != into.ls) {
      step_combine(c, into.ls, from.ls, from.nbytes);
    }
    if (i % combine->nfrom == 0) { /* the operand was the last one of a piece, now written out */
      into.ea += combine->to - combine->from[0];
      into.fenced = false;
      step_start_put(c, &into);
    }
  }
  for (unsigned buffer = 0; buffer < 2; buffer++) {
    step_finish(c, 1 + buffer);
  }
}
