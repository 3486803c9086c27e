/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of findings about the machine and the models; the inequality of each is in claims.def. */
#include "validate/model/predict.h"
#include "validate/papers/claims_decide.h"

#include <math.h>

static double crossing(struct decision *d, unsigned messages, size_t bytes) {
  return claim_value(d, (struct claim_run){.kind = CLAIM_CROSSING, .count = messages, .bytes = bytes});
}

void claim_link_carries_two_messages(struct decision *d) {
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    double two = crossing(d, 2, bytes), all = crossing(d, 16, bytes);
    claim_require(d, two <= CLAIM_CLOSE * crossing(d, 1, bytes));
    claim_require(d, bytes <= 256 ? all <= CLAIM_CLOSE * two : all > CLAIM_CLOSE * two);
    claim_say(d, "%zu B: %.0f/%.0f/%.0f", bytes, crossing(d, 1, bytes), two, all);
  }
}

void claim_congestion_reaches_218_percent(struct decision *d) {
  double most = 0;
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    double two = crossing(d, 2, bytes), all = crossing(d, 16, bytes);
    most = fmax(most, 100 * (all - two) / two);
  }
  claim_require(d, most <= CLAIM_CLOSE * 218 && CLAIM_CLOSE * most >= 218);
  claim_say(d, "largest increase %.1f percent", most);
}

void claim_naive_models_fail(struct decision *d) {
  double gap = claim_value(d, (struct claim_run){.kind = CLAIM_ERROR, .count = MODEL_NAIVE_GAP});
  double congestion =
    claim_value(d, (struct claim_run){.kind = CLAIM_ERROR, .count = MODEL_NAIVE_CONTENTION});
  claim_require(d, congestion >= 56 && gap >= 140);
  claim_say(d, "without C: %.1f percent; classic g: %.1f percent", congestion, gap);
}

/* Size of a small transfer in bytes; as in claims_memory.c. */
enum { SMALL = 1024 };

void claim_one_long_dma_beats_several(struct decision *d) {
  for (size_t bytes = 1024; bytes <= 16384; bytes *= 4) {
    double one = claim_value(d, (struct claim_run){.kind = CLAIM_PIECES, .bytes = bytes, .count = 1});
    claim_say(d, "%zu B: %.0f", bytes, one);
    for (unsigned count = 2; count <= 16 && bytes / count >= 128; count *= 2) {
      double several =
        claim_value(d, (struct claim_run){.kind = CLAIM_PIECES, .bytes = bytes, .count = count});
      claim_require(d, bytes / count <= SMALL ? several > CLAIM_EQUAL * one : several >= one);
      claim_say(d, "in %u %.0f", count, several);
    }
  }
}
