/* SPDX-License-Identifier: BSD-3-Clause
 * Every decider of a finding can say yes and no: the decider gets made-up figures. */
#include "validate/papers/findings.h"
#include "tests/suite.h"

/* Figures of algorithms with `algorithm` in the name, with at least so many ranks, bytes and `count`;
 * per_byte is for each byte of each rank. */
struct rule {
  const char *algorithm; /* NULL: the list ends */
  unsigned ranks;        /* of copies, which have none, bytes of a buffer */
  size_t bytes;
  unsigned count;
  double value, per_byte;
};

enum { RULES_MAX = 6 };

/* A finding under rules: the last rule that fits counts; without a rule a figure is 100. */
struct trial {
  const char *name;
  finding_decider *decide;
  bool holds;
  struct rule rules[RULES_MAX];
};

#define TRIAL(name, holds, ...) \
  { \
#name, finding_##name, holds, { \
      __VA_ARGS__ \
    } \
  }
#define YES(name, ...) TRIAL(name, true, __VA_ARGS__)
#define NO(name, ...) TRIAL(name, false, __VA_ARGS__)

static const struct trial trials[] = {
  YES(pairwise_beats_dissemination, {"bruck", 9, 0, 0, 200, 0}),
  NO(pairwise_beats_dissemination, {NULL}),
  NO(pairwise_beats_dissemination, {"bruck", 2, 0, 0, 200, 0}),
  YES(dma_list_slows_one_to_all, {"putl", 5, 0, 0, 101, 0}),
  NO(dma_list_slows_one_to_all, {NULL}),
  NO(dma_list_slows_one_to_all, {"putl", 2, 0, 0, 98, 0}, {"putl", 5, 0, 0, 101, 0}),
  YES(signal_gather_brings_no_gain, {NULL}),
  NO(signal_gather_brings_no_gain, {"release=put", 16, 0, 0, 98, 0}),
  YES(tree_of_degree_8_slower_than_4, {"degree=8", 0, 0, 0, 101, 0}),
  NO(tree_of_degree_8_slower_than_4, {"degree=8", 10, 0, 0, 101, 0}),
  YES(exchanges_beat_gather_broadcast, {"recursive", 0, 0, 0, 80, 0}, {"bruck", 0, 0, 0, 80, 0}),
  NO(exchanges_beat_gather_broadcast, {"recursive", 0, 0, 0, 80, 0}, {"bruck", 0, 0, 0, 90, 0}),
  YES(atomic_and_mailbox_not_competitive, {"atomic", 0, 0, 0, 2000, 0}, {"mailbox", 0, 0, 0, 20000, 0}),
  NO(atomic_and_mailbox_not_competitive, {"atomic", 0, 0, 0, 2000, 0}, {"mailbox", 0, 0, 0, 200000, 0}),
  NO(atomic_and_mailbox_not_competitive, {"atomic", 0, 0, 0, 900, 0}, {"mailbox", 0, 0, 0, 20000, 0}),
  YES(latency_jumps_from_8_to_10, {"", 10, 0, 0, 200, 0}),
  NO(latency_jumps_from_8_to_10, {NULL}),
  NO(latency_jumps_from_8_to_10, {"", 10, 0, 0, 200, 0}, {"", 12, 0, 0, 280, 0}),
  YES(all_to_one_best_off_powers_of_two, {NULL}),
  NO(all_to_one_best_off_powers_of_two, {"all-to-one", 7, 0, 0, 102, 0}),
  NO(all_to_one_best_off_powers_of_two, {"recursive", 16, 0, 0, 102, 0}),
  YES(blade_barriers_scale, {"all-to-one", 16, 0, 0, 120, 0}, {"blade", 0, 0, 0, 90, 0}),
  NO(blade_barriers_scale, {"all-to-one", 16, 0, 0, 120, 0}, {"tree-blade", 0, 0, 0, 90, 0}),
  NO(blade_barriers_scale, {"blade", 0, 0, 0, 90, 0}),
  YES(blade_tree_approaches_all_to_one, {"degree=2", 0, 0, 0, 120, 0}),
  NO(blade_tree_approaches_all_to_one, {"degree=7", 16, 0, 0, 120, 0}),
  YES(opt_blade_tree_best_broadcast, {"degree=3", 0, 0, 0, 120, 0}),
  NO(opt_blade_tree_best_broadcast, {"tree-opt-blade", 16, 16384, 0, 102, 0}),
  NO(opt_blade_tree_best_broadcast, {"degree=3", 7, 128, 0, 98, 0}),
  YES(opt_blade_tree_reduce_halves, {"all-to-one", 0, 0, 0, 150, 0}),
  NO(opt_blade_tree_reduce_halves, {"all-to-one", 0, 0, 0, 149, 0}),
  NO(opt_blade_tree_reduce_halves, {"all-to-one", 0, 0, 0, 150, 0}, {"degree=3", 12, 0, 0, 98, 0}),
  YES(all_to_one_reduce_best_below_6, {NULL}),
  NO(all_to_one_reduce_best_below_6, {"all-to-one", 5, 0, 0, 102, 0}),
  YES(link_carries_two_messages, {"", 0, 512, 16, 102, 0}),
  NO(link_carries_two_messages, {"", 0, 512, 16, 100.9, 0}),
  NO(link_carries_two_messages, {"", 0, 256, 16, 102, 0}),
  NO(link_carries_two_messages, {"", 0, 512, 16, 160, 0}, {"", 0, 64, 2, 120, 0}),
  YES(congestion_reaches_218_percent, {"", 0, 32768, 16, 300, 0}),
  NO(congestion_reaches_218_percent, {"", 0, 0, 16, 200, 0}),
  NO(congestion_reaches_218_percent, {"", 0, 0, 16, 400, 0}),
  YES(simple_binomial_inverts_priorities, {"simple", 0, 4096, 0, 120, 0}),
  NO(simple_binomial_inverts_priorities, {"simple", 0, 16384, 0, 120, 0}),
  YES(segmented_binomial_hurt_by_crossings, {"segmented", 0, 0, 0, 1e6, 0}, {"hybrid", 0, 0, 0, 100, 0}),
  NO(segmented_binomial_hurt_by_crossings, {NULL}),
  YES(bruck_pays_a_crossing_in_every_round, {"bruck", 0, 0, 0, 350, 0}),
  NO(bruck_pays_a_crossing_in_every_round, {"bruck", 0, 0, 0, 340, 0}),
  YES(below_64_bytes_costs_as_64, {"", 0, 64, 0, 114, 0}),
  NO(below_64_bytes_costs_as_64, {"reduce", 0, 64, 0, 116, 0}),
  YES(naive_models_fail, {"", 0, 0, 0, 141, 0}),
  NO(naive_models_fail, {NULL}),
  YES(best_broadcasts_in_memory, {"mm-tree", 0, 8192, 0, 90, 0}),
  NO(best_broadcasts_in_memory, {"mm-tree", 16, 131072, 0, 80, 0}),
  NO(best_broadcasts_in_memory, {"root-copies", 12, 0, 0, 90, 0}),
  YES(pieces_of_2_to_4_kib, {"min=", 0, 0, 0, 110, 0}, {"min=2048", 0, 0, 0, 100, 0}),
  NO(pieces_of_2_to_4_kib, {NULL}),
  YES(double_buffering_speeds_copies, {"", 0, 0, 1, 160, 0}, {"", 0, 0, 2, 100, 0}, {"ppe", 0, 0, 0, 120, 0}),
  NO(double_buffering_speeds_copies, {"", 0, 0, 1, 160, 0}, {"", 0, 0, 2, 100, 0}),
  NO(double_buffering_speeds_copies, {"", 0, 0, 1, 140, 0}, {"", 0, 0, 2, 100, 0}, {"ppe", 0, 0, 0, 120, 0}),
  YES(broadcast_approaches_memory_bandwidth, {"", 0, 0, 0, 0, 1 / 16.}),
  NO(broadcast_approaches_memory_bandwidth, {"", 0, 0, 0, 0, 1 / 15.}),
  YES(best_reductions_in_memory, {"degree=2", 0, 0, 0, 101, 0}),
  NO(best_reductions_in_memory, {"degree=1", 8, 1 << 20, 0, 102, 0}),
  NO(best_reductions_in_memory, {"allgather", 0, 16384, 0, 102, 0}),
  NO(best_reductions_in_memory, {"degree=3", 0, 0, 0, 120, 0}),
  YES(one_long_dma_beats_several, {"", 0, 0, 2, 102, 0}),
  NO(one_long_dma_beats_several, {NULL}),
  YES(multi_port_beats_native, {"gather:elan", 0, 0, 0, 90, 0}, {"gather:elan", 0, 64, 0, 110, 0},
      {"alltoall:elan", 0, 0, 0, 90, 0}, {"alltoall:elan", 0, 512, 0, 110, 0},
      {"alltoall:elan", 0, 32768, 0, 90, 0}, {"alltoall:elan", 0, 65536, 0, 110, 0}),
  NO(multi_port_beats_native, {"elan", 0, 0, 0, 90, 0}, {"elan", 0, 64, 0, 110, 0}),
  YES(binomial_scatter_for_short_sequential_for_long, {"sequential", 0, 0, 0, 110, 0},
      {"sequential", 0, 65536, 0, 90, 0}),
  NO(binomial_scatter_for_short_sequential_for_long, {NULL}),
  YES(any_shift_helps_on_4, {"shift=0", 0, 0, 0, 101, 0}),
  NO(any_shift_helps_on_4, {NULL}),
  NO(any_shift_helps_on_4, {"shift=0", 0, 0, 0, 130, 0}, {"shift=4096", 0, 65536, 0, 120, 0}),
  YES(shifts_are_equal_above_4, {"shift=0", 0, 0, 0, 114, 0}),
  NO(shifts_are_equal_above_4, {"shift=0", 16, 0, 0, 116, 0}),
  NO(shifts_are_equal_above_4, {"shift=128", 0, 65536, 0, 80, 0}),
  YES(pieces_of_2_and_4_kib_are_close, {"min=4096", 0, 0, 0, 114, 0}),
  NO(pieces_of_2_and_4_kib_are_close, {"min=4096", 0, 32768, 0, 116, 0}),
  YES(smaller_pieces_are_worse, {"min=1", 0, 0, 0, 101, 0}),
  NO(smaller_pieces_are_worse, {"min=128", 0, 0, 0, 101, 0}),
  NO(smaller_pieces_are_worse, {NULL}),
  YES(degree_3_best_for_trees_of_copies, {"degree=3", 0, 0, 0, 90, 0}),
  NO(degree_3_best_for_trees_of_copies, {"degree=3", 16, 0, 0, 116, 0}),
  NO(degree_3_best_for_trees_of_copies, {"degree=4", 12, 0, 0, 116, 0}),
  YES(degrees_matter_for_small_copies, {"degree=2", 0, 0, 0, 120, 0}, {"degree=2", 0, 65536, 0, 110, 0}),
  NO(degrees_matter_for_small_copies, {NULL}),
  YES(degrees_2_and_4_are_close, {"degree=4", 0, 0, 0, 90, 0}),
  NO(degrees_2_and_4_are_close, {"mm-tree:degree=4", 0, 0, 0, 85, 0}),
  NO(degrees_2_and_4_are_close, {"mm-ls-tree:degree=2", 0, 65536, 0, 85, 0}),
  YES(degrees_are_close_for_large, {"degree=1", 0, 0, 0, 114, 0}),
  NO(degrees_are_close_for_large, {"degree=4", 0, 0, 0, 116, 0}),
  YES(chain_best_for_very_large, {"degree=1", 0, 0, 0, 99, 0}),
  NO(chain_best_for_very_large, {NULL}),
  YES(send_receive_reduces_slower, {"mm-tree", 0, 0, 0, 101, 0}),
  NO(send_receive_reduces_slower, {"mm-tree", 0, 0, 0, 101, 0}, {"mm-tree", 16, 1 << 20, 0, 99, 0}),
  YES(pieces_worse_for_small_reductions, {"degree=3", 0, 0, 0, 99, 0}),
  NO(pieces_worse_for_small_reductions, {"degree=3", 8, 0, 0, 99, 0}),
  YES(degree_4_best_reduction_on_4, {"allgather", 0, 0, 0, 99.1, 0}),
  YES(buffers_of_4_kib_are_enough, {"", 16384, 0, 0, 90, 0}),
  NO(buffers_of_4_kib_are_enough, {"", 16384, 0, 0, 80, 0}),
  NO(degree_4_best_reduction_on_4, {"allgather", 0, 1024, 0, 98, 0}),
};

enum { TRIALS = sizeof trials / sizeof *trials };

static double make_up(struct decision *d, const struct figure *figure) {
  const struct trial *trial = d->context;
  double value = 100;
  for (size_t i = 0; i < RULES_MAX && trial->rules[i].algorithm; i++) {
    const struct rule *rule = &trial->rules[i];
    if (strstr(figure->subject ? figure->subject : "", rule->algorithm) &&
        figure->ranks + figure->buffer >= rule->ranks && figure->bytes >= rule->bytes &&
        figure->count >= rule->count) {
      value = rule->value + rule->per_byte * (double)figure->bytes * figure->ranks;
    }
  }
  return value;
}

TESTS(findings);

TEST_EACH(deciders_say_yes_and_no, 0, TRIALS) {
  const struct trial *trial = &trials[_i];
  struct decision d = {.value = make_up, .context = (void *)trial, .profile = "any"};
  trial->decide(&d);
  ck_assert_msg(d.refuted == !trial->holds, "trial %d, %s, %s: %s", _i, trial->name,
                d.refuted ? "fails" : "holds", d.evidence);
  ck_assert_uint_gt(strlen(d.evidence), 0);
  ck_assert_ptr_null(strpbrk(d.evidence, ",\"\n"));
}

/* Every finding has trials both ways. */
TEST(every_decider_has_trials){
#define FINDING(id, name, ...) \
  { \
    unsigned found = 0; \
    for (size_t i = 0; i < TRIALS; i++) { \
      found |= trials[i].decide == finding_##name ? trials[i].holds ? 1U : 2U : 0U; \
    } \
    ck_assert_msg(found == 3, "%s", #name); \
  }
#define FINDING_HOSTS FINDING
#include "validate/papers/findings.def"
}

TEST(evidence_never_overflows) {
  struct decision d = {0};
  for (unsigned i = 0; i < FINDING_EVIDENCE_SIZE; i++) {
    finding_say(&d, "%u", i);
  }
  ck_assert_uint_lt(strlen(d.evidence), sizeof d.evidence);
  ck_assert_ptr_eq(strstr(d.evidence, "0; 1; 2; "), d.evidence);
}

TEST(samples_that_disagree_leave_a_finding_undecided) {
  static const struct {
    enum finding_verdict before;
    double share;
    enum finding_verdict after;
  } cases[] = {{FINDING_HOLDS, 100, FINDING_HOLDS},        {FINDING_HOLDS, 95, FINDING_HOLDS},
               {FINDING_HOLDS, 94, FINDING_UNDECIDED},     {FINDING_FAILS, 6, FINDING_UNDECIDED},
               {FINDING_FAILS, 5, FINDING_FAILS},          {FINDING_FAILS, 0, FINDING_FAILS},
               {FINDING_ELSEWHERE, 100, FINDING_ELSEWHERE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct finding_row row = {.verdict = cases[i].before};
    findings_judge(&row, cases[i].share);
    ck_assert_int_eq(row.verdict, cases[i].after);
    ck_assert_double_eq(row.share, cases[i].share);
  }
}
