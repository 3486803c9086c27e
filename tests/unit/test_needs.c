/* SPDX-License-Identifier: BSD-3-Clause
 * The reasons of refused calls, and calls that just meet a need and are served. */
#include "algos/step/coll.h"
#include "tests/suite.h"

enum { LS = 262144, BASE = 65536 };

/* Chips with so many ranks each, up to four. */
static const unsigned shapes[][4] = {{1}, {3}, {4}, {8}, {8, 8}, {4, 4, 4, 4}, {8, 4}, {3, 3}, {16}, {9, 8}};
enum shape {
  ONE,
  THREE,
  FOUR,
  EIGHT,
  TWICE_EIGHT,
  FOUR_FOURS,
  EIGHT_AND_FOUR,
  TWICE_THREE,
  SIXTEEN,
  SEVENTEEN
};

/* A call, and a word of the reason of its refusal (NULL: not refused). */
struct trial {
  unsigned needs;
  enum shape shape;
  size_t nbytes;
  const char *word;
};

static const struct trial trials[] = {
  {NEED_POWER_OF_TWO_RANKS, ONE, 4, NULL},
  {NEED_POWER_OF_TWO_RANKS, SIXTEEN, 4, NULL},
  {NEED_POWER_OF_TWO_RANKS, THREE, 4, "3 ranks, expected a power of two"},
  {NEED_POWER_OF_TWO_RANKS, EIGHT_AND_FOUR, 4, "12 ranks"},
  {NEED_SEVERAL_CHIPS, EIGHT_AND_FOUR, 4, NULL},
  {NEED_SEVERAL_CHIPS, EIGHT, 4, "8 ranks on one chip"},
  {NEED_EVEN_CHIPS, TWICE_EIGHT, 4, NULL},
  {NEED_EVEN_CHIPS, FOUR_FOURS, 4, NULL},
  {NEED_EVEN_CHIPS, EIGHT_AND_FOUR, 4, "12 ranks on 2 chips"},
  {NEED_EVEN_CHIPS, TWICE_THREE, 4, "the same power of two"},
  {NEED_SIGNAL_BITS, SIXTEEN, 4, NULL},
  {NEED_SIGNAL_BITS, SEVENTEEN, 4, "17 ranks"},
  {NEED_ONE_DMA, FOUR, 16384, NULL},
  {NEED_ONE_DMA, FOUR, 16388, "16388 bytes"},
  {NEED_512_ELEMENTS, FOUR, 2048, NULL},
  {NEED_512_ELEMENTS, FOUR, 2052, "512 elements"},
  {NEED_2048_ELEMENTS, FOUR, 8192, NULL},
  {NEED_2048_ELEMENTS, FOUR, 8196, "2048 elements"},
  {NEED_POWER_OF_TWO_RANKS | NEED_ONE_DMA, THREE, 20000, "power of two"},
  {0, FOUR, 2, "multiple of the 4"},
  {0, FOUR, LS - BASE, "room for 196608"},
  {0, FOUR, (size_t)1 << 40, "1099511627776 bytes in a local store with room for 196608"},
  {0, FOUR, 0, NULL},
};

/* A group with the ranks of SHAPE on its chips; the arrays are static. */
static struct coll_group group_of(const struct algo *algo, enum shape shape) {
  static unsigned chip_first[5];
  struct coll_group group = {
    .call.algo = algo, .chip_first = chip_first, .ls_base = BASE, .ls_bytes = LS, .nrepeats = 1};
  while (group.nchips < 4 && shapes[shape][group.nchips]) {
    chip_first[group.nchips] = group.nranks;
    group.nranks += shapes[shape][group.nchips++];
  }
  chip_first[group.nchips] = group.nranks;
  return group;
}

/* Check that the call of GROUP is refused for a reason with WORD, or not at all if WORD is NULL. */
static void expect(const struct coll_group *group, const char *word) {
  struct refusal refusal;
  const char *why = needs_refuse(group, &refusal) ? refusal.text : NULL;
  ck_assert_msg(!why == !word, "refused for '%s', expected '%s'", why ? why : "nothing",
                word ? word : "nothing");
  ck_assert_msg(!why || strstr(why, word), "refused for '%s', expected '%s'", why, word);
}

TESTS(needs);

/* Loop test: the index is the trial. */
TEST_EACH(calls_are_refused_as_their_needs_say, 0, sizeof trials / sizeof *trials) {
  const struct trial *trial = &trials[_i];
  struct algo algo = {.collective = COLL_REDUCE, .needs = trial->needs};
  struct coll_group group = group_of(&algo, trial->shape);
  group.nbytes = trial->nbytes;
  expect(&group, trial->word);
}

TEST(needs_of_the_chosen_word_count_as_well) {
  struct algo algo = {
    .collective = COLL_BCAST,
    .params = {
      {.name = "way", .choices = {{.word = "plain"}, {.word = "paired", .needs = NEED_POWER_OF_TWO_RANKS}}}}};
  struct coll_group group = group_of(&algo, THREE);
  expect(&group, NULL);
  group.call.values[0] = 1;
  expect(&group, "power of two");
}

TEST(a_switch_is_a_round_of_recursive_doubling) {
  struct algo algo = {.collective = COLL_BCAST,
                      .needs = NEED_SWITCH_ROUND,
                      .params = {{.name = "switch", .least = 1, .most = 30, .initial = 2}}};
  struct coll_group group = group_of(&algo, SIXTEEN);
  for (unsigned round = 0; round < 8; round++) {
    group.call.values[0] = round;
    expect(&group, round >= 1 && round <= 4 ? NULL : "for 16 ranks, expected one from 1 to log2");
  }
}

TEST(a_root_must_exist) {
  struct algo algo = {.collective = COLL_BCAST};
  struct coll_group group = group_of(&algo, THREE);
  group.root = 2;
  expect(&group, NULL);
  group.root = 3;
  expect(&group, "root 3, expected a rank below 3");
}

TEST(elements_are_not_cut_and_have_the_operator) {
  struct algo algo = {.collective = COLL_REDUCE, .in_order = true};
  struct coll_group group = group_of(&algo, FOUR);
  for (int type = 0; type < TYPE_COUNT; type++) {
    for (int op = 0; op < OP_COUNT; op++) {
      group.type = (enum coll_type)type;
      group.op = (enum coll_op)op;
      const char *refused = combine_is_defined(group.op, group.type) ? NULL
                            : op == OP_COMPOSE                       ? "expected type pair"
                            : type == TYPE_PAIR                      ? "expected operator compose"
                                                                     : "expected an integer type";
      group.nbytes = 24;
      expect(&group, refused);
      group.nbytes = 20;
      expect(&group, refused ? refused : combine_size(group.type) == 8 ? "multiple of the 8" : NULL);
    }
  }
}

TEST(an_operator_that_does_not_commute_needs_the_order_of_ranks) {
  struct algo algo = {.collective = COLL_REDUCE};
  struct coll_group group = group_of(&algo, FOUR);
  group.nbytes = 16;
  expect(&group, NULL);
  group.op = OP_COMPOSE;
  group.type = TYPE_PAIR;
  expect(&group, "operator compose in any order, expected an operator that commutes");
  algo.in_order = true;
  expect(&group, NULL);
}

static void no_program(const struct coll_group *group) {
}

TEST(programs_of_ppes_need_one_on_each_chip) {
  struct algo algo = {.collective = COLL_BARRIER, .ppe = no_program};
  struct coll_group group = group_of(&algo, FOUR);
  ck_assert_uint_eq(needs_of_algo(&algo), NEED_SPES | NEED_PPE);
  expect(&group, NULL);
  group.no_ppe = true;
  expect(&group, "chips without a PPE, expected one on each chip");
  algo.ppe = NULL;
  expect(&group, NULL);
}

TEST(data_in_main_memory_needs_no_local_store) {
  struct algo algo = {.collective = COLL_BCAST};
  struct coll_group group = group_of(&algo, FOUR);
  group.nbytes = 10 * LS;
  expect(&group, "room");
  algo.in_memory = true;
  expect(&group, NULL);
}
