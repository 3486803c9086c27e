/* SPDX-License-Identifier: BSD-3-Clause
 * Parameters, plans and routes shared by blades: the blades that share, and the life of what is shared. */
#include "sim/hw/rings.h"

#include "sim/hw/ring.h"
#include "sim/hw/route.h"
#include "tests/bed.h"
#include "tests/suite.h"

TESTS(rings, .start = bed_start_engine);

TEST(blades_of_one_platform_share_them) {
  struct bed first = bed_new("qs20"), other = bed_new_with("qs20", "eib.hop=3");
  struct err err;
  struct blade *second = blade_new(first.platform, &err);
  const struct board *a = blade_board(first.blade), *b = blade_board(second), *c = blade_board(other.blade);
  ck_assert_ptr_eq(a->ring_plan, b->ring_plan);
  ck_assert_ptr_eq(a->routes, b->routes);
  ck_assert_ptr_ne(a->ring_plan, c->ring_plan);
  ck_assert_ptr_ne(a->routes, c->routes);
  ck_assert_ptr_eq(a->parameters, b->parameters);
  ck_assert_ptr_ne(a->parameters, c->parameters);
  bed_fini(&first);
  ck_assert_uint_eq(b->ring_plan->parameters.nunits, 12);
  ck_assert_uint_eq(b->routes[1].paths[0].hops, 1);
  blade_free(second);
  bed_fini(&other);
}

static const struct ring_parameters qs20 = {
  .nunits = 12, .hops_max = 6, .transfers_max = 3, .start_interval = 6, .hop = 2, .beats = 16};

/* Check that PARAMETERS get a plan other than the plan of qs20, with PARAMETERS in the plan. */
static void check_other(const struct ring_parameters *parameters) {
  struct rings *rings = rings_share(&qs20), *others = rings_share(parameters);
  ck_assert_ptr_ne(rings, others);
  ck_assert_ptr_ne(rings->plan, others->plan);
  rings_release(rings);
  struct rings *again = rings_share(parameters);
  ck_assert_ptr_eq(again, others);
  rings_release(again);
  rings_release(others);
}

TEST(each_parameter_counts) {
  struct ring_parameters changed[6] = {qs20, qs20, qs20, qs20, qs20, qs20};
  changed[0].nunits = 13;
  changed[1].hops_max = 7;
  changed[2].transfers_max = 4;
  changed[3].start_interval = 7;
  changed[4].hop = 3;
  changed[5].beats = 17;
  for (unsigned i = 0; i < 6; i++) {
    check_other(&changed[i]);
  }
}

/* The bytes between the members of equal parameters are not looked at. */
TEST(only_parameters_count) {
  struct ring_parameters filled;
  memset(&filled, 0xff, sizeof filled);
  filled.nunits = qs20.nunits, filled.hops_max = qs20.hops_max, filled.transfers_max = qs20.transfers_max;
  filled.start_interval = qs20.start_interval, filled.hop = qs20.hop, filled.beats = qs20.beats;
  struct rings *rings = rings_share(&qs20), *same = rings_share(&filled);
  ck_assert_ptr_eq(rings, same);
  ck_assert_uint_eq(rings->nusers, 2);
  rings_release(rings);
  rings_release(same);
}
