/* SPDX-License-Identifier: BSD-3-Clause
 * The memories of all chips are one range of addresses: a DMA may begin in one and end in the next. */
#include "sim/hw/board/ea.h"
#include "tests/bed.h"

enum { FROM = 0x10000, BACK = 0x18000, LIST = 0x20000, MEMORY = 1 << 20, MOST = 16384, BEFORE = 4096 };

#define BORDER (EA_MEMORY_BASE + MEMORY)

static void start(void) {
  bed_start();
  bed_use("qs20", "memory.size=1");
  for (unsigned chip = 0; chip < 2; chip++) {
    ck_assert_uint_eq(blade_allocate(bed.blade, chip, MEMORY), EA_MEMORY_BASE + chip * (uint64_t)MEMORY);
  }
}

static void put_and_get(void *argument) {
  uint8_t *from = spu_ls(FROM);
  for (unsigned i = 0; i < MOST; i++) {
    from[i] = (uint8_t)(1 + i % 251);
  }
  mfc_put(from, BORDER - BEFORE, MOST, 0, 0, 0);
  mfc_getf(spu_ls(BACK), BORDER - BEFORE, MOST, 0, 0, 0);
  bed_finish(1);
}

/* Check that the 16 KiB around the border equal the local store's, with nothing behind. */
static void check_memory(void) {
  const uint8_t *ls = blade_ls(bed.blade, 0);
  ck_assert_mem_eq(blade_memory(bed.blade, BORDER - BEFORE), ls + FROM, BEFORE);
  ck_assert_mem_eq(blade_memory(bed.blade, BORDER), ls + FROM + BEFORE, MOST - BEFORE);
  ck_assert_uint_eq(*blade_memory(bed.blade, BORDER + MOST - BEFORE), 0);
}

TESTS(memory_range, .start = start, .stop = bed_end);

TEST(a_dma_goes_on_in_the_memory_of_the_next_chip) {
  bed_run_alone(put_and_get, NULL);
  check_memory();
  ck_assert_mem_eq(blade_ls(bed.blade, 0) + BACK, blade_ls(bed.blade, 0) + FROM, MOST);
}

static void put_list(void *argument) {
  mfc_list_element_t *list = spu_ls(LIST);
  memset(spu_ls(FROM), 7, MOST + 128);
  for (unsigned i = 0; i < 4; i++) {
    list[i] = (mfc_list_element_t){.size = MOST / 4, .eal = (uint32_t)(BORDER - BEFORE + MOST / 4 * i)};
  }
  list[0].size = MOST / 4 + 128;
  list[0].eal = (uint32_t)(BORDER - BEFORE);
  mfc_putl(spu_ls(FROM), BORDER, list, 4 * sizeof *list, 0, 0, 0);
  bed_finish(1);
}

TEST(an_element_of_a_list_does_so_too) {
  bed_run_alone(put_list, NULL);
  check_memory();
}

PROGRAM(put_past_the_end, mfc_put(spu_ls(FROM), BORDER + MEMORY - BEFORE, MOST, 0, 0, 0))

TEST(behind_the_last_memory_there_is_nothing) {
  bed_expect_fault_about(put_past_the_end, "expected a local store, register or memory");
}

/* --- beyond what was allocated --- */

enum { SMALL = 128, BEYOND = MEMORY / 2, LS_END = 256 * 1024, LARGE = 4096 };

/* Write the end of the local store, and main memory far behind the SMALL bytes allocated. */
static void write_beyond(void *argument) {
  memset(spu_ls(LS_END - LARGE), 7, LARGE);
  mfc_put(spu_ls(LS_END - LARGE), EA_MEMORY_BASE + BEYOND, LARGE, 0, 0, 0);
  bed_finish(1);
}

static uint8_t *ls_end(void) {
  return blade_ls(bed.blade, 0) + LS_END - LARGE;
}

static uint8_t *memory_beyond(void) {
  return blade_memory(bed.blade, EA_MEMORY_BASE + BEYOND);
}

/* The next run is on the machine after a reset; with index 1, on another machine of the same size, which may
 * take the room of the released machine. */
TEST_EACH(the_next_run_finds_zeros_where_a_program_has_written_beyond_its_memory, 0, 2) {
  static const uint8_t zeros[LARGE], sevens[LARGE] = {[0 ... LARGE - 1] = 7};
  blade_reset(bed.blade);
  ck_assert_uint_eq(blade_allocate(bed.blade, 0, SMALL), EA_MEMORY_BASE);
  bed_run_alone(write_beyond, NULL);
  ck_assert_mem_eq(ls_end(), sevens, LARGE);
  ck_assert_mem_eq(memory_beyond(), sevens, LARGE);
  if (_i == 1) {
    bed_use("qs20", "memory.size=1");
  } else {
    blade_reset(bed.blade);
  }
  ck_assert_mem_eq(ls_end(), zeros, LARGE);
  ck_assert_mem_eq(memory_beyond(), zeros, LARGE);
}
