/* SPDX-License-Identifier: BSD-3-Clause
 * See oracle.h. Every byte of every rank's buffers is a function of seed, rank and place, so that data from
 * the wrong rank or the wrong place shows. */
#include "validate/lab/verify/oracle.h"

#include "algos/step/call_map.h"
#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "sim/base/xalloc.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements that are checked at a time. */
enum { STRETCH_MAX = ORACLE_STRETCH / sizeof(double) };

/* --- elements --- */

/* A part of a vector: N elements from the FIRST one on. */
struct stretch {
  size_t first, n;
};

/* Room for what is not kept; elements may lie there. */
union scratch {
  uint8_t bytes[ORACLE_STRETCH];
  double aligned;
};

/* The vectors that ranks of GROUP have got for the call with SEED. */
struct vectors {
  const struct coll_group *group;
  uint64_t seed;
  const struct oracle_data *data;
};

/* Return the elements STRETCH of the vector of RANK, in SCRATCH or where they are kept. */
static const uint8_t *elements(const struct vectors *vectors, unsigned rank, struct stretch stretch,
                               union scratch *scratch) {
  enum coll_type type = vectors->group->type;
  size_t size = combine_size(type);
  struct oracle_part part = {vectors->seed, ORACLE_ELEMENTS + rank, type, stretch.first * size,
                             stretch.n * size};
  return oracle_data_get(vectors->data, &part, scratch->bytes);
}

/* Read N numbers of TYPE at BYTES into VALUES. */
static void read_reals(enum coll_type type, const uint8_t *bytes, size_t n, double *values) {
  if (type == TYPE_FLOAT64) {
    memcpy(values, bytes, n * sizeof *values);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    float value;
    memcpy(&value, bytes + i * sizeof value, sizeof value);
    values[i] = (double)value;
  }
}

/* What COUNT operands make together of each element of a stretch; and, for a sum, the sum of their absolute
 * values. */
struct reals {
  unsigned count;
  double value[STRETCH_MAX], absolute[STRETCH_MAX];
};

/* Add N elements at BYTES, of the next operand, to REALS. */
static void add_operand(const struct coll_group *group, struct reals *reals, const uint8_t *bytes, size_t n) {
  double next[STRETCH_MAX], *value = reals->value;
  bool first = reals->count++ == 0;
  read_reals(group->type, bytes, n, first ? value : next);
  for (size_t i = 0; i < n && group->op == OP_SUM; i++) {
    reals->absolute[i] = first ? fabs(value[i]) : reals->absolute[i] + fabs(next[i]);
  }
  for (size_t i = 0; i < n && !first; i++) {
    bool less = next[i] < value[i];
    value[i] = group->op == OP_SUM             ? value[i] + next[i]
               : group->op == OP_PROD          ? value[i] * next[i]
               : less == (group->op == OP_MIN) ? next[i]
                                               : value[i];
  }
}

/* Tell whether VALUE may be element I of REALS. */
static bool is_near(const struct coll_group *group, const struct reals *reals, size_t i, double value) {
  double epsilon = group->type == TYPE_FLOAT32 ? (double)FLT_EPSILON : DBL_EPSILON;
  double size = group->op == OP_SUM ? reals->absolute[i] : group->op == OP_PROD ? fabs(reals->value[i]) : 0;
  return fabs(value - reals->value[i]) <= reals->count * epsilon * size;
}

/* Return a text if the floating-point numbers GOT are not what ranks 0 .. COUNT - 1 make together in STRETCH,
 * of at most STRETCH_MAX. */
static char *check_reals(const struct vectors *vectors, unsigned count, struct stretch stretch,
                         const uint8_t *got) {
  const struct coll_group *group = vectors->group;
  struct reals reals;
  union scratch next;
  double values[STRETCH_MAX];
  reals.count = 0;
  for (unsigned r = 0; r < count; r++) {
    add_operand(group, &reals, elements(vectors, r, stretch, &next), stretch.n);
  }
  read_reals(group->type, got, stretch.n, values);
  for (size_t i = 0; i < stretch.n; i++) {
    if (!is_near(group, &reals, i, values[i])) {
      return xasprintf("element %zu is %.9g, expected %.9g", stretch.first + i, values[i], reals.value[i]);
    }
  }
  return NULL;
}

/* Return a text if the integers GOT are not what ranks 0 .. COUNT - 1 make together in STRETCH, of at most
 * STRETCH_MAX. */
static char *check_integers(const struct vectors *vectors, unsigned count, struct stretch stretch,
                            const uint8_t *got) {
  enum coll_type type = vectors->group->type;
  int32_t wanted[ORACLE_STRETCH / sizeof(int32_t)], value;
  size_t size = combine_size(type), nbytes = stretch.n * size;
  union scratch next;
  memcpy(wanted, elements(vectors, 0, stretch, &next), nbytes);
  for (unsigned r = 1; r < count; r++) {
    const uint8_t *more = elements(vectors, r, stretch, &next);
    combine_run(&(struct combine){vectors->group->op, type, wanted, more, nbytes});
  }
  if (memcmp(got, wanted, nbytes) == 0) {
    return NULL;
  }
  size_t i = 0;
  for (memcpy(&value, got, sizeof value); value == wanted[i]; i++) {
    memcpy(&value, got + (i + 1) * sizeof value, sizeof value);
  }
  return xasprintf("element %zu is %ld, expected %ld", stretch.first + i * sizeof value / size, (long)value,
                   (long)wanted[i]);
}

static char *check_vector(const struct vectors *vectors, unsigned count, const uint8_t *vector) {
  const struct coll_group *group = vectors->group;
  size_t size = combine_size(group->type), n = group->nbytes / size;
  char *detail = NULL;
  for (size_t i = 0; i < n && !detail; i += STRETCH_MAX) {
    struct stretch stretch = {i, n - i < STRETCH_MAX ? n - i : STRETCH_MAX};
    detail = group->type == TYPE_INT32 || group->type == TYPE_PAIR
               ? check_integers(vectors, count, stretch, vector + i * size)
               : check_reals(vectors, count, stretch, vector + i * size);
  }
  return detail;
}

/* Tell the first element of the buffer of VIEW that is another one than a rank before has got. */
static char *tell_difference(const struct coll_group *group, struct oracle_view view) {
  size_t size = combine_size(group->type), i = 0;
  while (memcmp(view.buffer + i * size, view.known->bytes + i * size, size) == 0) {
    i++;
  }
  double values[2];
  read_reals(group->type, view.buffer + i * size, 1, &values[0]);
  read_reals(group->type, view.known->bytes + i * size, 1, &values[1]);
  return xasprintf("element %zu is %.17g, expected %.17g, as another rank has got", i, values[0], values[1]);
}

/* Check the buffer of VIEW against the combined data of ranks 0 .. COUNT - 1. All ranks of an all-reduction
 * have the same bits, whatever the order in which floating-point numbers were combined. */
static char *check_elements(const struct coll_group *group, uint64_t seed, unsigned count,
                            struct oracle_view view) {
  struct oracle_known *known = view.known;
  bool again = known->bytes && known->seed == seed && known->count == count && known->nbytes == group->nbytes;
  if (again && memcmp(known->bytes, view.buffer, group->nbytes) == 0) {
    return NULL;
  }
  struct vectors vectors = {group, seed, &known->data};
  char *detail = check_vector(&vectors, count, view.buffer);
  if (!detail && again && group->type != TYPE_INT32) {
    return tell_difference(group, view);
  }
  if (!detail && group->call.algo->collective == COLL_ALLREDUCE && group->nbytes > 0) {
    known->bytes = xrealloc(known->bytes, group->nbytes, 1);
    memcpy(known->bytes, view.buffer, group->nbytes);
    known->nbytes = group->nbytes;
    known->seed = seed;
    known->count = count;
  }
  return detail;
}

void oracle_forget(struct oracle_known *known) {
  oracle_data_fini(&known->data);
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

/* Return the number of the first byte that is not as EXPECTED, or their number if all are; *WANTED becomes
 * what it should be. */
static size_t first_wrong(const struct oracle_data *data, uint64_t seed, const struct expectation *expected,
                          uint8_t *wanted) {
  uint8_t scratch[ORACLE_STRETCH];
  for (size_t k = 0, n; k < expected->nbytes; k += n) {
    n = expected->nbytes - k < ORACLE_STRETCH ? expected->nbytes - k : ORACLE_STRETCH;
    struct oracle_part part = {
      .seed = seed, .stream = expected->stream, .first = expected->i + k, .nbytes = n};
    const uint8_t *right = oracle_data_get(data, &part, scratch), *got = expected->at + k;
    if (memcmp(got, right, n) != 0) {
      size_t same = 0;
      while (got[same] == right[same]) {
        same++;
      }
      *wanted = right[same];
      return k + same;
    }
  }
  return expected->nbytes;
}

static char *check_bytes(const struct oracle_data *data, uint64_t seed, const struct expectation *expected,
                         const char *what) {
  uint8_t wanted;
  size_t k = first_wrong(data, seed, expected, &wanted);
  return k == expected->nbytes
           ? NULL
           : xasprintf("byte %zu %sis 0x%02x, expected 0x%02x", k, what, expected->at[k], wanted);
}

/* Check the block of the buffer of RANK that comes from rank FROM. */
static char *check_block(const struct coll_group *group, uint64_t seed, const unsigned ranks[2],
                         struct oracle_view view) {
  unsigned rank = ranks[0], from = ranks[1], stream = from;
  enum collective collective = group->call.algo->collective;
  size_t stride = layout_stride(group), i = from * stride, nbytes = layout_count(group, from, rank);
  size_t at = i;
  if (collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV) {
    stream = ORACLE_IN + from;
    i = rank * stride;
  } else if (collective == COLL_SCATTER) {
    stream = group->root;
    i = at = rank * stride;
  }
  struct expectation expected = {view.buffer + at, nbytes, stream, i};
  uint8_t wanted;
  size_t k = first_wrong(&view.known->data, seed, &expected, &wanted);
  return k == nbytes ? NULL
                     : xasprintf("byte %zu of the block from rank %u is 0x%02x, expected 0x%02x", k, from,
                                 expected.at[k], wanted);
}

static char *check_blocks(const struct coll_group *group, unsigned rank, uint64_t seed,
                          struct oracle_view view) {
  char *detail = NULL;
  for (unsigned from = 0; from < group->nranks && !detail; from++) {
    detail = check_block(group, seed, (unsigned[]){rank, from}, view);
  }
  return detail;
}

/* Check what the collective promises about the buffer of VIEW. */
static char *check_result(const struct coll_group *group, unsigned rank, uint64_t seed,
                          struct oracle_view view) {
  unsigned n = group->nranks, root = group->root;
  switch (group->call.algo->collective) {
  case COLL_BCAST:
    return check_bytes(&view.known->data, seed, &(struct expectation){view.buffer, group->nbytes, root, 0},
                       "");
  case COLL_REDUCE:
    return rank == root ? check_elements(group, seed, n, view) : NULL;
  case COLL_ALLREDUCE:
    return check_elements(group, seed, n, view);
  case COLL_SCAN:
    return check_elements(group, seed, rank + 1, view);
  case COLL_GATHER:
  case COLL_GATHERV:
    return rank == root ? check_blocks(group, rank, seed, view) : NULL;
  case COLL_SCATTER:
    return check_block(group, seed, (unsigned[]){rank, root}, view);
  case COLL_ALLGATHER:
  case COLL_ALLGATHERV:
  case COLL_ALLTOALL:
  case COLL_ALLTOALLV:
    return check_blocks(group, rank, seed, view);
  case COLL_BARRIER:
  case COLL_COUNT:
    break;
  }
  return NULL;
}

/* Check the blocks that the caller of RANK finds again after the call (layout.h). */
static char *check_kept(const struct coll_group *group, unsigned rank, uint64_t seed,
                        struct oracle_view view) {
  enum collective collective = group->call.algo->collective;
  bool all = collective == COLL_SCATTER && rank == group->root;
  bool own = collective == COLL_GATHER || collective == COLL_GATHERV;
  char *detail = NULL;
  for (unsigned r = all ? 0 : rank; r < (all ? group->nranks : own ? rank + 1 : 0) && !detail; r++) {
    size_t at = r * layout_stride(group);
    struct expectation kept = {view.buffer + at, layout_count(group, all ? group->root : r, r), rank, at};
    detail = check_bytes(&view.known->data, seed, &kept, "of a block that the caller gave ");
  }
  return detail;
}

/* Check the bytes that no rank may write: the guard behind the buffer, and a separate input. */
static char *check_untouched(const struct coll_group *group, unsigned rank, uint64_t seed,
                             struct oracle_view view) {
  size_t nbytes = layout_buffer_bytes(group), in = layout_in_bytes(group);
  const struct oracle_data *data = &view.known->data;
  struct expectation input = {view.in, in + CALL_MAP_GUARD, ORACLE_IN + rank, 0};
  struct expectation guard = {view.buffer + nbytes, CALL_MAP_GUARD, rank, nbytes};
  char *detail = view.in ? check_bytes(data, seed, &input, "of the input ") : NULL;
  uint8_t wanted;
  size_t k = detail ? guard.nbytes : first_wrong(data, seed, &guard, &wanted);
  if (k < guard.nbytes) {
    detail =
      xasprintf("byte %zu (behind the end) is 0x%02x, expected 0x%02x", nbytes + k, guard.at[k], wanted);
  }
  return detail;
}

/* Tell whether others than RANK look at what its buffer holds before the call. */
static bool is_input(const struct coll_group *group, unsigned rank) {
  enum collective collective = group->call.algo->collective;
  return collective == COLL_ALLGATHER || collective == COLL_ALLGATHERV ||
         ((collective == COLL_BCAST || collective == COLL_SCATTER) && rank == group->root);
}

void oracle_fill(const struct coll_group *group, unsigned rank, uint64_t seed, struct oracle_view view) {
  struct oracle_data *data = &view.known->data;
  size_t end = layout_buffer_bytes(group) + CALL_MAP_GUARD, first = 0;
  if (collective_combines(group->call.algo->collective)) {
    size_t size = combine_size(group->type);
    first = group->nbytes / size * size;
    struct oracle_part vector = {seed, ORACLE_ELEMENTS + rank, group->type, 0, first};
    oracle_data_write(&vector, view.buffer);
    oracle_data_keep(data, &vector, view.buffer);
  }
  struct oracle_part rest = {.seed = seed, .stream = rank, .first = first, .nbytes = end - first};
  oracle_data_write(&rest, view.buffer + first);
  if (is_input(group, rank)) {
    oracle_data_keep(data, &rest, view.buffer);
  }
  if (view.in) {
    struct oracle_part in = {
      .seed = seed, .stream = ORACLE_IN + rank, .nbytes = layout_in_bytes(group) + CALL_MAP_GUARD};
    oracle_data_write(&in, view.in);
    oracle_data_keep(data, &in, view.in);
  }
}

char *oracle_check(const struct coll_group *group, unsigned rank, uint64_t seed, struct oracle_view view) {
  char *detail = check_result(group, rank, seed, view);
  detail = detail ? detail : check_untouched(group, rank, seed, view);
  detail = detail ? detail : check_kept(group, rank, seed, view);
  if (!detail) {
    return NULL;
  }
  char *longer = xasprintf("rank %u: %s", rank, detail);
  free(detail);
  return longer;
}
