/* SPDX-License-Identifier: BSD-3-Clause
 * A broadcast that delivers the right bytes, beside which the program of the PPE touches what is not the
 * call's: each flaw must be found for the place, and for the PPE. */
#include "algos/step/call_map.h"
#include "algos/step/layout.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu_time.h"
#include "tests/gaming/mutants.h"

enum { SHARED = 128, CODE = 0x1000, IDLE_FROM = 16 };

static size_t one_line(const struct coll_group *group) {
  (void)group;
  return SHARED;
}

/* Every rank takes the vector of the root. */
static void flat(struct coll *c) {
  if (c->rank == c->root) {
    mutant_give(c);
  } else {
    step_take(c, c->root, c->buffer, c->nbytes);
  }
}

/* Return the SPE next to all ranks of GROUP; that of rank 0 if there is none. */
static unsigned idle_spe(const struct coll_group *group) {
  unsigned spe = 0;
  for (unsigned r = 0; r < group->nranks; r++) {
    spe = group->spe_of[r] >= spe ? group->spe_of[r] + 1 : spe;
  }
  return spe < IDLE_FROM ? spe : group->spe_of[0];
}

/* Let the MFC of SPE move 16 bytes between byte LS of its local store and EA, out of it if IS_PUT. */
static void move_by_proxy(unsigned spe, uint32_t ls, uint64_t ea, bool is_put) {
  uint32_t done;
  if (is_put) {
    spe_mfcio_put(spe, ls, ea, 16, 3, 0, 0);
  } else {
    spe_mfcio_get(spe, ls, ea, 16, 3, 0, 0);
  }
  spe_mfcio_tag_status_read(spe, 1U << 3, SPE_TAG_ALL, &done);
}

/* What it may do: copy from shared memory into scratch and back, by itself and by a proxy command, and
 * signal. */
static void sound(const struct coll_group *group) {
  unsigned spe = group->spe_of[0];
  uint32_t scratch = (uint32_t)call_map_scratch(group);
  ppe_memcpy(spu_ls_ea(spe, scratch), group->shared_ea, 16);
  ppe_memcpy(group->shared_ea + 112, spu_ls_ea(spe, scratch), 16);
  move_by_proxy(spe, scratch + 16, group->shared_ea, false);
  spe_signal_write(spe, SPE_SIG_NOTIFY_REG_2, 1);
}

static void copy_into_code(const struct coll_group *group) {
  ppe_memcpy(spu_ls_ea(group->spe_of[0], CODE), group->shared_ea, 16);
}

static void copy_from_code(const struct coll_group *group) {
  ppe_memcpy(group->shared_ea, spu_ls_ea(group->spe_of[0], CODE), 16);
}

static void copy_into_idle_spe(const struct coll_group *group) {
  ppe_memcpy(spu_ls_ea(idle_spe(group), (uint32_t)call_map_scratch(group)), group->shared_ea, 16);
}

static void copy_into_memory(const struct coll_group *group) {
  ppe_memcpy(group->shared_ea + SHARED, group->shared_ea, 16);
}

/* The same bytes as before. */
static void copy_into_flags(const struct coll_group *group) {
  uint64_t flags = spu_ls_ea(group->spe_of[0], group->ls_base);
  ppe_memcpy(flags, flags, 16);
}

static void copy_unwritten(const struct coll_group *group) {
  ppe_memcpy(group->shared_ea, spu_ls_ea(group->spe_of[0], (uint32_t)call_map_scratch(group)), SHARED);
}

/* Long after all calls. */
static void copy_late(const struct coll_group *group) {
  uint64_t buffer = spu_ls_ea(group->spe_of[0], call_map_buffer(group));
  ppe_compute(100000000);
  if (group->nbytes >= 16) {
    ppe_memcpy(buffer, buffer, 16);
  }
}

static void signal_to_idle_spe(const struct coll_group *group) {
  spe_signal_write(idle_spe(group), SPE_SIG_NOTIFY_REG_2, 1);
}

static void mail_to_idle_spe(const struct coll_group *group) {
  const uint32_t word = 1;
  spe_in_mbox_write(idle_spe(group), &word, 1, SPE_MBOX_ANY_NONBLOCKING);
}

static void put_into_code(const struct coll_group *group) {
  move_by_proxy(group->spe_of[0], (uint32_t)call_map_scratch(group), spu_ls_ea(group->spe_of[0], CODE), true);
}

static void get_into_idle_spe(const struct coll_group *group) {
  move_by_proxy(idle_spe(group), (uint32_t)call_map_scratch(group), group->shared_ea, false);
}

#define BESIDE(flaw, ...) \
  { \
    .algo.collective = COLL_BCAST, .algo.name = #flaw, .algo.source = "ali2010", .algo.idea = #flaw, \
    .algo.run = flat, .algo.ppe = flaw, .algo.scratch = one_line, .algo.shared = SHARED, .expected = { \
      __VA_ARGS__ \
    } \
  }

const struct mutant mutants_of_ppes[] = {
  BESIDE(sound, NULL),
  BESIDE(copy_into_code, "forbidden: the program PPE 0 (cycle ",
         "writes 16 bytes at 0x1000 of SPE 0 (code and stack of rank 0)"),
  BESIDE(copy_from_code, "forbidden: the program PPE 0 (cycle ",
         "reads 16 bytes at 0x1000 of SPE 0 (code and stack of rank 0)"),
  BESIDE(copy_into_idle_spe, "forbidden: the program PPE 0 (cycle ", "writes 16 bytes at 0x",
         "of SPE 1 (an SPE that takes no part)"),
  BESIDE(copy_into_memory, "forbidden: the program PPE 0 (cycle ", "writes 16 bytes at main memory 0x",
         "(main memory outside of all buffers)"),
  BESIDE(copy_into_flags, "forbidden: the program PPE 0 (cycle ", "(the notification arrays of rank 0)",
         "the entry of another rank"),
  BESIDE(copy_unwritten, "forbidden: the program PPE 0 (cycle ",
         "(the scratch of rank 0) that nobody has written"),
  BESIDE(copy_late, "forbidden: the program PPE 0 (cycle ", "(the buffer of rank 0)", "outside of its calls"),
  BESIDE(signal_to_idle_spe, "forbidden: the program PPE 0 (cycle ", "writes 4 bytes at 0x",
         "of SPE 1 (an SPE that takes no part)"),
  BESIDE(mail_to_idle_spe, "forbidden: the program PPE 0 (cycle ", "writes 4 bytes at 0x",
         "of SPE 1 (an SPE that takes no part)"),
  BESIDE(put_into_code, "forbidden: a put of PPE 0 by the MFC of rank 0 on SPE 0 (tag 3; cycle ",
         "writes 16 bytes at 0x1000 of SPE 0 (code and stack of rank 0)"),
  BESIDE(get_into_idle_spe, "forbidden: a get of PPE 0 by the MFC of SPE 1 (tag 3; cycle ",
         "writes 16 bytes at 0x", "of SPE 1 (an SPE that takes no part)"),
  {.algo.name = NULL},
};
