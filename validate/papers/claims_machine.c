/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of findings about the machine and the models; the inequality of each is in claims.def. */
#include "validate/model/predict.h"
#include "validate/papers/claims_decide.h"

#include <math.h>

static double crossing(struct decision *d, enum claim_kind kind, unsigned messages, size_t bytes) {
  return claim_value(d, (struct claim_run){.kind = kind, .count = messages, .bytes = bytes});
}

/* Tell whether 16 crossing messages of KIND with BYTES bytes take at most FACTOR times as long as two up to
 * 256 B, and longer above. */
static bool contention_begins_above_256(struct decision *d, enum claim_kind kind, size_t bytes,
                                        double factor) {
  double two = crossing(d, kind, 2, bytes), all = crossing(d, kind, 16, bytes);
  return bytes <= 256 ? all <= factor * two : all > factor * two;
}

void claim_link_carries_two_messages(struct decision *d) {
  bool bursts = true; /* the reading before: one burst, contention from CLAIM_CLOSE on */
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    double one = crossing(d, CLAIM_CROSSING, 1, bytes), two = crossing(d, CLAIM_CROSSING, 2, bytes);
    claim_require(d, two <= CLAIM_CLOSE * one);
    claim_require(d, contention_begins_above_256(d, CLAIM_CROSSING, bytes, CLAIM_EQUAL));
    claim_say(d, "%zu B: %.0f/%.0f/%.0f", bytes, one, two, crossing(d, CLAIM_CROSSING, 16, bytes));
    bursts &= crossing(d, CLAIM_BURST, 2, bytes) <= CLAIM_CLOSE * crossing(d, CLAIM_BURST, 1, bytes);
    bursts &= contention_begins_above_256(d, CLAIM_BURST, bytes, CLAIM_CLOSE);
  }
  claim_say(d, "in one burst and with 15 percent for 1: %s", bursts ? "holds" : "fails");
}

/* Return the largest increase in percent of 16 messages over 2. */
static double largest_increase(struct decision *d, enum claim_kind kind) {
  double most = 0;
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    most = fmax(most, 100 * (crossing(d, kind, 16, bytes) / crossing(d, kind, 2, bytes) - 1));
  }
  return most;
}

void claim_congestion_reaches_218_percent(struct decision *d) {
  double most = largest_increase(d, CLAIM_CROSSING);
  claim_require(d, most <= CLAIM_CLOSE * 218 && CLAIM_CLOSE * most >= 218);
  claim_say(d, "largest increase %.1f percent; in one burst %.1f", most, largest_increase(d, CLAIM_BURST));
}

void claim_naive_models_fail(struct decision *d) {
  double gap = claim_value(d, (struct claim_run){.kind = CLAIM_ERROR, .count = MODEL_NAIVE_GAP});
  double congestion =
    claim_value(d, (struct claim_run){.kind = CLAIM_ERROR, .count = MODEL_NAIVE_CONTENTION});
  claim_require(d, congestion >= 56 && gap >= 140);
  claim_say(d, "without C: %.1f percent; classic g: %.1f percent", congestion, gap);
}

/* Sizes of small transfers in bytes: below the least size with the peak of a stream, 1024 (row peak-from);
 * and the reading before, as in claims_memory.c. */
enum { SMALL = 512, SMALL_BEFORE = 1024 };

void claim_one_long_dma_beats_several(struct decision *d) {
  bool before = true;
  for (size_t bytes = 1024; bytes <= 16384; bytes *= 4) {
    double one = claim_value(d, (struct claim_run){.kind = CLAIM_PIECES, .bytes = bytes, .count = 1});
    claim_say(d, "%zu B: %.0f", bytes, one);
    for (unsigned count = 2; count <= 16 && bytes / count >= 128; count *= 2) {
      double several =
        claim_value(d, (struct claim_run){.kind = CLAIM_PIECES, .bytes = bytes, .count = count});
      claim_require(d, bytes / count <= SMALL ? several > CLAIM_EQUAL * one : several >= one);
      before &= bytes / count <= SMALL_BEFORE ? several > CLAIM_EQUAL * one : several >= one;
      claim_say(d, "in %u %.0f", count, several);
    }
  }
  claim_say(d, "with pieces of 1 KiB taken for small: %s", before ? "holds" : "fails");
}
