/* SPDX-License-Identifier: BSD-3-Clause
 * A broadcast that delivers the right bytes and touches besides what is not its own: each flaw must be found
 * for the place, and for who did it. */
#include "algos/step/call_map.h"
#include "algos/step/layout.h"
#include "sim/spu/spu_time.h"
#include "tests/gaming/mutants.h"

#include <string.h>

enum flaw {
  SOUND,
  PUT_INTO_CODE,
  PUT_AT_THE_END,
  PUT_INTO_IDLE_SPE,
  PUT_THE_SAME_FLAGS,
  PUT_INTO_MEMORY,
  PUT_BY_LIST,
  SIGNAL_TO_IDLE_SPE,
  PUTLLC_INTO_MEMORY,
  PUTLLUC_INTO_MEMORY,
  PUTQLLUC_INTO_MEMORY,
  GETLLAR_FROM_MEMORY,
  GETLLAR_INTO_CODE,
  PUTLLUC_UNWRITTEN,
  GET_FROM_CODE,
  GET_OVER_FLAGS,
  GET_UNWRITTEN,
  STORE_INTO_CODE,
  STORE_AT_THE_END,
  STORE_ZEROS,
  STORE_BEHIND_SCRATCH,
  STORE_BEHIND_ARRAYS,
  STORE_NOTED,
  HALF_SCRATCH,
  SCRATCH_UNREAD,
  SCRATCH_ZERO,
  PUT_AFTER_LEAVING,
  GET_AFTER_LEAVING,
  LEAVES_ITS_PUT,
};

/* A line of main memory that belongs to no call. */
static const uint64_t NOBODYS = UINT64_C(0x100000000000);

/* Place for a vector and a line. */
static size_t room(const struct coll_group *group) {
  return group->nbytes + 128;
}

static size_t two_lines(const struct coll_group *group) {
  (void)group;
  return 256;
}

static size_t half_a_room(const struct coll_group *group) {
  return room(group) / 2;
}

/* Return the SPE next to all ranks of C; there may be none. */
static unsigned idle_spe(const struct coll *c) {
  unsigned spe = 0;
  for (unsigned r = 0; r < c->nranks; r++) {
    spe = c->group->spe_of[r] >= spe ? c->group->spe_of[r] + 1 : spe;
  }
  return spe;
}

/* Put 16 bytes from the own scratch to EA. */
static void put_scratch(struct coll *c, uint64_t ea) {
  spu_note_store(c->scratch, 16);
  memset(c->scratch, 7, 16);
  step_store(c, c->scratch, ea, 16);
}

/* Put them by a list of one element. */
static void put_scratch_by_list(struct coll *c, uint64_t ea) {
  mfc_list_element_t *list = (mfc_list_element_t *)(void *)(c->scratch + 64);
  spu_note_store(c->scratch, 128);
  memset(c->scratch, 7, 128);
  *list = (mfc_list_element_t){.size = 16, .eal = (uint32_t)ea};
  mfc_putl(c->scratch, ea, list, sizeof *list, 0, 0, 0);
  mfc_write_tag_mask(1);
  mfc_read_tag_status_all();
}

/* Let an atomic command, or a queued store, of a line meet main memory that is nobody's, code, or scratch
 * that nobody has written. */
static void stray_line(struct coll *c, enum flaw flaw) {
  spu_note_store(c->scratch, 128);
  memset(c->scratch, 7, 128);
  if (flaw == GETLLAR_INTO_CODE) {
    mfc_getllar(spu_ls(0x2000), c->group->shared_ea, 0, 0);
  } else if (flaw == PUTLLUC_UNWRITTEN) {
    mfc_putlluc(c->scratch + 128, c->group->shared_ea, 0, 0);
  } else if (flaw == PUTLLC_INTO_MEMORY) {
    mfc_putllc(c->scratch, NOBODYS, 0, 0);
  } else if (flaw == PUTLLUC_INTO_MEMORY) {
    mfc_putlluc(c->scratch, NOBODYS, 0, 0);
  } else if (flaw == GETLLAR_FROM_MEMORY) {
    mfc_getllar(c->scratch, NOBODYS, 0, 0);
  } else if (flaw == PUTQLLUC_INTO_MEMORY) {
    mfc_putqlluc(c->scratch, NOBODYS, 0, 0, 0);
    step_finish(c, 0);
    return;
  }
  mfc_read_atomic_status();
}

/* What the last rank does with DMAs, which the others need not do. */
static void stray_dmas(struct coll *c, enum flaw flaw) {
  unsigned peer = c->group->spe_of[0], idle = idle_spe(c);
  uint64_t flags = step_peer_ea(c, 0, spu_ls(c->group->ls_base));
  if (flaw == PUT_INTO_CODE) {
    put_scratch(c, spu_ls_ea(peer, 0x1000));
  } else if (flaw == PUT_AT_THE_END) {
    put_scratch(c, spu_ls_ea(peer, 0x3ff00));
  } else if (flaw == PUT_BY_LIST) {
    put_scratch_by_list(c, spu_ls_ea(peer, 0x1000));
  } else if (flaw == PUT_INTO_IDLE_SPE && idle < 16) {
    put_scratch(c, spu_ls_ea(idle, call_map_buffer(c->group)));
  } else if (flaw == PUT_INTO_MEMORY) {
    put_scratch(c, NOBODYS);
  } else if (flaw >= PUTLLC_INTO_MEMORY && flaw <= PUTLLUC_UNWRITTEN) {
    stray_line(c, flaw);
  } else if (flaw == SIGNAL_TO_IDLE_SPE && idle < 16) {
    spu_note_store(c->scratch, 16);
    memset(c->scratch, 7, 16);
    mfc_sndsig(c->scratch + 12, spu_signal_ea(idle, 1), 0, 0, 0);
    step_finish(c, 0);
  } else if (flaw == GET_FROM_CODE) {
    step_fetch(c, c->scratch, spu_ls_ea(peer, 0x1000), 16);
  } else if (flaw == PUT_THE_SAME_FLAGS && c->nranks > 2) {
    step_fetch(c, c->scratch, flags + 16, 16);
    step_store(c, c->scratch, flags + 16, 16);
  } else if (flaw == GET_OVER_FLAGS) {
    step_fetch(c, spu_ls(c->group->ls_base), flags, 16);
  } else if (flaw == GET_UNWRITTEN) {
    step_fetch(c, c->scratch, step_peer_ea(c, 0, c->scratch), 128);
  }
}

/* What the last rank stores. */
static void stray_stores(struct coll *c, enum flaw flaw) {
  if (flaw == STORE_INTO_CODE) {
    memset(spu_ls(0x2000), 7, 1);
  } else if (flaw == STORE_AT_THE_END) {
    memset(spu_ls(0x3f000), 7, 4);
  } else if (flaw == STORE_ZEROS) {
    memset(spu_ls(0x3e000), 0, 16);
  } else if (flaw == STORE_BEHIND_SCRATCH) {
    memset(c->scratch + room(c->group), 7, 1);
  } else if (flaw == STORE_NOTED) {
    spu_note_store(spu_ls(0x2000), 4);
  } else if (flaw == HALF_SCRATCH) {
    memcpy(c->scratch, c->buffer, c->nbytes);
  }
}

/* Let the root take its own bytes by the way of the scratch of the rank after it, which has or has not filled
 * it. */
static void use_scratch(struct coll *c, enum flaw flaw) {
  if (flaw == SCRATCH_UNREAD && c->rank != c->root) {
    spu_note_load(c->scratch, 128);
  }
  if (flaw == SCRATCH_ZERO && c->rank != c->root && c->nbytes > 0) { /* taken for zero */
    spu_note_store(c->buffer, 1);
    c->buffer[0] ^= c->scratch[0];
  }
}

/* The last rank has left, or leaves, too early. */
static void leave_early(struct coll *c, enum flaw flaw) {
  uint64_t peer = step_peer_ea(c, (c->rank + 1) % c->nranks, c->buffer);
  if (c->nbytes < 16) {
    return;
  }
  if (flaw == PUT_AFTER_LEAVING) {
    step_start_put(c, &(struct step_transfer){.ls = c->buffer, .ea = peer, .nbytes = 16});
  } else if (flaw == GET_AFTER_LEAVING) {
    step_start_get(c, &(struct step_transfer){.ls = c->scratch, .ea = peer, .nbytes = 16});
  } else if (flaw == LEAVES_ITS_PUT) {
    uint64_t scratch = step_peer_ea(c, (c->rank + 1) % c->nranks, c->scratch);
    step_start_put(c, &(struct step_transfer){.ls = c->buffer, .ea = scratch, .nbytes = 16});
  }
}

/* Store the first byte behind the notification arrays, where that was the first byte of the buffer: the
 * vector, which comes later, covers it. */
static void store_behind_arrays(struct coll *c) {
  size_t end = c->group->ls_base + step_arrays_bytes(c->nranks);
  if (end % 128 == 0 && c->nbytes > 0) {
    memset(spu_ls((uint32_t)end), 7, 1);
  }
}

static void flat(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  if (flaw == STORE_BEHIND_ARRAYS && c->rank != c->root) {
    store_behind_arrays(c);
  }
  if (c->rank == c->root) {
    mutant_give(c);
  } else {
    step_take(c, c->root, c->buffer, c->nbytes);
  }
  use_scratch(c, flaw);
  if (c->nranks > 1 && c->rank == c->nranks - 1) {
    stray_dmas(c, flaw);
    stray_stores(c, flaw);
    leave_early(c, flaw);
  }
}

#define FLAT(flaw, ...) \
  { \
    MUTANT(COLL_BCAST, flat, flaw), .algo.scratch = room, .expected = { __VA_ARGS__ } \
  }

const struct mutant mutants_of_places[] = {
  {MUTANT(COLL_BCAST, flat, SOUND), .algo.scratch = room},
  FLAT(PUT_INTO_CODE, "forbidden: a put of rank 1 on SPE 1", "writes 16 bytes at 0x1000 of SPE 0",
       "code and stack of rank 0"),
  FLAT(PUT_AT_THE_END, "writes 16 bytes at 0x3ff00 of SPE 0", "behind the scratch of rank 0"),
  FLAT(PUT_INTO_IDLE_SPE, "forbidden: a put of rank 1", "of SPE 2 (an SPE that takes no part)"),
  FLAT(PUT_THE_SAME_FLAGS, "forbidden: a put of rank 2", "the notification arrays of rank 0",
       "the entry of another rank"),
  FLAT(PUT_INTO_MEMORY, "main memory 0x100000000000 (main memory outside of all buffers)"),
  FLAT(PUT_BY_LIST, "forbidden: a put of rank 1", "writes 16 bytes at 0x1000 of SPE 0"),
  FLAT(SIGNAL_TO_IDLE_SPE, "writes 4 bytes at", "of SPE 2 (an SPE that takes no part)"),
  FLAT(PUTLLC_INTO_MEMORY, "forbidden: a putllc of rank 1 on SPE 1", "writes 128 bytes at",
       "main memory 0x100000000000 (main memory outside of all buffers)"),
  FLAT(PUTLLUC_INTO_MEMORY, "forbidden: a putlluc of rank 1 on SPE 1", "writes 128 bytes at",
       "main memory 0x100000000000 (main memory outside of all buffers)"),
  FLAT(PUTQLLUC_INTO_MEMORY, "forbidden: a put of rank 1 on SPE 1", "writes 128 bytes at",
       "main memory 0x100000000000 (main memory outside of all buffers)"),
  FLAT(GETLLAR_FROM_MEMORY, "forbidden: a getllar of rank 1 on SPE 1", "reads 128 bytes at",
       "main memory 0x100000000000 (main memory outside of all buffers)"),
  {MUTANT(COLL_BCAST, flat, GETLLAR_INTO_CODE), .algo.scratch = room, .algo.shared = 128,
   .expected = {"forbidden: a getllar of rank 1 on SPE 1", "writes 128 bytes at 0x2000 of SPE 1",
                "(code and stack of rank 1)"}},
  {MUTANT(COLL_BCAST, flat, PUTLLUC_UNWRITTEN), .algo.scratch = two_lines, .algo.shared = 128,
   .expected = {"forbidden: a putlluc of rank 1 on SPE 1", "reads 128 bytes at 0x",
                "(the scratch of rank 1) that nobody has written"}},
  FLAT(GET_FROM_CODE, "forbidden: a get of rank 1", "reads 16 bytes at 0x1000 of SPE 0"),
  FLAT(GET_OVER_FLAGS, "forbidden: a get of rank 1", "the notification arrays of rank 1"),
  FLAT(GET_UNWRITTEN, "forbidden: a get of rank 1", "the scratch of rank 0) that nobody has written"),
  FLAT(STORE_INTO_CODE, "forbidden: the program of rank 1 on SPE 1 has written 0x2000 (code and stack)"),
  FLAT(STORE_AT_THE_END, "the program of rank 1 on SPE 1 has written 0x3f000 (behind the scratch)"),
  FLAT(STORE_ZEROS, "the program of rank 1 on SPE 1 has written 0x3e000 (behind the scratch)"),
  FLAT(STORE_BEHIND_SCRATCH, "the program of rank 1 on SPE 1 has written 0x", "(behind the scratch)"),
  FLAT(STORE_BEHIND_ARRAYS, "the program of rank ", "has written 0x", "(behind the notification arrays)"),
  FLAT(STORE_NOTED, "forbidden: the program of rank 1 on SPE 1 (cycle", "writes 4 bytes at 0x2000 of SPE 1"),
  {MUTANT(COLL_BCAST, flat, HALF_SCRATCH), .algo.scratch = half_a_room,
   .expected = {"has written 0x", "(behind the scratch)"}},
  FLAT(SCRATCH_UNREAD, "reads 128 bytes at", "(the scratch of rank 1) that nobody has written"),
  FLAT(SCRATCH_ZERO, "rank 1: byte 0 is 0x"),
  FLAT(PUT_AFTER_LEAVING, "forbidden: a put of rank 1", "(the buffer of rank ", "outside of its calls"),
  FLAT(GET_AFTER_LEAVING, "forbidden: a get of rank 1", "(the buffer of rank 0)", "outside of its calls"),
  FLAT(LEAVES_ITS_PUT, "forbidden: a put of rank 1", "(the buffer of rank 1)", "outside of its calls"),
  {.algo.name = NULL},
};
