/* SPDX-License-Identifier: BSD-3-Clause
 * See oracle.h. Every byte of every rank's buffers is a function of seed, rank and position, so that data
 * from the wrong rank or the wrong position shows. */
#include "validate/lab/verify/oracle.h"

#include "algos/step/call_map.h"
#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "sim/base/minmax.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
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

/* Return the rare numbers among the elements of GROUP. The float32 of an SPE has no infinities and no NaN.
 * source: SPU Instruction Set Architecture, single-precision extended-range mode. */
static enum oracle_rare rare_of(const struct coll_group *group) {
  bool chooses = group->op == OP_MIN || group->op == OP_MAX;
  if (!chooses || (group->type != TYPE_FLOAT32 && group->type != TYPE_FLOAT64)) {
    return ORACLE_PLAIN;
  }
  return group->type == TYPE_FLOAT64 || group->on_hosts ? ORACLE_ALL : ORACLE_ZEROS;
}

/* Return NBYTES from byte FIRST on of the vector that RANK has got for CALL. */
static struct oracle_range range_of_elements(const struct oracle_call *call, unsigned rank, size_t first,
                                             size_t nbytes) {
  return (struct oracle_range){call->seed, ORACLE_ELEMENTS + rank, call->group->type, first,
                               nbytes,     rare_of(call->group)};
}

/* Return NBYTES from byte FIRST on of the bytes of STREAM for CALL. */
static struct oracle_range range_of_bytes(const struct oracle_call *call, unsigned stream, size_t first,
                                          size_t nbytes) {
  return (struct oracle_range){call->seed, stream, TYPE_INT32, first, nbytes, ORACLE_PLAIN};
}

/* Return the elements STRETCH of the vector that RANK has got for CALL, in SCRATCH or among the kept data. */
static const uint8_t *elements(const struct oracle_call *call, unsigned rank, struct stretch stretch,
                               union scratch *scratch) {
  size_t size = combine_size(call->group->type);
  struct oracle_range range = range_of_elements(call, rank, stretch.first * size, stretch.n * size);
  return oracle_data_get(&call->known->data, &range, scratch->bytes);
}

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

/* Return X combined with Y by OP; a minimum or a maximum with NaN is NaN. */
static double combine(enum coll_op op, double x, double y) {
  switch (op) {
  case OP_SUM:
    return x + y;
  case OP_PROD:
    return x * y;
  default:
    if (isnan(x) || isnan(y)) {
      return (double)NAN;
    }
    return (y < x) == (op == OP_MIN) ? y : x;
  }
}

/* Add N elements at BYTES, of the next operand, to REALS. */
static void add_operand(const struct coll_group *group, struct reals *reals, const uint8_t *bytes, size_t n) {
  double next[STRETCH_MAX], *value = reals->value;
  bool first = reals->count++ == 0;
  read_reals(group->type, bytes, n, first ? value : next);
  for (size_t i = 0; i < n && group->op == OP_SUM; i++) {
    reals->absolute[i] = first ? fabs(value[i]) : reals->absolute[i] + fabs(next[i]);
  }
  for (size_t i = 0; i < n && !first; i++) {
    value[i] = combine(group->op, value[i], next[i]);
  }
}

/* Tell whether VALUE may be element I of REALS. */
static bool is_near(const struct coll_group *group, const struct reals *reals, size_t i, double value) {
  double epsilon = group->type == TYPE_FLOAT32 ? (double)FLT_EPSILON : DBL_EPSILON;
  double size = group->op == OP_SUM ? reals->absolute[i] : group->op == OP_PROD ? fabs(reals->value[i]) : 0;
  return value == reals->value[i] || (isnan(value) && isnan(reals->value[i])) ||
         fabs(value - reals->value[i]) <= reals->count * epsilon * size;
}

/* Say that element I is GOT and not EXPECTED, with as many digits as tell the numbers apart, at least 9. */
static char *tell_reals(size_t i, double got, double expected) {
  int digits = 8;
  const char *is, *wanted;
  do {
    digits++;
    is = text_brief("%.*g", digits, got);
    wanted = text_brief("%.*g", digits, expected);
  } while (strcmp(is, wanted) == 0 && digits < DBL_DECIMAL_DIG);
  return xasprintf("element %zu is %s, expected %s", i, is, wanted);
}

/* Return a text if the floating-point numbers GOT are not what ranks 0 .. COUNT - 1 make together in STRETCH,
 * of at most STRETCH_MAX. */
static char *check_reals(const struct oracle_call *call, unsigned count, struct stretch stretch,
                         const uint8_t *got) {
  const struct coll_group *group = call->group;
  struct reals reals;
  union scratch next;
  double values[STRETCH_MAX];
  reals.count = 0;
  for (unsigned r = 0; r < count; r++) {
    add_operand(group, &reals, elements(call, r, stretch, &next), stretch.n);
  }
  read_reals(group->type, got, stretch.n, values);
  for (size_t i = 0; i < stretch.n; i++) {
    if (!is_near(group, &reals, i, values[i])) {
      return tell_reals(stretch.first + i, values[i], reals.value[i]);
    }
  }
  return NULL;
}

/* Return a text if the integers GOT are not what ranks 0 .. COUNT - 1 make together in STRETCH, of at most
 * STRETCH_MAX. */
static char *check_integers(const struct oracle_call *call, unsigned count, struct stretch stretch,
                            const uint8_t *got) {
  enum coll_type type = call->group->type;
  int32_t wanted[ORACLE_STRETCH / sizeof(int32_t)], value;
  size_t size = combine_size(type), nbytes = stretch.n * size;
  union scratch next;
  memcpy(wanted, elements(call, 0, stretch, &next), nbytes);
  for (unsigned r = 1; r < count; r++) {
    const uint8_t *more = elements(call, r, stretch, &next);
    combine_run(&(struct combine){call->group->op, type, wanted, more, nbytes});
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

/* Check the vector, or the block of the rank in a vector of blocks. */
static char *check_vector(const struct oracle_call *call, unsigned count) {
  const struct coll_group *group = call->group;
  bool is_block = collective_has_blocks(group->call.algo->collective);
  size_t size = combine_size(group->type), first = is_block ? call->rank * layout_stride(group) / size : 0;
  size_t end = first + group->nbytes / size;
  char *detail = NULL;
  for (size_t i = first; i < end && !detail; i += STRETCH_MAX) {
    struct stretch stretch = {i, MIN(end - i, STRETCH_MAX)};
    detail = group->type == TYPE_INT32 || group->type == TYPE_PAIR
               ? check_integers(call, count, stretch, call->buffer + i * size)
               : check_reals(call, count, stretch, call->buffer + i * size);
  }
  return detail;
}

/* Tell the first element in the buffer of CALL that is not the element of an earlier rank. */
static char *tell_difference(const struct oracle_call *call) {
  size_t size = combine_size(call->group->type), i = 0;
  while (memcmp(call->buffer + i * size, call->known->bytes + i * size, size) == 0) {
    i++;
  }
  double values[2];
  uint64_t bits[2] = {0};
  for (int k = 0; k < 2; k++) {
    const uint8_t *element = (k ? call->known->bytes : call->buffer) + i * size;
    read_reals(call->group->type, element, 1, &values[k]);
    memcpy(&bits[k], element, size);
  }
  SCOPED char *numbers = tell_reals(i, values[0], values[1]);
  return isnan(values[0]) && isnan(values[1]) ? xasprintf("element %zu is the NaN 0x%" PRIx64
                                                          ", expected 0x%" PRIx64 ", as another rank has got",
                                                          i, bits[0], bits[1])
                                              : xasprintf("%s, as another rank has got", numbers);
}

/* Check the buffer of CALL against the combined data of ranks 0 .. COUNT - 1. All ranks of an all-reduction
 * have the same bits, whatever the order in which floating-point numbers were combined. */
static char *check_elements(const struct oracle_call *call, unsigned count) {
  struct oracle_known *known = call->known;
  size_t nbytes = call->group->nbytes;
  bool again = known->bytes && known->seed == call->seed && known->count == count && known->nbytes == nbytes;
  if (again && memcmp(known->bytes, call->buffer, nbytes) == 0) {
    return NULL;
  }
  char *detail = check_vector(call, count);
  if (!detail && again && call->group->type != TYPE_INT32) {
    return tell_difference(call);
  }
  if (!detail && call->group->call.algo->collective == COLL_ALLREDUCE && nbytes > 0) {
    known->bytes = xrealloc(known->bytes, nbytes, 1);
    memcpy(known->bytes, call->buffer, nbytes);
    known->nbytes = nbytes;
    known->seed = call->seed;
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

/* The bytes at AT, from number FIRST on of the thing called WHAT, must be those of RANGE. */
struct expectation {
  const char *what; /* NULL: the block from the rank with the stream */
  const uint8_t *at;
  size_t first;
  struct oracle_range range;
};

/* Check that the bytes of CALL are as EXPECTED. */
static char *check_bytes(const struct oracle_call *call, const struct expectation *expected) {
  uint8_t scratch[ORACLE_STRETCH];
  size_t nbytes = expected->range.nbytes;
  for (size_t k = 0, n; k < nbytes; k += n) {
    struct oracle_range range = expected->range;
    n = range.nbytes = MIN(nbytes - k, ORACLE_STRETCH);
    range.first += k;
    const uint8_t *right = oracle_data_get(&call->known->data, &range, scratch), *got = expected->at + k;
    if (memcmp(got, right, n) != 0) {
      size_t same = 0;
      while (got[same] == right[same]) {
        same++;
      }
      const char *what = expected->what
                           ? expected->what
                           : text_brief("of the block from rank %u ", expected->range.stream % ORACLE_IN);
      return xasprintf("byte %zu %sis 0x%02x, expected 0x%02x", expected->first + k + same, what, got[same],
                       right[same]);
    }
  }
  return NULL;
}

/* Check the block from rank FROM in the buffer of CALL. */
static char *check_block(const struct oracle_call *call, unsigned from) {
  const struct coll_group *group = call->group;
  unsigned stream = from;
  enum collective collective = group->call.algo->collective;
  size_t stride = layout_stride(group), at = from * stride, i = at;
  if (collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV) {
    stream = ORACLE_IN + from;
    i = call->rank * stride;
  } else if (collective == COLL_SCATTER) {
    i = at = call->rank * stride;
  }
  struct oracle_range block = range_of_bytes(call, stream, i, layout_count(group, from, call->rank));
  return check_bytes(call, &(struct expectation){NULL, call->buffer + at, 0, block});
}

static char *check_blocks(const struct oracle_call *call) {
  char *detail = NULL;
  for (unsigned from = 0; from < call->group->nranks && !detail; from++) {
    detail = check_block(call, from);
  }
  return detail;
}

/* Check the promise of the collective about the buffer of CALL. */
static char *check_result(const struct oracle_call *call) {
  unsigned n = call->group->nranks, root = call->group->root, rank = call->rank;
  switch (call->group->call.algo->collective) {
  case COLL_BCAST:
    return check_bytes(
      call, &(struct expectation){"", call->buffer, 0, range_of_bytes(call, root, 0, call->group->nbytes)});
  case COLL_REDUCE:
    return rank == root ? check_elements(call, n) : NULL;
  case COLL_ALLREDUCE:
  case COLL_REDUCESCATTER:
    return check_elements(call, n);
  case COLL_SCAN:
    return check_elements(call, rank + 1);
  case COLL_GATHER:
  case COLL_GATHERV:
    return rank == root ? check_blocks(call) : NULL;
  case COLL_SCATTER:
    return check_block(call, root);
  case COLL_ALLGATHER:
  case COLL_ALLGATHERV:
  case COLL_ALLTOALL:
  case COLL_ALLTOALLV:
    return check_blocks(call);
  case COLL_BARRIER:
  case COLL_COUNT:
    break;
  }
  return NULL;
}

/* Check the blocks that the caller of CALL finds again in the buffer after the call (layout.h). */
static char *check_kept(const struct oracle_call *call) {
  const struct coll_group *group = call->group;
  enum collective collective = group->call.algo->collective;
  const struct algo *algo = group->call.algo;
  unsigned rank = call->rank;
  bool is_kept = !algo->is_apart && !algo->takes_input;
  bool all = is_kept && collective == COLL_SCATTER && rank == group->root;
  bool own = is_kept && (collective == COLL_GATHER || collective == COLL_GATHERV);
  char *detail = NULL;
  for (unsigned r = all ? 0 : rank; r < (all ? group->nranks : own ? rank + 1 : 0) && !detail; r++) {
    size_t at = r * layout_stride(group), nbytes = layout_count(group, all ? group->root : r, r);
    detail = check_bytes(call, &(struct expectation){"of a block that the caller gave ", call->buffer + at, 0,
                                                     range_of_bytes(call, rank, at, nbytes)});
  }
  return detail;
}

/* Return the input of CALL in `in`: apart from the buffer also for collectives other than all-to-alls. */
static struct oracle_range input_range(const struct oracle_call *call) {
  const struct coll_group *group = call->group;
  enum collective collective = group->call.algo->collective;
  bool is_block = collective_has_blocks(collective) && collective != COLL_SCATTER;
  size_t in = layout_in_bytes(group), at = is_block ? call->rank * layout_stride(group) : 0;
  return !group->call.algo->is_apart       ? range_of_bytes(call, ORACLE_IN + call->rank, 0, in)
         : collective_combines(collective) ? range_of_elements(call, call->rank, 0, in)
                                           : range_of_bytes(call, call->rank, at, in);
}

/* Check the bytes that no rank may write: the guard behind the buffer, and a separate input unless given
 * away. */
static char *check_untouched(const struct oracle_call *call) {
  size_t end = layout_buffer_bytes(call->group), in = layout_in_bytes(call->group);
  struct oracle_range range = call->in ? input_range(call) : (struct oracle_range){.nbytes = 0};
  const struct expectation kept[] = {
    {"of the input ", call->in, 0, range},
    {"of the input ", call->in + in, in, range_of_bytes(call, ORACLE_IN + call->rank, in, CALL_MAP_GUARD)},
    {"(behind the end) ", call->buffer + end, end, range_of_bytes(call, call->rank, end, CALL_MAP_GUARD)}};
  char *detail = NULL;
  for (size_t i = !call->in ? 2 : call->group->call.algo->takes_input;
       i < sizeof kept / sizeof *kept && !detail; i++) {
    detail = check_bytes(call, &kept[i]);
  }
  return detail;
}

/* Tell whether other ranks look at the data in the buffer of CALL before the call. */
static bool is_input(const struct oracle_call *call) {
  enum collective collective = call->group->call.algo->collective;
  return collective == COLL_ALLGATHER || collective == COLL_ALLGATHERV ||
         ((collective == COLL_BCAST || collective == COLL_SCATTER) && call->rank == call->group->root);
}

/* Write RANGE to BYTES, and keep the data for comparisons if KEPT. */
static void fill(const struct oracle_call *call, struct oracle_range range, uint8_t *bytes, bool kept) {
  oracle_data_write(&range, bytes);
  if (kept) {
    oracle_data_keep(&call->known->data, &range, bytes);
  }
}

void oracle_fill(const struct oracle_call *call) {
  const struct coll_group *group = call->group;
  size_t nbytes = layout_buffer_bytes(group), end = nbytes + CALL_MAP_GUARD, first = 0;
  if (group->call.algo->is_apart) { /* a result without a trace of the input */
    first = nbytes;
    fill(call, range_of_bytes(call, ORACLE_IN + call->rank, 0, first), call->buffer, false);
  } else if (collective_combines(group->call.algo->collective)) {
    size_t size = combine_size(group->type);
    first = nbytes / size * size;
    fill(call, range_of_elements(call, call->rank, 0, first), call->buffer, true);
  }
  fill(call, range_of_bytes(call, call->rank, first, end - first), call->buffer + first,
       first == 0 && (is_input(call) || !nbytes));
  if (call->in) {
    size_t in = layout_in_bytes(group);
    struct oracle_range range = input_range(call);
    fill(call, range, call->in, range.first == 0);
    fill(call, range_of_bytes(call, ORACLE_IN + call->rank, in, CALL_MAP_GUARD), call->in + in, false);
  }
}

char *oracle_check(const struct oracle_call *call) {
  SCOPED char *detail = check_result(call);
  detail = detail ? detail : check_untouched(call);
  detail = detail ? detail : check_kept(call);
  return detail ? xasprintf("rank %u: %s", group_name(call->group, call->rank), detail) : NULL;
}
