/* SPDX-License-Identifier: BSD-3-Clause
 * Operators and types of reductions against plain C, on awkward values. */
#include "algos/step/combine.h"
#include "tests/suite.h"

#include <float.h>

static const int32_t integers[] = {
  0, 1, -1, 2, -7, 0x55555555, 0x7fff000, INT32_MAX, INT32_MIN, INT32_MIN + 1, 1000000007, -65536};
static const double reals[] = {0.0,         -0.0,     1.0,      -1.0,      0.1,
                               -3.75,       1e30,     -1e30,    FLT_MAX,   FLT_MIN,
                               FLT_MIN / 8, -FLT_MAX, INFINITY, -INFINITY, (double)NAN};
enum { INTEGERS = sizeof integers / sizeof *integers, REALS = sizeof reals / sizeof *reals };

/* Return A OP B in plain C: with 64 bits; only the lower half is kept. */
static int32_t plain(enum coll_op op, int64_t a, int64_t b) {
  const int64_t results[OP_COUNT] = {
    [OP_SUM] = a + b,
    [OP_PROD] = a * b,
    [OP_MIN] = a < b ? a : b,
    [OP_MAX] = a > b ? a : b,
    [OP_BAND] = (int64_t)((uint64_t)a & (uint64_t)b),
    [OP_BOR] = (int64_t)((uint64_t)a | (uint64_t)b),
    [OP_BXOR] = (int64_t)((uint64_t)a ^ (uint64_t)b),
  };
  uint32_t low = (uint32_t)(uint64_t)results[op];
  int32_t value;
  memcpy(&value, &low, sizeof value);
  return value;
}

/* Tell whether RESULT is a valid result of OP on the numbers A and B; EXACT is the sum or product, rounded
 * once. */
static bool fits(enum coll_op op, double result, const double operands[2], double exact) {
  double a = operands[0], b = operands[1];
  if (op == OP_SUM || op == OP_PROD) {
    return isnan(exact) ? isnan(result) : result == exact;
  }
  if (isnan(a) || isnan(b)) {
    return isnan(result);
  }
  return result == (op == OP_MIN ? fmin(a, b) : fmax(a, b));
}

TESTS(combine);

/* Loop tests: the index is the operator. */
TEST_EACH(integers_are_combined_and_wrap, 0, OP_COMPOSE) {
  enum coll_op op = (enum coll_op)_i;
  for (unsigned i = 0; i < INTEGERS; i++) {
    for (unsigned j = 0; j < INTEGERS; j++) {
      int32_t into = integers[i], from = integers[j];
      combine_run(&(struct combine){op, TYPE_INT32, &into, &from, sizeof into});
      ck_assert_msg(into == plain(op, integers[i], integers[j]), "%s of %d and %d is %d", combine_op_name(op),
                    integers[i], integers[j], into);
      ck_assert_int_eq(from, integers[j]);
    }
  }
}

TEST_EACH(single_precision_is_combined_with_one_rounding, 0, OP_BAND) {
  enum coll_op op = (enum coll_op)_i;
  for (unsigned i = 0; i < REALS; i++) {
    for (unsigned j = 0; j < REALS; j++) {
      float a = (float)reals[i], from = (float)reals[j], into = a;
      float exact = op == OP_SUM ? a + from : a * from;
      combine_run(&(struct combine){op, TYPE_FLOAT32, &into, &from, sizeof into});
      ck_assert_msg(fits(op, (double)into, (double[]){(double)a, (double)from}, (double)exact),
                    "%s of %g and %g is %g", combine_op_name(op), (double)a, (double)from, (double)into);
    }
  }
}

TEST_EACH(double_precision_is_combined_with_one_rounding, 0, OP_BAND) {
  enum coll_op op = (enum coll_op)_i;
  for (unsigned i = 0; i < REALS; i++) {
    for (unsigned j = 0; j < REALS; j++) {
      double from = reals[j], into = reals[i];
      double exact = op == OP_SUM ? into + from : into * from;
      combine_run(&(struct combine){op, TYPE_FLOAT64, &into, &from, sizeof into});
      ck_assert_msg(fits(op, into, (double[]){reals[i], from}, exact), "%s of %g and %g is %g",
                    combine_op_name(op), reals[i], from, into);
    }
  }
}

/* Ranks that combine in other orders have the same bits. */
TEST_EACH(minima_and_maxima_do_not_depend_on_the_order, OP_MIN, OP_MAX + 1) {
  enum coll_op op = (enum coll_op)_i;
  for (unsigned i = 0; i < REALS; i++) {
    for (unsigned j = 0; j < REALS; j++) {
      double a = reals[i], b = reals[j], into = a, other = b;
      float single = (float)a, other_single = (float)b, from = (float)b, other_from = (float)a;
      combine_run(&(struct combine){op, TYPE_FLOAT64, &into, &b, sizeof into});
      combine_run(&(struct combine){op, TYPE_FLOAT64, &other, &a, sizeof other});
      combine_run(&(struct combine){op, TYPE_FLOAT32, &single, &from, sizeof single});
      combine_run(&(struct combine){op, TYPE_FLOAT32, &other_single, &other_from, sizeof other_single});
      ck_assert_msg(memcmp(&into, &other, sizeof into) == 0 &&
                      memcmp(&single, &other_single, sizeof single) == 0,
                    "%s of %g and %g is %g or %g", combine_op_name(op), a, b, into, other);
    }
  }
}

/* A pair (a, b) is x -> a x + b: what two make of 7, one after the other, is what their composition makes of
 * 7. */
TEST(pairs_are_composed_as_functions) {
  for (unsigned i = 0; i + 3 < INTEGERS; i++) {
    uint32_t f[2] = {(uint32_t)integers[i], (uint32_t)integers[i + 1]};
    uint32_t g[2] = {(uint32_t)integers[i + 2], (uint32_t)integers[i + 3]}, both[2] = {f[0], f[1]};
    combine_run(&(struct combine){OP_COMPOSE, TYPE_PAIR, both, g, sizeof both});
    ck_assert_uint_eq(both[0] * 7 + both[1], f[0] * (g[0] * 7 + g[1]) + f[1]);
  }
}

TEST(vectors_are_combined_as_far_as_they_go) {
  for (size_t n = 0; n <= INTEGERS; n++) {
    int32_t into[INTEGERS], from[INTEGERS];
    for (size_t i = 0; i < INTEGERS; i++) {
      into[i] = (int32_t)i;
      from[i] = 100;
    }
    combine_run(&(struct combine){OP_SUM, TYPE_INT32, into, from, n * sizeof *into});
    for (size_t i = 0; i < INTEGERS; i++) {
      ck_assert_int_eq(into[i], (int32_t)i + (i < n ? 100 : 0));
    }
  }
}

TEST(names_and_sizes_differ) {
  for (int type = 0; type < TYPE_COUNT; type++) {
    ck_assert(*combine_type_name((enum coll_type)type));
    for (int op = 0; op < OP_COUNT; op++) {
      ck_assert(*combine_op_name((enum coll_op)op));
      ck_assert(combine_is_defined((enum coll_op)op, (enum coll_type)type) ==
                (op == OP_COMPOSE || type == TYPE_PAIR
                   ? op == OP_COMPOSE && type == TYPE_PAIR
                   : type == TYPE_INT32 || (op != OP_BAND && op != OP_BOR && op != OP_BXOR)));
    }
  }
  ck_assert_uint_eq(combine_size(TYPE_INT32), sizeof(int32_t));
  ck_assert_uint_eq(combine_size(TYPE_FLOAT32), sizeof(float));
  ck_assert_uint_eq(combine_size(TYPE_FLOAT64), sizeof(double));
}
