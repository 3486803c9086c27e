/* SPDX-License-Identifier: BSD-3-Clause
 * Packed values. */
#include "sim/base/pack.h"
#include "tests/suite.h"

#include <float.h>

TESTS(pack);

TEST(values_come_back_in_order) {
  struct pack pack = {0};
  for (unsigned round = 0; round < 3; round++) {
    pack_clear(&pack);
    pack_add_count(&pack, UINT64_MAX);
    pack_add_text(&pack, "");
    pack_add_real(&pack, -DBL_TRUE_MIN);
    pack_add_real(&pack, NAN);
    pack_add_text(&pack, "line\nline");
    pack_add_count(&pack, 0);
    ck_assert_uint_eq(pack_take_count(&pack), UINT64_MAX);
    ck_assert_str_eq(pack_take_text(&pack), "");
    ck_assert_double_eq(pack_take_real(&pack), -DBL_TRUE_MIN);
    ck_assert(isnan(pack_take_real(&pack)));
    ck_assert_str_eq(pack_take_text(&pack), "line\nline");
    ck_assert_uint_eq(pack_take_count(&pack), 0);
    ck_assert_uint_eq(pack.taken, pack.nbytes);
  }
  pack_fini(&pack);
  ck_assert_ptr_null(pack.bytes);
}

TEST(many_values_find_room) {
  struct pack pack = {0};
  for (unsigned i = 0; i < 10000; i++) {
    pack_add_count(&pack, i);
  }
  for (unsigned i = 0; i < 10000; i++) {
    ck_assert_uint_eq(pack_take_count(&pack), i);
  }
  pack_fini(&pack);
}
