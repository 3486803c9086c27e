/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of collectives by ready and go, against times derived by hand from the rules in ready_go_cost.h and chain.h.
 * Parameters: L(1) = 100, 500 across; issue 10, handle 3; a move alone 40, 60 across; issue(m) 7, handle(m) 2; serve(m) 20,
 * 30 across, 15 on the chip beside one across; gamma 5; C(n) = 25 (n - 2). */
#include "algos/catalogue.h"
#include "algos/cost/cost.h"
#include "sim/base/err.h"

#include <check.h>
#include <math.h>

Suite *ready_go_cost_suite(void);

/* How late the first of two transfers is: as late as the second one if they take turns from the start. */
static double delay;

static double
parameter(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n)
{
  ck_assert(cost->way & COST_BY_SIGNALS || parameter == COST_GAMMA);
  switch (parameter) {
  case COST_L:
  case COST_L1:
    return 100;
  case COST_L2:
    return 500;
  case COST_ISSUE:
    return 10;
  case COST_START:
    return 7;
  case COST_HANDLE:
    return m == COST_ACK ? 3 : 2;
  case COST_STEP1:
    return 2 * 100 + 40;
  case COST_STEP2:
    return 2 * 500 + 60;
  case COST_SERVE1:
    return 20;
  case COST_SERVE2:
    return 30;
  case COST_BESIDE:
    return 15;
  case COST_DELAY1:
  case COST_DELAY2:
    return delay;
  case COST_GAMMA:
    return 5;
  case COST_C:
    return 25 * (n - 2.0);
  default:
    ck_abort_msg("parameter %d", (int)parameter);
  }
}

/* Return what the call NAME is said to cost on NRANKS ranks, SPES_PER_CHIP of them on a chip. */
static double
cost_of(const char *name, unsigned nranks, unsigned spes_per_chip)
{
  struct algo_call call;
  struct err err = {""};
  ck_assert_msg(catalogue_find(name, &call, &err) == 0, "%s", err.text);
  struct cost cost = {.p = nranks,
                      .m = 1024,
                      .spes_per_chip = spes_per_chip,
                      .two_chips = nranks > spes_per_chip,
                      .values = call.values,
                      .neighbours = call.algo->neighbours,
                      .refined = true,
                      .parameter = parameter};
  return call.algo->refined(&cost);
}

#define EXPECT(name, nranks, spes_per_chip, expected) \
  ck_assert_double_eq_tol(cost_of(name, nranks, spes_per_chip), expected, 1e-6)

/* 0 finds both ready at 100, 103 and lets 1 go at 103, 2 at 113. On two chips of 2, 0 and 2 hear one another at 100 + 500 and
 * let 1 and 3 go then. In pairwise exchange, 3 ranks on one chip: 2 tells 0 at 0, 0 goes on at 100, 1 then hears it at 200
 * and 0 hears 1 at 113; it tells 2 then. */
START_TEST(barriers_follow_their_signals)
{
  EXPECT("barrier:all-to-one", 3, 8, 113 + 100);
  EXPECT("barrier:tree", 3, 8, 113 + 100);
  EXPECT("barrier:tree", 2, 1, 1000);
  EXPECT("barrier:all-to-one-blade", 4, 2, 600 + 100);
  EXPECT("barrier:recursive-doubling:sync=signal", 3, 8, 113 + 100);
}
END_TEST

/* 0 starts at 103 and 110. The first one is alone for 7 of its 20, the other 13 take 26: until 136; the second one ends at
 * 143. Alone they would take 40 instead of 20, so 0 finds them over at 156 and 163, and lets 2 go at 173. If the first one is
 * in the window before the second comes, it ends at 143, the second one at 163 as before. A reduce combines at 156 and at
 * 163, until 168. */
START_TEST(transfers_of_a_parent_take_turns)
{
  delay = 20;
  EXPECT("bcast:all-to-one", 3, 8, 173 + 100);
  EXPECT("reduce:tree", 3, 8, 168 + 10 + 100);
  delay = 0;
  EXPECT("bcast:all-to-one", 3, 8, 173 + 100);
}
END_TEST

/* 0 hears 1 at 100 and starts at once, 2 at 110. If they take turns, 1 has 10 of its 20 alone and the rest until 130, which is
 * 150 for 0; else 140. 1 hears that 100 later, finds 3 ready after 3 more and moves its data in 40. */
START_TEST(children_are_served_as_they_are_ready)
{
  delay = 20;
  EXPECT("bcast:tree-opt-blade", 4, 8, 150 + 100 + 3 + 40 + 100);
  delay = 0;
  EXPECT("bcast:tree-opt-blade", 4, 8, 140 + 100 + 3 + 40 + 100);
}
END_TEST

/* 7 ranks on chips of 3: 3 and 4 are ready for 1 at 500 and 503, 5 and 6 for 2; they are for 0 at 603, 606. 0 moves both of
 * these from then on as above, which takes until 666; 2 may go at 676, so at 776 it starts with 5, at 783 with 6. Meanwhile
 * 1 does the same, so that each message takes the link 2 (C(6) - C(4)) = 100 instead of 30: the second one ends with the
 * sum of both at 976. It began 100 before; a move alone takes 60 + C(4) = 110: 986. 6 may go 10 after 5 and hears that 500
 * later. */
START_TEST(what_crosses_at_once_shares_the_link)
{
  delay = 30;
  EXPECT("bcast:tree", 7, 3, 986 + 10 + 500);
}
END_TEST

/* 4 ranks on chips of 3: all are ready at 500, and 0 starts with 1, 2, 3 at 500, 507, 514; 3 needs 50 as above. At 514, 1 has
 * 0.475 left and 2 0.825. With 3 a round takes 15 + 15 + 50: 1 ends at 552. 2 has 0.35 left, of rounds of 65: 574.75. 3 has
 * 0.175 left: 583.5. For 0 they are over at 572, 594.75, and, since it handles 2 first, 596.75; 3 may go last. */
START_TEST(ranks_on_the_chip_need_less_beside_one_across)
{
  delay = 30;
  EXPECT("bcast:all-to-one", 4, 3, 596.75 + 20 + 500);
}
END_TEST

Suite *
ready_go_cost_suite(void)
{
  Suite *suite = suite_create("ready_go_cost");
  TCase *tests = tcase_create("ready_go_cost");
  tcase_add_test(tests, barriers_follow_their_signals);
  tcase_add_test(tests, transfers_of_a_parent_take_turns);
  tcase_add_test(tests, children_are_served_as_they_are_ready);
  tcase_add_test(tests, what_crosses_at_once_shares_the_link);
  tcase_add_test(tests, ranks_on_the_chip_need_less_beside_one_across);
  suite_add_tcase(suite, tests);
  return suite;
}
