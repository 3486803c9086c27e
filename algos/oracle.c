/* SPDX-License-Identifier: BSD-3-Clause
 * See oracle.h. Every byte of every rank's input is a function of seed, rank and place, so that data from the wrong rank
 * or the wrong place shows. */
#include "algos/oracle.h"

#include "sim/base/xalloc.h"

#include <stdio.h>

/* Return the byte at place I of the input of RANK.
 * source: the mixing function is that of SplitMix64 (Steele, Lea, Flood 2014). */
static uint8_t
input(uint64_t seed, unsigned rank, size_t i)
{
  uint64_t z = seed + ((uint64_t)rank << 40) + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint8_t)(z ^ z >> 31);
}

/* Return what must be at place I of the buffer of RANK after the call. */
static uint8_t
expected(const struct coll_group *group, unsigned rank, uint64_t seed, size_t i)
{
  if (i >= group->nbytes) {
    return input(seed, rank, i); /* guard: untouched */
  }
  switch (group->call.algo->collective) {
  case COLL_BCAST:
    return input(seed, group->root, i);
  case COLL_BARRIER:
  case COLL_COUNT:
    break;
  }
  return input(seed, rank, i);
}

void
oracle_fill(const struct coll_group *group, unsigned rank, uint64_t seed, uint8_t *buffer)
{
  for (size_t i = 0; i < group->nbytes + COLL_GUARD; i++) {
    buffer[i] = input(seed, rank, i);
  }
}

char *
oracle_check(const struct coll_group *group, unsigned rank, uint64_t seed, const uint8_t *buffer)
{
  for (size_t i = 0; i < group->nbytes + COLL_GUARD; i++) {
    uint8_t wanted = expected(group, rank, seed, i);
    if (buffer[i] != wanted) {
      return xasprintf("rank %u: byte %zu %sis 0x%02x, expected 0x%02x", rank, i,
                       i < group->nbytes ? "" : "(behind the end) ", buffer[i], wanted);
    }
  }
  return NULL;
}
