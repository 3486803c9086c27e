/* SPDX-License-Identifier: BSD-3-Clause
 * The queue of the DMA engine and its tag groups, as an SPE program sees them. */
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "tests/bed.h"

#include <check.h>

Suite *dma_queue_suite(void);

enum { HERE = 0x10000, LONG = 16384 };

/* What a program saw. */
struct seen {
  uint32_t status[4];
  uint64_t at[40];
  uint32_t room[4];
};

static struct seen
run(void (*program)(void *))
{
  struct seen seen = {.status = {0}};
  struct spu spu = {.spe = 0, .main = program, .argument = &seen, .name = "spe 0"};
  bed_run(&watched, &spu, 1);
  return seen;
}

/* A long get with tag 1 and a short one with tag 2. */
static void
issue_two(void)
{
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  mfc_get(spu_ls(HERE + LONG), spu_ls_ea(2, HERE), 16, 2, 0, 0);
}

static void
read_statuses(void *argument)
{
  struct seen *seen = argument;
  issue_two();
  mfc_write_tag_mask(1U << 1 | 1U << 2 | 1U << 9);
  seen->status[0] = mfc_read_tag_status_immediate();
  mfc_write_tag_mask(1U << 1 | 1U << 2);
  seen->status[1] = mfc_read_tag_status_any();
  seen->at[1] = spu_cycles();
  seen->status[2] = mfc_read_tag_status_all();
  seen->at[2] = spu_cycles();
  seen->status[3] = mfc_read_tag_status_any();
  seen->at[3] = spu_cycles();
}

/* At once, only tag 9 has nothing outstanding. The short get comes first although it was issued last; the long one takes
 * at least 127 ramp intervals. Reading again costs no time. */
START_TEST(tag_status_waits_for_none_any_or_all)
{
  struct seen seen = run(read_statuses);
  uint64_t long_get =
    (uint64_t)(127 * watched.platform->eib.ramp_interval * watched.platform->clock.bus_divider);
  ck_assert_uint_eq(seen.status[0], 1U << 9);
  ck_assert_uint_eq(seen.status[1], 1U << 2);
  ck_assert_uint_lt(seen.at[1], long_get / 2);
  ck_assert_uint_eq(seen.status[2], 1U << 1 | 1U << 2);
  ck_assert_uint_gt(seen.at[2], long_get);
  ck_assert_uint_eq(seen.status[3], 1U << 1 | 1U << 2);
  ck_assert_uint_eq(seen.at[3], seen.at[2]);
}
END_TEST

static void
ask_for_nothing(void *argument)
{
  struct seen *seen = argument;
  issue_two();
  mfc_write_tag_mask(0);
  seen->status[0] = mfc_read_tag_status_all();
  seen->status[1] = mfc_read_tag_status_any();
  seen->at[0] = spu_cycles();
  mfc_write_tag_mask(6);
  mfc_read_tag_status_all();
}

START_TEST(no_tag_is_no_wait)
{
  struct seen seen = run(ask_for_nothing);
  ck_assert_uint_eq(seen.status[0], 0);
  ck_assert_uint_eq(seen.status[1], 0);
  ck_assert_uint_eq(seen.at[0], 2 * (uint64_t)watched.platform->mfc.issue);
}
END_TEST

static void
overfill(void *argument)
{
  struct seen *seen = argument;
  for (uint32_t i = 0; i < 18; i++) {
    mfc_get(spu_ls(HERE + 128 * i), spu_ls_ea(1, HERE), 128, 0, 0, 0);
    seen->at[i] = spu_cycles();
  }
  mfc_write_tag_mask(1);
  mfc_read_tag_status_all();
}

/* 16 commands enter at 10 cycles each. The first get completes at cycle 10 + 30 + 100 + 20 + 2 h + 16 + 98 with the h
 * hops from SPE1 to SPE0, the next ones a ramp interval of 17.3 cycles apart (the 17 queue entries behind it are ready in
 * time); the SPU stalls until then and needs 10 cycles more. */
START_TEST(the_spu_stalls_on_a_full_queue)
{
  const struct platform *p = watched.platform;
  struct seen seen = run(overfill);
  uint64_t issue = (uint64_t)p->mfc.issue,
           ramp_mcyc = (uint64_t)(1000 * p->eib.ramp_interval * p->clock.bus_divider);
  uint64_t data = (uint64_t)(p->mfc.issue + p->mfc.to_bus + p->eib.command_phase + p->ls.read);
  uint64_t rest = 2 * bed_hops(p, "SPE1", "SPE0") + 16 + (uint64_t)p->mfc.complete;
  ck_assert_uint_eq(p->mfc.queue, 16);
  for (unsigned i = 0; i < 16; i++) {
    ck_assert_uint_eq(seen.at[i], (i + 1) * issue);
  }
  ck_assert_uint_eq(seen.at[16], data + rest + issue);
  ck_assert_uint_eq(seen.at[17], data + (ramp_mcyc + 999) / 1000 + rest + issue);
}
END_TEST

static void
count_room(void *argument)
{
  struct seen *seen = argument;
  seen->room[0] = mfc_stat_cmd_queue();
  seen->at[0] = spu_cycles();
  for (uint32_t i = 0; i < 3; i++) {
    mfc_get(spu_ls(HERE + 128 * i), spu_ls_ea(1, HERE), 128, 0, 0, 0);
  }
  seen->room[1] = mfc_stat_cmd_queue();
  mfc_write_tag_mask(1);
  mfc_read_tag_status_all();
  seen->room[2] = mfc_stat_cmd_queue();
}

START_TEST(the_queue_tells_its_room_in_the_time_of_a_channel_read)
{
  struct seen seen = run(count_room);
  ck_assert_uint_eq(seen.room[0], 16);
  ck_assert_uint_eq(seen.at[0], (uint64_t)watched.platform->mfc.channel_read);
  ck_assert_uint_eq(seen.room[1], 13);
  ck_assert_uint_eq(seen.room[2], 16);
}
END_TEST

static void
mask_round_trip(void *argument)
{
  struct seen *seen = argument;
  mfc_write_tag_mask(0x80000001);
  seen->status[0] = mfc_read_tag_mask();
  for (uint32_t tag = 0; tag < 32; tag++) {
    mfc_get(spu_ls(HERE + 16 * tag), spu_ls_ea(1, HERE), 16, tag, 0, 0);
  }
  mfc_write_tag_mask(UINT32_MAX);
  seen->status[1] = mfc_read_tag_status_all();
}

START_TEST(there_are_32_tags)
{
  struct seen seen = run(mask_round_trip);
  ck_assert_uint_eq(seen.status[0], 0x80000001);
  ck_assert_uint_eq(seen.status[1], UINT32_MAX);
}
END_TEST

static void
two_equal_gets(void *argument)
{
  struct seen *seen = argument;
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  mfc_get(spu_ls(HERE + LONG), spu_ls_ea(1, HERE + LONG), LONG, 2, 0, 0);
  mfc_write_tag_mask(2);
  mfc_read_tag_status_all();
  seen->at[0] = spu_cycles();
  mfc_write_tag_mask(4);
  mfc_read_tag_status_all();
  seen->at[1] = spu_cycles();
}

/* Bus requests of queued commands take turns: of two equal gets the first ends when both are nearly through ("priority
 * inversion"), that is, after all but the last few of 256 ramp intervals.
 * source: Ali, Midkiff, Pai 2010, section 5.2. */
START_TEST(commands_issued_together_end_nearly_together)
{
  struct seen seen = run(two_equal_gets);
  double ramp = watched.platform->eib.ramp_interval * watched.platform->clock.bus_divider;
  ck_assert_double_gt((double)seen.at[0], 250 * ramp);
  ck_assert_uint_ge(seen.at[1], seen.at[0]);
}
END_TEST

Suite *
dma_queue_suite(void)
{
  Suite *suite = suite_create("dma_queue");
  TCase *tests = tcase_create("dma_queue");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, bed_begin, bed_end);
  tcase_add_test(tests, tag_status_waits_for_none_any_or_all);
  tcase_add_test(tests, no_tag_is_no_wait);
  tcase_add_test(tests, the_spu_stalls_on_a_full_queue);
  tcase_add_test(tests, the_queue_tells_its_room_in_the_time_of_a_channel_read);
  tcase_add_test(tests, there_are_32_tags);
  tcase_add_test(tests, commands_issued_together_end_nearly_together);
  suite_add_tcase(suite, tests);
  return suite;
}
