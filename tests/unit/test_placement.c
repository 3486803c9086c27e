/* SPDX-License-Identifier: BSD-3-Clause
 * The SPE of each rank, and the numbering of chips that follows. */
#include "tests/bed.h"
#include "validate/lab/call/placement.h"

static void start(void) {
  bed_use("qs20", "blade.chips=4 blade.topology=ring");
}

/* Check NRANKS ranks of PLACEMENT on one blade, or on all nodes of a machine of several. */
static int check(const struct placement *placement, unsigned nranks, struct err *err) {
  struct placement_shape shape = placement_shape(bed.platform, bed.platform->node.count > 1);
  return placement_check(placement, &shape, nranks, err);
}

static struct placement parsed(const char *text) {
  struct placement placement;
  SUCCEEDS(placement_parse(text, &placement, &failure));
  return placement;
}

/* Return NRANKS ranks placed on `bed` by TEXT.
 * owner: the caller, with placement_fini. */
static struct coll_group placed(const char *text, unsigned nranks) {
  struct placement placement = parsed(text);
  struct placement_shape shape = placement_shape(bed.platform, false);
  struct coll_group group = {.nranks = nranks};
  placement_apply(&placement, &shape, NULL, &group);
  units_list_fini(&placement.list);
  return group;
}

/* Check that TEXT is refused for NRANKS ranks, if not before, with WORD in the message. */
static void refuse(const char *text, unsigned nranks, const char *word) {
  struct placement placement;
  struct err err = {""};
  int status = placement_parse(text, &placement, &err);
  status = status == 0 ? check(&placement, nranks, &err) : status;
  ck_assert_msg(status == -1, "'%s' was accepted", text);
  ck_assert_msg(strstr(err.text, word) != NULL, "%s", err.text);
  units_list_fini(&placement.list);
}

TESTS(placement, .start = start, .stop = bed_end);

TEST(words_and_lists_are_read) {
  ck_assert_int_eq(parsed("packed").kind, PLACEMENT_PACKED);
  ck_assert_int_eq(parsed("round-robin").kind, PLACEMENT_ROUND_ROBIN);
  struct placement list = parsed("3,9,0");
  ck_assert_int_eq(list.kind, PLACEMENT_LIST);
  ck_assert_uint_eq(list.list.n, 3);
  ck_assert_uint_eq(list.list.values[1], 9);
  units_list_fini(&list.list);
}

TEST(other_words_and_impossible_lists_are_refused) {
  refuse("scattered", 2, "'scattered', expected packed");
  refuse("", 2, "expected packed");
  refuse("1,x", 2, "expected packed");
  refuse("0,1", 3, "placement of 2 ranks, expected one SPE for each of 3");
  refuse("0,32", 2, "rank 1 on SPE 32, expected one below 32");
  refuse("4,5,4", 3, "ranks 0 and 2 on SPE 4");
  refuse("0.1", 1, "'0.1', expected packed");
  refuse("0.1.2.3", 1, "expected packed");
  refuse("0.1.x", 1, "expected packed");
  refuse("0.1.1048576", 1, "expected packed");
  refuse("0.0.7,1.0.0", 2, "rank 1 on 1.0.0, expected a node below 1");
  refuse("0.4.0", 1, "rank 0 on 0.4.0, expected a chip below 4");
  refuse("0.3.8", 1, "rank 0 on 0.3.8, expected an SPE below 8");
  refuse("8,9,0.1.1", 3, "ranks 1 and 2 on SPE 0.1.1, expected one each");
}

/* Chip 1 of a blade with chips of 8 SPEs begins with SPE 8. */
TEST(a_list_may_name_node_chip_and_spe) {
  struct placement list = parsed("0.1.0,3,0.3.7,4..5");
  struct coll_group group = placed("0.1.0,3,0.3.7,4..5", 5);
  SUCCEEDS(check(&list, 5, &failure));
  static const unsigned spes[] = {8, 3, 31, 4, 5};
  ck_assert_mem_eq(group.spe_of, spes, sizeof spes);
  ck_assert_str_eq(placement_tell(&list, 5), "0.1.0 3 0.3.7 4 5");
  placement_fini(&group);
  units_list_fini(&list.list);
}

/* On a platform of four blades of 16 SPEs. */
TEST(a_list_counts_over_all_nodes) {
  bed_use("blades", "");
  struct placement list = parsed("3.1.7,17,2.0.1");
  SUCCEEDS(check(&list, 3, &failure));
  static const struct placement_spot spots[] = {{3, 15}, {1, 1}, {2, 1}};
  for (unsigned r = 0; r < 3; r++) {
    struct placement_spot spot = placement_spot(&list, bed.platform, 3, r);
    ck_assert(spot.node == spots[r].node && spot.spe == spots[r].spe);
  }
  ck_assert_uint_eq(placement_nodes(&list, bed.platform, 3), 4);
  units_list_fini(&list.list);
  list = parsed("4.0.0");
  FAILS(check(&list, 1, &failure), "placement of rank 0 on 4.0.0, expected a node below 4");
  units_list_fini(&list.list);
}

TEST(a_longer_list_than_needed_will_do) {
  struct placement list = parsed("3,9,0,0");
  SUCCEEDS(check(&list, 3, &failure));
  units_list_fini(&list.list);
}

/* Check that ranks and chips of GROUP are consistent. */
static void check_group(const struct coll_group *group) {
  bool used[32] = {false};
  ck_assert(group->nchips >= 1 && group->nchips <= 4);
  ck_assert_uint_eq(group->chip_first[0], 0);
  ck_assert_uint_eq(group->chip_first[group->nchips], group->nranks);
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    ck_assert_uint_lt(group->chip_first[chip], group->chip_first[chip + 1]);
    for (unsigned i = group->chip_first[chip]; i < group->chip_first[chip + 1]; i++) {
      ck_assert_uint_eq(group->chip_of[group->by_chip[i]], chip);
      ck_assert(i == group->chip_first[chip] || group->by_chip[i] > group->by_chip[i - 1]);
      ck_assert_uint_eq(group->place_of[group->by_chip[i]], i);
    }
  }
  for (unsigned r = 0; r < group->nranks; r++) {
    ck_assert_uint_lt(group->spe_of[r], blade_nspes(bed.blade));
    ck_assert(!used[group->spe_of[r]]);
    used[group->spe_of[r]] = true;
    for (unsigned other = 0; other < r; other++) {
      unsigned chip = group->spe_of[r] / blade_spes_per_chip(bed.blade);
      unsigned other_chip = group->spe_of[other] / blade_spes_per_chip(bed.blade);
      ck_assert((chip < other_chip) == (group->chip_of[r] < group->chip_of[other]));
      ck_assert((chip == other_chip) == (group->chip_of[r] == group->chip_of[other]));
    }
  }
}

TEST(packed_ranks_fill_one_chip_after_the_other) {
  for (unsigned n = 1; n <= blade_nspes(bed.blade); n++) {
    struct coll_group group = placed("packed", n);
    check_group(&group);
    ck_assert_uint_eq(group.nchips, (n + 7) / 8);
    for (unsigned r = 0; r < n; r++) {
      ck_assert_uint_eq(group.spe_of[r], r);
    }
    placement_fini(&group);
  }
}

TEST(ranks_in_turn_go_round_the_chips) {
  for (unsigned n = 1; n <= blade_nspes(bed.blade); n++) {
    struct coll_group group = placed("round-robin", n);
    check_group(&group);
    ck_assert_uint_eq(group.nchips, n < 4 ? n : 4);
    for (unsigned r = 0; r < n; r++) {
      ck_assert_uint_eq(group.chip_of[r], r % 4);
    }
    placement_fini(&group);
  }
}

/* SPEs of chips 3, 1, 1, 3, 1: the chips count as 1 and 0, since 0 and 2 have no ranks. */
TEST(chips_without_ranks_do_not_count) {
  static const unsigned chip_of[] = {1, 0, 0, 1, 0}, by_chip[] = {1, 2, 4, 0, 3};
  struct coll_group group = placed("31,8,15,24,9", 5);
  check_group(&group);
  ck_assert_uint_eq(group.nchips, 2);
  for (unsigned r = 0; r < 5; r++) {
    ck_assert_uint_eq(group.chip_of[r], chip_of[r]);
    ck_assert_uint_eq(group.by_chip[r], by_chip[r]);
  }
  placement_fini(&group);
}
