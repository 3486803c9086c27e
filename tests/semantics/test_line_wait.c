/* SPDX-License-Identifier: BSD-3-Clause
 * Waits for a line of main memory: cycle by cycle the same as the loads of a polling program, at a cost that
 * does not grow with time. */
#include "platform/parameters.h"
#include "tests/bed.h"

enum { LINE = 0x8000, ROUNDS = 6, LINES = 2, SEEDS = 4 };

static uint64_t ea; /* LINES lines, and a line with a counter beyond all awaited values */

/* A program that waits and writes in turn, by its seed. */
struct party {
  struct dice dice;
  uint64_t found_at[ROUNDS];
};

static bool has_reached(const void *line, const void *context) {
  uint32_t counter;
  memcpy(&counter, line, sizeof counter);
  return counter >= *(const uint32_t *)context;
}

/* Wait until the counter of the line at AT has reached COUNT. */
static void wait_until(uint64_t at, uint32_t count, uint64_t cycles) {
  spu_wait_line(&(struct spu_line_wait){.ls = spu_ls(LINE),
                                        .ea = at,
                                        .found = has_reached,
                                        .context = &count,
                                        .reason = COMPUTE_OTHER,
                                        .cycles = cycles});
}

/* Add one to the counter of the line at AT in way WAY. */
static void increment(uint64_t at, unsigned way) {
  uint32_t *line = spu_ls(LINE + 128);
  uint32_t status;
  do {
    mfc_getllar(line, at, 0, 0);
    mfc_read_atomic_status();
    ++*line;
    if (way == 0) {
      mfc_putlluc(line, at, 0, 0);
      status = mfc_read_atomic_status() & ~(uint32_t)MFC_PUTLLUC_STATUS;
    } else if (way == 1) {
      mfc_put(line, at, 16, 0, 0, 0);
      mfc_write_tag_mask(1);
      status = mfc_read_tag_status_all() & ~UINT32_C(1);
    } else {
      mfc_putllc(line, at, 0, 0);
      status = mfc_read_atomic_status() & MFC_PUTLLC_STATUS;
    }
  } while (status);
}

/* Increment counters at random moments, and wait for some number of increments; the PPE ends all waits. */
static void take_part(void *argument) {
  struct party *party = argument;
  for (unsigned i = 0; i < ROUNDS; i++) {
    uint64_t at = ea + 128 * dice_below(&party->dice, LINES);
    spu_compute(dice_below(&party->dice, dice_below(&party->dice, 2) ? 20000 : 200));
    increment(at, (unsigned)dice_below(&party->dice, 6));
    wait_until(at, (uint32_t)dice_below(&party->dice, 12 * (i + 1)), dice_below(&party->dice, 30));
    party->found_at[i] = spu_cycles();
  }
}

/* Copy counters at random moments, and at last the great one over all others. */
static void copy_at_random(void *argument) {
  struct party *party = argument;
  for (unsigned i = 0; i < 2 * ROUNDS; i++) {
    ppe_compute(dice_below(&party->dice, 20000));
    ppe_memcpy(ea + 128 * dice_below(&party->dice, LINES), ea + 128 * dice_below(&party->dice, LINES), 16);
  }
  for (unsigned i = 0; i < ROUNDS * LINES; i++) { /* more than once: an increment may be under way */
    ppe_compute(20000);
    ppe_memcpy(ea + UINT64_C(128) * (i % LINES), ea + UINT64_C(128) * LINES, 16);
  }
}

static void pass_over(struct probe *probe, const struct probe_event *event) {
}

/* Run N parties on the machine and a copier, all as SEED says. */
static void run_parties(struct party *parties, unsigned n, uint64_t seed) {
  static const uint32_t great = UINT32_C(1) << 30;
  struct spu *spus = xcalloc(n, sizeof *spus);
  struct party copier = {.dice = {seed}};
  struct ppu ppu = {.main = copy_at_random, .argument = &copier, .name = "PPE"};
  blade_reset(bed.blade);
  ea = blade_allocate(bed.blade, 0, 128 * (LINES + 1));
  memcpy(blade_memory(bed.blade, ea + UINT64_C(128) * LINES), &great, sizeof great);
  for (unsigned i = 0; i < n; i++) {
    parties[i] = (struct party){.dice = {random_mix(seed + i)}};
    spus[i] = (struct spu){.spe = i, .main = take_part, .argument = &parties[i], .name = "SPE"};
  }
  bed_run_all(&(struct spu_programs){.spus = spus, .nspus = n, .ppus = &ppu, .nppus = 1});
  free(spus);
}

TESTS(line_wait, .start = bed_begin_unwatched, .stop = bed_end);

/* An observer of each load makes the programs load one after the other. */
TEST_EACH(a_wait_takes_the_cycles_of_its_loads, 0, BED_MACHINES) {
  struct probe curious = {.see = pass_over, .details = true, .each_load = true};
  bed_use_machine(_i);
  unsigned n = blade_nspes(bed.blade);
  struct party *alone = xcalloc(n, sizeof *alone), *seen = xcalloc(n, sizeof *seen);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    run_parties(alone, n, seed);
    blade_attach(bed.blade, &curious);
    run_parties(seen, n, seed);
    blade_detach(bed.blade, &curious);
    ck_assert_msg(memcmp(alone, seen, n * sizeof *alone) == 0, "seed %llu", (unsigned long long)seed);
  }
  free(alone);
  free(seen);
}

/* --- the cost of a wait --- */

static unsigned looks; /* at lines */

static bool count_look(const void *line, const void *context) {
  looks++;
  return has_reached(line, context);
}

static void wait_and_count(void *argument) {
  spu_wait_line(&(struct spu_line_wait){
    .ls = spu_ls(LINE), .ea = ea, .found = count_look, .context = argument, .reason = COMPUTE_OTHER});
}

/* Increment the counter once after each time of as many cycles as the argument says. */
static void increment_slowly(void *argument) {
  for (unsigned i = 0; i < ROUNDS; i++) {
    spu_compute(*(const uint64_t *)argument);
    increment(ea, 2);
  }
}

/* Let one SPE increment a counter ROUNDS times, every PAUSE cycles, while all others wait for the counter.
 * returns: the number of looks of the others. */
static unsigned looks_of(uint64_t pause) {
  static const uint32_t wanted = ROUNDS;
  struct spu spus[16] = {{.spe = 0, .main = increment_slowly, .argument = &pause, .name = "writer"}};
  for (unsigned i = 1; i < 16; i++) {
    spus[i] = (struct spu){.spe = i, .main = wait_and_count, .argument = (void *)&wanted, .name = "waiter"};
  }
  looks = 0;
  blade_reset(bed.blade);
  ea = blade_allocate(bed.blade, 0, 128);
  bed_run(spus, 16);
  return looks;
}

/* At the start each of 15 waiters gets the line once, and once after each increment. Load by load a waiter
 * would look every 56 cycles: at 100 000 cycles between increments 10 000 times. */
TEST(a_long_wait_costs_no_more_than_a_short_one) {
  ck_assert_uint_eq(looks_of(100000), 15 * (1 + ROUNDS));
  ck_assert_uint_eq(looks_of(10000000), 15 * (1 + ROUNDS));
}

/* --- waits without an end --- */

PROGRAM(wait_for_one, wait_until(ea, 1, 0))

TEST(a_line_that_nobody_writes_is_a_deadlock) {
  ea = blade_allocate(bed.blade, 0, 128);
  struct spu spu = {.spe = 0, .main = wait_for_one, .name = "waiter"};
  struct blade_result result = spu_run_all(bed.blade, &(struct spu_programs){.spus = &spu, .nspus = 1});
  ck_assert_ptr_nonnull(result.stuck);
  ck_assert_msg(strstr(result.stuck, "waiter loads the line at 0x") &&
                  strstr(result.stuck, "again and again, which nobody writes"),
                "%s", result.stuck);
  blade_result_fini(&result);
}

/* Give a command that is refused only at the MFC, and wait meanwhile. */
static void wait_with_a_faulty_list(void *argument) {
  mfc_list_element_t *list = spu_ls(LINE + 256);
  list[0] = (mfc_list_element_t){.size = 7};
  mfc_getl(spu_ls(LINE + 512), ea, list, sizeof *list, 0, 0, 0);
  wait_until(ea, 1, 0);
}

/* For the first increment the line comes from the waiter, and the waiter has to drop the line. Then no other
 * SPE has the line, so that each further increment takes two commands of the writer's own atomic unit. */
TEST(a_program_that_stops_polls_no_more) {
  uint64_t pause = 10000;
  ea = blade_allocate(bed.blade, 0, 128);
  struct spu spus[2] = {{.spe = 0, .main = wait_with_a_faulty_list, .name = "waiter"},
                        {.spe = 1, .main = increment_slowly, .argument = &pause, .name = "writer"}};
  struct blade_result result = spu_run_all(bed.blade, &(struct spu_programs){.spus = spus, .nspus = 2});
  const struct parameters *p = blade_parameters(bed.blade);
  uint64_t alone = pause + 2 * (p->mfc_issue + p->mfc_atomic_local + p->mfc_channel_read);
  ck_assert_ptr_nonnull(result.faults);
  ck_assert_ptr_null(result.stuck);
  ck_assert_uint_eq(result.cycles, ROUNDS * alone + p->mfc_atomic_transfer - p->mfc_atomic_local +
                                     p->mfc_to_bus + p->eib_command_phase);
  blade_result_fini(&result);
}
