/* SPDX-License-Identifier: BSD-3-Clause
 * The queue and the tag groups of the MFC, as seen by an SPE program; and the tag status channels, where a
 * question has one answer, the status in the cycle in which the question's condition was met. */
#include "tests/bed.h"

enum { HERE = 0x10000, LONG = 16384 };

/* A program's observations. */
static struct seen {
  uint32_t status[4];
  uint64_t at[40];
} seen;

static struct seen run(void (*program)(void *)) {
  seen = (struct seen){.at = {0}};
  bed_run_alone(program, NULL);
  return seen;
}

/* A long get with tag 1 and a short one with tag 2, and the question about both. */
static void issue_two(void) {
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  mfc_get(spu_ls(HERE + LONG), spu_ls_ea(2, HERE), 16, 2, 0, 0);
  mfc_write_tag_mask(1U << 1 | 1U << 2);
}

static void read_statuses(void *argument) {
  issue_two();
  mfc_write_tag_mask(1U << 1 | 1U << 2 | 1U << 9);
  ck_assert_uint_eq(mfc_read_tag_status_immediate(), 1U << 9);
  mfc_write_tag_mask(1U << 1 | 1U << 2);
  ck_assert_uint_eq(mfc_read_tag_status_any(), 1U << 2);
  seen.at[1] = spu_cycles();
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << 1 | 1U << 2);
  seen.at[2] = spu_cycles();
  ck_assert_uint_eq(mfc_read_tag_status_any(), 1U << 1 | 1U << 2);
  seen.at[3] = spu_cycles();
}

TESTS(dma_queue, .start = bed_begin, .stop = bed_end);

/* At once, only tag 9 has nothing outstanding. The short get comes first although issued last; the long get
 * takes at least 127 ramp intervals. Reading again costs no time. */
TEST(tag_status_waits_for_none_any_or_all) {
  run(read_statuses);
  uint64_t long_get = (uint64_t)(127 * bed.platform->eib.ramp_interval * bed.platform->clock.bus_divider);
  ck_assert_uint_lt(seen.at[1], long_get / 2);
  ck_assert_uint_gt(seen.at[2], long_get);
  ck_assert_uint_eq(seen.at[3], seen.at[2]);
}

static void ask_for_nothing(void *argument) {
  issue_two();
  mfc_write_tag_mask(0);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 0);
  seen.at[0] = spu_cycles();
  mfc_write_tag_update_any();
  spu_compute(4000);
  ck_assert_uint_eq(mfc_stat_tag_status(), 0);
  mfc_write_tag_mask(1U << 2);
  ck_assert_uint_eq(mfc_read_tag_status(), 1U << 2);
  bed_finish(6);
}

/* All of no tag is met at once. Any of no tag is not met, although 4000 cycles end both gets, before the
 * mask has a tag. source: Cell Broadband Engine Architecture 1.02, 9.3; RPCS3 pull request 8543. */
TEST(all_of_no_tag_is_met_and_any_is_not) {
  run(ask_for_nothing);
  ck_assert_uint_eq(seen.at[0], 2 * (uint64_t)bed.platform->mfc.issue);
}

static void overfill(void *argument) {
  for (uint32_t i = 0; i < 18; i++) {
    mfc_get(spu_ls(HERE + 128 * i), spu_ls_ea(1, HERE), 128, 0, 0, 0);
    seen.at[i] = spu_cycles();
  }
  bed_finish(1);
}

/* 16 commands enter at 10 cycles each. The first get completes at cycle 10 + 30 + 100 + 20 + 2 h + 16 + 98
 * with the h hops from SPE1 to SPE0, the next gets mfc.command-interval (84) apart, longer than the ramp
 * needs (16.66); the SPU stalls until then and needs 10 cycles more. */
TEST(the_spu_stalls_on_a_full_queue) {
  const struct platform *p = bed.platform;
  run(overfill);
  uint64_t issue = (uint64_t)p->mfc.issue;
  uint64_t data = (uint64_t)(p->mfc.issue + p->mfc.to_bus + p->eib.command_phase + p->ls.read);
  uint64_t rest = 2 * bed_hops(p, "SPE1", "SPE0") + 16 + (uint64_t)p->mfc.complete;
  ck_assert_uint_eq(p->mfc.queue, 16);
  for (unsigned i = 0; i < 16; i++) {
    ck_assert_uint_eq(seen.at[i], (i + 1) * issue);
  }
  ck_assert_uint_eq(seen.at[16], data + rest + issue);
  ck_assert_uint_eq(seen.at[17], data + (uint64_t)p->mfc.command_interval + rest + issue);
}

static void count_room(void *argument) {
  ck_assert_uint_eq(mfc_stat_cmd_queue(), 16);
  seen.at[0] = spu_cycles();
  for (uint32_t i = 0; i < 3; i++) {
    mfc_get(spu_ls(HERE + 128 * i), spu_ls_ea(1, HERE), 128, 0, 0, 0);
  }
  ck_assert_uint_eq(mfc_stat_cmd_queue(), 13);
  bed_finish(1);
  ck_assert_uint_eq(mfc_stat_cmd_queue(), 16);
}

TEST(the_queue_tells_its_room_in_the_time_of_a_channel_read) {
  run(count_room);
  ck_assert_uint_eq(seen.at[0], (uint64_t)bed.platform->mfc.channel_read);
}

static void mask_round_trip(void *argument) {
  mfc_write_tag_mask(0x80000001);
  ck_assert_uint_eq(mfc_read_tag_mask(), 0x80000001);
  for (uint32_t tag = 0; tag < 32; tag++) {
    mfc_get(spu_ls(HERE + 16 * tag), spu_ls_ea(1, HERE), 16, tag, 0, 0);
  }
  mfc_write_tag_mask(UINT32_MAX);
  ck_assert_uint_eq(mfc_read_tag_status_all(), UINT32_MAX);
}

TEST(there_are_32_tags) {
  run(mask_round_trip);
}

static void two_equal_gets(void *argument) {
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  mfc_get(spu_ls(HERE + LONG), spu_ls_ea(1, HERE + LONG), LONG, 2, 0, 0);
  bed_finish(2);
  seen.at[0] = spu_cycles();
  bed_finish(4);
  seen.at[1] = spu_cycles();
}

/* Bus requests of queued commands take turns: of two equal gets the first ends when both are nearly through
 * ("priority inversion"), after all but the last few of 256 ramp intervals.
 * source: Ali, Midkiff, Pai 2010, section 5.2. */
TEST(commands_issued_together_end_nearly_together) {
  run(two_equal_gets);
  double ramp = bed.platform->eib.ramp_interval * bed.platform->clock.bus_divider;
  ck_assert_double_gt((double)seen.at[0], 250 * ramp);
  ck_assert_uint_ge(seen.at[1], seen.at[0]);
}

enum { LISTS = 16, ELEMENTS = 32, DATA = HERE + 0x4000, TEXTS = HERE + 0x8000, FAR_SPE = 9 };

/* Tell whether element I of a list is empty: every fifth one. */
static bool is_empty(uint32_t i) {
  return i % 5 == 4;
}

/* Put elements of 16 bytes by as many lists as the queue takes, by turns to an SPE of the own chip and to one
 * of the other. */
static void put_lists(void *argument) {
  for (uint32_t k = 0; k < LISTS; k++) {
    uint32_t ls = DATA + 16 * ELEMENTS * k;
    uint32_t *word = spu_ls(ls);
    mfc_list_element_t *list = spu_ls(TEXTS + (uint32_t)sizeof *list * ELEMENTS * k);
    for (uint32_t i = 0; i < ELEMENTS; i++) {
      uint64_t ea = spu_ls_ea(i % 2 ? FAR_SPE : 1, HERE + 16 * (ELEMENTS * k + i));
      list[i] = (mfc_list_element_t){.size = is_empty(i) ? 0 : 16, .eal = (uint32_t)ea};
      *word = 1 + ELEMENTS * k + i;
      word += is_empty(i) ? 0 : 16 / sizeof *word;
    }
    mfc_putl(spu_ls(ls), spu_ls_ea(1, 0), list, ELEMENTS * sizeof *list, k, 0, 0);
  }
  bed_finish(UINT32_MAX);
  memset(spu_ls(DATA), 0xff, 16 * ELEMENTS * LISTS);
}

/* Elements go to both chips at once, several of every list. A tag is reported when all elements have arrived,
 * for any window: the program then overwrites the sent bytes. */
TEST_EACH(elements_of_many_lists_may_be_under_way, 0, 5) {
  static const char *const settings[] = {"", "mfc.window=1", "mfc.window=3 bif.mfc-requests=2",
                                         "mfc.window=64", "ls.port-interval=2"};
  bed_use("qs20", settings[_i]);
  bed_run_alone(put_lists, NULL);
  for (uint32_t i = 0; i < LISTS * ELEMENTS; i++) {
    uint32_t word;
    memcpy(&word, blade_ls(bed.blade, i % 2 ? FAR_SPE : 1) + HERE + 16 * i, sizeof word);
    ck_assert_uint_eq(word, is_empty(i % ELEMENTS) ? 0 : 1 + i);
  }
}

/* Get two elements of 8 bytes and one of 16 from SPE 1; the second one ends on a line of 16 bytes there. */
static void get_short_elements(void *argument) {
  mfc_list_element_t *list = spu_ls(TEXTS);
  const uint32_t from[] = {HERE, HERE + 40, HERE + 64};
  for (unsigned i = 0; i < 3; i++) {
    list[i] = (mfc_list_element_t){.size = i < 2 ? 8 : 16, .eal = (uint32_t)spu_ls_ea(1, from[i])};
  }
  memset(spu_ls(DATA), 0, 64);
  mfc_getl(spu_ls(DATA), spu_ls_ea(1, 0), list, 3 * sizeof *list, 0, 0, 0);
  bed_finish(1);
}

/* An element begins in the quadword of the local store after the end of the element before, at the same place
 * of the quadword as in the source. Source: Cell Broadband Engine Architecture, MFC list commands. */
TEST(elements_of_a_list_begin_in_quadwords_of_their_own) {
  uint8_t expected[64] = {0}, *source = blade_ls(bed.blade, 1) + HERE;
  for (unsigned i = 0; i < 80; i++) {
    source[i] = (uint8_t)(i + 1);
  }
  memcpy(expected, source, 8);
  memcpy(expected + 16 + 8, source + 40, 8);
  memcpy(expected + 32, source + 64, 16);
  run(get_short_elements);
  ck_assert_mem_eq(blade_ls(bed.blade, 0) + DATA, expected, sizeof expected);
}

/* --- the tag status channels --- */

PROGRAM(read_unasked, spu_compute(70); mfc_read_tag_status())

static void read_twice(void *argument) {
  mfc_write_tag_mask(1);
  mfc_write_tag_update(MFC_TAG_UPDATE_ANY);
  mfc_read_tag_status();
  spu_compute(70);
  mfc_read_tag_status();
}

static void read_after_all(void *argument) {
  mfc_write_tag_update_any();
  mfc_read_tag_status_all();
  spu_compute(70);
  mfc_read_tag_status();
}

PROGRAM(read_by_channel, spu_writech(MFC_WrTagMask, 1); spu_compute(70); spu_readch(MFC_RdTagStat))

TESTS(tag_status, .start = bed_begin, .stop = bed_end);

/* Loop test: the index is the program. */
TEST_EACH(a_status_that_was_not_asked_for_never_comes, 0, 4) {
  static void (*const programs[])(void *) = {read_unasked, read_twice, read_after_all, read_by_channel};
  bed_expect_stuck(programs[_i],
                   "rank 0 reads MFC_RdTagStat without a write of MFC_WrTagUpdate since the last "
                   "read since cycle 70\n");
}

PROGRAM(never_any, mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 16, 1, 0, 0); mfc_write_tag_update(3))

TEST(another_condition_is_a_fault) {
  bed_expect_fault(never_any,
                   "rank 0 stopped at cycle 10 by a fault: tag update condition 3, expected 0, 1 or 2\n");
}

static void ask_then_read(void *argument) {
  issue_two();
  mfc_write_tag_update_immediate();
  seen.status[0] = mfc_read_tag_status();
  seen.at[0] = spu_cycles();
  mfc_write_tag_update_any();
  seen.status[1] = mfc_read_tag_status();
  seen.at[1] = spu_cycles();
  mfc_write_tag_update_all();
  seen.status[2] = mfc_read_tag_status();
  seen.at[2] = spu_cycles();
}

static void read_at_once(void *argument) {
  issue_two();
  seen.status[0] = mfc_read_tag_status_immediate();
  seen.at[0] = spu_cycles();
  seen.status[1] = mfc_read_tag_status_any();
  seen.at[1] = spu_cycles();
  seen.status[2] = mfc_read_tag_status_all();
  seen.at[2] = spu_cycles();
}

TEST(asking_and_reading_takes_as_long_as_both_in_one_call) {
  struct seen two = run(ask_then_read);
  blade_reset(bed.blade);
  struct seen one = run(read_at_once);
  static const uint32_t expected[] = {0, 1U << 2, 1U << 1 | 1U << 2};
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(two.status[i], expected[i]);
    ck_assert_uint_eq(one.status[i], expected[i]);
    ck_assert_uint_eq(one.at[i], two.at[i]);
  }
}

/* The short get is there after less than 1000 cycles; then another get with the same tag is under way. */
static void issue_more_before_reading(void *argument) {
  issue_two();
  mfc_write_tag_update_any();
  ck_assert_uint_eq(mfc_stat_tag_status(), 0);
  spu_compute(1000);
  ck_assert_uint_eq(mfc_stat_tag_status(), 1);
  mfc_get(spu_ls(HERE + LONG + 16), spu_ls_ea(2, HERE), 16, 2, 0, 0);
  ck_assert_uint_eq(mfc_read_tag_status(), 1U << 2);
  ck_assert_uint_lt(spu_cycles(), 1100);
  ck_assert_uint_eq(mfc_stat_tag_status(), 0);
  ck_assert_uint_eq(mfc_read_tag_status_immediate(), 0);
  mfc_read_tag_status_all();
}

TEST(the_answer_is_that_of_the_cycle_in_which_the_condition_was_met) {
  run(issue_more_before_reading);
}

/* A question answered at cycle 20, before the program gives the command of cycle 520; the whole program runs
 * ahead of the machine. */
static void ask_before_issuing(void *argument) {
  spu_compute(20);
  mfc_write_tag_mask(1U << 2);
  mfc_write_tag_update_all();
  spu_compute(500);
  mfc_get(spu_ls(HERE), spu_ls_ea(2, HERE), 16, 2, 0, 0);
  ck_assert_uint_eq(mfc_read_tag_status(), 1U << 2);
  seen.at[0] = spu_cycles();
  mfc_read_tag_status_all();
}

TEST(a_command_given_later_does_not_change_the_answer) {
  run(ask_before_issuing);
  ck_assert_uint_eq(seen.at[0], 20 + 500 + (uint64_t)bed.platform->mfc.issue);
}

/* The long get would take at least 127 ramp intervals of 17 cycles. */
static void take_back(void *argument) {
  issue_two();
  mfc_write_tag_mask(1U << 1);
  mfc_write_tag_update_all();
  mfc_write_tag_update_immediate();
  ck_assert_uint_eq(mfc_read_tag_status(), 0);
  seen.at[0] = spu_cycles();
  spu_compute(4000);
  ck_assert_uint_eq(mfc_stat_tag_status(), 0);
  bed_finish(6);
}

TEST(a_question_is_taken_back_by_asking_now) {
  run(take_back);
  ck_assert_uint_eq(seen.at[0],
                    2 * (uint64_t)bed.platform->mfc.issue + (uint64_t)bed.platform->mfc.channel_read);
}

/* The answer about tag 9 is not read; the next read gives this answer and not that about tag 1: that comes at
 * least 127 ramp intervals later, to the read after. */
static void leave_an_answer(void *argument) {
  mfc_write_tag_mask(1U << 9);
  mfc_write_tag_update_all();
  spu_compute(50);
  issue_two();
  mfc_write_tag_mask(1U << 1);
  ck_assert_uint_eq(mfc_read_tag_status_all(), 1U << 9);
  seen.at[0] = spu_cycles();
  ck_assert_uint_eq(mfc_read_tag_status(), 1U << 1);
  seen.at[1] = spu_cycles();
}

/* source: Cell Broadband Engine Architecture 1.02, 9.3.1 asks to discard a pending answer before a question;
 * RPCS3 pull request 8543 (result of hardware). */
TEST(a_question_does_not_withdraw_an_unread_answer) {
  run(leave_an_answer);
  uint64_t long_get = (uint64_t)(127 * bed.platform->eib.ramp_interval * bed.platform->clock.bus_divider);
  ck_assert_uint_eq(seen.at[0], 50 + 2 * (uint64_t)bed.platform->mfc.issue);
  ck_assert_uint_gt(seen.at[1], long_get);
}
