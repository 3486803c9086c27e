/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of findings about main memory; the inequality of each is in findings.def. Small messages are 128 B
 * and 1 KiB, as in the tables of Velamati et al. */
#include "validate/papers/findings_decide.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char gather_root[] = "bcast:mm-root-copies", tree3[] = "bcast:mm-ls-tree:degree=3",
                  allgather[] = "bcast:mm-allgather";

/* Competing algorithms, up to NULL. */
static const char *const broadcasts[] = {gather_root,
                                         tree3,
                                         allgather,
                                         "bcast:mm-one-to-all",
                                         "bcast:mm-tree:degree=3",
                                         "bcast:mm-ls-tree:degree=1",
                                         "bcast:mm-ls-tree:degree=2",
                                         "bcast:mm-ls-tree:degree=4",
                                         NULL};
static const char *const reductions[] = {"reduce:mm-ls-tree:degree=1", "reduce:mm-ls-tree:degree=2",
                                         "reduce:mm-ls-tree:degree=3", "reduce:mm-ls-tree:degree=4",
                                         "reduce:mm-allgather",        NULL};

/* Require that BEST takes at most FACTOR times as long as the fastest competing algorithm. */
static void require_best(struct decision *d, const char *best, double factor, struct finding_run at) {
  double own = finding_time(d, best, at.ranks, at.bytes), fastest = INFINITY;
  bool is_reduction = strncmp(best, "reduce:", 7) == 0;
  const char *name = best;
  for (const char *const *rival = is_reduction ? reductions : broadcasts; *rival; rival++) {
    double time = finding_time(d, *rival, at.ranks, at.bytes);
    name = time < fastest ? *rival : name;
    fastest = fmin(fastest, time);
  }
  finding_point(d, own <= factor * fastest, "%u x %zu B: %s %.0f; fastest %.0f %s", at.ranks, at.bytes,
                strchr(best, ':') + 1, own, fastest, strchr(name, ':') + 1);
}

void finding_best_broadcasts_in_memory(struct decision *d) {
  static const unsigned ranks[] = {4, 12, 16};
  static const size_t small[] = {128, 1024}, large[] = {8192, 32768, 131072};
  for (size_t i = 0; i < COUNT(ranks); i++) {
    unsigned p = ranks[i];
    for (size_t j = 0; j < COUNT(small); j++) {
      require_best(d, p > 4 ? tree3 : gather_root, FINDING_EQUAL,
                   (struct finding_run){.ranks = p, .bytes = small[j]});
    }
    for (size_t j = 0; j < COUNT(large); j++) {
      require_best(d, allgather, FINDING_CLOSE, (struct finding_run){.ranks = p, .bytes = large[j]});
    }
  }
}

void finding_pieces_of_2_to_4_kib(struct decision *d) {
  static const char *const larger[] = {"bcast:mm-allgather:min=8192", "bcast:mm-allgather:min=16384",
                                       "bcast:mm-allgather:min=32768"};
  for (size_t bytes = 8192; bytes <= 32768; bytes *= 2) {
    double two = finding_time(d, "bcast:mm-allgather:min=2048", 16, bytes);
    double four = finding_time(d, "bcast:mm-allgather:min=4096", 16, bytes);
    double others[COUNT(larger)];
    for (size_t i = 0; i < COUNT(larger); i++) {
      others[i] = finding_time(d, larger[i], 16, bytes);
      finding_require(d, fmin(two, four) < others[i]);
    }
    finding_say(d, "%zu B: %.0f/%.0f against %.0f/%.0f/%.0f", bytes, two, four, others[0], others[1],
                others[2]);
  }
}

static double copy(struct decision *d, unsigned buffers, size_t size) {
  return finding_value(d, FINDING_COPY, .bytes = 1 << 20, .count = buffers, .buffer = size);
}

void finding_double_buffering_speeds_copies(struct decision *d) {
  double ppe = finding_time(d, "bcast:mm-ppe", 2, 1 << 20), spe = copy(d, 2, 16384);
  finding_point(d, FINDING_CLOSE * spe <= ppe, "PPE %.0f; SPE buffers in B: one/two", ppe);
  for (size_t size = 1024; size <= 16384; size *= 4) {
    double one = copy(d, 1, size), two = copy(d, 2, size);
    finding_point(d, one >= FINDING_NEARLY_TWICE * two, "%zu: %.0f/%.0f", size, one, two);
  }
}

void finding_broadcast_approaches_memory_bandwidth(struct decision *d) {
  const double peak = 25.6, published = 16 * 32768 / 33700.0; /* GB/s */
  finding_say(d, "published 16 x 32768 B: %.1f", published);
  for (unsigned p = 4; p <= 16; p += 4) {
    for (size_t bytes = 16384; bytes <= 131072; bytes *= 2) {
      double rate = (double)p * (double)bytes / finding_time(d, allgather, p, bytes);
      finding_point(d, rate >= published && rate <= 2 * peak, "%u x %zu B: %.1f", p, bytes, rate);
    }
  }
}

void finding_best_reductions_in_memory(struct decision *d) {
  static const char pieces[] = "reduce:mm-allgather";
  for (unsigned p = 4; p <= 16; p += 4) {
    if (p > 4) {
      require_best(d, "reduce:mm-ls-tree:degree=3", FINDING_CLOSE,
                   (struct finding_run){.ranks = p, .bytes = 128});
    }
    require_best(d, pieces, FINDING_EQUAL, (struct finding_run){.ranks = p, .bytes = 16384});
    require_best(d, p > 4 ? "reduce:mm-ls-tree:degree=1" : pieces, FINDING_EQUAL,
                 (struct finding_run){.ranks = p, .bytes = 1 << 20});
  }
}
