/* SPDX-License-Identifier: BSD-3-Clause
 * Mailboxes between SPE programs and a PPE program. */
#include "tests/bed.h"

/* Words are put from addresses ending in 0xc, like the address of the inbound mailbox. */
enum { CELL = 0x1000c, WORDS = 6 };

static struct seen {
  uint32_t words[WORDS];
  uint64_t at[WORDS];
  uint32_t counts[3];
} seen;

/* Put words 1 to N into the inbound mailbox of SPE 0, one after the other. */
static void put_words(void *argument) {
  uint32_t n = *(const uint32_t *)argument, *cell = spu_ls(CELL);
  mfc_write_tag_mask(1);
  for (uint32_t i = 1; i <= n; i++) {
    *cell = i;
    mfc_put(cell, spu_mailbox_ea(0), 4, 0, 0, 0);
    mfc_read_tag_status_all();
  }
}

PROGRAM(read_one, seen.words[0] = spu_read_in_mbox(); seen.at[0] = spu_cycles())

TESTS(mailboxes, .start = bed_begin_unwatched, .stop = bed_end);

/* As a signal: issue 10, to the bus 30, command phase 100, local store 20, 2 per hop, 16 for the beats, 34 to
 * be visible. */
TEST(a_put_from_another_spe_arrives_as_a_signal_does) {
  uint32_t one = 1;
  const struct platform *p = bed.platform;
  bed_run_all(&SPES(ON_SPE(0, read_one, NULL), ON_SPE(1, put_words, &one)));
  uint64_t one_way =
    (uint64_t)(p->mfc.issue + p->mfc.to_bus + p->eib.command_phase + p->ls.read + p->mfc.visible) +
    2 * bed_hops(p, "SPE1", "SPE0") + 16;
  ck_assert_uint_eq(seen.words[0], 1);
  ck_assert_uint_eq(seen.at[0], one_way);
}

static void read_late(void *argument) {
  seen.counts[0] = spu_stat_in_mbox();
  spu_compute(20000);
  seen.counts[1] = spu_stat_in_mbox();
  for (unsigned i = 0; i < 4; i++) {
    seen.words[i] = spu_read_in_mbox();
  }
  seen.counts[2] = spu_stat_in_mbox();
}

TEST(a_put_to_a_full_mailbox_replaces_the_last_word) {
  uint32_t six = 6;
  bed_run_all(&SPES(ON_SPE(0, read_late, NULL), ON_SPE(9, put_words, &six)));
  ck_assert_uint_eq(seen.counts[0], 0);
  ck_assert_uint_eq(seen.counts[1], 4);
  ck_assert_uint_eq(seen.counts[2], 0);
  const uint32_t expected[] = {1, 2, 3, 6};
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_uint_eq(seen.words[i], expected[i]);
  }
}

static void write_words(void *argument) {
  for (uint32_t i = 0; i < 2; i++) {
    spu_write_out_mbox(10 + i);
    seen.at[i] = spu_cycles();
  }
  seen.counts[0] = spu_stat_out_mbox();
  spu_write_out_intr_mbox(12);
  seen.counts[1] = spu_stat_out_intr_mbox();
}

static void collect(void *argument) {
  uint32_t *words = seen.words;
  ppe_compute(10000);
  ck_assert_int_eq(spe_out_mbox_status(0), 1);
  ck_assert_int_eq(spe_out_mbox_read(0, &words[0], 1), 1);
  seen.at[2] = ppe_cycles();
  ck_assert_int_eq(spe_out_intr_mbox_read(0, &words[2], 1, SPE_MBOX_ALL_BLOCKING), 1);
  ck_assert_int_eq(spe_out_intr_mbox_read(0, &words[3], 1, SPE_MBOX_ANY_NONBLOCKING), 0);
  ck_assert_int_eq(spe_out_mbox_read(0, &words[1], 2), 1);
  ck_assert_int_eq(spe_out_mbox_read(0, &words[3], 1), 0);
  ck_assert_int_eq(spe_out_intr_mbox_status(0), 0);
}

/* The SPE stalls with the second word until the PPE has taken the first, at 10000 + two accesses. */
TEST(a_full_outbound_mailbox_stalls_the_spe) {
  bed_run_beside(ON_SPE(0, write_words, NULL), collect, NULL);
  uint64_t taken = 10000 + 2 * (uint64_t)bed.platform->ppe.mmio;
  ck_assert_uint_eq(seen.at[0], 0);
  ck_assert_uint_eq(seen.at[2], taken);
  ck_assert_uint_eq(seen.at[1], taken);
  ck_assert_uint_eq(seen.counts[0], 0);
  ck_assert_uint_eq(seen.counts[1], 0);
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(seen.words[i], 10 + i);
  }
}

static void read_slowly(void *argument) {
  spu_compute(100000);
  for (unsigned i = 0; i < WORDS; i++) {
    seen.words[i] = spu_read_in_mbox();
  }
}

static void send_six(void *argument) {
  const uint32_t words[WORDS] = {1, 2, 3, 4, 5, 6};
  ck_assert_int_eq(spe_in_mbox_status(3), 4);
  ck_assert_int_eq(spe_in_mbox_write(3, words, 5, SPE_MBOX_ANY_NONBLOCKING), 4);
  ck_assert_int_eq(spe_in_mbox_status(3), 0);
  seen.at[0] = ppe_cycles();
  ck_assert_int_eq(spe_in_mbox_write(3, words + 4, 2, SPE_MBOX_ALL_BLOCKING), 2);
  seen.at[1] = ppe_cycles();
}

/* Seven accesses; then the PPE waits for the first read, in cycle 100000, and writes twice. */
TEST(the_ppe_waits_for_room_and_loses_no_word) {
  bed_run_beside(ON_SPE(3, read_slowly, NULL), send_six, NULL);
  uint64_t mmio = (uint64_t)bed.platform->ppe.mmio;
  ck_assert_uint_eq(seen.at[0], 7 * mmio);
  ck_assert_uint_eq(seen.at[1], 100000 + 2 * mmio);
  for (unsigned i = 0; i < WORDS; i++) {
    ck_assert_uint_eq(seen.words[i], i + 1);
  }
}

PROGRAM(wait_for_word, spu_compute(100); spu_read_in_mbox())
PROGRAM(write_twice, spu_write_out_mbox(1); spu_compute(50); spu_write_out_mbox(2))
PROGRAM(write_interrupt_twice, spu_write_out_intr_mbox(1); spu_write_out_intr_mbox(2))

static void wait_for_three(void *argument) {
  ppe_wait_out_mbox((const unsigned[]){5, 6, 7}, 3);
}

TEST(a_deadlock_says_which_mailbox) {
  struct spu_programs programs = SPES(ON_SPE(0, wait_for_word, NULL), ON_SPE(1, write_twice, NULL),
                                      ON_SPE(2, write_interrupt_twice, NULL));
  programs.ppus = &ON_PPE(1, wait_for_three, NULL);
  programs.nppus = 1;
  bed_expect_end(&programs, NULL,
                 "rank 0 waits for a word in its inbound mailbox since cycle 100\n"
                 "rank 1 waits for room in its outbound mailbox since cycle 50\n"
                 "rank 2 waits for room in its outbound interrupt mailbox since cycle 0\n"
                 "PPE 1 waits for a word in an outbound mailbox of SPE 5 6 7 since cycle 0\n");
}

PROGRAM(get_mailbox, mfc_get(spu_ls(CELL), spu_mailbox_ea(1), 4, 0, 0, 0))

TEST(a_mailbox_takes_only_puts_of_a_word) {
  bed_expect_fault(get_mailbox,
                   "rank 0 stopped at cycle 0 by a fault: inbound mailbox accessed by a get of 4 bytes, "
                   "expected a put of 4\n");
}
