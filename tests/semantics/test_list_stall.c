/* SPDX-License-Identifier: BSD-3-Clause
 * DMA lists that stop behind elements with the notify bit until the program acknowledges the stop.
 * source: Cell Broadband Engine Architecture, MFC list commands and list stall channels. */
#include "tests/bed.h"

enum { FROM = 0x8000, TO = 0x10000, LIST = 0x18000, LINE = 128, LINES = 8 };

/* A program's observations: cycles. */
static struct seen { uint64_t at[3]; } seen;

/* Run PROGRAM on SPE 0 beside SPE 1; line i of SPE 1 is full of 1 + i. */
static struct seen run(void (*program)(void *)) {
  seen = (struct seen){.at = {0}};
  blade_reset(bed.blade);
  for (int i = 0; i < LINES; i++) {
    memset(blade_ls(bed.blade, 1) + FROM + LINE * i, 1 + i, LINE);
  }
  bed_run_alone(program, NULL);
  return seen;
}

static uint8_t line(unsigned i) {
  const uint8_t *bytes = spu_ls(TO + LINE * i);
  spu_note_load(bytes, LINE);
  return *bytes;
}

static mfc_list_element_t element(unsigned from, bool notify) {
  return (mfc_list_element_t){
    .notify = notify, .size = LINE, .eal = (uint32_t)spu_ls_ea(1, FROM + LINE * from)};
}

/* Get COUNT lines of SPE 1 by a list with TAG; the list stops behind line STOP. */
static void get_lines(unsigned count, unsigned stop, uint32_t tag) {
  mfc_list_element_t *list = spu_ls(LIST);
  for (unsigned i = 0; i < count; i++) {
    list[i] = element(i, i == stop);
  }
  mfc_getl(spu_ls(TO), spu_ls_ea(1, 0), list, count * (uint32_t)sizeof *list, tag, 0, 0);
  mfc_write_tag_mask(UINT32_C(1) << tag);
}

/* --- stop and go on --- */

static void change_the_rest(void *argument) {
  mfc_list_element_t *list = spu_ls(LIST);
  get_lines(3, 1, 3);
  ck_assert_uint_eq(mfc_stat_list_stall_status(), 0);
  ck_assert_uint_eq(mfc_read_list_stall_status(), 1U << 3);
  seen.at[0] = spu_cycles();
  ck_assert_uint_eq(line(0), 1);
  ck_assert_uint_eq(line(1), 2);
  spu_compute(5000);
  ck_assert_uint_eq(line(2), 0);
  ck_assert_uint_eq(mfc_stat_list_stall_status(), 0);
  list[2] = element(5, false);
  spu_note_store(&list[2], sizeof list[2]);
  seen.at[1] = spu_cycles();
  mfc_write_list_stall_ack(3);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << 3);
  seen.at[2] = spu_cycles();
  ck_assert_uint_eq(line(2), 6);
}

PROGRAM(get_two, get_lines(2, 2, 3); mfc_read_tag_status_all(); seen.at[0] = spu_cycles())

TESTS(list_stall, .start = bed_begin, .stop = bed_end);

/* The program is notified of the first two elements when a list of two would be complete, and may work with
 * both and change the third. The third, of SPE1 for SPE0, is then read and moved: to-bus, list-element,
 * command-phase, ls.read, hops, 8 beats, complete. */
TEST(a_list_stops_behind_an_element_until_that_is_acknowledged) {
  struct seen two = run(get_two);
  run(change_the_rest);
  const struct platform *p = bed.platform;
  uint64_t rest =
    (uint64_t)(p->mfc.to_bus + p->mfc.list_element + p->eib.command_phase + p->ls.read + p->mfc.complete) +
    2 * bed_hops(p, "SPE1", "SPE0") + 16;
  ck_assert_uint_eq(seen.at[0], two.at[0]);
  ck_assert_uint_eq(seen.at[2] - seen.at[1], rest);
}

static void stop_at_the_end(void *argument) {
  get_lines(2, 1, 3);
  mfc_read_list_stall_status();
  ck_assert_uint_eq(line(1), 2);
  spu_compute(1000);
  ck_assert_uint_eq(mfc_read_tag_status_immediate(), 0);
  mfc_write_list_stall_ack(4);
  ck_assert_uint_eq(mfc_read_tag_status_immediate(), 0);
  mfc_write_list_stall_ack(3);
  seen.at[0] = spu_cycles();
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << 3);
  seen.at[1] = spu_cycles();
}

TEST(a_list_that_stops_at_its_end_completes_when_that_is_acknowledged) {
  run(stop_at_the_end);
  ck_assert_uint_eq(seen.at[1] - seen.at[0], (uint64_t)bed.platform->mfc.to_bus);
}

/* Lists of an empty element with a stop and a line: two with tag 1, one with tag 2. */
static void three_lists(void *argument) {
  for (unsigned i = 0; i < 3; i++) {
    mfc_list_element_t *list = spu_ls(LIST + 16 * i);
    list[0] = (mfc_list_element_t){.notify = 1};
    list[0].eal = (uint32_t)spu_ls_ea(1, FROM);
    list[1] = element(i, false);
    mfc_getl(spu_ls(TO + LINE * i), spu_ls_ea(1, 0), list, 2 * sizeof *list, i < 2 ? 1 : 2, 0, 0);
  }
  spu_compute(1000);
  ck_assert_uint_eq(mfc_stat_list_stall_status(), 1);
  ck_assert_uint_eq(mfc_read_list_stall_status(), 1U << 1 | 1U << 2);
  ck_assert_uint_eq(mfc_stat_list_stall_status(), 0);
  mfc_eieio(5, 0, 0); /* behind stopped lists of two other tags */
  mfc_write_tag_mask(1U << 1 | 1U << 2 | 1U << 5);
  mfc_write_list_stall_ack(1);
  spu_compute(1000);
  ck_assert_uint_eq(mfc_read_tag_status_immediate(), 1U << 1);
  ck_assert_uint_eq(line(0), 1);
  ck_assert_uint_eq(line(1), 2);
  mfc_write_list_stall_ack(2);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << 1 | 1U << 2 | 1U << 5);
  ck_assert_uint_eq(line(2), 3);
}

TEST(an_acknowledgement_is_for_all_lists_of_its_tag) {
  run(three_lists);
}

static void by_channel(void *argument) {
  get_lines(2, 0, 3);
  ck_assert_uint_eq(spu_readchcnt(MFC_RdListStallStat), 0);
  ck_assert_uint_eq(spu_readch(MFC_RdListStallStat), 1U << 3);
  ck_assert_uint_eq(spu_readchcnt(MFC_WrListStallAck), 1);
  spu_writech(MFC_WrListStallAck, 3);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << 3);
}

TEST(channels_lead_to_the_same_calls) {
  run(by_channel);
}

/* --- mistakes --- */

PROGRAM(never_acknowledged, get_lines(2, 0, 3); spu_compute(1000); mfc_read_tag_status_all())
PROGRAM(no_list, spu_compute(1000); mfc_read_list_stall_status())

TEST(a_deadlock_says_that_a_list_has_stopped) {
  bed_expect_stuck(never_acknowledged,
                   "rank 0 waits for tag groups 0x8, where lists of 0x8 have stopped and wait for "
                   "MFC_WrListStallAck since cycle 1010\n");
  bed_expect_stuck(no_list,
                   "rank 0 waits for a DMA list that stops behind an element with its notify bit since cycle "
                   "1000\n");
}

PROGRAM(bad_tag, mfc_write_list_stall_ack(32))

TEST(tags_are_checked) {
  bed_expect_fault(bad_tag, "rank 0 stopped at cycle 0 by a fault: tag 32, expected 0 to 31\n");
}

/* --- hazards --- */

static void change_before_the_stop(void *argument) {
  mfc_list_element_t *list = spu_ls(LIST);
  get_lines(3, 1, 3);
  spu_note_store(&list[2], sizeof list[2]);
  mfc_read_list_stall_status();
  mfc_write_list_stall_ack(3);
  mfc_read_tag_status_all();
}

static void change_after_going_on(void *argument) {
  mfc_list_element_t *list = spu_ls(LIST);
  get_lines(3, 1, 3);
  mfc_read_list_stall_status();
  mfc_write_list_stall_ack(3);
  spu_note_store(&list[2], sizeof list[2]);
  mfc_read_tag_status_all();
}

static void touch_after_going_on(void *argument) {
  get_lines(3, 1, 3);
  mfc_read_list_stall_status();
  mfc_write_list_stall_ack(3);
  line(0);
  line(1);
  line(2);
  mfc_read_tag_status_all();
}

TEST(what_is_still_under_way_must_not_be_touched) {
  run(change_before_the_stop);
  ck_assert_uint_eq(bed_take_hazards(), 1);
  run(change_after_going_on);
  ck_assert_uint_eq(bed_take_hazards(), 1);
  run(touch_after_going_on);
  ck_assert_uint_eq(bed_take_hazards(), 1);
}
