/* SPDX-License-Identifier: BSD-3-Clause
 * Shuffled runs of hosts: as test_paces.c, for the calls of processes.
 * source: docs/how-to/orders.md, "Hosts" and "Other orders". */
#include "sim/node/host_api.h"
#include "sim/base/engine/des.h"
#include "sim/node/machine.h"
#include "sim/spu/spu_time.h"
#include "tests/net_bed.h"

enum { LAZY = 16 /* a seed: all transfers are lazy, no process stands still */, SEEDS = 96 };
enum { A = 0x1000, B = 0x2000, FLAG = 0x3000, BYTES = 1024, MEMORY = 0x10000, PROCESSES = 2 };
enum { HOLD = HOST_SLOWNESS * DES_HOLD_MAX };

static struct machine *machine;
static const struct machine_memory memory = {PROCESSES, MEMORY, true};
static uint64_t end; /* the cycle at which the last program ended */
static unsigned outcome;

static void set_up(void) {
  net_bed_start();
  machine =
    machine_of_nodes(bed_platform("gdx", "network.transport=lossless network.buffer=0"), 0, 1, &failure);
  ck_assert_msg(machine != NULL, "%s", failure.text);
}

static void tear_down(void) {
  des_shuffle(0);
  machine_free(machine);
  bed_end();
}

TESTS(host_paces, .start = set_up, .stop = tear_down);

/* Run ZERO on process 0, whose bytes at A are 1, and ONE, unless NULL, on process 1, whose bytes at B are 2,
 * in an order drawn by SEED.
 * returns: the kind of the run. */
static struct des_shuffle run(void (*zero)(void *), void (*one)(void *), uint64_t seed) {
  void (*const programs[PROCESSES])(void *) = {zero, one};
  machine_reset(machine, &memory);
  for (unsigned i = 0; i < PROCESSES; i++) {
    struct place place = {.kind = PLACE_PROCESS, .node = i};
    memset(machine_memory(machine, place) + (i ? B : A), (int)i + 1, BYTES);
    if (programs[i]) {
      machine_start(machine, place,
                    &(struct machine_program){.main = programs[i], .name = i ? "one" : "zero"});
    }
  }
  des_shuffle(seed);
  struct des_shuffle kind = des_shuffled;
  struct blade_result result = machine_run(machine);
  des_shuffle(0);
  ck_assert_msg(!result.faults && !result.stuck, "%s", result.faults ? result.faults : result.stuck);
  end = result.cycles;
  blade_result_fini(&result);
  return kind;
}

static struct host_transfer transfer(uint32_t here, uint32_t there, unsigned tag) {
  return (struct host_transfer){.here = spu_ls(here), .ea = host_ea(1, there), .nbytes = BYTES, .tag = tag};
}

static void put(unsigned tag) {
  struct host_transfer wanted = transfer(A, B, tag);
  host_put(&wanted);
}

static void get(void) {
  struct host_transfer wanted = transfer(A, B, 3);
  host_get(&wanted);
}

static void tell(uint32_t value) {
  host_tell(&(struct host_transfer){.here = &value, .ea = host_ea(1, FLAG), .nbytes = sizeof value});
}

static void await_flag(void) {
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(FLAG), .value = 1, .what = "flag"});
}

/* --- ways to ask --- */

PROGRAM(waits_for_tag, put(70); host_wait_tag(70))
PROGRAM(waits_for_tags, put(3); host_wait_tags(1 << 3))
PROGRAM(waits_for_any, put(3); spu_wait_any(&(struct spu_any){.tags = 1 << 3}))
PROGRAM(polls, get(); while (!host_poll_tags(1 << 3)) spu_compute_for(COMPUTE_OTHER, 1000))
PROGRAM(ends, put(3))
PROGRAM(tells, put(3); tell(1))

static void reads_at_flag(void *unused) {
  await_flag();
  ck_assert_uint_eq(*(const uint8_t *)spu_ls(B + BYTES - 1), 1);
}

static const struct {
  const char *what;
  void (*zero)(void *), (*one)(void *);
} ways[] = {
  {"a tag", waits_for_tag, NULL}, {"tags", waits_for_tags, NULL}, {"flags or tags", waits_for_any, NULL},
  {"polls", polls, NULL},         {"no question", ends, NULL},    {"a tell", tells, reads_at_flag},
};

/* A hold ends where the program asks, or where a tell must wait for a put into the same memory: the run is
 * over before a hold is. Without a question the bytes come at last. */
TEST_EACH(each_way_to_ask_lets_lazy_transfers_begin, 0, sizeof ways / sizeof *ways) {
  for (uint64_t seed = 0; seed < 64; seed++) {
    run(ways[_i].zero, ways[_i].one, seed ? seed : LAZY);
    ck_assert_msg(seed || end < HOLD / 2, "%s: cycle %u", ways[_i].what, (unsigned)end);
    bool asks = ways[_i].zero == polls;
    unsigned process = asks ? 0 : 1;
    const uint8_t *bytes =
      machine_memory(machine, (struct place){.kind = PLACE_PROCESS, .node = process}) + (asks ? A : B);
    ck_assert_uint_eq(bytes[BYTES - 1], asks ? 2 : 1);
  }
}

/* --- a bug for each rule: the usual order hides the bug --- */

/* Lazy: work longer than the transfer hides that nobody has waited. */
static void uses_after_work(void *unused) {
  get();
  spu_compute_for(COMPUTE_OTHER, 1000000);
  spu_catch_up();
  outcome = *(const uint8_t *)spu_ls(A);
  host_wait_tag(3);
}

/* Eager: the process still uses the old bytes of the target of a get, or fills in a source late. */
static void refills_early(void *unused) {
  get();
  outcome = 1 + *(const uint8_t *)spu_ls(A);
  host_wait_tag(3);
}

static void fills_in_late(void *unused) {
  put(3);
  memset(spu_ls(A), 2, BYTES);
  host_wait_tag(3);
}

static void reads_filled(void *unused) {
  spu_compute_for(COMPUTE_OTHER, 100 * (uint64_t)HOLD);
  spu_catch_up();
  outcome = *(const uint8_t *)spu_ls(B);
}

/* Stalls: the second word overwrites the first, unless the reader is quick. */
static void tells_twice(void *unused) {
  tell(1);
  spu_compute_for(COMPUTE_OTHER, 200000);
  tell(2);
}

static void reads_first(void *unused) {
  await_flag();
  outcome = 3 - *(const uint32_t *)spu_ls(FLAG);
}

static const struct {
  const char *what;
  void (*zero)(void *), (*one)(void *);
  bool by_lazy, by_eager, by_stall; /* the rules that can show the bug */
} bugs[] = {
  {"a get used after work", uses_after_work, NULL, .by_lazy = true},
  {"a refill before the use", refills_early, NULL, .by_eager = true},
  {"a source filled in late", fills_in_late, reads_filled, .by_eager = true},
  {"a word that overwrites", tells_twice, reads_first, .by_stall = true},
};

/* Where a rule cannot act by the kind of the seed, the bug does not show; else some seed shows the bug. */
TEST_EACH(each_rule_shows_its_bug, 0, sizeof bugs / sizeof *bugs) {
  unsigned shown = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct des_shuffle kind = run(bugs[_i].zero, bugs[_i].one, seed);
    bool can = seed && (bugs[_i].by_lazy || (bugs[_i].by_eager && !kind.is_lazy) ||
                        (bugs[_i].by_stall && kind.stalls));
    ck_assert_msg(can || outcome == 2, "%s: seed %u", bugs[_i].what, (unsigned)seed);
    shown += outcome != 2;
  }
  ck_assert_msg(shown > 0, "%s: no seed shows the bug", bugs[_i].what);
}
