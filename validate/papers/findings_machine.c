/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of findings about the machine and the models; the inequality of each is in findings.def. */
#include "validate/model/predict.h"
#include "validate/papers/findings_decide.h"

#include <math.h>

static double crossing(struct decision *d, enum finding_kind kind, unsigned messages, size_t bytes) {
  return finding_value(d, kind, .count = messages, .bytes = bytes);
}

/* Tell whether 16 crossing messages of KIND with BYTES bytes take at most FACTOR times as long as two up to
 * 256 B, and longer above. */
static bool contention_begins_above_256(struct decision *d, enum finding_kind kind, size_t bytes,
                                        double factor) {
  double two = crossing(d, kind, 2, bytes), all = crossing(d, kind, 16, bytes);
  return bytes <= 256 ? all <= factor * two : all > factor * two;
}

void finding_link_carries_two_messages(struct decision *d) {
  bool bursts = true; /* the reading before: one burst, contention from FINDING_CLOSE on */
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    double one = crossing(d, FINDING_CROSSING, 1, bytes), two = crossing(d, FINDING_CROSSING, 2, bytes);
    finding_require(d, two <= FINDING_CLOSE * one);
    finding_point(d, contention_begins_above_256(d, FINDING_CROSSING, bytes, FINDING_EQUAL),
                  "%zu B: %.0f/%.0f/%.0f", bytes, one, two, crossing(d, FINDING_CROSSING, 16, bytes));
    bursts &= crossing(d, FINDING_BURST, 2, bytes) <= FINDING_CLOSE * crossing(d, FINDING_BURST, 1, bytes);
    bursts &= contention_begins_above_256(d, FINDING_BURST, bytes, FINDING_CLOSE);
  }
  finding_say(d, "in one burst and with 15 percent for 1: %s", bursts ? "holds" : "fails");
}

/* Return the largest increase in percent of 16 messages over 2. */
static double largest_increase(struct decision *d, enum finding_kind kind) {
  double most = 0;
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    most = fmax(most, 100 * (crossing(d, kind, 16, bytes) / crossing(d, kind, 2, bytes) - 1));
  }
  return most;
}

void finding_congestion_reaches_218_percent(struct decision *d) {
  double most = largest_increase(d, FINDING_CROSSING);
  finding_point(d, most <= FINDING_CLOSE * 218 && FINDING_CLOSE * most >= 218,
                "largest increase %.1f percent; in one burst %.1f", most, largest_increase(d, FINDING_BURST));
}

void finding_naive_models_fail(struct decision *d) {
  double gap = finding_value(d, FINDING_ERROR, .count = MODEL_NAIVE_GAP);
  double congestion = finding_value(d, FINDING_ERROR, .count = MODEL_NAIVE_CONTENTION);
  finding_point(d, congestion >= 56 && gap >= 140, "without C: %.1f percent; classic g: %.1f percent",
                congestion, gap);
}

/* Sizes of small transfers in bytes: below the least size with the peak of a stream, 1024 (row peak-from);
 * and the reading before, as in findings_memory.c. */
enum { SMALL = 512, SMALL_BEFORE = 1024 };

void finding_one_long_dma_beats_several(struct decision *d) {
  bool before = true;
  for (size_t bytes = 1024; bytes <= 16384; bytes *= 4) {
    double one = finding_value(d, FINDING_PIECES, .bytes = bytes, .count = 1);
    finding_say(d, "%zu B: %.0f", bytes, one);
    for (unsigned count = 2; count <= 16 && bytes / count >= 128; count *= 2) {
      double several = finding_value(d, FINDING_PIECES, .bytes = bytes, .count = count);
      finding_require(d, bytes / count <= SMALL ? several > FINDING_EQUAL * one : several >= one);
      before &= bytes / count <= SMALL_BEFORE ? several > FINDING_EQUAL * one : several >= one;
      finding_say(d, "in %u %.0f", count, several);
    }
  }
  finding_say(d, "with pieces of 1 KiB taken for small: %s", before ? "holds" : "fails");
}
