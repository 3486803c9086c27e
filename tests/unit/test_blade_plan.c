/* SPDX-License-Identifier: BSD-3-Clause
 * Parameters, ring plans and routes shared by blades: which blades share, and the life of what is shared. */
#include "sim/hw/bus/blade_plan.h"

#include "sim/hw/bus/ring.h"
#include "sim/hw/bus/route.h"
#include "tests/bed.h"

TESTS(blade_plan, .start = bed_start);

TEST(blades_of_one_platform_share_them) {
  struct bed first = bed_new("qs20"), other = bed_new_with("qs20", "eib.hop=3");
  struct blade *second = blade_new(first.platform);
  const struct blade_plan *a = blade_board(first.blade)->plan, *b = blade_board(second)->plan,
                          *c = blade_board(other.blade)->plan;
  ck_assert_ptr_eq(a, b);
  ck_assert_uint_eq(b->nusers, 2);
  ck_assert_ptr_ne(a, c);
  bed_fini(&other);
  struct bed third = bed_new("qs20");
  ck_assert_ptr_eq(blade_board(third.blade)->plan, a);
  ck_assert_uint_eq(a->nusers, 3);
  bed_fini(&third);
  blade_free(second);
  ck_assert_uint_eq(a->nusers, 1);
  ck_assert_uint_eq(a->ring_plan->parameters.nunits, 12);
  ck_assert_uint_eq(a->routes[1].paths[0].hops, 1);
  bed_fini(&first);
}
