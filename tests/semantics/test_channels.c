/* SPDX-License-Identifier: BSD-3-Clause
 * Decrementer, tag manager, and channels by number. */
#include "tests/bed.h"

enum { HERE = 0x10000 };

static void run(void (*program)(void *), void *argument) {
  blade_reset(bed.blade);
  bed_run_alone(program, argument);
}

/* 3 200 000 cycles are a millisecond: 14318 ticks of a time base of 14.318 MHz. A tick takes more than 223
 * cycles. */
static void count_down(void *argument) {
  spu_write_decrementer(20000);
  ck_assert_uint_eq(spu_read_decrementer(), 20000);
  spu_compute(3200000);
  ck_assert_uint_eq(spu_read_decrementer(), 20000 - 14318);
  spu_compute(3200000);
  ck_assert_uint_eq(spu_read_decrementer(), UINT32_C(20000) - 2 * 14318);
  spu_write_decrementer(7);
  ck_assert_uint_eq(spu_read_decrementer(), 7);
}

TESTS(channels, .start = bed_begin_unwatched, .stop = bed_end);

TEST(the_decrementer_counts_with_the_time_base_and_wraps) {
  run(count_down, NULL);
}

static void reserve(void *argument) {
  ck_assert_uint_eq(mfc_tag_reserve(), 0);
  ck_assert_uint_eq(mfc_multi_tag_reserve(4), 1);
  ck_assert_uint_eq(mfc_tag_release(3), MFC_TAG_VALID);
  ck_assert_uint_eq(mfc_tag_release(3), MFC_TAG_INVALID);
  ck_assert_uint_eq(mfc_multi_tag_reserve(2), 5);
  ck_assert_uint_eq(mfc_tag_reserve(), 3);
  ck_assert_uint_eq(mfc_multi_tag_reserve(26), MFC_TAG_INVALID);
  ck_assert_uint_eq(mfc_multi_tag_reserve(25), 7);
  ck_assert_uint_eq(mfc_tag_reserve(), MFC_TAG_INVALID);
  ck_assert_uint_eq(mfc_multi_tag_release(0, 32), MFC_TAG_VALID);
  ck_assert_uint_eq(mfc_multi_tag_release(0, 33), MFC_TAG_INVALID);
  ck_assert_uint_eq(mfc_multi_tag_reserve(0), MFC_TAG_INVALID);
  ck_assert_uint_eq(mfc_tag_release(32), MFC_TAG_INVALID);
  ck_assert_uint_eq(mfc_multi_tag_reserve(32), 0);
}

TEST(tags_are_handed_out_once) {
  run(reserve, NULL);
  run(reserve, NULL);
}

static void get_by_name(void *argument) {
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 4096, 3, 0, 0);
  mfc_write_tag_mask(1U << 3);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 8);
  *(uint64_t *)argument = spu_cycles();
}

static void give(uint32_t ls, uint64_t ea, uint32_t size, uint32_t command) {
  spu_writech(MFC_LSA, ls);
  spu_writech(MFC_EAH, (uint32_t)(ea >> 32));
  spu_writech(MFC_EAL, (uint32_t)ea);
  spu_writech(MFC_Size, size);
  spu_writech(MFC_TagID, 3);
  spu_writech(MFC_Cmd, command);
}

static void get_by_channel(void *argument) {
  give(HERE, spu_ls_ea(1, HERE), 4096, MFC_GET_CMD);
  spu_writech(MFC_WrTagMask, 1U << 3);
  spu_writech(MFC_WrTagUpdate, MFC_TAG_UPDATE_ALL);
  ck_assert_uint_eq(spu_readch(MFC_RdTagStat), 8);
  *(uint64_t *)argument = spu_cycles();
}

TEST(a_channel_takes_as_long_as_the_call) {
  uint64_t by_name, by_channel;
  run(get_by_name, &by_name);
  run(get_by_channel, &by_channel);
  ck_assert_uint_gt(by_name, 280);
  ck_assert_uint_eq(by_name, by_channel);
}

/* All other operations with a channel, to and from the SPE itself. */
static void use_channels(void *argument) {
  uint32_t *cell = spu_ls(HERE + 12);
  *cell = 5;
  spu_writech(MFC_WrTagMask, 1U << 3);
  ck_assert_uint_eq(spu_readch(MFC_RdTagMask), 8);
  ck_assert_uint_eq(spu_readchcnt(SPU_RdSigNotify1), 0);
  give(HERE + 12, spu_signal_ea(0, 1), 0, MFC_SNDSIG_CMD);
  give(HERE + 12, spu_signal_ea(0, 2), 4, MFC_PUTF_CMD);
  give(HERE + 12, spu_mailbox_ea(0), 4, MFC_PUTB_CMD);
  ck_assert_uint_eq(spu_readchcnt(MFC_Cmd), 13);
  spu_writech(MFC_WrTagUpdate, MFC_TAG_UPDATE_ANY);
  ck_assert_uint_eq(spu_readchcnt(MFC_RdTagStat), 0);
  ck_assert_uint_eq(spu_readch(SPU_RdInMbox), 5);
  ck_assert_uint_eq(spu_readch(SPU_RdSigNotify1), 5);
  ck_assert_uint_eq(spu_readch(SPU_RdSigNotify2), 5);
  ck_assert_uint_eq(spu_readch(MFC_RdTagStat), 8);
  ck_assert_uint_eq(spu_readchcnt(MFC_RdTagStat), 0);
  ck_assert_uint_eq(spu_readchcnt(MFC_WrTagUpdate), 1);
  ck_assert_uint_eq(spu_readchcnt(SPU_WrOutMbox), 1);
  spu_writech(SPU_WrOutMbox, 1);
  ck_assert_uint_eq(spu_readchcnt(SPU_WrOutMbox), 0);
  spu_writech(SPU_WrOutIntrMbox, 1);
  ck_assert_uint_eq(spu_readchcnt(SPU_WrOutIntrMbox), 0);
  spu_writech(SPU_WrDec, 9);
  ck_assert_uint_eq(spu_readch(SPU_RdDec), 9);
  ck_assert_uint_eq(spu_readchcnt(SPU_RdDec), 1);
  ck_assert_uint_eq(spu_readchcnt(99), 0);
}

TEST(every_channel_leads_to_its_call) {
  run(use_channels, NULL);
}

/* A list of two elements, an atomic load and a queued store of a line, by channel. */
static void use_list(void *argument) {
  uint64_t ea = *(uint64_t *)argument;
  mfc_list_element_t *list = spu_ls(HERE + 0x8000);
  for (uint32_t i = 0; i < 2; i++) {
    list[i] = (mfc_list_element_t){.size = 128, .eal = (uint32_t)(ea + 1024 * i)};
  }
  memset(spu_ls(HERE), 7, 256);
  spu_writech(MFC_LSA, HERE);
  spu_writech(MFC_EAH, (uint32_t)(ea >> 32));
  spu_writech(MFC_EAL, HERE + 0x8000);
  spu_writech(MFC_Size, sizeof *list * 2);
  spu_writech(MFC_TagID, 3);
  spu_writech(MFC_Cmd, MFC_PUTL_CMD);
  spu_writech(MFC_WrTagMask, 1U << 3);
  spu_writech(MFC_WrTagUpdate, MFC_TAG_UPDATE_ALL);
  spu_readch(MFC_RdTagStat);
  give(HERE + 0x1000, ea + 1024, 0, MFC_GETLLAR_CMD);
  ck_assert_uint_eq(spu_readch(MFC_RdAtomicStat), MFC_GETLLAR_STATUS);
  ck_assert_uint_eq(spu_readchcnt(MFC_RdAtomicStat), 0);
  ck_assert_mem_eq(spu_ls(HERE + 0x1000), spu_ls(HERE), 128);
  give(HERE, ea + 2048, 0, MFC_PUTQLLUC_CMD);
  spu_writech(MFC_WrTagMask, UINT32_MAX);
  spu_writech(MFC_WrTagUpdate, MFC_TAG_UPDATE_ALL);
  spu_readch(MFC_RdTagStat);
  ck_assert_mem_eq(blade_memory(bed.blade, ea + 2048), spu_ls(HERE), 128);
}

TEST(lists_and_atomics_have_channels_too) {
  uint64_t ea = blade_allocate(bed.blade, 0, 4096);
  run(use_list, &ea);
}

PROGRAM(read_wrong, spu_readch(SPU_WrOutMbox))
PROGRAM(write_wrong, spu_writech(SPU_RdInMbox, 0))
PROGRAM(command_wrong, spu_writech(MFC_Cmd, 0x28)) /* puts: for the PPE only */

TEST(channels_and_commands_that_there_are_not_are_faults) {
  bed_expect_end(
    &SPES(ON_SPE(0, read_wrong, NULL), ON_SPE(1, write_wrong, NULL), ON_SPE(3, command_wrong, NULL)),
    "rank 0 stopped at cycle 0 by a fault: read of channel 28, expected one that can be read\n"
    "rank 1 stopped at cycle 0 by a fault: write of channel 29, expected one that can be written\n"
    "rank 3 stopped at cycle 0 by a fault: MFC command 0x28, expected one that there is\n",
    NULL);
}
