/* SPDX-License-Identifier: BSD-3-Clause
 * The operators of reductions and the types of their elements. All operators are, floating-point rounding
 * aside, associative. All but `compose` are commutative. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum coll_op {
#define COMBINE_OP(id, name) OP_##id,
#include "platform/combine.def"
  OP_COUNT,
};

enum coll_type {
#define COMBINE_TYPE(id, name, c_type) TYPE_##id,
#include "platform/combine.def"
  TYPE_COUNT,
};

/* Return the name as typed on the command line. */
const char *combine_op_name(unsigned op);
const char *combine_type_name(unsigned type);

/* Return the bytes of one element of TYPE. */
size_t combine_size(enum coll_type type);

/* Tell whether OP is defined on TYPE: bitwise operators are defined on integers only, and `compose` is the
 * one operator on pairs. */
bool combine_is_defined(enum coll_op op, enum coll_type type);

/* Tell whether OP is commutative. */
bool combine_commutes(enum coll_op op);

/* Two operands of a reduction, without overlap: into[i] becomes into[i] OP from[i]. Integers wrap. */
struct combine {
  enum coll_op op;
  enum coll_type type;
  void *into;
  const void *from;
  size_t nbytes; /* a multiple of the element's; both operands are aligned to elements */
};
void combine_run(const struct combine *combine);
