/* SPDX-License-Identifier: BSD-3-Clause
 * Lazy and eager commands, and programs that stand still, of shuffled runs: each way to ask for the end of a
 * command lets lazy commands begin, no lazy command stays for ever, and each rule shows a bug that the other
 * rules do not show.
 * source: docs/how-to/orders.md, "Other orders". */
#include "tests/bed.h"

enum { LAZY = 16 /* a seed: all commands are lazy, no program stands still */, SEEDS = 96 };
enum { OUT = 0x1000, LIST = 0x2000, FLAG = 0x10000, DATA = 0x11000, LINE = 128 };

static uint64_t told; /* the cycle at which the program knew the end */

static void stop(void) {
  des_shuffle(0);
  bed_end();
}

TESTS(paces, .start = bed_begin_unwatched, .stop = stop);

/* Put 16 bytes that begin with 1 to FLAG of SPE 2 under TAG. */
static void put_one(uint32_t tag) {
  uint32_t *word = spu_ls(OUT);
  *word = 1;
  mfc_put(word, spu_ls_ea(2, FLAG), 16, tag, 0, 0);
}

/* A list of two elements to FLAG of SPE 2, which stops behind the first, under tag 0. */
static void put_list(void) {
  mfc_list_element_t *list = spu_ls(LIST);
  *(uint32_t *)spu_ls(OUT) = 1;
  for (unsigned i = 0; i < 2; i++) {
    list[i] =
      (mfc_list_element_t){.notify = i == 0, .size = 16, .eal = (uint32_t)spu_ls_ea(2, FLAG + 16 * i)};
  }
  mfc_putl(spu_ls(OUT), spu_ls_ea(2, 0), list, 2 * sizeof *list, 0, 0, 0);
}

static void end_list(void) {
  ck_assert_uint_eq(mfc_read_list_stall_status(), 1);
  mfc_write_list_stall_ack(0);
  bed_finish(1);
}

static void put_by_proxy(unsigned behavior, unsigned n) {
  uint32_t status = 0;
  for (unsigned i = 0; i < n; i++) {
    spe_mfcio_put(0, OUT, spu_ls_ea(2, FLAG), 16, i, 0, 0);
  }
  while (n == 1 && !status) {
    spe_mfcio_tag_status_read(0, 1, behavior, &status);
  }
}

PROGRAM(asks_for_all, put_one(0); bed_finish(1))
PROGRAM(asks_for_any, put_one(0); put_one(1); mfc_write_tag_mask(3); ck_assert(mfc_read_tag_status_any()))
PROGRAM(asks_again, put_one(0); mfc_write_tag_mask(1); while (!mfc_read_tag_status_immediate()){})
PROGRAM(updates_for_all, put_one(0); mfc_write_tag_mask(1); mfc_write_tag_update_all(); mfc_read_tag_status())
PROGRAM(updates_for_any, put_one(0); mfc_write_tag_mask(1); mfc_write_tag_update_any();
        while (!mfc_stat_tag_status()){})
PROGRAM(changes_the_mask, put_one(1); put_one(0); mfc_write_tag_mask(1); mfc_write_tag_update_all();
        mfc_write_tag_mask(3); mfc_read_tag_status())
PROGRAM(waits_for_any, put_one(3); spu_wait_any(&(struct spu_any){.tags = 1 << 3}))
PROGRAM(waits_for_a_stall, put_list(); end_list())
PROGRAM(
  looks_for_a_stall, put_list(); while (!mfc_stat_list_stall_status()) {} end_list())
PROGRAM(waits_for_an_event, put_list(); spu_write_event_mask(MFC_LIST_STALL_NOTIFY_EVENT);
        spu_read_event_status(); end_list())
PROGRAM(fills_the_queue, for (unsigned i = 0; i < 17; i++) put_one(0))
PROGRAM(counts_the_queue, put_one(0); while (mfc_stat_cmd_queue() < 16){})
PROGRAM(waits_behind_a_fence, put_one(0); mfc_barrier(1); bed_finish(2))
PROGRAM(reads_proxy_all, put_by_proxy(SPE_TAG_ALL, 1))
PROGRAM(reads_proxy_any, put_by_proxy(SPE_TAG_ANY, 1))
PROGRAM(reads_proxy_now, put_by_proxy(SPE_TAG_IMMEDIATE, 1))
PROGRAM(fills_the_proxy_queue, put_by_proxy(0, 9))

static const struct {
  const char *what;
  void (*spu)(void *), (*ppu)(void *);
} ways[] = {
  {"status of all", asks_for_all, NULL},
  {"status of any", asks_for_any, NULL},
  {"status now", asks_again, NULL},
  {"an update for all", updates_for_all, NULL},
  {"an update for any", updates_for_any, NULL},
  {"a new mask", changes_the_mask, NULL},
  {"flags or tags", waits_for_any, NULL},
  {"a stopped list", waits_for_a_stall, NULL},
  {"a look for a stopped list", looks_for_a_stall, NULL},
  {"an event", waits_for_an_event, NULL},
  {"a full queue", fills_the_queue, NULL},
  {"a look at the queue", counts_the_queue, NULL},
  {"a barrier", waits_behind_a_fence, NULL},
  {"proxy status of all", NULL, reads_proxy_all},
  {"proxy status of any", NULL, reads_proxy_any},
  {"proxy status now", NULL, reads_proxy_now},
  {"a full proxy queue", NULL, fills_the_proxy_queue},
};

static void run_way(void *argument) {
  ((void (*)(void *))argument)(NULL);
  told = des_local(des_self());
}

/* Run way NUMBER, on SPE 0 or the PPE of chip 0, in an order drawn by SEED. */
static void run(int number, uint64_t seed) {
  struct spu spu = {.spe = 0, .main = run_way, .argument = (void *)ways[number].spu, .name = "spe"};
  struct ppu ppu = {.chip = 0, .main = run_way, .argument = (void *)ways[number].ppu, .name = "ppe"};
  blade_reset(bed.blade);
  *(uint32_t *)(blade_ls(bed.blade, 0) + OUT) = 1;
  des_shuffle(seed);
  bed_run_all(&(struct spu_programs){
    .spus = &spu, .nspus = ways[number].spu != NULL, .ppus = &ppu, .nppus = ways[number].ppu != NULL});
  des_shuffle(0);
}

/* A command that is asked for sets out at once: less than a hold passes. All bytes come at last, asked
 * for or not. */
TEST_EACH(each_way_to_ask_lets_lazy_commands_begin, 0, sizeof ways / sizeof *ways) {
  for (uint64_t seed = 0; seed < 8; seed++) {
    run(_i, seed ? seed : LAZY);
    ck_assert_msg(seed || told < DES_HOLD_MAX / 2, "%s: cycle %u", ways[_i].what, (unsigned)told);
    ck_assert_uint_eq(*(const uint32_t *)(blade_ls(bed.blade, 2) + FLAG), 1);
  }
}

PROGRAM(puts_and_ends, put_one(0))

static void waits_for_the_flag(void *unused) {
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(FLAG), .value = 1, .peer = -1, .what = "flag"});
  told = spu_cycles();
}

TEST(a_lazy_command_nobody_asks_for_begins_after_its_hold) {
  struct spu spus[] = {{.spe = 0, .main = puts_and_ends, .name = "putter"},
                       {.spe = 2, .main = waits_for_the_flag, .name = "waiter"}};
  des_shuffle(LAZY);
  bed_run(spus, 2);
  ck_assert_uint_ge(told, DES_HOLD_MAX);
  ck_assert_uint_lt(told, DES_HOLD_MAX + 10000);
}

static unsigned outcome;

/* --- a bug for each rule: the usual order hides the bug --- */

/* Lazy: work of 30,000 cycles, longer than the transfer and any lateness, hides that nobody has waited. */
static void uses_after_work(void *unused) {
  mfc_get(spu_ls(DATA), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  spu_compute(30000);
  spu_catch_up();
  outcome = *(const uint8_t *)spu_ls(DATA);
  bed_finish(1);
}

/* The same of a source: bytes of a put are overwritten after work. */
static void overwrites_after_work(void *unused) {
  uint32_t *word = spu_ls(OUT);
  *word = 7;
  mfc_put(word, spu_ls_ea(2, DATA), 16, 0, 0, 0);
  spu_compute(30000);
  spu_catch_up();
  *word = 0;
  bed_finish(1);
  outcome = *(const uint8_t *)(blade_ls(bed.blade, 2) + DATA);
}

/* Eager: the program still uses the old bytes, here 7, of the target of a get: computing takes no time. */
static void uses_old_bytes(uint32_t expected) {
  outcome = *(const uint8_t *)spu_ls(DATA) == expected ? 7 : 0;
  bed_finish(1);
}

static void refills_early(void *unused) {
  *(uint32_t *)spu_ls(DATA) = 9;
  mfc_get(spu_ls(DATA), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  uses_old_bytes(9);
}

static void refills_early_by_list(void *unused) {
  mfc_list_element_t *list = spu_ls(LIST);
  *list = (mfc_list_element_t){.size = 16, .eal = (uint32_t)spu_ls_ea(2, FLAG)};
  *(uint32_t *)spu_ls(DATA) = 9;
  mfc_getl(spu_ls(DATA), spu_ls_ea(2, 0), list, sizeof *list, 0, 0, 0);
  uses_old_bytes(9);
}

/* The source of a put is filled in after the command. */
static void fills_in_late(void *unused) {
  uint32_t *word = spu_ls(OUT);
  *word = 0;
  mfc_put(word, spu_ls_ea(2, DATA), 16, 0, 0, 0);
  *word = 7;
  bed_finish(1);
  outcome = *(const uint8_t *)(blade_ls(bed.blade, 2) + DATA);
}

/* Stalls: the mailbox has four entries, and the reader is quick in the usual order; register 2 overwrites,
 * and the second word comes 40,000 cycles after the first. A last word lets the reader end in any case. */
static void reads_quickly(void *unused) {
  for (unsigned i = 0; i < 6; i++) {
    if (spu_read_in_mbox() != i) {
      return;
    }
  }
  outcome = 7;
}

static void writes_quickly(void *unused) {
  for (uint32_t i = 0; i < 6; i++) {
    spe_in_mbox_write(0, &i, 1, SPE_MBOX_ANY_NONBLOCKING);
  }
  const uint32_t last = 99; /* so that the reader always ends */
  spe_in_mbox_write(0, &last, 1, SPE_MBOX_ALL_BLOCKING);
}

static void signals_twice(void *unused) {
  uint32_t *words = spu_ls(OUT);
  for (unsigned i = 0; i < 3; i++) {
    words[4 * i + 3] = i + 1;
    mfc_sndsig(words + 4 * i + 3, spu_signal_ea(2, 2), 1, 0, 0);
    bed_finish(2);
    spu_compute(i ? 400000 : 40000);
  }
}

static void reads_signals(void *unused) {
  uint32_t first = spu_read_signal2(), second = spu_read_signal2();
  outcome = first == 1 && second == 2 ? 7 : 0;
}

static const struct {
  const char *what;
  void (*spu)(void *), (*beside)(void *), (*ppu)(void *);
  bool by_lazy, by_eager, by_stall; /* the rules that can show the bug */
} bugs[] = {
  {"a get used after work", uses_after_work, NULL, NULL, .by_lazy = true},
  {"a source overwritten after work", overwrites_after_work, NULL, NULL, .by_lazy = true},
  {"a refill before the use", refills_early, NULL, NULL, .by_eager = true},
  {"a refill by a list", refills_early_by_list, NULL, NULL, .by_eager = true},
  {"a source filled in late", fills_in_late, NULL, NULL, .by_eager = true},
  {"six words in four entries", reads_quickly, NULL, writes_quickly, .by_stall = true},
  {"a signal that overwrites", signals_twice, reads_signals, NULL, .by_stall = true},
};

/* Where a rule cannot act by the kind of the seed, the bug does not show; else some seed shows the bug. */
TEST_EACH(each_rule_shows_its_bug, 0, sizeof bugs / sizeof *bugs) {
  unsigned shown = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct spu spus[] = {{.spe = 0, .main = bugs[_i].spu, .name = "first"},
                         {.spe = 2, .main = bugs[_i].beside, .name = "second"}};
    struct ppu ppu = {.chip = 0, .main = bugs[_i].ppu, .name = "ppe"};
    blade_reset(bed.blade);
    *(uint32_t *)(blade_ls(bed.blade, 2) + FLAG) = 7;
    des_shuffle(seed);
    struct des_shuffle kind = des_shuffled;
    outcome = 0;
    bed_run_all(&(struct spu_programs){
      .spus = spus, .nspus = bugs[_i].beside ? 2 : 1, .ppus = &ppu, .nppus = bugs[_i].ppu != NULL});
    des_shuffle(0);
    bool can = seed && (bugs[_i].by_lazy || (bugs[_i].by_eager && !kind.is_lazy) ||
                        (bugs[_i].by_stall && kind.stalls));
    ck_assert_msg(can || outcome == 7, "%s: seed %u", bugs[_i].what, (unsigned)seed);
    ck_assert_msg(!bugs[_i].by_lazy || !kind.is_lazy || !seed || outcome != 7, "%s: lazy seed %u passes",
                  bugs[_i].what, (unsigned)seed);
    shown += outcome != 7;
  }
  ck_assert_msg(shown > 0, "%s: no seed shows the bug", bugs[_i].what);
}

/* Of commands of two tags the program of ANY may see each first. */
static void sees_one(void *unused) {
  put_one(0);
  put_one(1);
  mfc_write_tag_mask(3);
  outcome = mfc_read_tag_status_any();
  bed_finish(3);
}

TEST(the_order_of_release_of_any_is_random) {
  unsigned seen = 0;
  for (uint64_t seed = LAZY; seed <= 16 * LAZY; seed += LAZY) {
    struct spu spu = {.spe = 0, .main = sees_one, .name = "spe"};
    blade_reset(bed.blade);
    des_shuffle(seed);
    bed_run(&spu, 1);
    des_shuffle(0);
    seen |= 1U << outcome;
  }
  ck_assert_uint_eq(seen, 1 << 1 | 1 << 2);
}
