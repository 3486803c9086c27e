/* SPDX-License-Identifier: BSD-3-Clause
 * Many blades in one run: each blade takes the same cycles as alone, in a time linear in the number of
 * blades. */
#include "algos/catalogue.h"
#include "sim/hw/watch/probe.h"
#include "tests/bed.h"

#include <time.h>
#include <unistd.h>

enum { MOST_BLADES = BED_SANITIZED ? 16 : 256, CALLS = 3, STARTS = 5 };

static const struct {
  const char *call;
  unsigned nranks;
  size_t nbytes;
} kinds[CALLS] = {{"barrier:recursive-doubling", 16, 0},
                  {"bcast:binomial-opt", 11, 4096},
                  {"allreduce:recursive-doubling", 16, 1024}};

static unsigned ncalls = 2; /* back to back */
static struct machine *machines[MOST_BLADES];
static struct blade *blades[MOST_BLADES]; /* of the machines, each alone */
static struct rig rigs[MOST_BLADES];
static struct blade_result results[MOST_BLADES];

/* Set RIG up on MACHINE for call KIND, begun by all ranks at cycle AT, and start the programs. */
static void load(struct rig *rig, struct machine *machine, unsigned kind, uint64_t at) {
  struct call call = {.nranks = kinds[kind].nranks,
                      .nbytes = kinds[kind].nbytes,
                      .repeat = ncalls,
                      .profile = &bed.platform->profiles[0]};
  SUCCEEDS(catalogue_find(kinds[kind].call, &call.algorithm, &failure));
  rig_init_known(rig, machine, &call);
  rig_set_calls(rig);
  for (unsigned r = 0; r < call.nranks; r++) {
    rig->ranks[r].machine_program.start = at;
  }
  rig_start(rig);
}

/* Return the cycles of call KIND, begun at cycle AT, on a blade alone. */
static uint64_t alone(unsigned kind, uint64_t at) {
  struct rig rig;
  load(&rig, bed.machine, kind, at);
  struct blade_result result = blade_run(bed.blade);
  ck_assert(!result.faults && !result.stuck);
  rig_fini(&rig);
  return result.cycles;
}

static unsigned kind_of(unsigned blade) {
  return blade % CALLS;
}

static uint64_t start_of(unsigned blade) {
  return 777 * (blade % STARTS);
}

static void make(unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    machines[i] = machine_new(bed.platform);
    blades[i] = machine_blade(machines[i], 0);
    blade_join(blades[i], NULL, i);
    load(&rigs[i], machines[i], kind_of(i), start_of(i));
  }
}

static void drop(unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    blade_result_fini(&results[i]);
    rig_fini(&rigs[i]);
    machine_free(machines[i]);
  }
}

static const unsigned numbers[] = {2, 16, MOST_BLADES};
static const uint64_t look_aheads[] = {1, 100, 2000, UINT64_MAX};
enum { NUMBERS = sizeof numbers / sizeof *numbers, LOOK_AHEADS = sizeof look_aheads / sizeof *look_aheads };

TESTS(blades, .start = bed_begin_unwatched, .stop = bed_end);

/* Loop test: the index is the number of blades and the look-ahead. */
TEST_EACH(each_takes_the_cycles_that_it_takes_alone, 0, NUMBERS *LOOK_AHEADS) {
  unsigned n = numbers[_i / LOOK_AHEADS];
  uint64_t expected[CALLS * STARTS];
  for (unsigned i = 0; i < CALLS * STARTS; i++) {
    expected[i] = alone(kind_of(i), start_of(i));
  }
  make(n);
  blade_run_all(
    &(struct blade_company){.blades = blades, .n = n, .look_ahead = look_aheads[_i % LOOK_AHEADS]}, results);
  for (unsigned i = 0; i < n; i++) {
    ck_assert(!results[i].faults && !results[i].stuck);
    ck_assert_msg(results[i].cycles == expected[i % (CALLS * STARTS)], "blade %u: %llu cycles, alone %llu", i,
                  (unsigned long long)results[i].cycles, (unsigned long long)expected[i % (CALLS * STARTS)]);
  }
  drop(n);
}

/* The events seen by observers of several blades. */
static struct {
  uint64_t latest, look_ahead, events[16], switches;
  unsigned last;
} seen;

static void see(struct probe *probe, const struct probe_event *event) {
  ck_assert_msg(event->cycle + seen.look_ahead > seen.latest, "cycle %llu after cycle %llu",
                (unsigned long long)event->cycle, (unsigned long long)seen.latest);
  seen.latest = event->cycle > seen.latest ? event->cycle : seen.latest;
  seen.events[event->node]++;
  seen.switches += event->node != seen.last;
  seen.last = event->node;
}

/* The clocks of the blades go together; each event names its blade. */
TEST(blades_run_at_the_same_time) {
  struct probe probe = {.see = see};
  seen.look_ahead = 200;
  make(16);
  for (unsigned i = 0; i < 16; i++) {
    blade_attach(blades[i], &probe);
  }
  blade_run_all(&(struct blade_company){.blades = blades, .n = 16, .look_ahead = seen.look_ahead}, results);
  for (unsigned i = 0; i < 16; i++) {
    blade_detach(blades[i], &probe);
    ck_assert_uint_gt(seen.events[i], 0);
    ck_assert_uint_eq(seen.events[i], seen.events[kind_of(i)]);
  }
  ck_assert_uint_gt(seen.switches, 100);
  drop(16);
}

/* --- time --- */

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Return the processor time of N blades running together. */
static double time_together(unsigned n) {
  make(n);
  double begin = seconds();
  blade_run_all(&(struct blade_company){.blades = blades, .n = n, .look_ahead = UINT64_MAX}, results);
  double end = seconds();
  drop(n);
  return end - begin;
}

/* Return the processor time of N runs of one blade after the other. */
static double time_one_by_one(unsigned n) {
  double sum = 0;
  for (unsigned i = 0; i < n; i++) {
    struct rig rig;
    load(&rig, bed.machine, kind_of(i), start_of(i));
    double begin = seconds();
    struct blade_result result = blade_run(bed.blade);
    sum += seconds() - begin;
    blade_result_fini(&result);
    rig_fini(&rig);
  }
  return sum;
}

/* The least of several trials of each counts, and a seeming defect is tried again: other work on the machine
 * only adds time. There are many calls, so that the first touch of each blade's memory does not count; with
 * one blade running again and again this memory is in the cache. */
TEST(the_time_of_a_blade_does_not_grow_with_their_number) {
  ncalls = 12;
  double together = time_together(MOST_BLADES), apart = time_one_by_one(MOST_BLADES);
  for (unsigned i = 0; i < 2 || (i < 30 && together > 1.5 * apart); i++) {
    double more = time_together(MOST_BLADES), less = time_one_by_one(MOST_BLADES);
    together = more < together ? more : together;
    apart = less < apart ? less : apart;
  }
  ck_assert_msg(together <= 1.5 * apart, "%g s together, %g s one by one", together, apart);
}

/* --- many --- */

enum { MANY_BLADES = 2000 };

/* Return how many bytes of address space this process has taken. */
static uint64_t address_space(void) {
  unsigned long long npages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  ck_assert(file && fscanf(file, "%llu", &npages) == 1);
  fclose(file);
  return npages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Blades with unused main memory take less than the memory of one chip, besides the local stores; and a chip
 * with used memory takes no other chip's. */
TEST(main_memory_is_reserved_when_it_is_used) {
  static struct blade *many[MANY_BLADES];
  struct bed qs22 = bed_new("qs22");
  const struct parameters *parameters = blade_parameters(qs22.blade);
  uint64_t chip = parameters->memory_bytes,
           stores = MANY_BLADES * parameters->nspes * (uint64_t)parameters->ls_size, begin = address_space();
  for (unsigned i = 0; i < MANY_BLADES; i++) {
    many[i] = blade_new(qs22.platform);
  }
  uint64_t unused = address_space() - begin;
  ck_assert_uint_lt(unused, stores + chip);
  uint64_t ea = blade_allocate(many[7], 1, 128);
  ck_assert_uint_eq(*blade_memory(many[7], ea), 0);
  *blade_memory(many[7], ea) = 1;
  uint64_t used = address_space() - begin - unused;
  ck_assert_uint_ge(used, chip);
  ck_assert_uint_lt(used, 2 * chip);
  blade_reset(many[7]);
  ck_assert_uint_eq(*blade_memory(many[7], ea), 0);
  for (unsigned i = 0; i < MANY_BLADES; i++) {
    blade_free(many[i]);
  }
  ck_assert_uint_lt(address_space(), begin + stores);
  bed_fini(&qs22);
}
