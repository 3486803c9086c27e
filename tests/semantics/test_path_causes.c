/* SPDX-License-Identifier: BSD-3-Clause
 * The exact critical path of small programs on one blade, one program or more for each cause: every cycle is
 * derived from the parameters of qs20.
 *
 * A command given by a program that does nothing else takes issue (10), to-bus (30) and the command phase
 * (100); the bytes are read from the local store (20), go over the rings (2 cycles for each hop, 2 for each
 * 16 bytes), become visible (74), and the tag is told 98 cycles after the last byte. */
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "tests/call_bed.h"

#include <inttypes.h>

enum { TAG = 1 };

static void wait_as(unsigned tag) {
  bed_finish(UINT32_C(1) << tag);
}

/* --- programs --- */

/* Each reason to compute with as many cycles as its number and 10 more. */
static void compute(struct coll *c) {
  for (unsigned reason = 0; reason < COMPUTE_REASONS; reason++) {
    spu_compute_for((enum compute_reason)reason, 10 + reason);
  }
}

static void nothing(struct coll *c) {
}

/* All ranks but rank 0 get all bytes of rank 0. */
static void get(struct coll *c) {
  if (c->rank > 0) {
    mfc_get(c->buffer, step_peer_ea(c, 0, c->buffer), (uint32_t)c->nbytes, TAG, 0, 0);
    wait_as(TAG);
  }
}

/* All ranks but the last put all bytes to the last one. */
static void put(struct coll *c) {
  if (c->rank + 1 < c->nranks) {
    mfc_put(c->buffer, step_peer_ea(c, c->nranks - 1, c->buffer), (uint32_t)c->nbytes, TAG, 0, 0);
    wait_as(TAG);
  }
}

/* Rank 0 gives two commands and waits for the second. */
static void put_twice(struct coll *c) {
  if (c->rank == 0) {
    mfc_put(c->buffer, step_peer_ea(c, 1, c->buffer), 16, 0, 0, 0);
    mfc_put(c->buffer + 16, step_peer_ea(c, 1, c->buffer + 16), 16, TAG, 0, 0);
    wait_as(TAG);
  }
}

/* Rank 0 puts a list of two elements. */
static void put_list(struct coll *c) {
  if (c->rank == 0) {
    mfc_list_element_t *list = (mfc_list_element_t *)(void *)c->scratch;
    uint64_t ea = step_peer_ea(c, 1, c->buffer);
    list[0] = (mfc_list_element_t){.size = 128, .eal = (uint32_t)ea};
    list[1] = (mfc_list_element_t){.size = 128, .eal = (uint32_t)ea + 128};
    mfc_putl(c->buffer, ea, list, sizeof list[0] * 2, TAG, 0, 0);
    wait_as(TAG);
  }
}

/* Two lines: one for a list. */
static size_t lines(const struct coll_group *group) {
  return 256;
}

static void get_from_memory(struct coll *c) {
  mfc_get(c->scratch, c->buffer_ea, (uint32_t)c->nbytes, TAG, 0, 0);
  wait_as(TAG);
}

static void load_a_line(struct coll *c) {
  mfc_getllar(c->scratch, c->group->shared_ea, 0, 0);
  mfc_read_atomic_status();
}

static void wait_for_time(struct coll *c) {
  spu_write_event_mask(MFC_DECREMENTER_EVENT);
  spu_write_decrementer(3);
  spu_read_event_status();
}

TESTS(path_causes, .start = bed_begin_unwatched, .stop = bed_end);

/* --- paths --- */

/* SPE1, SPE2, SPE0, memory: this is the order of the units on the rings. The command bus serves commands of
 * one cycle in this order, one every 2 cycles. A ramp takes a request every 16.66 cycles. With one bus
 * request of up to 128 bytes on the rings, "ring" is 2 cycles for each hop and 16 more. */
static const struct {
  const char *what, *settings;
  struct {
    void (*run)(struct coll *c);
    unsigned nranks;
    size_t nbytes;
    uint64_t spes[3];
  } call;
  const char *expected; /* the cycles of all causes on the path */
} cases[] = {
  {"each reason to compute",
   "",
   {compute, 1, 0, {0}},
   "software=10 send=11 receive=12 dma=13 tag=14 step=15 combine=16 copy=17 issue=18 channel=19 mmio=20 "
   "computing=21"},
  {"the decrementer goes from 3 to below 0: four ticks of 3200 / 14.318 cycles",
   "",
   {wait_for_time, 1, 0, {0}},
   "timer=894"},
  {"the second get waits for the command bus and then for the ramp of the source: 16.66 - 2, rounded up",
   "",
   {get, 3, 128, {0, 1, 2}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 ring=18 visible=74 completion=24 others-bytes=15 "
   "order=2"},
  {"the put of SPE0 to SPE2, 1 hop, comes to the ramp of the receiver after the put of SPE1, 4 hops, has "
   "left that ramp: 2 * 4 + 16.66 - 2 * 1 - 2, rounded up",
   "",
   {put, 3, 128, {0, 1, 2}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 ring=18 visible=74 completion=24 ring-taken=21 order=2"},
  {"the command bus takes one command in 50 bus cycles",
   "eib.command-interval=50",
   {put, 3, 16, {0, 1, 2}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 ring=18 visible=74 completion=24 order=100"},
  {"the command bus takes the second of two bus requests 100 cycles after the first, whose ramp is free "
   "after 16.66",
   "eib.command-interval=50",
   {get, 2, 256, {0, 1}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 ring=22 visible=74 completion=24 own-bytes=17 order=83"},
  {"the port of the source takes one access in 11 bus cycles: 22 - 2",
   "ls.port-interval=11",
   {get, 3, 16, {0, 1, 2}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 ring=18 visible=74 completion=24 port-taken=20 order=2"},
  {"the second command, given 10 cycles after the first, begins 84 cycles after the first",
   "",
   {put_twice, 2, 32, {0, 1}},
   "issue=20 to-bus=30 command-interval=74 command-phase=100 ls-read=20 ring=22 visible=74 completion=24"},
  {"reading a list element takes 10 cycles; the second bus request leaves the ramp 16.66 cycles after the "
   "first",
   "mfc.command-interval=0",
   {put_list, 2, 256, {0, 1}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 list-element=10 ring=22 visible=74 completion=24 "
   "own-bytes=17"},
  {"with a window of one bus request the second begins when the first has retired, 86 cycles after its "
   "last byte: the grants are 22 + 86 + 100 + 20 cycles apart, 17 of them on the ramp",
   "mfc.window=1",
   {get, 2, 256, {0, 1}},
   "issue=10 to-bus=30 command-phase=100 ls-read=20 ring=22 visible=74 completion=24 own-bytes=17 "
   "window-full=211"},
  {"memory answers after 740 cycles, with the second bus request 17.9 cycles later, 16.66 of them on its "
   "ramp",
   "",
   {get_from_memory, 1, 256, {0}},
   "issue=10 to-bus=30 command-phase=100 memory=740 ring=18 visible=74 completion=24 own-bytes=17 "
   "own-bytes-memory=1"},
  {"memory takes the other SPE's request first, for 17.9 cycles; commands to memory are 4 cycles apart",
   "",
   {get_from_memory, 2, 128, {0, 1}},
   "issue=10 to-bus=30 command-phase=100 memory=740 ring=18 visible=74 completion=24 memory-taken=14 "
   "order=4"},
  {"to the other chip: 4 hops on each, and all parameters of bif",
   "bif.put-complete=50",
   {put, 2, 16, {0, 8}},
   "issue=10 to-bus=30 command-phase=100 command-across=390 ls-read=20 ring=48 link=321 visible=74 "
   "completion=24 completion-across=50"},
  {"three bus requests: each keeps the link for 128 + 118 bytes at 20 GB/s, 39.36 cycles; the third leaves "
   "the ramp 2 * 16.66 cycles after the first and the link 2 * 39.36",
   "",
   {put, 2, 384, {0, 8}},
   "issue=10 to-bus=30 command-phase=100 command-across=390 ls-read=20 ring=48 link=321 visible=74 "
   "completion=24 own-bytes=34 own-bytes-link=45"},
  {"the request of SPE1, 5 hops from the link, is 17 cycles before that of SPE0 at the ramp of the link "
   "and at the link: 2 * 5 + 16.66 - 2 * 4 - 2, and 39.36 - 17 + 2 * (5 - 4) - 2, rounded up",
   "",
   {put, 3, 128, {0, 1, 8}},
   "issue=10 to-bus=30 command-phase=100 command-across=390 ls-read=20 ring=48 link=321 visible=74 "
   "completion=24 link-taken=23 ring-taken=17 order=2"},
  {"a line comes from memory: to-bus, command phase, memory, 128 bytes, visible",
   "",
   {load_a_line, 1, 0, {0}},
   "issue=10 channel=6 atomic=960"},
  {"the second load waits until the first has the line, and gets the line from the other SPE: 308 cycles "
   "with its way over the command bus",
   "",
   {load_a_line, 2, 0, {0, 1}},
   "issue=10 channel=6 atomic=308 line-taken=830"},
};

/* Run PROGRAM as CALL says, and find the path.
 * owner: the caller, with path_fini and outcome_fini. */
static struct path find(void (*program)(struct coll *c), struct call call, struct outcome *outcome) {
  struct path path;
  struct algo algo = {.collective = COLL_BCAST,
                      .name = "trial",
                      .source = "ali2010",
                      .idea = "",
                      .scratch = lines,
                      .in_memory = program == get_from_memory,
                      .shared = program == load_a_line ? 128 : 0,
                      .run = program};
  call.algorithm.algo = &algo;
  call.repeat = 1;
  call.lengths_only = true;
  ck_assert(call_bed_find_path(call, &path, outcome));
  return path;
}

TEST_EACH(causes_are_exact, 0, sizeof cases / sizeof cases[0]) {
  bed_use("qs20", cases[_i].settings);
  struct outcome outcome;
  uint64_t spes[3];
  char found[512] = "";
  memcpy(spes, cases[_i].call.spes, sizeof spes);
  struct path path = find(cases[_i].call.run,
                          (struct call){.nranks = cases[_i].call.nranks,
                                        .nbytes = cases[_i].call.nbytes,
                                        .placement = {PLACEMENT_LIST, {spes, cases[_i].call.nranks}}},
                          &outcome);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    size_t used = strlen(found);
    if (path.totals[i]) {
      snprintf(found + used, sizeof found - used, "%s%s=%" PRIu64, used ? " " : "", path_causes[i].name,
               path.totals[i]);
    }
  }
  ck_assert_msg(strcmp(found, cases[_i].expected) == 0, "%s: %s, expected %s", cases[_i].what, found,
                cases[_i].expected);
  path_fini(&path);
  outcome_fini(&outcome);
}

/* Nobody does anything: the whole call is the lateness of the rank that enters last. */
TEST(a_late_entry_is_exact) {
  struct outcome outcome;
  struct path path = find(nothing, (struct call){.nranks = 2, .skew = 1000, .skew_seed = 1}, &outcome);
  uint64_t first = outcome.entered[0], second = outcome.entered[1],
           late = first > second ? first - second : second - first;
  ck_assert_uint_gt(late, 0);
  ck_assert_uint_eq(path.totals[PATH_LATE], late);
  ck_assert_uint_eq(path.end - path.begin, late);
  path_fini(&path);
  outcome_fini(&outcome);
}
