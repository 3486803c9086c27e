/* SPDX-License-Identifier: BSD-3-Clause
 * Faults and deadlocks: the stopped programs, the messages, and that the other programs and the next run go
 * on. */
#include "tests/bed.h"

enum { HERE = 0x10000 };

static bool went_on[2]; /* the program that stops, and another one */

/* A well-behaved neighbour. */
static void work(void *argument) {
  for (unsigned i = 0; i < 10; i++) {
    mfc_get(spu_ls(HERE), spu_ls_ea(2, HERE), 128, 0, 0, 0);
    bed_finish(1);
  }
  went_on[1] = true;
}

/* Run FAULTY with ARGUMENT on SPE 0 beside OTHER on SPE NUMBER; check that only SPE 0 stops.
 * returns: the message; owner: the caller. */
static char *fault_of(void (*faulty)(void *), void *argument, unsigned number, void (*other)(void *)) {
  went_on[0] = went_on[1] = false;
  blade_reset(bed.blade);
  struct blade_result result =
    spu_run_all(bed.blade, &SPES(ON_SPE(0, faulty, argument), ON_SPE(number, other, NULL)));
  ck_assert_ptr_nonnull(result.faults);
  ck_assert_ptr_null(result.stuck);
  ck_assert(!went_on[0] && went_on[1]);
  char *message = xstrdup(result.faults);
  blade_result_fini(&result);
  return message;
}

/* Check that FAULTY stops at cycle 50 with one message that contains WHAT. */
static void expect_fault(void (*faulty)(void *), const char *what) {
  char *message = fault_of(faulty, NULL, 1, work);
  ck_assert_msg(strncmp(message, "rank 0 stopped at cycle 50 by a fault: ", 39) == 0, "%s", message);
  ck_assert_msg(strstr(message, what) != NULL, "%s: expected '%s' in it", message, what);
  ck_assert_msg(strchr(message, '\n') == strrchr(message, '\n'), "%s", message);
  free(message);
}

#define FAULTY(name, call) \
  static void name(void *argument) { \
    spu_compute(50); \
    call; \
    went_on[0] = true; \
  }

FAULTY(bad_size, mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 24, 0, 0, 0))
FAULTY(too_long, mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), 16400, 0, 0, 0))
FAULTY(bad_tag, mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), 16, 32, 0, 0))
FAULTY(misaligned, mfc_put(spu_ls(HERE + 8), spu_ls_ea(1, HERE + 8), 16, 0, 0, 0))
FAULTY(not_congruent, mfc_put(spu_ls(HERE + 4), spu_ls_ea(1, HERE + 8), 4, 0, 0, 0))
FAULTY(no_such_spe, mfc_get(spu_ls(HERE), spu_ls_ea(16, 0), 16, 0, 0, 0))
FAULTY(past_the_end, mfc_get(spu_ls(HERE), spu_ls_ea(1, 262144 - 16), 32, 0, 0, 0))
FAULTY(own_past_the_end, mfc_get(spu_ls(262144 - 16), spu_ls_ea(1, 0), 32, 0, 0, 0))
FAULTY(not_in_ls, mfc_get(&went_on, spu_ls_ea(1, 0), 16, 0, 0, 0))
FAULTY(on_the_stack, int word[4]; mfc_get(word, spu_ls_ea(1, 0), 16, 0, 0, 0))
FAULTY(atomic_on_the_stack, int line[32]; mfc_getllar(line, spu_ls_ea(1, 0), 0, 0))
FAULTY(end_of_ls, mfc_get((char *)spu_ls(0) + 262144, spu_ls_ea(1, 0), 16, 0, 0, 0))
FAULTY(register_read, mfc_get(spu_ls(HERE + 12), spu_signal_ea(1, 1), 4, 0, 0, 0))
FAULTY(no_address, *(char *)spu_ls(262144) = 1)

TESTS(stops, .start = bed_begin, .stop = bed_end);

TEST(each_fault_stops_its_spe_with_its_message) {
  expect_fault(bad_size, "size of 24 bytes");
  expect_fault(too_long, "size of 16400 bytes");
  expect_fault(bad_tag, "tag 32");
  expect_fault(misaligned, "aligned to 16 bytes");
  expect_fault(not_congruent, "equal in their low 4 bits");
  expect_fault(no_such_spe, "a local store, register or memory");
  expect_fault(past_the_end, "a local store, register or memory");
  expect_fault(own_past_the_end, "expected them below 0x40000");
  expect_fault(not_in_ls,
               "is no part of the local store of SPE 0: a static variable or the stack of the program; "
               "data for DMA comes from spu_ls or the buffers of the call");
  expect_fault(on_the_stack, "is no part of the local store of SPE 0: a static variable or the stack");
  expect_fault(atomic_on_the_stack, "is no part of the local store of SPE 0: a static variable or the stack");
  expect_fault(end_of_ls, "local store bytes 0x40000 to 0x40010");
  expect_fault(register_read, "expected a put of 4");
  expect_fault(no_address, "local store address 0x40000");
}

/* Commands queued by an SPE before its fault still arrive: the MFC works on. */
static void put_then_fault(void *argument) {
  *(uint32_t *)spu_ls(HERE) = 9;
  mfc_put(spu_ls(HERE), spu_ls_ea(5, HERE), 16, 0, 0, 0);
  bad_size(argument);
}

static void wait_for_nine(void *argument) {
  struct spu_flag flag = {.word = spu_ls(HERE), .value = 9, .peer = 0, .what = "word"};
  spu_wait_flag(&flag);
  went_on[1] = true;
}

TEST(queued_commands_of_a_stopped_spe_go_on) {
  free(fault_of(put_then_fault, NULL, 5, wait_for_nine));
}

/* The bus requests of the MFC of SPE 0. */
struct witness {
  struct probe probe;
  bool stopped;
  unsigned before, after; /* bus requests issued before the fault, and later */
  unsigned delivered;
};

static void see(struct probe *probe, const struct probe_event *event) {
  struct witness *witness = (struct witness *)probe;
  witness->stopped |= event->kind == PROBE_FAULT;
  witness->before += event->kind == PROBE_ISSUE && !witness->stopped;
  witness->after += event->kind == PROBE_ISSUE && witness->stopped;
  witness->delivered += event->kind == PROBE_DELIVER;
}

static void get_then_fault(void *argument) {
  const uint64_t *pause = argument;
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 16384, 0, 0, 0);
  spu_compute(*pause);
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 24, 0, 0, 0);
}

/* Of the 128 bus requests of a long command the window lets 16 go at once, every 2 cycles from cycle 40 on;
 * the next requests wait for the entries of these. After a fault only a request that waits for the command
 * bus is issued, possible only until cycle 72; issued requests arrive. Loop test: the index gives the cycle
 * of the fault. */
TEST_EACH(a_stopped_mfc_issues_nothing_more, 0, 12) {
  static const uint64_t pauses[] = {35, 45, 60, 90, 150, 250, 300, 310, 320, 500, 900, 1500};
  uint64_t pause = pauses[_i];
  struct witness witness = {.probe = {.see = see}};
  blade_attach(bed.blade, &witness.probe);
  struct blade_result result = spu_run_all(bed.blade, &SPES(ON_SPE(0, get_then_fault, &pause)));
  blade_detach(bed.blade, &witness.probe);
  ck_assert_ptr_nonnull(result.faults);
  ck_assert(witness.stopped);
  ck_assert_uint_gt(witness.before, 0);
  ck_assert_uint_le(witness.after, pause < 72);
  ck_assert_uint_lt(witness.before + witness.after, 128);
  ck_assert_uint_eq(witness.delivered, witness.before + witness.after);
  blade_result_fini(&result);
}

PROGRAM(get_long, mfc_get(spu_ls(HERE), spu_ls_ea(4, HERE), 16384, 0, 0, 0); bed_finish(1); went_on[1] = true)

/* Both MFCs have taken all window entries and wait for more, when one MFC stops; the shared command bus must
 * not forget the other MFC. Loop test: the index gives the cycle of the fault. */
TEST_EACH(a_neighbour_of_a_stopped_mfc_goes_on, 0, 60) {
  uint64_t pause = 100 + 7 * (uint64_t)_i;
  free(fault_of(get_then_fault, &pause, 2, get_long));
}

/* A list with a second element of a bad size, and the end of the program before this element is read. */
static void leave_bad_list(void *argument) {
  mfc_list_element_t *list = spu_ls(HERE + 0x8000);
  list[0] = (mfc_list_element_t){.size = 16, .eal = (uint32_t)spu_ls_ea(1, HERE)};
  list[1] = (mfc_list_element_t){.size = 24, .eal = (uint32_t)spu_ls_ea(1, HERE)};
  mfc_getl(spu_ls(HERE), spu_ls_ea(1, 0), list, 2 * sizeof *list, 0, 0, 0);
  mfc_getl(spu_ls(HERE + 0x100), spu_ls_ea(1, 0), list, 2 * sizeof *list, 1, 0, 0);
}

/* The first list reaches the MFC at 10 (issue) + 30 (to the bus) = 40 and begins. At 50 the first element
 * of this list and the second list reach the MFC: the element, of the lower queue entry, begins at 40 + 84
 * (mfc.command-interval), the second list at 208. The second element of the first list reaches the MFC at
 * 124 + 10 and begins at 292. */
TEST(a_bad_element_is_a_fault_also_after_the_end_of_its_program) {
  bed_expect_fault(leave_bad_list,
                   "rank 0 stopped at cycle 292 by a fault: DMA list element 1: size of 24 bytes, "
                   "expected 1, 2, 4, 8 or a multiple of 16 up to 16384\n");
}

TEST(several_faults_have_a_line_each) {
  bed_expect_end(
    &SPES(ON_SPE(3, bad_size, NULL), ON_SPE(4, bad_tag, NULL)),
    "rank 3 stopped at cycle 50 by a fault: size of 24 bytes, expected 1, 2, 4, 8 or a multiple of 16 up "
    "to 16384\n"
    "rank 4 stopped at cycle 50 by a fault: tag 32, expected 0 to 31\n",
    NULL);
}

/* --- deadlock --- */

static void wait_for_next(void *argument) {
  unsigned me = *(unsigned *)argument;
  spu_compute(100 + me);
  if (me == 2) {
    spu_read_signal2();
  } else {
    struct spu_flag flags[] = {{.word = spu_ls(HERE), .value = 1, .peer = (int)me + 1, .what = "flag"},
                               {.word = spu_ls(HERE), .value = 7, .peer = 3, .what = "block"}};
    spu_wait_any(&(struct spu_any){.flags = flags, .nflags = 1 + me});
  }
  went_on[0] = true;
}

/* Three programs wait for one another in a ring: the message names each program, the subject of its wait, the
 * awaited program, and the first cycle of the wait. The machine is usable afterwards. */
TEST(a_deadlock_of_three_is_explained) {
  unsigned numbers[] = {0, 1, 2};
  for (unsigned i = 0; i < 3; i++) {
    went_on[0] = went_on[1] = false;
    bed_expect_end(&SPES(ON_SPE(0, wait_for_next, &numbers[0]), ON_SPE(1, wait_for_next, &numbers[1]),
                         ON_SPE(2, wait_for_next, &numbers[2]), ON_SPE(3, work, NULL)),
                   NULL,
                   "rank 0 waits for flag 1 from rank 1 since cycle 100\n"
                   "rank 1 waits for flag 1 from rank 2 or block 7 from rank 3 since cycle 101\n"
                   "rank 2 waits for a signal in register 2 since cycle 102\n");
    ck_assert(!went_on[0] && went_on[1]);
  }
  expect_fault(bad_size, "size of 24 bytes");
}
