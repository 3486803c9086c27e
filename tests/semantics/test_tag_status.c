/* SPDX-License-Identifier: BSD-3-Clause
 * The tag status channels: a question has one answer, the status in the cycle in which the question's
 * condition was met. */
#include "tests/bed.h"
#include "tests/suite.h"

enum { HERE = 0x10000, LONG = 16384 };

/* A program's observations. */
struct seen {
  uint32_t status[4], count[4];
  uint64_t at[4];
};

static struct seen run(void (*program)(void *)) {
  struct seen seen = {.status = {0}};
  bed_run_alone(&watched, program, &seen);
  return seen;
}

/* A long get with tag 1 and a short one with tag 2, and the question about both. */
static void issue_two(void) {
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  mfc_get(spu_ls(HERE + LONG), spu_ls_ea(2, HERE), 16, 2, 0, 0);
  mfc_write_tag_mask(1U << 1 | 1U << 2);
}

/* --- programs with a wait for ever --- */

PROGRAM(read_unasked, spu_compute(70); mfc_read_tag_status())

static void read_twice(void *argument) {
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
  bed_expect_stuck(&watched, programs[_i],
                   "rank 0 reads MFC_RdTagStat without a write of MFC_WrTagUpdate since the last "
                   "read since cycle 70\n");
}

PROGRAM(never_any, mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 16, 1, 0, 0); mfc_write_tag_update(3))

TEST(another_condition_is_a_fault) {
  bed_expect_fault(&watched, never_any,
                   "rank 0 stopped at cycle 10 by a fault: tag update condition 3, expected 0, 1 or 2\n");
}

/* --- answers --- */

static void ask_then_read(void *argument) {
  struct seen *seen = argument;
  issue_two();
  mfc_write_tag_update_immediate();
  seen->status[0] = mfc_read_tag_status();
  seen->at[0] = spu_cycles();
  mfc_write_tag_update_any();
  seen->status[1] = mfc_read_tag_status();
  seen->at[1] = spu_cycles();
  mfc_write_tag_update_all();
  seen->status[2] = mfc_read_tag_status();
  seen->at[2] = spu_cycles();
}

static void read_at_once(void *argument) {
  struct seen *seen = argument;
  issue_two();
  seen->status[0] = mfc_read_tag_status_immediate();
  seen->at[0] = spu_cycles();
  seen->status[1] = mfc_read_tag_status_any();
  seen->at[1] = spu_cycles();
  seen->status[2] = mfc_read_tag_status_all();
  seen->at[2] = spu_cycles();
}

TEST(asking_and_reading_takes_as_long_as_both_in_one_call) {
  struct seen two = run(ask_then_read);
  blade_reset(watched.blade);
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
  struct seen *seen = argument;
  spu_compute(20);
  mfc_write_tag_mask(1U << 2);
  mfc_write_tag_update_all();
  spu_compute(500);
  mfc_get(spu_ls(HERE), spu_ls_ea(2, HERE), 16, 2, 0, 0);
  ck_assert_uint_eq(mfc_read_tag_status(), 1U << 2);
  seen->at[0] = spu_cycles();
  mfc_read_tag_status_all();
}

TEST(a_command_given_later_does_not_change_the_answer) {
  struct seen seen = run(ask_before_issuing);
  ck_assert_uint_eq(seen.at[0], 20 + 500 + (uint64_t)watched.platform->mfc.issue);
}

/* The long get would take at least 127 ramp intervals of 17 cycles. */
static void take_back(void *argument) {
  struct seen *seen = argument;
  issue_two();
  mfc_write_tag_mask(1U << 1);
  mfc_write_tag_update_all();
  mfc_write_tag_update_immediate();
  ck_assert_uint_eq(mfc_read_tag_status(), 0);
  seen->at[0] = spu_cycles();
  spu_compute(4000);
  ck_assert_uint_eq(mfc_stat_tag_status(), 0);
  mfc_write_tag_mask(6);
  mfc_read_tag_status_all();
}

TEST(a_question_is_taken_back_by_asking_now) {
  struct seen seen = run(take_back);
  ck_assert_uint_eq(seen.at[0],
                    2 * (uint64_t)watched.platform->mfc.issue + (uint64_t)watched.platform->mfc.channel_read);
}
