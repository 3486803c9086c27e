/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands: time, reservations, contention, faults. */
#include "tests/bed.h"

enum { LINE = 0x10000, ROUNDS = 100 };

static uint64_t ea;

static void start(void) {
  bed_begin_unwatched();
  ea = blade_allocate(bed.blade, 0, 256);
}

/* A program's measurements. */
struct seen {
  uint64_t pause, load, reload, store;
  uint32_t word, status[3];
};

static uint64_t timed_load(void) {
  uint64_t before = spu_cycles();
  mfc_getllar(spu_ls(LINE), ea, 0, 0);
  mfc_read_atomic_status();
  return spu_cycles() - before;
}

static void increment_once(void *argument) {
  struct seen *seen = argument;
  uint32_t *line = spu_ls(LINE);
  spu_compute(seen->pause);
  seen->load = timed_load();
  seen->reload = timed_load();
  line[0]++;
  uint64_t before = spu_cycles();
  mfc_putllc(line, ea, 0, 0);
  seen->status[0] = mfc_read_atomic_status();
  seen->store = spu_cycles() - before;
  seen->word = line[0];
}

TESTS(atomics, .start = start, .stop = bed_end);

/* Every command: issue 10, status 6. A load from memory: to the bus 30, command phase 100, memory 740, beats
 * 16, visible 34; from the own unit: atomic-local; from another one: atomic-transfer. A store: atomic-local,
 * and 130 more on the way when another unit keeps the line. */
TEST(the_time_depends_on_who_keeps_the_line) {
  struct seen first = {0}, second = {.pause = 10000};
  const struct platform *p = bed.platform;
  bed_run_all(&SPES(ON_SPE(0, increment_once, &first), ON_SPE(1, increment_once, &second)));
  uint64_t both = (uint64_t)(p->mfc.issue + p->mfc.channel_read), local = (uint64_t)p->mfc.atomic_local;
  uint64_t way = (uint64_t)(p->mfc.to_bus + p->eib.command_phase);
  ck_assert_uint_eq(first.load, both + way + (uint64_t)(p->memory.latency + p->mfc.visible) + 16);
  ck_assert_uint_eq(first.reload, both + local);
  ck_assert_uint_eq(first.store, both + local);
  ck_assert_uint_eq(second.load, both + (uint64_t)p->mfc.atomic_transfer);
  ck_assert_uint_eq(second.reload, both + local);
  ck_assert_uint_eq(second.store, both + way + local);
  ck_assert_uint_eq(first.status[0], 0);
  ck_assert_uint_eq(second.status[0], 0);
  ck_assert_uint_eq(second.word, 2);
}

/* Load, wait, store. */
static void load_and_store_late(void *argument) {
  struct seen *seen = argument;
  mfc_getllar(spu_ls(LINE), ea, 0, 0);
  seen->status[0] = mfc_read_atomic_status();
  spu_compute(20000);
  mfc_putllc(spu_ls(LINE), ea, 0, 0);
  seen->status[1] = mfc_read_atomic_status();
  mfc_putlluc(spu_ls(LINE), ea, 0, 0);
  seen->status[2] = mfc_read_atomic_status();
}

PROGRAM(put_16, spu_compute(2000); mfc_put(spu_ls(LINE), *(const uint64_t *)argument, 16, 0, 0, 0))
PROGRAM(get_16, spu_compute(2000); mfc_get(spu_ls(LINE), *(const uint64_t *)argument, 16, 0, 0, 0))
PROGRAM(store_queued, spu_compute(2000); mfc_putqlluc(spu_ls(LINE), *(const uint64_t *)argument, 0, 0, 0))

static void store_anyway(void *argument) {
  spu_compute(2000);
  mfc_putlluc(spu_ls(LINE), ea, 0, 0);
  ck_assert_uint_eq(mfc_read_atomic_status(), MFC_PUTLLUC_STATUS);
}

static void expect_lost(void (*other)(void *), uint64_t other_ea, bool lost) {
  struct seen seen = {0};
  blade_reset(bed.blade);
  ea = blade_allocate(bed.blade, 0, 256);
  bed_run_all(&SPES(ON_SPE(0, load_and_store_late, &seen), ON_SPE(9, other, &other_ea)));
  ck_assert_uint_eq(seen.status[0], MFC_GETLLAR_STATUS);
  ck_assert_uint_eq(seen.status[1], lost ? MFC_PUTLLC_STATUS : 0);
  ck_assert_uint_eq(seen.status[2], MFC_PUTLLUC_STATUS);
}

TEST(a_reservation_is_lost_when_its_line_is_written) {
  expect_lost(put_16, ea, true);
  expect_lost(put_16, ea + 112, true);
  expect_lost(store_anyway, ea, true);
  expect_lost(store_queued, ea, true);
  expect_lost(put_16, ea + 128, false);
  expect_lost(store_queued, ea + 128, false);
  expect_lost(get_16, ea, false);
}

PROGRAM(copy_over, ppe_compute(2000); ppe_memcpy(ea, ea + 128, 4))

TEST(a_reservation_is_lost_when_the_ppe_writes_its_line) {
  struct seen seen = {0};
  bed_run_beside(ON_SPE(0, load_and_store_late, &seen), copy_over, NULL);
  ck_assert_uint_eq(seen.status[1], MFC_PUTLLC_STATUS);
}

static void increment_often(void *argument) {
  uint32_t *line = spu_ls(LINE);
  for (unsigned i = 0; i < ROUNDS; i++) {
    do {
      mfc_getllar(line, ea, 0, 0);
      mfc_read_atomic_status();
      line[0]++;
      mfc_putllc(line, ea, 0, 0);
    } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
  }
}

TEST(no_increment_is_lost_when_all_contend) {
  struct spu spus[16];
  for (unsigned n = 2; n <= 16; n += 7) {
    blade_reset(bed.blade);
    ea = blade_allocate(bed.blade, 0, 256);
    for (unsigned i = 0; i < n; i++) {
      spus[i] = (struct spu){.spe = i, .main = increment_often, .name = "SPE"};
    }
    bed_run(spus, n);
    uint32_t sum;
    memcpy(&sum, blade_memory(bed.blade, ea), sizeof sum);
    ck_assert_uint_eq(sum, n * ROUNDS);
  }
}

/* --- the queued store --- */

enum { MANY = 0x4000, TAG = 5 };

/* Put MANY bytes, and store the last line of these bytes. */
static void put_and_store_queued(void *argument) {
  memset(spu_ls(LINE), 1, MANY);
  memset(spu_ls(LINE + MANY), 2, 128);
  mfc_put(spu_ls(LINE), ea, MANY, TAG, 0, 0);
  mfc_putqlluc(spu_ls(LINE + MANY), ea + MANY - 128, TAG, 0, 0);
  bed_finish(1 << TAG);
}

static void store_queued_and_wait(void *argument) {
  struct seen *seen = argument;
  memset(spu_ls(LINE), 2, 128);
  mfc_putqlluc(spu_ls(LINE), ea, TAG, 0, 0);
  mfc_write_tag_mask(1 << TAG);
  seen->status[0] = mfc_read_tag_status_immediate();
  seen->status[1] = mfc_read_tag_status_all();
  seen->status[2] = mfc_stat_atomic_status();
  seen->word = *(const uint8_t *)blade_memory(bed.blade, ea + 127);
}

/* Without the fence the last line would be written before the put's bytes arrive, and then be overwritten. */
TEST(a_queued_store_follows_a_put_of_its_tag) {
  uint8_t expected[MANY];
  memset(expected, 1, MANY - 128);
  memset(expected + MANY - 128, 2, 128);
  blade_reset(bed.blade);
  ea = blade_allocate(bed.blade, 0, MANY);
  bed_run_alone(put_and_store_queued, NULL);
  ck_assert_mem_eq(blade_memory(bed.blade, ea), expected, MANY);
}

TEST(a_queued_store_completes_in_its_tag_group) {
  struct seen seen = {0};
  bed_run_alone(store_queued_and_wait, &seen);
  ck_assert_uint_eq(seen.status[0], 0);
  ck_assert_uint_eq(seen.status[1], 1 << TAG);
  ck_assert_uint_eq(seen.status[2], 0);
  ck_assert_uint_eq(seen.word, 2);
}

/* --- one reservation --- */

static void load_two_store_two(void *argument) {
  struct seen *seen = argument;
  mfc_getllar(spu_ls(LINE), ea, 0, 0);
  mfc_read_atomic_status();
  mfc_getllar(spu_ls(LINE + 128), ea + 128, 0, 0);
  mfc_read_atomic_status();
  mfc_putllc(spu_ls(LINE), ea, 0, 0);
  seen->status[0] = mfc_read_atomic_status();
  mfc_putllc(spu_ls(LINE + 128), ea + 128, 0, 0);
  seen->status[1] = mfc_read_atomic_status();
}

/* The second load moves the reservation to its line; a conditional store, also one that fails, ends the
 * reservation. */
TEST(a_conditional_store_ends_the_reservation) {
  struct seen seen = {0};
  bed_run_alone(load_two_store_two, &seen);
  ck_assert_uint_eq(seen.status[0], MFC_PUTLLC_STATUS);
  ck_assert_uint_eq(seen.status[1], MFC_PUTLLC_STATUS);
}

/* --- turns --- */

enum { WAITERS = 8 };

/* The SPEs in the order of stores. */
struct effects {
  struct probe probe;
  unsigned spes[WAITERS], count;
};

static void see_effect(struct probe *probe, const struct probe_event *event) {
  struct effects *effects = (struct effects *)probe;
  if (event->kind == PROBE_ATOMIC_EFFECT && event->atomic_effect.came >= 5000) {
    effects->spes[effects->count++ % WAITERS] = event->atomic_effect.atomic.spe;
  }
}

static void load_after(void *argument) {
  const uint64_t *pause = argument;
  spu_compute(*pause);
  mfc_getllar(spu_ls(LINE), ea, 0, 0);
  mfc_read_atomic_status();
}

/* SPE 8 gets the line from memory in 740 cycles; meanwhile other SPEs come to the line one after the other,
 * the highest numbers first, and wait. */
TEST(commands_for_one_line_are_served_in_the_order_in_which_they_came) {
  struct effects effects = {.probe = {.see = see_effect, .details = true}};
  struct spu spus[WAITERS];
  uint64_t pauses[WAITERS];
  for (unsigned i = 0; i < WAITERS; i++) {
    pauses[i] = 5000 + 20 * (uint64_t)(WAITERS - 1 - i);
    spus[i] = (struct spu){.spe = i, .main = load_after, .argument = &pauses[i], .name = "SPE"};
  }
  blade_attach(bed.blade, &effects.probe);
  bed_run(spus, WAITERS);
  blade_detach(bed.blade, &effects.probe);
  ck_assert_uint_eq(effects.count, WAITERS);
  for (unsigned i = 0; i < WAITERS; i++) {
    ck_assert_uint_eq(effects.spes[i], WAITERS - 1 - i);
  }
}

/* --- memory --- */

static void load_own_line(void *argument) {
  struct seen *seen = argument;
  mfc_getllar(spu_ls(LINE), ea + seen->pause, 0, 0);
  mfc_read_atomic_status();
  seen->load = spu_cycles();
}

/* Four lines come from memory at once; the controller reads one every 100 cycles. */
TEST(loads_of_lines_share_the_bandwidth_of_memory) {
  enum { LOADS = 4 };
  struct spu spus[LOADS];
  struct seen seen[LOADS];
  bed_use("qs20", "memory.read-interval=100");
  ea = blade_allocate(bed.blade, 0, LOADS * 128);
  for (unsigned i = 0; i < LOADS; i++) {
    seen[i] = (struct seen){.pause = 128 * (uint64_t)i};
    spus[i] = (struct spu){.spe = i, .main = load_own_line, .argument = &seen[i], .name = "SPE"};
  }
  bed_run(spus, LOADS);
  for (unsigned i = 1; i < LOADS; i++) {
    ck_assert_uint_eq(seen[i].load, seen[0].load + 100 * i);
  }
}

PROGRAM(local_store, mfc_getllar(spu_ls(LINE), spu_ls_ea(1, LINE), 0, 0))
PROGRAM(no_memory, mfc_getllar(spu_ls(LINE), UINT64_C(0x1000), 0, 0))
PROGRAM(misaligned_line, mfc_putllc(spu_ls(LINE), ea + 16, 0, 0))
PROGRAM(misaligned_store, mfc_putlluc(spu_ls(LINE + 64), ea, 0, 0))
PROGRAM(queued_misaligned_line, mfc_putqlluc(spu_ls(LINE), ea + 16, 0, 0, 0))
PROGRAM(queued_misaligned_store, mfc_putqlluc(spu_ls(LINE + 64), ea, 0, 0, 0))
PROGRAM(queued_local_store, mfc_putqlluc(spu_ls(LINE), spu_ls_ea(1, LINE), 0, 0, 0))
PROGRAM(queued_tag, mfc_putqlluc(spu_ls(LINE), ea, 32, 0, 0))
PROGRAM(outside, mfc_getllar((char *)spu_ls(0) + 262144, ea, 0, 0))

TEST(bad_addresses_are_faults) {
  bed_expect_fault_about(local_store, "expected one in main memory");
  bed_expect_fault_about(no_memory, "expected one in main memory");
  bed_expect_fault_about(misaligned_line, "aligned to 128 bytes");
  bed_expect_fault_about(misaligned_store, "aligned to 128 bytes");
  bed_expect_fault_about(queued_misaligned_line, "aligned to 128 bytes");
  bed_expect_fault_about(queued_misaligned_store, "aligned to 128 bytes");
  bed_expect_fault_about(queued_local_store, "expected one in main memory");
  bed_expect_fault_about(queued_tag, "tag 32, expected 0 to 31");
  bed_expect_fault_about(outside,
                         "atomic command at local store address 0x40000, expected one below 0x40000");
}

PROGRAM(read_status, mfc_read_atomic_status())

TEST(a_status_without_a_command_never_comes) {
  bed_expect_stuck(read_status,
                   "rank 0 waits for the status of an atomic command that it has not given since cycle 0\n");
}
