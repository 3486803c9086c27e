/* SPDX-License-Identifier: BSD-3-Clause
 * Rounds of random programs: each program runs on the fast engine and on the reference; both note all
 * events. */
#pragma once

#include "tests/bed.h"
#include "tests/reference/machine.h"

/* Return the seed of round ROUND on machine MACHINE (bed_new_machine). */
static inline uint64_t reference_seed(unsigned machine, unsigned round) {
  return (uint64_t)machine << 32 | round;
}

/* Run the round of SEED on `bed` and on the reference and fill both logs, sorted.
 * owner: the caller, who frees the entries. */
void reference_round(uint64_t seed, struct reference_log *fast, struct reference_log *plain);

/* Compare the logs FAST and PLAIN of a round.
 * returns: the first difference in words; NULL: the logs are equal.
 * owner: the caller. */
char *reference_difference(const struct reference_log *fast, const struct reference_log *plain);

/* Return ENTRY in words, without the cycle.
 * owner: the caller. */
char *reference_words(const struct reference_entry *entry);
