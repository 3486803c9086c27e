/* SPDX-License-Identifier: BSD-3-Clause
 * The equations of Qian, Afsahi 2006, section 5, by hand. */
#include "validate/model/measured/ports.h"
#include "tests/suite.h"

TESTS(ports);

/* 2 steps on 16 ranks with 3 ports, and 15 / 3 blocks of 10 bytes: 2 x 100 + 5 x 20 = 300; with 1 port 4
 * steps and 15 blocks: 400 + 300. 9 ranks are 2 steps with 2 ports, 10 ranks are 3. */
TEST(trees_have_logarithmically_many_startups) {
  struct ports three = {.startup = 100, .byte = 2, .k = 3, .lanes = 3};
  struct ports one = {.startup = 100, .byte = 2, .k = 1, .lanes = 1};
  struct ports two = {.startup = 100, .byte = 2, .k = 2, .lanes = 2};
  ck_assert_double_eq_tol(ports_tree(&three, 16, 10), 300, 1e-9);
  ck_assert_double_eq_tol(ports_tree(&one, 16, 10), 700, 1e-9);
  ck_assert_double_eq_tol(ports_tree(&two, 9, 0), 200, 1e-9);
  ck_assert_double_eq_tol(ports_tree(&two, 10, 0), 300, 1e-9);
  ck_assert_double_eq_tol(ports_tree(&one, 1, 10), 0, 1e-9);
}

/* 5 messages of 100 + 10 x 2 each for 15 others and 3 ports; 16 others need a sixth turn. */
TEST(direct_messages_come_one_after_the_other) {
  struct ports three = {.startup = 100, .byte = 2, .k = 3, .lanes = 3};
  struct ports one = {.startup = 100, .byte = 2, .k = 1, .lanes = 1};
  ck_assert_double_eq_tol(ports_direct(&three, 16, 10), 600, 1e-9);
  ck_assert_double_eq_tol(ports_direct(&three, 17, 10), 720, 1e-9);
  ck_assert_double_eq_tol(ports_direct(&one, 16, 10), 1800, 1e-9);
}

/* With one bandwidth for all ports only the startups become fewer: 2 or 5 of 100, and 15 blocks of 20. */
TEST(ports_that_share_save_startups_only) {
  struct ports three = {.startup = 100, .byte = 2, .k = 3, .lanes = 1};
  ck_assert_double_eq_tol(ports_tree(&three, 16, 10), 500, 1e-9);
  ck_assert_double_eq_tol(ports_direct(&three, 16, 10), 800, 1e-9);
}
