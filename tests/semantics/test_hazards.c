/* SPDX-License-Identifier: BSD-3-Clause
 * The hazard detector of blades: each hazard has its message, and the ordered program beside it has none. An
 * SPU gives a command in the cycle in which the program is, after 10 cycles (mfc.issue): cycles in messages
 * are those. */
#include "tests/bed.h"

enum { A = 0x10000, B = 0x20000, CELL = 0x1000c, LONG = 16384 };

static uint64_t memory; /* an address in main memory */

/* Run FIRST on SPE 0 and SECOND, unless NULL, on SPE 1. */
static void run(void (*first)(void *), void (*second)(void *)) {
  struct spu_programs programs = SPES(ON_SPE(0, first, NULL), ON_SPE(1, second, NULL));
  programs.nspus = second ? 2 : 1;
  blade_reset(bed.blade);
  memory = blade_allocate(bed.blade, 0, LONG);
  bed_run_all(&programs);
}

/* Check that there was one hazard, and its message. */
static void expect(const char *message) {
  ck_assert_str_eq(bed.hazards->count ? bed.hazards->lines[0] : "none", message);
  ck_assert_uint_eq(bed_take_hazards(), 1);
}

static void expect_none(void) {
  ck_assert_msg(bed.hazards->count == 0, "%s", bed.hazards->lines[0]);
}

/* The same for programs without a hazard, and with one. */
static void run_sound(void (*first)(void *), void (*second)(void *)) {
  run(first, second);
  expect_none();
}

static void run_racy(void (*first)(void *), void (*second)(void *)) {
  run(first, second);
  ck_assert_uint_eq(bed_take_hazards(), 1);
}

/* --- two commands --- */

/* Two gets into the same bytes: the tag of the second, and what orders the two. */
struct gets {
  uint32_t tag;
  enum { NOTHING, A_FENCE, A_BARRIER, A_WAIT } order;
};

static struct gets gets;

static void get_twice(void *argument) {
  mfc_get(spu_ls(A), spu_ls_ea(2, A), 32, 3, 0, 0);
  if (gets.order == A_BARRIER) {
    mfc_getb(spu_ls(B), spu_ls_ea(2, B), 16, 3, 0, 0);
  } else if (gets.order == A_WAIT) {
    bed_finish(8);
  }
  (gets.order == A_FENCE ? mfc_getf : mfc_get)(spu_ls(A + 16), spu_ls_ea(2, B), 16, gets.tag, 0, 0);
  bed_finish(24);
}

TESTS(hazards, .start = bed_begin, .stop = bed_end);

TEST(two_commands_of_one_queue_need_a_fence_a_barrier_or_a_wait) {
  gets = (struct gets){3, NOTHING};
  run(get_twice, NULL);
  expect(
    "get of 32 bytes (rank 0 on SPE 0, tag 3, cycle 10, from 0x10000 of SPE 2 to 0x10000 of SPE 0) writes "
    "and "
    "get of 16 bytes (rank 0 on SPE 0, tag 3, cycle 20, from 0x20000 of SPE 2 to 0x10010 of SPE 0) writes "
    "16 bytes at 0x10010 of SPE 0, in no order: a fence on the second would order the two");
  gets = (struct gets){4, A_FENCE};
  run(get_twice, NULL);
  expect(
    "get of 32 bytes (rank 0 on SPE 0, tag 3, cycle 10, from 0x10000 of SPE 2 to 0x10000 of SPE 0) writes "
    "and "
    "get of 16 bytes (rank 0 on SPE 0, tag 4, cycle 20, from 0x20000 of SPE 2 to 0x10010 of SPE 0) writes "
    "16 bytes at 0x10010 of SPE 0, in no order: a wait for tag 3 between the two, or one tag for both and a "
    "fence, would order the two");
  for (gets = (struct gets){3, A_FENCE}; gets.order <= A_WAIT; gets.order++) {
    run_sound(get_twice, NULL);
  }
}

PROGRAM(put_to_memory, mfc_put(spu_ls(A), memory, 128, 0, 0, 0); bed_finish(1))
PROGRAM(get_from_memory, mfc_get(spu_ls(A), memory + 64, 16, 0, 0, 0); bed_finish(1))

static void get_from_memory_late(void *argument) {
  spu_compute(5000); /* called at cycle 0 of the machine, issued at 5010 */
  get_from_memory(NULL);
}

/* However late the second program comes: nothing tells it. */
TEST(two_programs_need_a_message_between_them) {
  run(put_to_memory, get_from_memory);
  ck_assert_uint_eq(memory, 0x100000000000);
  expect("put of 128 bytes (rank 0 on SPE 0, tag 0, cycle 10, from 0x10000 of SPE 0 to main memory "
         "0x100000000000) "
         "writes and get of 16 bytes (rank 1 on SPE 1, tag 0, cycle 10, from main memory 0x100000000040 to "
         "0x10000 "
         "of "
         "SPE 1) reads 16 bytes at main memory 0x100000000040, in no order: before the second its program "
         "must learn from a flag or a signal that the first is over");
  run_racy(put_to_memory, get_from_memory_late);
  run_sound(get_from_memory, get_from_memory);
}

/* --- a store into the target of a get: seen by the bytes, without a report --- */

static enum { UNTOLD, TOLD, WAITED, ARRIVED, FENCED } store;

static void store_into_target(void *argument) {
  uint8_t *target = spu_ls(A + 4096);
  mfc_get(spu_ls(A), spu_ls_ea(2, A), LONG, 3, 0, 0);
  if (store == WAITED) {
    bed_finish(8);
  } else if (store == ARRIVED) {
    spu_compute(100000); /* the limit: the bytes are there, the program does not know */
    spu_catch_up();
  } else if (store == TOLD) {
    spu_note_store(target + 2, 1);
  }
  target[2] ^= store != FENCED;
  bed_finish(8);
  *(uint8_t *)spu_ls(B) = 1;
  mfc_get(target, spu_ls_ea(0, B), 16, 3, 0, 0);       /* changes the target */
  mfc_getf(target - 16, spu_ls_ea(2, B), 32, 3, 0, 0); /* of this one, in order */
  bed_finish(8);
}

TEST(a_store_before_the_bytes_arrive_is_seen_by_the_bytes) {
  store = UNTOLD;
  run(store_into_target, NULL);
  expect("get of 16384 bytes (rank 0 on SPE 0, tag 3, cycle 10, from 0x10000 of SPE 2 to 0x10000 of SPE 0) "
         "writes and a store of its program, without a report, writes bytes from 0x11002 of SPE 0 on, in no "
         "order: a wait for tag 3 between the two would order the two");
  store = TOLD;
  run_racy(store_into_target, NULL); /* reported once */
  for (store = WAITED; store <= FENCED; store++) {
    run_sound(store_into_target, NULL);
  }
}

/* --- the two queues of an MFC --- */

PROGRAM(get_long_late, spu_compute(3000); mfc_get(spu_ls(A), spu_ls_ea(2, A), LONG, 3, 0, 0); bed_finish(8))

/* The PPE reaches the register after ppe.mmio, 3200 cycles, while the SPU's own command is under way. */
PROGRAM(get_fenced_by_proxy, spe_mfcio_getf(0, A + 16, spu_ls_ea(2, B), 16, 3, 0, 0))

static void get_long_twice(void *argument) {
  spu_compute(3000);
  mfc_get(spu_ls(A), spu_ls_ea(2, A), LONG, 3, 0, 0);
  spu_compute(400);
  spu_catch_up(); /* so that the command of the PPE comes between */
  mfc_get(spu_ls(A + 16), spu_ls_ea(2, A), 16, 3, 0, 0);
  bed_finish(8);
}

PROGRAM(get_with_barrier_by_proxy, spe_mfcio_getb(0, B, spu_ls_ea(2, B), LONG, 3, 0, 0))

/* Run SPE_PROGRAM on SPE 0 beside PPE_PROGRAM.
 * returns: how many hazards there were. */
static uint64_t count_beside(void (*spe_program)(void *), void (*ppe_program)(void *)) {
  blade_reset(bed.blade);
  bed_run_beside(ON_SPE(0, spe_program, NULL), ppe_program, NULL);
  return bed_take_hazards();
}

/* Fences and barriers order the commands of their own queue: one of the PPE orders none of the SPU's, also
 * with the same tag. */
TEST(the_queues_of_spu_and_ppe_are_not_ordered) {
  ck_assert_uint_eq(count_beside(get_long_late, get_fenced_by_proxy), 1);
  ck_assert_uint_eq(count_beside(get_long_twice, get_with_barrier_by_proxy), 1);
}

/* --- lists --- */

static bool changes_list;

static void get_list(void *argument) {
  mfc_list_element_t *list = spu_ls(B);
  list[0] = (mfc_list_element_t){.size = 16, .eal = (uint32_t)spu_ls_ea(2, A)};
  list[1] = (mfc_list_element_t){.size = 16, .eal = (uint32_t)spu_ls_ea(2, B)};
  mfc_getl(spu_ls(A), spu_ls_ea(2, 0), list, 2 * sizeof *list, 5, 0, 0);
  if (changes_list) {
    spu_note_store(&list[1], sizeof *list);
  } else {
    mfc_get(spu_ls(A + 16), spu_ls_ea(2, A), 16, 5, 0, 0);
  }
  bed_finish(32);
}

TEST(lists_touch_their_elements_and_themselves) {
  changes_list = false;
  run(get_list, NULL);
  expect(
    "get list (rank 0 on SPE 0, tag 5, cycle 10, list at 0x20000 of SPE 0) writes and get of 16 bytes (rank "
    "0 on "
    "SPE 0, tag 5, cycle 20, from 0x10000 of SPE 2 to 0x10010 of SPE 0) writes 16 bytes at 0x10010 of SPE 0, "
    "in no order: a fence on the second would order the two");
  changes_list = true;
  run(get_list, NULL);
  expect(
    "get list (rank 0 on SPE 0, tag 5, cycle 10, list at 0x20000 of SPE 0) reads and rank 0 on SPE 0 (cycle "
    "10) "
    "writes 8 bytes at 0x20008 of SPE 0, in no order: a wait for tag 5 between the two would order the two");
}

/* The first element brings a flag to SPE 1 and stops the list. After the stop a put changes 16 bytes of SPE
 * 1. */
static void flag_by_a_list_then_put(void *argument) {
  mfc_list_element_t *list = spu_ls(B);
  *(uint32_t *)spu_ls(CELL) = 1;
  list[0] = (mfc_list_element_t){.notify = 1, .size = 4, .eal = (uint32_t)spu_ls_ea(1, CELL)};
  list[1] = (mfc_list_element_t){.size = 16, .eal = (uint32_t)spu_ls_ea(1, B)};
  mfc_putl(spu_ls(CELL), spu_ls_ea(1, 0), list, 2 * sizeof *list, 5, 0, 0);
  mfc_read_list_stall_status();
  mfc_put(spu_ls(A + LONG), spu_ls_ea(1, A + LONG), 16, 6, 0, 0);
  bed_finish(1 << 6);
  mfc_write_list_stall_ack(5);
  bed_finish(1 << 5);
}

static void see_flag_late_and_read(void *argument) {
  spu_compute(100000);
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(CELL), .value = 1, .peer = 0, .what = "flag"});
  spu_note_load(spu_ls(A + LONG), 16);
}

/* What the program does before it lets a list go on is no older than what the list has brought before. */
TEST(a_list_that_goes_on_tells_nothing_more_by_what_it_has_brought) {
  run_racy(flag_by_a_list_then_put, see_flag_late_and_read);
}

/* --- what programs touch --- */

/* A program that transfers between A and SPE 2, and touches A before or after the end of that. */
struct toucher {
  void (*transfer)(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t);
  void (*touch)(const volatile void *, size_t);
  bool waits;
};

static struct toucher toucher;

static void transfer_and_touch(void *argument) {
  toucher.touch(spu_ls(A), 8);
  toucher.transfer(spu_ls(A), spu_ls_ea(2, B), 16, 1, 0, 0);
  if (toucher.waits) {
    bed_finish(2);
  }
  toucher.touch(spu_ls(A), 8);
  bed_finish(2);
}

TEST(a_buffer_in_use_must_not_be_touched) {
  toucher = (struct toucher){.transfer = mfc_put, .touch = spu_note_store};
  run(transfer_and_touch, NULL);
  expect(
    "put of 16 bytes (rank 0 on SPE 0, tag 1, cycle 10, from 0x10000 of SPE 0 to 0x20000 of SPE 2) reads "
    "and rank 0 on SPE 0 (cycle 10) writes 8 bytes at 0x10000 of SPE 0, in no order: a wait for tag 1 "
    "between the two would order the two");
  toucher = (struct toucher){.transfer = mfc_get, .touch = spu_note_load};
  run(transfer_and_touch, NULL);
  expect(
    "get of 16 bytes (rank 0 on SPE 0, tag 1, cycle 10, from 0x20000 of SPE 2 to 0x10000 of SPE 0) writes "
    "and rank 0 on SPE 0 (cycle 10) reads 8 bytes at 0x10000 of SPE 0, in no order: a wait for tag 1 "
    "between the two would order the two");
  toucher = (struct toucher){.transfer = mfc_put, .touch = spu_note_load};
  run_sound(transfer_and_touch, NULL);
  toucher = (struct toucher){.transfer = mfc_put, .touch = spu_note_store, .waits = true};
  run_sound(transfer_and_touch, NULL);
  toucher = (struct toucher){.transfer = mfc_get, .touch = spu_note_load, .waits = true};
  run_sound(transfer_and_touch, NULL);
}

PROGRAM(put_into_one, spu_compute(1000); mfc_put(spu_ls(A), spu_ls_ea(1, A), 16, 0, 0, 0); bed_finish(1))
PROGRAM(read_at_1100, spu_compute(1100); spu_note_load(spu_ls(A + 8), 4))
PROGRAM(poll_at_1100, spu_note_flags(spu_ls(A), 16); read_at_1100(argument))

/* The reader runs ahead of the machine: it reads, in its own time, while the put is under way. */
TEST(flags_are_exchanged_on_purpose) {
  run(put_into_one, read_at_1100);
  expect("put of 16 bytes (rank 0 on SPE 0, tag 0, cycle 1010, from 0x10000 of SPE 0 to 0x10000 of SPE 1) "
         "writes and rank 1 on SPE 1 (cycle 1100) reads 4 bytes at 0x10008 of SPE 1, in no order: before the "
         "second its program must learn from a flag or a signal that the first is over");
  run_sound(put_into_one, poll_at_1100);
}

static uint64_t when;

PROGRAM(read_16_bytes_then, spu_compute(when); spu_note_load(spu_ls(A), 16))
PROGRAM(read_flags_and_more, spu_note_flags(spu_ls(A + 8), 8); read_16_bytes_then(argument))

TEST(bytes_beside_flags_are_no_flags) {
  when = 1100;
  run_racy(put_into_one, read_flags_and_more);
}

static void get_into_one_then(void *argument) {
  spu_compute(when - 10); /* mfc.issue */
  mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 0, 0, 0);
  bed_finish(1);
}

/* The put is given at cycle 1010 and complete at 1280. Nothing tells the other program, so that no cycle is
 * early or late enough. */
TEST(time_orders_nothing) {
  static const uint64_t cycles[] = {10, 1009, 1010, 1279, 1280, 100000};
  for (unsigned i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
    when = cycles[i];
    run_racy(put_into_one, read_16_bytes_then);
    run_racy(put_into_one, get_into_one_then);
  }
}

/* --- signals --- */

static uint32_t words[2];

static void send_word(unsigned which) {
  uint32_t *cell = spu_ls(CELL);
  *cell = words[which];
  spu_compute(1000 * which);
  mfc_sndsig(cell, spu_signal_ea(2, 1), 0, 0, 0);
  bed_finish(1);
}

PROGRAM(send_first, send_word(0))
PROGRAM(send_second, send_word(1))

/* Send ONE, and 1000 cycles later TWO, to a register that nobody reads. */
static void send(uint32_t one, uint32_t two, bool combine) {
  words[0] = one;
  words[1] = two;
  blade_reset(bed.blade);
  if (combine) {
    spu_config_signal_or(bed.blade, 2, 1);
  }
  bed_run_all(&SPES(ON_SPE(0, send_first, NULL), ON_SPE(1, send_second, NULL)));
}

TEST(signals_must_not_be_lost) {
  send(0x10, 0x3, false);
  expect("rank 1 on SPE 1 sends signal 0x3 to register 1 of SPE 2 at cycle 1258, which overwrites the unread "
         "0x10 of rank 0 "
         "on SPE 0 (cycle 252)");
  send(0x10, 0x13, true);
  expect("rank 1 on SPE 1 sends signal 0x13 to register 1 of SPE 2 at cycle 1258, which adds nothing to the "
         "unread 0x10 "
         "of rank 0 on SPE 0 (cycle 252)");
  send(0x10, 0x10, false);
  expect_none();
  send(0x10, 0x3, true);
  expect_none();
}

TEST(a_reset_forgets_what_was_under_way) {
  for (unsigned i = 0; i < 3; i++) {
    gets = (struct gets){3, i == 1 ? A_FENCE : NOTHING};
    (i == 1 ? run_sound : run_racy)(get_twice, NULL);
  }
}
