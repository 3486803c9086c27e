/* SPDX-License-Identifier: BSD-3-Clause
 * Bounds of calls, against those that the formulas give for numbers chosen to be told apart. */
#include "tests/bed.h"
#include "validate/model/tune.h"

/* On this machine a transfer takes 10 + 20 + 30 + 40 x 2 + 50 = 190 cycles on a chip, and 1,000 + 2,000 more
 * for each link; a ramp passes 128 bytes in 10 bus cycles, which are 20 cycles; 128 bytes and 128 bytes of
 * overhead pass a link of 3.2 GB/s at 3.2 GHz in 256 cycles; 128 bytes are read in 7 cycles and written in 9;
 * 16 bytes are combined in 8. */
static const char settings[] =
  "mfc.issue=10 mfc.to-bus=20 eib.command-phase=30 eib.hop=40 mfc.visible=50 mfc.complete=60 "
  "bif.command=1000 "
  "bif.data=2000 eib.ramp-interval=10 bif.bandwidth=3.2 bif.overhead=128 memory.read-interval=7 "
  "memory.write-interval=9 combine.int32-sum=8";

TESTS(bound, .start = bed_start, .stop = bed_end);

/* A call: collective, in memory, ranks, root, bytes. */
struct bounded {
  enum collective collective;
  bool in_memory;
  unsigned ranks, root;
  size_t bytes;
};

static double bound_of(const struct bounded *call, const char **of) {
  struct tune_problem problem = {call->collective, call->in_memory};
  return bound_cycles(bed.machine, problem, call->ranks, call->root, call->bytes, of);
}

TEST(the_largest_of_the_formulas_is_the_bound) {
  static const struct {
    struct bounded call;
    double cycles;
    const char *of;
  } cases[] = {
    {{COLL_BARRIER, false, 8, 0, 0}, 190, "latency"},
    {{COLL_BARRIER, false, 16, 0, 0}, 190 + 3000, "latency"},
    {{COLL_BCAST, false, 8, 0, 1280}, 190 + 10 * 20, "ramp"},
    {{COLL_BCAST, false, 16, 8, 1280}, 190 + 3000 + 10 * 256, "link"},
    {{COLL_GATHER, false, 8, 3, 1280}, 190 + 7 * 10 * 20, "ramp"},
    {{COLL_GATHER, false, 12, 3, 1280}, 190 + 3000 + 4 * 10 * 256, "link"}, /* the blocks of 4 ranks */
    {{COLL_SCATTER, false, 12, 9, 1280}, 190 + 3000 + 8 * 10 * 256, "link"},
    {{COLL_ALLGATHER, false, 12, 0, 1280}, 190 + 3000 + 8 * 10 * 256, "link"},
    {{COLL_ALLTOALL, false, 12, 0, 1280}, 190 + 3000 + 4 * 8 * 10 * 256, "link"},
    {{COLL_REDUCE, false, 4, 0, 12800}, 190 + 0.75 * 800 * 8, "combining"},
    {{COLL_ALLREDUCE, false, 4, 0, 12800}, 190 + 0.75 * 800 * 8, "combining"},
    /* of the 12 blocks 8 leave the chip of 8 ranks, as sums; a rank combines 3 blocks of 12,800 bytes */
    {{COLL_REDUCESCATTER, false, 12, 0, 1280}, 190 + 3000 + 8 * 10 * 256, "link"},
    {{COLL_REDUCESCATTER, false, 4, 0, 12800}, 190 + 3 * 800 * 8, "combining"},
    {{COLL_REDUCESCATTER, true, 8, 0, 12800}, 100 * (64 * 7 + 8 * 9), "memory"},
    {{COLL_BCAST, true, 4, 0, 12800}, 100 * (7 + 3 * 9), "memory"},
    {{COLL_ALLGATHER, true, 4, 0, 12800}, 100 * (4 * 7 + 12 * 9), "memory"},
    {{COLL_ALLTOALL, true, 4, 0, 12800}, 100 * (12 * 7 + 12 * 9), "memory"},
    {{COLL_BCAST, false, 1, 0, 1280}, 0, "latency"},
  };
  bed_use("qs20", settings);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *of;
    double bound = bound_of(&cases[i].call, &of);
    ck_assert_msg(fabs(bound - cases[i].cycles) < 1e-6, "case %u: %g cycles", i, bound);
    ck_assert_str_eq(of, cases[i].of);
  }
}

/* In a star of eight chips, chips 1 and 3 are two links apart. In a mesh of four chips the blocks of 24 ranks
 * share the three links of each chip. */
TEST(chips_apart_count_each_link) {
  struct bounded far = {COLL_BARRIER, false, 32, 0, 0}, shared = {COLL_ALLGATHER, false, 32, 0, 128};
  const char *of;
  bed_use("octo-star", settings);
  ck_assert_double_eq_tol(bound_of(&far, &of), 190 + 2 * 3000, 1e-6);
  bed_use("quad-mesh", settings);
  ck_assert_double_eq_tol(bound_of(&shared, &of), 190 + 3000 + 24 * 256 / 3.0, 1e-6);
}

/* Main memory of all chips serves at once where each chip has its own. */
TEST(own_memories_share_the_work) {
  bed_use("qs20", "memory.placement=own memory.read-interval=7 memory.write-interval=9");
  struct bounded call = {COLL_ALLGATHER, true, 12, 0, 12800};
  const char *of;
  ck_assert_double_eq_tol(bound_of(&call, &of), 100 * (12 * 7 + 12 * 11 * 9) / 2.0, 1e-6);
}

TEST(blocks_of_several_sizes_nodes_and_too_many_ranks_have_no_bound) {
  struct bounded blocks = {COLL_GATHERV, false, 4, 0, 64}, barrier = {COLL_BARRIER, false, 4, 0, 0},
                 many = {COLL_BARRIER, false, 17, 0, 0};
  const char *of;
  bed_use("qs20", "");
  ck_assert(isnan(bound_of(&blocks, &of)));
  ck_assert(isnan(bound_of(&many, &of)));
  bed_use("blades", "");
  ck_assert(isnan(bound_of(&barrier, &of)));
}
