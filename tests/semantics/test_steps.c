/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary of algorithms: notifications that follow one another closely. */
#include "algos/step.h"
#include "sim/base/err.h"
#include "tests/bed.h"
#include "validate/runner.h"

#include <check.h>

Suite *steps_suite(void);

/* The root posts both halves of its buffer in a row; a put reads the local store late, so that the first notice must not
 * be written over by the second. */
static void
post_twice(struct coll *c)
{
  size_t half = c->nbytes / 2;
  if (c->rank == 0) {
    step_post(c, 1, c->buffer);
    step_post(c, 1, c->buffer + half);
    step_await_taken(c, 1);
    step_await_taken(c, 1);
  } else {
    step_take(c, 0, c->buffer, half);
    step_take(c, 0, c->buffer + half, half);
  }
}

START_TEST(two_notices_in_a_row_do_not_mix)
{
  struct bed bed = bed_new("qs20");
  bed_watch(&bed);
  struct algo algo = {
    .collective = COLL_BCAST, .name = "trial", .source = "ali2010", .idea = "", .run = post_twice};
  struct rig_spec spec = {
    .call.algo = &algo, .nranks = 2, .nbytes = 128, .nrepeats = 1, .profile = bed_profile(&bed)};
  struct outcome outcome;
  struct err err = {""};
  ck_assert_msg(runner_run(bed.blade, &spec, &outcome, &err) == 0, "%s", err.text);
  ck_assert_msg(outcome.verified, "%s", outcome.detail);
  outcome_fini(&outcome);
  bed_fini(&bed);
}
END_TEST

Suite *
steps_suite(void)
{
  Suite *suite = suite_create("steps");
  TCase *tests = tcase_create("steps");
  tcase_add_checked_fixture(tests, bed_start_engine, NULL);
  tcase_add_test(tests, two_notices_in_a_row_do_not_mix);
  suite_add_tcase(suite, tests);
  return suite;
}
