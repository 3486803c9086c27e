/* SPDX-License-Identifier: BSD-3-Clause
 * The hazard detector and programs on a PPE: a PPE program's accesses to memory meet the DMA commands of
 * SPEs.
 *
 * A put of 16 bytes to main memory is under way from cycle 10 on for more than 200 cycles, like a put to a
 * local store (test_hazards.c). A copy by a PPE reads and writes in its last cycle, here after 50 cycles and
 * the few cycles of 16 bytes. */
#include "tests/bed.h"

enum { A = 0x10000, BYTES = 16, ROOM = 4096 };

static uint64_t memory;

static void run(void (*spu_main)(void *), void (*ppu_main)(void *)) {
  blade_reset(bed.blade);
  memory = blade_allocate(bed.blade, 0, ROOM);
  bed_run_beside(ON_SPE(0, spu_main, NULL), ppu_main, NULL);
}

/* Check that there was one hazard: program PPE DOES something to 16 bytes of memory during the put to these
 * bytes. */
static void expect(const char *does) {
  char begin[160], end[160];
  snprintf(begin, sizeof begin,
           "put of 16 bytes (SPE on SPE 0, tag 1, cycle 10, from 0x10000 of SPE 0 to main memory 0x%llx) "
           "writes and PPE on a PPE (cycle ",
           (unsigned long long)memory);
  snprintf(end, sizeof end,
           ") %s 16 bytes at main memory 0x%llx, in no order: before the second its program must learn from "
           "a flag or a signal that the first is over",
           does, (unsigned long long)memory);
  ck_assert_msg(bed.hazards->count == 1, "%u hazards where a PPE %s", (unsigned)bed.hazards->count, does);
  ck_assert_msg(strncmp(bed.hazards->lines[0], begin, strlen(begin)) == 0, "%s", bed.hazards->lines[0]);
  ck_assert_msg(strstr(bed.hazards->lines[0], end) != NULL, "%s", bed.hazards->lines[0]);
  bed_take_hazards();
}

/* Put, and notify the PPE after the end of the put. */
PROGRAM(put, mfc_put(spu_ls(A), memory, BYTES, 1, 0, 0); bed_finish(2); spu_write_out_mbox(1))

PROGRAM(copy_from, ppe_compute(50); ppe_memcpy(memory + ROOM / 2, memory, BYTES))
PROGRAM(copy_to, ppe_compute(50); ppe_memcpy(memory, memory + ROOM / 2, BYTES))
PROGRAM(look, ppe_compute(50); des_sync(des_self()); ppe_note_load(memory, BYTES))

static void wait_and_copy(void *argument) {
  unsigned spe = 0;
  uint32_t word;
  ppe_wait_out_mbox(&spe, 1);
  spe_out_mbox_read(spe, &word, 1);
  copy_from(argument);
  copy_to(argument);
}

TESTS(ppe_hazards, .start = bed_begin, .stop = bed_end);

TEST(what_an_SPE_puts_into_memory_is_not_touched_before_it_is_there) {
  run(put, copy_from);
  expect("reads");
  run(put, copy_to);
  expect("writes");
  run(put, look);
  expect("reads");
}

TEST(what_is_waited_for_may_be_touched) {
  run(put, wait_and_copy);
  ck_assert_uint_eq(bed.hazards->count, 0);
}

PROGRAM(copy_into_the_local_store, ppe_compute(50); ppe_memcpy(spu_ls_ea(0, A), memory + ROOM / 2, BYTES))

TEST(the_source_of_a_put_is_not_written_by_a_PPE) {
  run(put, copy_into_the_local_store);
  ck_assert_uint_eq(bed.hazards->count, 1);
  ck_assert_ptr_nonnull(strstr(bed.hazards->lines[0], " reads and PPE on a PPE (cycle "));
  ck_assert_ptr_nonnull(strstr(bed.hazards->lines[0], ") writes 16 bytes at 0x10000 of SPE 0, in no"));
  bed_take_hazards();
}
