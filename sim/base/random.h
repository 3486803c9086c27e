/* SPDX-License-Identifier: BSD-3-Clause
 * Pseudo-random numbers that are the same everywhere.
 * source: SplitMix64 (Steele, Lea, Flood 2014). */
#pragma once

#include <stdint.h>

/* Return the mixed value of Z, of no other Z. */
static inline uint64_t random_mix(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Return number INDEX, counted from 0, of the stream whose seed is SEED. */
static inline uint64_t random_at(uint64_t seed, uint64_t index) {
  return random_mix(seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Return WORD with all bits spread: a word of its own in a sum of few words for random_absorb. */
static inline uint64_t random_spread(uint64_t word) {
  return word * UINT64_C(0x9e3779b97f4a7c15);
}

/* Add WORD to STATE, a fingerprint of words, zero at first. */
static inline void random_absorb(uint64_t *state, uint64_t word) {
  *state = random_at(*state ^ word, 0);
}

/* Return the next number of the stream of STATE, whose first value is the seed. */
static inline uint64_t random_next(uint64_t *state) {
  return random_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}
