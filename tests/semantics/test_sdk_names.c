/* SPDX-License-Identifier: BSD-3-Clause
 * What code for the SDK expects of its headers, beyond the calls that other suites test: names by which such
 * code includes the headers, parameters, commands by intrinsics, hints, the state of the SPU.
 * source: names and numbers: IBM, Cell BE Programming Tutorial (SDK 3.0), "Channels" and "MFC input and
 * output macros"; numbers of commands and events: the header of GCC for the SPU; meanings: Cell Broadband
 * Engine Architecture. */
#include "sim/spu/spu_intrinsics.h"
#include "tests/bed.h"

enum { HERE = 0x10000, LIST = 0x18000, TAG = 3 };

static uint64_t memory;

static void start(void) {
  bed_begin_unwatched();
  memory = blade_allocate(bed.blade, 0, 32768);
}

TESTS(sdk_names, .start = start, .stop = bed_end);

TEST(parameters_are_put_together_and_taken_apart) {
  ck_assert_uint_eq(mfc_ea2h(UINT64_C(0x123456789abcdef0)), 0x12345678);
  ck_assert_uint_eq(mfc_ea2l(UINT64_C(0x123456789abcdef0)), 0x9abcdef0);
  ck_assert_uint_eq(mfc_hl2ea(0x12345678, 0x9abcdef0), UINT64_C(0x123456789abcdef0));
  ck_assert_uint_eq(mfc_ceil128(0), 0);
  ck_assert_uint_eq(mfc_ceil128(1), 128);
  ck_assert_uint_eq(mfc_ceil128(128), 128);
  ck_assert_uint_eq(mfc_ceil128(UINT64_C(0x1000000081)), UINT64_C(0x1000000100));
  ck_assert_uint_eq(MFC_CMD_WORD(0x12, 0x34, MFC_PUT_CMD), 0x12340020);
  ck_assert_uint_eq(MFC_MIN_DMA_SIZE, 16);
  ck_assert_uint_eq(MFC_MAX_DMA_SIZE, 16384);
  ck_assert_uint_eq(MFC_MIN_DMA_LIST_SIZE, sizeof(mfc_list_element_t));
  ck_assert_uint_eq(MFC_MAX_DMA_LIST_SIZE, 2048 * sizeof(mfc_list_element_t));
  ck_assert_uint_eq(si_to_uint(si_from_uint(7)), 7);
}

/* Forms of a put or get differ by bits: barrier 1, fence 2, list 4, result 16. */
static const unsigned numbers[][2] = {{MFC_PUT_CMD, 0x20},
                                      {MFC_PUTB_CMD, 0x20 | 1},
                                      {MFC_PUTF_CMD, 0x20 | 2},
                                      {MFC_PUTL_CMD, 0x20 | 4},
                                      {MFC_PUTLB_CMD, 0x20 | 5},
                                      {MFC_PUTLF_CMD, 0x20 | 6},
                                      {MFC_PUTR_CMD, 0x20 | 16},
                                      {MFC_PUTRB_CMD, 0x20 | 17},
                                      {MFC_PUTRF_CMD, 0x20 | 18},
                                      {MFC_PUTRL_CMD, 0x20 | 20},
                                      {MFC_PUTRLB_CMD, 0x20 | 21},
                                      {MFC_PUTRLF_CMD, 0x20 | 22},
                                      {MFC_GET_CMD, 0x40},
                                      {MFC_GETB_CMD, 0x40 | 1},
                                      {MFC_GETF_CMD, 0x40 | 2},
                                      {MFC_GETL_CMD, 0x40 | 4},
                                      {MFC_GETLB_CMD, 0x40 | 5},
                                      {MFC_GETLF_CMD, 0x40 | 6},
                                      {MFC_SDCRT_CMD, 0x80},
                                      {MFC_SDCRTST_CMD, 0x81},
                                      {MFC_SDCRZ_CMD, 0x89},
                                      {MFC_SDCRST_CMD, 0x8d},
                                      {MFC_SDCRF_CMD, 0x8f},
                                      {MFC_SNDSIG_CMD, 0xa0},
                                      {MFC_SNDSIGB_CMD, 0xa0 | 1},
                                      {MFC_SNDSIGF_CMD, 0xa0 | 2},
                                      {MFC_PUTLLUC_CMD, 0xb0},
                                      {MFC_PUTLLC_CMD, 0xb4},
                                      {MFC_PUTQLLUC_CMD, 0xb8},
                                      {MFC_BARRIER_CMD, 0xc0},
                                      {MFC_EIEIO_CMD, 0xc8},
                                      {MFC_SYNC_CMD, 0xcc},
                                      {MFC_GETLLAR_CMD, 0xd0},
                                      {SPU_RdEventStat, 0},
                                      {SPU_WrEventMask, 1},
                                      {SPU_WrEventAck, 2},
                                      {SPU_RdSigNotify1, 3},
                                      {SPU_RdSigNotify2, 4},
                                      {SPU_WrDec, 7},
                                      {SPU_RdDec, 8},
                                      {MFC_WrMSSyncReq, 9},
                                      {SPU_RdEventMask, 11},
                                      {MFC_RdTagMask, 12},
                                      {SPU_RdMachStat, 13},
                                      {SPU_WrSRR0, 14},
                                      {SPU_RdSRR0, 15},
                                      {MFC_LSA, 16},
                                      {MFC_EAH, 17},
                                      {MFC_EAL, 18},
                                      {MFC_Size, 19},
                                      {MFC_TagID, 20},
                                      {MFC_Cmd, 21},
                                      {MFC_WrTagMask, 22},
                                      {MFC_WrTagUpdate, 23},
                                      {MFC_RdTagStat, 24},
                                      {MFC_RdListStallStat, 25},
                                      {MFC_WrListStallAck, 26},
                                      {MFC_RdAtomicStat, 27},
                                      {SPU_WrOutMbox, 28},
                                      {SPU_RdInMbox, 29},
                                      {SPU_WrOutIntrMbox, 30}};

TEST(channels_and_commands_have_the_numbers_of_the_architecture) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    ck_assert_uint_eq(numbers[i][0], numbers[i][1]);
  }
}

/* --- commands by intrinsics --- */

struct timed {
  uint64_t cycles;
  uint8_t bytes[128]; /* of the local store, or of main memory */
};

static void by_call(void *argument) {
  struct timed *timed = argument;
  mfc_get(spu_ls(HERE), memory, 4096, TAG, 0, 0);
  mfc_write_tag_mask(1U << TAG);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << TAG);
  timed->cycles = spu_cycles();
  memcpy(timed->bytes, spu_ls(HERE), sizeof timed->bytes);
}

static void by_intrinsic(void *argument) {
  struct timed *timed = argument;
  spu_mfcdma64(spu_ls(HERE), mfc_ea2h(memory), mfc_ea2l(memory), 4096, TAG, MFC_CMD_WORD(1, 2, MFC_GET_CMD));
  mfc_write_tag_mask(1U << TAG);
  ck_assert_uint_eq(spu_mfcstat(MFC_TAG_UPDATE_ALL), 1U << TAG);
  timed->cycles = spu_cycles();
  memcpy(timed->bytes, spu_ls(HERE), sizeof timed->bytes);
}

TEST(an_intrinsic_gives_the_command_of_the_call) {
  struct timed call, intrinsic;
  memset(blade_memory(bed.blade, memory), 9, 4096);
  bed_run_alone(by_call, &call);
  blade_reset(bed.blade);
  memset(blade_memory(bed.blade, memory), 9, 4096);
  bed_run_alone(by_intrinsic, &intrinsic);
  ck_assert_uint_eq(call.cycles, intrinsic.cycles);
  ck_assert_uint_eq(call.bytes[127], 9);
  ck_assert_mem_eq(call.bytes, intrinsic.bytes, sizeof call.bytes);
}

static void put_results(void *argument) {
  static const uint32_t single[] = {MFC_PUTR_CMD, MFC_PUTRB_CMD, MFC_PUTRF_CMD};
  static const uint32_t list[] = {MFC_PUTRL_CMD, MFC_PUTRLB_CMD, MFC_PUTRLF_CMD};
  mfc_list_element_t *element = spu_ls(LIST);
  memset(spu_ls(HERE), 5, 128);
  for (uint32_t i = 0; i < 3; i++) {
    uint64_t ea = memory + 1024 * i;
    spu_mfcdma64(spu_ls(HERE), mfc_ea2h(ea), mfc_ea2l(ea), 128, TAG, single[i]);
    element[i] = (mfc_list_element_t){.size = 128, .eal = mfc_ea2l(ea + 512)};
    spu_mfcdma64(spu_ls(HERE), mfc_ea2h(ea), LIST + 8 * i, 8, TAG, list[i]);
  }
  mfc_write_tag_mask(1U << TAG);
  spu_mfcstat(MFC_TAG_UPDATE_ALL);
}

TEST(a_put_of_results_is_a_put) {
  uint8_t fives[128];
  memset(fives, 5, sizeof fives);
  bed_run_alone(put_results, NULL);
  for (uint32_t i = 0; i < 6; i++) {
    ck_assert_mem_eq(blade_memory(bed.blade, memory + 512 * i), fives, sizeof fives);
  }
}

/* A command without data may be given with 32 bits of address; the get behind the barrier is later. */
static void order_by_intrinsic(void *argument) {
  mfc_get(spu_ls(HERE), memory, 16384, TAG, 0, 0);
  spu_mfcdma32(NULL, 0, 0, TAG + 1, MFC_BARRIER_CMD);
  mfc_get(spu_ls(LIST), memory, 16, TAG + 2, 0, 0);
  mfc_write_tag_mask(7U << TAG);
  ck_assert_uint_eq(spu_mfcstat(MFC_TAG_UPDATE_ANY) & (4U << TAG), 0);
  spu_mfcstat(MFC_TAG_UPDATE_ALL);
}

TEST(a_command_without_data_needs_no_address) {
  bed_run_alone(order_by_intrinsic, NULL);
}

/* --- hints --- */

static void give_hints(void *argument) {
  static const uint32_t hints[] = {MFC_SDCRT_CMD, MFC_SDCRTST_CMD, MFC_SDCRST_CMD, MFC_SDCRF_CMD};
  uint32_t room = mfc_stat_cmd_queue();
  mfc_sdcrt(memory, 16384, TAG, 0, 0);
  mfc_sdcrtst(memory + 3, 5, TAG, 0, 0);
  mfc_sdcrst(memory, 128, TAG, 0, 0);
  mfc_sdcrf(memory, 0, TAG, 0, 0);
  ck_assert_uint_eq(mfc_stat_cmd_queue(), room - 4);
  mfc_write_tag_mask(1U << TAG);
  ck_assert_uint_eq(spu_mfcstat(MFC_TAG_UPDATE_IMMEDIATE), 0);
  ck_assert_uint_eq(spu_mfcstat(MFC_TAG_UPDATE_ALL), 1U << TAG);
  for (unsigned i = 0; i < 4; i++) {
    spu_mfcdma64(NULL, mfc_ea2h(memory), mfc_ea2l(memory), 128, TAG, hints[i]);
  }
  spu_mfcstat(MFC_TAG_UPDATE_ALL);
}

TEST(hints_take_a_place_in_the_queue_and_change_nothing) {
  uint8_t *bytes = blade_memory(bed.blade, memory), sevens[16384];
  memset(sevens, 7, sizeof sevens);
  memcpy(bytes, sevens, sizeof sevens);
  bed_run_alone(give_hints, NULL);
  ck_assert_mem_eq(bytes, sevens, sizeof sevens);
}

/* A hint that came later does not wait for a get of its tag group, nor does a later get wait for the hint. */
static void hint_behind_get(void *argument) {
  mfc_get(spu_ls(HERE), memory, 16384, TAG, 0, 0);
  uint32_t room = mfc_stat_cmd_queue();
  mfc_sdcrt(memory, 128, TAG, 0, 0);
  spu_compute(1000); /* the get takes at least 16384 / 16 beats of 2 cycles */
  ck_assert_uint_eq(mfc_stat_cmd_queue(), room);
}

TEST(hints_are_not_ordered) {
  bed_run_alone(hint_behind_get, NULL);
}

/* --- the state of the SPU --- */

static void use_state(void *argument) {
  ck_assert_uint_eq(spu_read_machine_status(), 0);
  ck_assert_uint_eq(spu_read_srr0(), 0);
  spu_ienable();
  ck_assert_uint_eq(spu_readch(SPU_RdMachStat), 1);
  spu_idisable();
  ck_assert_uint_eq(si_to_uint(si_rdch(SPU_RdMachStat)), 0);
  spu_write_srr0(~0U);
  ck_assert_uint_eq(spu_read_srr0(), 0x3fffc); /* result of hardware: elad335/myps3tests "SRR0 masking" */
  spu_write_srr0(0x1234);
  ck_assert_uint_eq(spu_readch(SPU_RdSRR0), 0x1234);
  si_wrch(SPU_WrSRR0, si_from_uint(0x80));
  ck_assert_uint_eq(spu_read_srr0(), 0x80);
  ck_assert_uint_eq(si_to_uint(si_rchcnt(SPU_RdSRR0)), 1);
  ck_assert_uint_eq(spu_readchcnt(SPU_WrSRR0), 1);
  ck_assert_uint_eq(spu_readchcnt(SPU_RdMachStat), 1);
  ck_assert_uint_eq(mfc_stat_multi_src_sync_request(), 1);
  ck_assert_uint_eq(spu_readchcnt(MFC_WrMSSyncReq), 1);
  spu_ienable();
  spu_write_srr0(5);
}

/* The second run begins as the first one. */
TEST(the_state_of_an_spu_is_kept_and_begins_empty) {
  bed_run_alone(use_state, NULL);
  blade_reset(bed.blade);
  bed_run_alone(use_state, NULL);
}

/* The put reads the local store within 1000 cycles. What is stored behind the barrier comes later, and the
 * barrier takes no time. */
static void store_behind(void *argument) {
  void (*const *barrier)(void) = argument;
  memset(spu_ls(HERE), 1, 128);
  mfc_put(spu_ls(HERE), memory, 128, TAG, 0, 0);
  spu_compute(1000);
  uint64_t before = spu_cycles();
  (*barrier)();
  ck_assert_uint_eq(spu_cycles(), before);
  memset(spu_ls(HERE), 2, 128);
}

TEST(stores_behind_a_barrier_of_the_spu_come_later) {
  static void (*const barriers[])(void) = {spu_sync, spu_sync_c, spu_dsync};
  for (unsigned i = 0; i < 3; i++) {
    void (*barrier)(void) = barriers[i];
    blade_reset(bed.blade);
    memset(blade_memory(bed.blade, memory), 0, 128);
    bed_run_alone(store_behind, &barrier);
    ck_assert_uint_eq(*(uint8_t *)blade_memory(bed.blade, memory), 1);
  }
}

/* --- what is refused --- */

PROGRAM(stop_itself, spu_compute(10); spu_stop(0x12101))
PROGRAM(zero_range, spu_mfcdma64(NULL, mfc_ea2h(memory), mfc_ea2l(memory), 128, TAG, MFC_SDCRZ_CMD))
PROGRAM(synchronize_sources, spu_writech(MFC_WrMSSyncReq, 0))
PROGRAM(hint_too_much, mfc_sdcrt(memory, 16385, TAG, 0, 0))
PROGRAM(hint_nowhere, mfc_sdcrf(64, 128, TAG, 0, 0))
PROGRAM(hint_tag, mfc_sdcrst(memory, 128, 32, 0, 0))
PROGRAM(get_low, spu_mfcdma32(spu_ls(HERE), 0x2000, 128, TAG, MFC_GET_CMD))

TEST(what_there_is_not_is_a_fault) {
  struct spu spus[] = {{.spe = 0, .main = stop_itself, .name = "0"},
                       {.spe = 1, .main = zero_range, .name = "1"},
                       {.spe = 2, .main = synchronize_sources, .name = "2"},
                       {.spe = 3, .main = hint_too_much, .name = "3"},
                       {.spe = 4, .main = hint_nowhere, .name = "4"},
                       {.spe = 5, .main = hint_tag, .name = "5"},
                       {.spe = 6, .main = get_low, .name = "6"}};
  static const char *const expected[] = {
    "0 stopped at cycle 10 by a fault: stop 0x2101: nobody lets a stopped program go on\n",
    "1 stopped at cycle 0 by a fault: sdcrz is not simulated, expected a put of zeros\n",
    "2 stopped at cycle 0 by a fault: multi-source synchronization is not simulated, expected flags, signals "
    "or mailboxes\n",
    "3 stopped at cycle 0 by a fault: cache command on 16385 bytes at 0x",
    "4 stopped at cycle 0 by a fault: cache command on 128 bytes at 0x40, expected up to 16384 of a local "
    "store or memory\n",
    "5 stopped at cycle 0 by a fault: tag 32, expected 0 to 31\n",
    "6 stopped at cycle 0 by a fault: effective addresses 0x2000 to 0x2080, expected a local store, register "
    "or memory\n"};
  struct blade_result result = spu_run_all(bed.blade, &(struct spu_programs){.spus = spus, .nspus = 7});
  for (unsigned i = 0; i < 7; i++) {
    ck_assert_msg(strstr(result.faults, expected[i]) != NULL, "expected '%s' in %s", expected[i],
                  result.faults);
  }
  blade_result_fini(&result);
}
