/* SPDX-License-Identifier: BSD-3-Clause
 * Every decider of a finding can say yes and no: the decider gets made-up figures. */
#include "validate/papers/findings.h"
#include "sim/base/vec.h"
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
  bool holds;
  struct rule rules[RULES_MAX];
};

#define TRIAL(name, holds, ...) \
  { \
    name, holds, { \
      __VA_ARGS__ \
    } \
  }
#define YES(name, ...) TRIAL(name, true, __VA_ARGS__)
#define NO(name, ...) TRIAL(name, false, __VA_ARGS__)

static const struct trial trials[] = {
  YES("pairwise-beats-dissemination", {"bruck", 9, 0, 0, 200, 0}),
  NO("pairwise-beats-dissemination", {NULL}),
  NO("pairwise-beats-dissemination", {"bruck", 2, 0, 0, 200, 0}),
  YES("dma-list-slows-one-to-all", {"putl", 5, 0, 0, 101, 0}),
  NO("dma-list-slows-one-to-all", {NULL}),
  NO("dma-list-slows-one-to-all", {"putl", 2, 0, 0, 98, 0}, {"putl", 5, 0, 0, 101, 0}),
  YES("signal-gather-brings-no-gain", {NULL}),
  NO("signal-gather-brings-no-gain", {"release=put", 16, 0, 0, 98, 0}),
  YES("tree-of-degree-8-slower-than-4", {"degree=8", 0, 0, 0, 101, 0}),
  NO("tree-of-degree-8-slower-than-4", {"degree=8", 10, 0, 0, 101, 0}),
  YES("exchanges-beat-gather-broadcast", {"recursive", 0, 0, 0, 80, 0}, {"bruck", 0, 0, 0, 80, 0}),
  NO("exchanges-beat-gather-broadcast", {"recursive", 0, 0, 0, 80, 0}, {"bruck", 0, 0, 0, 90, 0}),
  YES("atomic-and-mailbox-not-competitive", {"atomic", 0, 0, 0, 2000, 0}, {"mailbox", 0, 0, 0, 20000, 0}),
  NO("atomic-and-mailbox-not-competitive", {"atomic", 0, 0, 0, 2000, 0}, {"mailbox", 0, 0, 0, 200000, 0}),
  NO("atomic-and-mailbox-not-competitive", {"atomic", 0, 0, 0, 900, 0}, {"mailbox", 0, 0, 0, 20000, 0}),
  YES("latency-jumps-from-8-to-10", {"", 10, 0, 0, 200, 0}),
  NO("latency-jumps-from-8-to-10", {NULL}),
  NO("latency-jumps-from-8-to-10", {"", 10, 0, 0, 200, 0}, {"", 12, 0, 0, 280, 0}),
  YES("all-to-one-best-off-powers-of-two", {NULL}),
  NO("all-to-one-best-off-powers-of-two", {"all-to-one", 7, 0, 0, 102, 0}),
  NO("all-to-one-best-off-powers-of-two", {"recursive", 16, 0, 0, 102, 0}),
  YES("blade-barriers-scale", {"all-to-one", 16, 0, 0, 120, 0}, {"blade", 0, 0, 0, 90, 0}),
  NO("blade-barriers-scale", {"all-to-one", 16, 0, 0, 120, 0}, {"tree-blade", 0, 0, 0, 90, 0}),
  NO("blade-barriers-scale", {"blade", 0, 0, 0, 90, 0}),
  YES("blade-tree-approaches-all-to-one", {"degree=2", 0, 0, 0, 120, 0}),
  NO("blade-tree-approaches-all-to-one", {"degree=7", 16, 0, 0, 120, 0}),
  YES("opt-blade-tree-best-broadcast", {"degree=3", 0, 0, 0, 120, 0}),
  NO("opt-blade-tree-best-broadcast", {"tree-opt-blade", 16, 16384, 0, 102, 0}),
  NO("opt-blade-tree-best-broadcast", {"degree=3", 7, 128, 0, 98, 0}),
  YES("opt-blade-tree-reduce-halves", {"all-to-one", 0, 0, 0, 150, 0}),
  NO("opt-blade-tree-reduce-halves", {"all-to-one", 0, 0, 0, 149, 0}),
  NO("opt-blade-tree-reduce-halves", {"all-to-one", 0, 0, 0, 150, 0}, {"degree=3", 12, 0, 0, 98, 0}),
  YES("all-to-one-reduce-best-below-6", {NULL}),
  NO("all-to-one-reduce-best-below-6", {"all-to-one", 5, 0, 0, 102, 0}),
  YES("link-carries-two-messages", {"", 0, 512, 16, 102, 0}),
  NO("link-carries-two-messages", {"", 0, 512, 16, 100.9, 0}),
  NO("link-carries-two-messages", {"", 0, 256, 16, 102, 0}),
  NO("link-carries-two-messages", {"", 0, 512, 16, 160, 0}, {"", 0, 64, 2, 120, 0}),
  YES("congestion-reaches-218-percent", {"", 0, 32768, 16, 300, 0}),
  NO("congestion-reaches-218-percent", {"", 0, 0, 16, 200, 0}),
  NO("congestion-reaches-218-percent", {"", 0, 0, 16, 400, 0}),
  YES("simple-binomial-inverts-priorities", {"simple", 0, 4096, 0, 120, 0}),
  NO("simple-binomial-inverts-priorities", {"simple", 0, 16384, 0, 120, 0}),
  YES("segmented-binomial-hurt-by-crossings", {"segmented", 0, 0, 0, 1e6, 0}, {"hybrid", 0, 0, 0, 100, 0}),
  NO("segmented-binomial-hurt-by-crossings", {NULL}),
  YES("bruck-pays-a-crossing-in-every-round", {"bruck", 0, 0, 0, 350, 0}),
  NO("bruck-pays-a-crossing-in-every-round", {"bruck", 0, 0, 0, 340, 0}),
  YES("below-64-bytes-costs-as-64", {"", 0, 64, 0, 114, 0}),
  NO("below-64-bytes-costs-as-64", {"reduce", 0, 64, 0, 116, 0}),
  YES("naive-models-fail", {"", 0, 0, 0, 141, 0}),
  NO("naive-models-fail", {NULL}),
  YES("best-broadcasts-in-memory", {"mm-tree", 0, 8192, 0, 90, 0}),
  NO("best-broadcasts-in-memory", {"mm-tree", 16, 131072, 0, 80, 0}),
  NO("best-broadcasts-in-memory", {"root-copies", 12, 0, 0, 90, 0}),
  YES("pieces-of-2-to-4-kib", {"min=", 0, 0, 0, 110, 0}, {"min=2048", 0, 0, 0, 100, 0}),
  NO("pieces-of-2-to-4-kib", {NULL}),
  YES("double-buffering-speeds-copies", {"", 0, 0, 1, 160, 0}, {"", 0, 0, 2, 100, 0},
      {"ppe", 0, 0, 0, 120, 0}),
  NO("double-buffering-speeds-copies", {"", 0, 0, 1, 160, 0}, {"", 0, 0, 2, 100, 0}),
  NO("double-buffering-speeds-copies", {"", 0, 0, 1, 140, 0}, {"", 0, 0, 2, 100, 0},
     {"ppe", 0, 0, 0, 120, 0}),
  YES("broadcast-approaches-memory-bandwidth", {"", 0, 0, 0, 0, 1 / 16.}),
  NO("broadcast-approaches-memory-bandwidth", {"", 0, 0, 0, 0, 1 / 15.}),
  YES("best-reductions-in-memory", {"degree=2", 0, 0, 0, 101, 0}),
  NO("best-reductions-in-memory", {"degree=1", 8, 1 << 20, 0, 102, 0}),
  NO("best-reductions-in-memory", {"allgather", 0, 16384, 0, 102, 0}),
  NO("best-reductions-in-memory", {"degree=3", 0, 0, 0, 120, 0}),
  YES("one-long-dma-beats-several", {"", 0, 0, 2, 102, 0}),
  NO("one-long-dma-beats-several", {NULL}),
  YES("multi-port-beats-native", {"gather:elan", 0, 0, 0, 90, 0}, {"gather:elan", 0, 64, 0, 110, 0},
      {"alltoall:elan", 0, 0, 0, 90, 0}, {"alltoall:elan", 0, 512, 0, 110, 0},
      {"alltoall:elan", 0, 32768, 0, 90, 0}, {"alltoall:elan", 0, 65536, 0, 110, 0}),
  NO("multi-port-beats-native", {"elan", 0, 0, 0, 90, 0}, {"elan", 0, 64, 0, 110, 0}),
  YES("binomial-scatter-for-short-sequential-for-long", {"sequential", 0, 0, 0, 110, 0},
      {"sequential", 0, 65536, 0, 90, 0}),
  NO("binomial-scatter-for-short-sequential-for-long", {NULL}),
  YES("any-shift-helps-on-4", {"shift=0", 0, 0, 0, 101, 0}),
  NO("any-shift-helps-on-4", {NULL}),
  NO("any-shift-helps-on-4", {"shift=0", 0, 0, 0, 130, 0}, {"shift=4096", 0, 65536, 0, 120, 0}),
  YES("shifts-are-equal-above-4", {"shift=0", 0, 0, 0, 114, 0}),
  NO("shifts-are-equal-above-4", {"shift=0", 16, 0, 0, 116, 0}),
  NO("shifts-are-equal-above-4", {"shift=128", 0, 65536, 0, 80, 0}),
  YES("pieces-of-2-and-4-kib-are-close", {"min=4096", 0, 0, 0, 114, 0}),
  NO("pieces-of-2-and-4-kib-are-close", {"min=4096", 0, 32768, 0, 116, 0}),
  YES("smaller-pieces-are-worse", {"min=1", 0, 0, 0, 101, 0}),
  NO("smaller-pieces-are-worse", {"min=128", 0, 0, 0, 101, 0}),
  NO("smaller-pieces-are-worse", {NULL}),
  YES("degree-3-best-for-trees-of-copies", {"degree=3", 0, 0, 0, 90, 0}),
  NO("degree-3-best-for-trees-of-copies", {"degree=3", 16, 0, 0, 116, 0}),
  NO("degree-3-best-for-trees-of-copies", {"degree=4", 12, 0, 0, 116, 0}),
  YES("degrees-matter-for-small-copies", {"degree=2", 0, 0, 0, 120, 0}, {"degree=2", 0, 65536, 0, 110, 0}),
  NO("degrees-matter-for-small-copies", {NULL}),
  YES("degrees-2-and-4-are-close", {"degree=4", 0, 0, 0, 90, 0}),
  NO("degrees-2-and-4-are-close", {"mm-tree:degree=4", 0, 0, 0, 85, 0}),
  NO("degrees-2-and-4-are-close", {"mm-ls-tree:degree=2", 0, 65536, 0, 85, 0}),
  YES("degrees-are-close-for-large", {"degree=1", 0, 0, 0, 114, 0}),
  NO("degrees-are-close-for-large", {"degree=4", 0, 0, 0, 116, 0}),
  YES("chain-best-for-very-large", {"degree=1", 0, 0, 0, 99, 0}),
  NO("chain-best-for-very-large", {NULL}),
  YES("send-receive-reduces-slower", {"mm-tree", 0, 0, 0, 101, 0}),
  NO("send-receive-reduces-slower", {"mm-tree", 0, 0, 0, 101, 0}, {"mm-tree", 16, 1 << 20, 0, 99, 0}),
  YES("pieces-worse-for-small-reductions", {"degree=3", 0, 0, 0, 99, 0}),
  NO("pieces-worse-for-small-reductions", {"degree=3", 8, 0, 0, 99, 0}),
  YES("degree-4-best-reduction-on-4", {"allgather", 0, 0, 0, 99.1, 0}),
  YES("buffers-of-4-kib-are-enough", {"", 16384, 0, 0, 90, 0}),
  NO("buffers-of-4-kib-are-enough", {"", 16384, 0, 0, 80, 0}),
  NO("degree-4-best-reduction-on-4", {"allgather", 0, 1024, 0, 98, 0}),
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
  const struct finding *finding =
    VEC_FIND(findings_table, findings_count(), strcmp(item->name, trial->name) == 0);
  ck_assert_ptr_nonnull(finding);
  finding->decide(&d);
  ck_assert_msg(d.refuted == !trial->holds, "trial %d, %s, %s: %s", _i, trial->name,
                d.refuted ? "fails" : "holds", d.evidence);
  ck_assert_uint_gt(strlen(d.evidence), 0);
  ck_assert_ptr_null(strpbrk(d.evidence, ",\"\n"));
}

/* Every finding has trials both ways. */
TEST(every_decider_has_trials) {
  for (size_t i = 0; i < findings_count(); i++) {
    unsigned found = 0;
    for (size_t k = 0; k < TRIALS; k++) {
      found |= strcmp(trials[k].name, findings_table[i].name) == 0 ? trials[k].holds ? 1U : 2U : 0U;
    }
    ck_assert_msg(found == 3, "%s", findings_table[i].name);
  }
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
