/* SPDX-License-Identifier: BSD-3-Clause
 * Every built-in platform, with all its SPEs, runs every applicable algorithm. */
#include "tests/call_bed.h"

static const struct {
  const char *name;
  unsigned nspes;
  /* a power of two on several full chips: only an algorithm with a signal bit per rank may be refused */
  bool all;
} machines[] = {
  {"cell", 8, false},      {"ps3", 6, false},       {"qs20", 16, true},      {"qs22", 16, true},
  {"quad-mesh", 32, true}, {"quad-ring", 32, true}, {"octo-star", 64, true},
};

TESTS(platforms, .start = bed_start, .stop = bed_end);

/* Loop test: the index is the machine. */
TEST_EACH(all_algorithms_that_apply_are_served, 0, (sizeof machines / sizeof *machines) - BED_SANITIZED) {
  bed_use(machines[_i].name, "");
  unsigned served = 0;
  ck_assert_uint_eq(blade_nspes(bed.blade), machines[_i].nspes);
  for (size_t i = 0; i < catalogue_size; i++) {
    bool barrier = catalogue[i]->collective == COLL_BARRIER;
    unsigned nranks = blade_nspes(bed.blade);
    struct call call = {.algorithm = catalogue_call(catalogue[i]),
                        .nranks = nranks,
                        .root = barrier ? 0 : nranks - 1,
                        .nbytes = barrier ? 0 : 600,
                        .repeat = 2,
                        .profile = bed_profile()};
    struct err err = {""};
    if (rig_check(bed.platform, &call, &err) != 0) {
      bool known = strstr(err.text, "half a signal register") || catalogue[i]->spans_nodes ||
                   catalogue[i]->needs & NEED_HOSTS;
      ck_assert_msg(!machines[_i].all || known, "%s", err.text);
      continue;
    }
    call_bed_run(&call);
    served++;
  }
  ck_assert_uint_gt(served, 0);
}

/* SPEs not usable by programs are passed, and ranks sit on the other SPEs in the order of numbers. */
TEST(ranks_sit_on_usable_spes_only) {
  bed_use("qs20", "blade.chips=1 chip.usable-spes=SPE7");
  ck_assert_uint_eq(blade_nspes(bed.blade), 1);
  ck_assert_uint_eq(blade_unit_of(bed.blade, 0), 4); /* PPE SPE1 SPE3 SPE5 SPE7 */
  bed_use("ps3", "");
  static const unsigned units[] = {1, 2, 3, 7, 8, 9}; /* of SPE0 to SPE5 */
  for (unsigned i = 0; i < 6; i++) {
    ck_assert_uint_eq(blade_unit_of(bed.blade, i), units[i]);
  }
}
