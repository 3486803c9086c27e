/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/combine.h"

#include "sim/base/minmax.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

const char *combine_op_name(unsigned op) {
  static const char *const names[] = {
#define COMBINE_OP(id, name) #name,
#include "platform/combine.def"
  };
  return names[op];
}

const char *combine_type_name(unsigned type) {
  static const char *const names[] = {
#define COMBINE_TYPE(id, name, c_type) #name,
#include "platform/combine.def"
  };
  return names[type];
}

size_t combine_size(enum coll_type type) {
  static const size_t sizes[] = {
#define COMBINE_TYPE(id, name, c_type) sizeof(c_type),
#include "platform/combine.def"
  };
  return sizes[type];
}

bool combine_is_defined(enum coll_op op, enum coll_type type) {
  static const bool is_defined[TYPE_COUNT][OP_COUNT] = {
#define COMBINATION(type_id, type, op_id, op, what) [TYPE_##type_id][OP_##op_id] = true,
#include "platform/combine.def"
    [TYPE_PAIR][OP_COMPOSE] = true,
  };
  return is_defined[type][op];
}

bool combine_commutes(enum coll_op op) {
  return op != OP_COMPOSE;
}

/* Elements combined together, as on an SPU: enough for the compiler to use vectors. */
enum { TOGETHER = 4 };

#define EACH(expression) \
  for (size_t first = 0; first < n / TOGETHER * TOGETHER; first += TOGETHER) { \
    for (size_t k = 0; k < TOGETHER; k++) { \
      size_t i = first + k; \
      a[i] = (expression); \
    } \
  } \
  for (size_t i = n / TOGETHER * TOGETHER; i < n; i++) { \
    a[i] = (expression); \
  } \
  break

static void combine_int32(enum coll_op op, int32_t *restrict a, const int32_t *restrict b, size_t n) {
  switch (op) {
  case OP_SUM:
    EACH((int32_t)((uint32_t)a[i] + (uint32_t)b[i]));
  case OP_PROD:
    EACH((int32_t)((uint32_t)a[i] * (uint32_t)b[i]));
  case OP_MIN:
    EACH(MIN(a[i], b[i]));
  case OP_MAX:
    EACH(MAX(a[i], b[i]));
  case OP_BAND:
    EACH((int32_t)((uint32_t)a[i] & (uint32_t)b[i]));
  case OP_BOR:
    EACH((int32_t)((uint32_t)a[i] | (uint32_t)b[i]));
  case OP_BXOR:
    EACH((int32_t)((uint32_t)a[i] ^ (uint32_t)b[i]));
  case OP_COMPOSE:
  case OP_COUNT:
    break;
  }
}

/* Let each of the N pairs (a, b) in A become (a c, a d + b), for the pair (c, d) in B. */
static void compose(uint32_t *restrict a, const uint32_t *restrict b, size_t n) {
  for (size_t i = 0; i < 2 * n; i += 2) {
    a[i + 1] += a[i] * b[i + 1];
    a[i] *= b[i];
  }
}

/* One bit of a result must not depend on the order of the operands, or ranks that combine in other orders
 * disagree: -0 is less than +0, and NaN in either operand gives one NaN (minimum and maximum of IEEE
 * 754-2019). FIRST is the lesser operand for a minimum, the greater one for a maximum; ZERO tells whether a,
 * of two zeros, is the result. */
#define CHOOSE(first, second, zero) (first ? a[i] : second ? b[i] : a[i] != b[i] ? NAN : (zero) ? a[i] : b[i])

#define COMBINE_FLOAT(name, real) \
  static void name(enum coll_op op, real *restrict a, const real *restrict b, size_t n) { \
    switch (op) { \
    case OP_SUM: \
      EACH(a[i] + b[i]); \
    case OP_PROD: \
      EACH(a[i] * b[i]); \
    case OP_MIN: \
      EACH(CHOOSE(a[i] < b[i], b[i] < a[i], signbit(a[i]))); \
    case OP_MAX: \
      EACH(CHOOSE(a[i] > b[i], b[i] > a[i], !signbit(a[i]))); \
    default: \
      assert(!"a bitwise operator on a floating-point type"); \
    } \
  }

COMBINE_FLOAT(combine_float32, float)
COMBINE_FLOAT(combine_float64, double)

void combine_run(const struct combine *combine) {
  assert(combine_is_defined(combine->op, combine->type) &&
         combine->nbytes % combine_size(combine->type) == 0);
  size_t n = combine->nbytes / combine_size(combine->type);
  switch (combine->type) {
  case TYPE_INT32:
    combine_int32(combine->op, combine->into, combine->from, n);
    break;
  case TYPE_FLOAT32:
    combine_float32(combine->op, combine->into, combine->from, n);
    break;
  case TYPE_FLOAT64:
    combine_float64(combine->op, combine->into, combine->from, n);
    break;
  case TYPE_PAIR:
    compose(combine->into, combine->from, n);
    break;
  case TYPE_COUNT:
    break;
  }
}
