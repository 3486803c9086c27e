/* SPDX-License-Identifier: BSD-3-Clause
 * See oracle.h. Every byte of every rank's buffers is a function of seed, rank and place, so that data from the wrong rank
 * or the wrong place shows. */
#include "validate/lab/oracle.h"

#include "algos/step/call_map.h"
#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Streams of data: those of `in` and of elements are not those of `buffer`. */
enum { IN = 1 << 20, ELEMENTS = 2 << 20 };

/* Elements that are checked at a time. */
enum { STRETCH_MAX = 256 };

/* Return word I of the input STREAM, the rank in one of the streams above. */
static uint64_t
word(uint64_t seed, unsigned stream, size_t i)
{
  return random_mix(seed + ((uint64_t)stream << 40) + (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static void
fill_bytes(uint8_t *bytes, size_t nbytes, uint64_t seed, unsigned stream)
{
  for (size_t i = 0; i < nbytes; i += sizeof(uint64_t)) {
    uint64_t value = word(seed, stream, i / sizeof value);
    memcpy(bytes + i, &value, nbytes - i < sizeof value ? nbytes - i : sizeof value);
  }
}

/* Return byte I of what fill_bytes writes. */
static uint8_t
byte(uint64_t seed, unsigned stream, size_t i)
{
  uint64_t value = word(seed, stream, i / sizeof value);
  uint8_t bytes[sizeof value];
  memcpy(bytes, &value, sizeof value);
  return bytes[i % sizeof value];
}

/* --- elements --- */

/* Return a number of either sign whose magnitude is from 1/2 up to 2, so that products of many neither vanish nor grow. */
static double
real_element(uint64_t bits)
{
  double magnitude = 0.5 + 1.5 * (double)(bits >> 24) * 0x1p-40;
  return bits & 1 ? -magnitude : magnitude;
}

/* A part of a vector: N elements from the FIRST one on. */
struct stretch {
  size_t first, n;
};

/* Write STRETCH of the vector of RANK to AT. */
static void
put_elements(const struct coll_group *group, uint64_t seed, unsigned rank, struct stretch stretch, void *at)
{
  uint8_t *place = at;
  unsigned stream = ELEMENTS + rank;
  if (group->type == TYPE_INT32) {
    for (size_t i = 0; i < stretch.n; i++) {
      int32_t value = (int32_t)(word(seed, stream, stretch.first + i) >> 32);
      memcpy(place + i * sizeof value, &value, sizeof value);
    }
  } else if (group->type == TYPE_FLOAT32) {
    for (size_t i = 0; i < stretch.n; i++) {
      float value = (float)real_element(word(seed, stream, stretch.first + i));
      memcpy(place + i * sizeof value, &value, sizeof value);
    }
  } else {
    for (size_t i = 0; i < stretch.n; i++) {
      double value = real_element(word(seed, stream, stretch.first + i));
      memcpy(place + i * sizeof value, &value, sizeof value);
    }
  }
}

static double
real_value(enum coll_type type, const void *at)
{
  float single;
  double real;
  if (type == TYPE_FLOAT32) {
    memcpy(&single, at, sizeof single);
    return (double)single;
  }
  memcpy(&real, at, sizeof real);
  return real;
}

/* What COUNT operands make together, exactly, of each element of a stretch; and the sum of their absolute values. */
struct reals {
  unsigned count;
  long double exact[STRETCH_MAX], absolute[STRETCH_MAX];
};

/* Add N elements at BYTES, of the next operand, to REALS. */
static void
add_operand(const struct coll_group *group, struct reals *reals, const uint8_t *bytes, size_t n)
{
  size_t size = combine_size(group->type);
  bool sum = group->op == OP_SUM, prod = group->op == OP_PROD, first = reals->count++ == 0;
  for (size_t i = 0; i < n; i++) {
    long double x = (long double)real_value(group->type, bytes + i * size), exact = reals->exact[i];
    if (first) {
      reals->exact[i] = x;
    } else {
      reals->exact[i] = sum ? exact + x : prod ? exact * x : (group->op == OP_MIN) == (x < exact) ? x : exact;
    }
    reals->absolute[i] = (first ? 0 : reals->absolute[i]) + fabsl(x);
  }
}

/* Tell whether VALUE may be element I of REALS. */
static bool
is_near(const struct coll_group *group, const struct reals *reals, size_t i, double value)
{
  bool sum = group->op == OP_SUM, prod = group->op == OP_PROD;
  long double epsilon = group->type == TYPE_FLOAT32 ? (long double)FLT_EPSILON : (long double)DBL_EPSILON;
  long double size = sum ? reals->absolute[i] : prod ? fabsl(reals->exact[i]) : 0;
  return fabsl((long double)value - reals->exact[i]) <= (long double)reals->count * epsilon * size;
}

/* Return a text if the floating-point numbers GOT are not what ranks 0 .. COUNT - 1 make together in STRETCH, of at most
 * STRETCH_MAX. */
static char *
check_reals(const struct coll_group *group, uint64_t seed, unsigned count, struct stretch stretch,
            const uint8_t *got)
{
  struct reals reals = {.count = 0};
  uint8_t next[STRETCH_MAX * sizeof(double)];
  for (unsigned r = 0; r < count; r++) {
    put_elements(group, seed, r, stretch, next);
    add_operand(group, &reals, next, stretch.n);
  }
  for (size_t i = 0; i < stretch.n; i++) {
    double value = real_value(group->type, got + i * combine_size(group->type));
    if (!is_near(group, &reals, i, value)) {
      return xasprintf("element %zu is %.9g, expected %.9Lg", stretch.first + i, value, reals.exact[i]);
    }
  }
  return NULL;
}

/* Return a text if the integers GOT are not what ranks 0 .. COUNT - 1 make together in STRETCH, of at most STRETCH_MAX. */
static char *
check_integers(const struct coll_group *group, uint64_t seed, unsigned count, struct stretch stretch,
               const uint8_t *got)
{
  int32_t wanted[STRETCH_MAX], next[STRETCH_MAX], value;
  size_t nbytes = stretch.n * sizeof value;
  put_elements(group, seed, 0, stretch, wanted);
  for (unsigned r = 1; r < count; r++) {
    put_elements(group, seed, r, stretch, next);
    combine_run(&(struct combine){group->op, TYPE_INT32, wanted, next, nbytes});
  }
  if (memcmp(got, wanted, nbytes) == 0) {
    return NULL;
  }
  size_t i = 0;
  for (memcpy(&value, got, sizeof value); value == wanted[i]; i++) {
    memcpy(&value, got + (i + 1) * sizeof value, sizeof value);
  }
  return xasprintf("element %zu is %ld, expected %ld", stretch.first + i, (long)value, (long)wanted[i]);
}

static char *
check_vector(const struct coll_group *group, uint64_t seed, unsigned count, const uint8_t *vector)
{
  size_t size = combine_size(group->type), n = group->nbytes / size;
  char *detail = NULL;
  for (size_t i = 0; i < n && !detail; i += STRETCH_MAX) {
    struct stretch stretch = {i, n - i < STRETCH_MAX ? n - i : STRETCH_MAX};
    detail = group->type == TYPE_INT32 ? check_integers(group, seed, count, stretch, vector + i * size)
                                       : check_reals(group, seed, count, stretch, vector + i * size);
  }
  return detail;
}

/* Check that the buffer of VIEW is what ranks 0 .. COUNT - 1 make together. All ranks of an all-reduction have the same
 * elements; floating-point numbers too, unless they have combined them in different orders. */
static char *
check_elements(const struct coll_group *group, uint64_t seed, unsigned count, struct oracle_view view)
{
  struct oracle_known *known = view.known;
  if (known->bytes && known->seed == seed && known->count == count && known->nbytes == group->nbytes &&
      memcmp(known->bytes, view.buffer, group->nbytes) == 0) {
    return NULL;
  }
  char *detail = check_vector(group, seed, count, view.buffer);
  if (!detail && group->call.algo->collective == COLL_ALLREDUCE && group->nbytes > 0) {
    known->bytes = xrealloc(known->bytes, group->nbytes, 1);
    memcpy(known->bytes, view.buffer, group->nbytes);
    known->nbytes = group->nbytes;
    known->seed = seed;
    known->count = count;
  }
  return detail;
}

void
oracle_forget(struct oracle_known *known)
{
  free(known->bytes);
  *known = (struct oracle_known){0};
}

/* --- bytes --- */

/* NBYTES at AT must be what stream STREAM has from place I on. */
struct expectation {
  const uint8_t *at;
  size_t nbytes;
  unsigned stream;
  size_t i;
};

static char *
check_bytes(uint64_t seed, const struct expectation *expected, const char *what)
{
  for (size_t k = 0; k < expected->nbytes; k++) {
    size_t i = expected->i + k;
    uint64_t whole = word(seed, expected->stream, i / sizeof whole);
    if (i % sizeof whole == 0 && expected->nbytes - k >= sizeof whole &&
        memcmp(expected->at + k, &whole, sizeof whole) == 0) {
      k += sizeof whole - 1;
      continue;
    }
    uint8_t wanted = byte(seed, expected->stream, i);
    if (expected->at[k] != wanted) {
      return xasprintf("byte %zu %sis 0x%02x, expected 0x%02x", k, what, expected->at[k], wanted);
    }
  }
  return NULL;
}

/* Check the block of the buffer of RANK that comes from rank FROM. */
static char *
check_block(const struct coll_group *group, uint64_t seed, const unsigned ranks[2], const uint8_t *buffer)
{
  unsigned rank = ranks[0], from = ranks[1], stream = from;
  enum collective collective = group->call.algo->collective;
  size_t stride = layout_stride(group), i = from * stride, nbytes = layout_count(group, from, rank);
  size_t at = i;
  if (collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV) {
    stream = IN + from;
    i = rank * stride;
  } else if (collective == COLL_SCATTER) {
    stream = group->root;
    i = at = rank * stride;
  }
  char what[48];
  snprintf(what, sizeof what, "of the block from rank %u ", from);
  return check_bytes(seed, &(struct expectation){buffer + at, nbytes, stream, i}, what);
}

static char *
check_blocks(const struct coll_group *group, unsigned rank, uint64_t seed, const uint8_t *buffer)
{
  char *detail = NULL;
  for (unsigned from = 0; from < group->nranks && !detail; from++) {
    detail = check_block(group, seed, (unsigned[]){rank, from}, buffer);
  }
  return detail;
}

/* Check what the collective promises about the buffer of VIEW. */
static char *
check_result(const struct coll_group *group, unsigned rank, uint64_t seed, struct oracle_view view)
{
  const uint8_t *buffer = view.buffer;
  unsigned n = group->nranks, root = group->root;
  switch (group->call.algo->collective) {
  case COLL_BCAST:
    return check_bytes(seed, &(struct expectation){buffer, group->nbytes, root, 0}, "");
  case COLL_REDUCE:
    return rank == root ? check_elements(group, seed, n, view) : NULL;
  case COLL_ALLREDUCE:
    return check_elements(group, seed, n, view);
  case COLL_SCAN:
    return check_elements(group, seed, rank + 1, view);
  case COLL_GATHER:
  case COLL_GATHERV:
    return rank == root ? check_blocks(group, rank, seed, buffer) : NULL;
  case COLL_SCATTER:
    return check_block(group, seed, (unsigned[]){rank, root}, buffer);
  case COLL_ALLGATHER:
  case COLL_ALLGATHERV:
  case COLL_ALLTOALL:
  case COLL_ALLTOALLV:
    return check_blocks(group, rank, seed, buffer);
  case COLL_BARRIER:
  case COLL_COUNT:
    break;
  }
  return NULL;
}

/* Check that nobody has touched what nobody may touch: behind the buffer, and all of the input that lies apart. */
static char *
check_untouched(const struct coll_group *group, unsigned rank, uint64_t seed, struct oracle_view view)
{
  size_t nbytes = layout_buffer_bytes(group), in = layout_in_bytes(group);
  char *detail = NULL;
  if (view.in) {
    struct expectation input = {view.in, in + CALL_MAP_GUARD, IN + rank, 0};
    detail = check_bytes(seed, &input, "of the input ");
  }
  for (size_t i = nbytes; i < nbytes + CALL_MAP_GUARD && !detail; i++) {
    uint8_t wanted = byte(seed, rank, i);
    if (view.buffer[i] != wanted) {
      detail = xasprintf("byte %zu (behind the end) is 0x%02x, expected 0x%02x", i, view.buffer[i], wanted);
    }
  }
  return detail;
}

void
oracle_fill(const struct coll_group *group, unsigned rank, uint64_t seed, struct oracle_view view)
{
  fill_bytes(view.buffer, layout_buffer_bytes(group) + CALL_MAP_GUARD, seed, rank);
  if (view.in) {
    fill_bytes(view.in, layout_in_bytes(group) + CALL_MAP_GUARD, seed, IN + rank);
  }
  if (collective_combines(group->call.algo->collective)) {
    size_t size = combine_size(group->type);
    put_elements(group, seed, rank, (struct stretch){0, group->nbytes / size}, view.buffer);
  }
}

char *
oracle_check(const struct coll_group *group, unsigned rank, uint64_t seed, struct oracle_view view)
{
  char *detail = check_result(group, rank, seed, view);
  detail = detail ? detail : check_untouched(group, rank, seed, view);
  if (!detail) {
    return NULL;
  }
  char *longer = xasprintf("rank %u: %s", rank, detail);
  free(detail);
  return longer;
}
