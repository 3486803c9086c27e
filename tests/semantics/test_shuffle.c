/* SPDX-License-Identifier: BSD-3-Clause
 * Shuffled runs: what nothing orders happens in each order for some seed, what something orders in one order
 * for every seed.
 * source: docs/how-to/orders.md, which has a source for each order. */
#include "sim/node/machine.h"
#include "tests/bed.h"

enum { SEEDS = 64, OUT = 0x1000, BIG = 0x2000, FLAG = 0x10000, LINES = 8, LINE = 128 };

static uint64_t line_ea; /* a line of main memory */
static unsigned outcome; /* of a run: 1 or 2, by which of two things was first, or last */

/* Let 16 bytes at OUT begin with VALUE. */
static uint32_t *word(uint32_t value) {
  uint32_t *at = spu_ls(OUT + 16 * value);
  *at = value;
  return at;
}

/* --- two puts of SPE 0 to the same place of SPE 2 --- */

static void put_two(void *argument) {
  mfc_put(word(1), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  (argument ? mfc_putf : mfc_put)(word(2), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  bed_finish(0xffffffff);
}

PROGRAM(put_unordered, put_two(NULL))
PROGRAM(put_fenced, put_two(&outcome))

static void put_around_barrier(void *unused) {
  mfc_put(word(1), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  mfc_barrier(1);
  mfc_put(word(2), spu_ls_ea(2, FLAG), 16, 2, 0, 0);
  bed_finish(0xffffffff);
}

static void put_and_wait(void *unused) {
  mfc_put(word(1), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  bed_finish(0xffffffff);
  mfc_put(word(2), spu_ls_ea(2, FLAG), 16, 0, 0, 0);
  bed_finish(0xffffffff);
}

static void look_at_flag(void) {
  memcpy(&outcome, blade_ls(bed.blade, 2) + FLAG, sizeof outcome);
}

/* --- one put of several lines: SPE 2 sees the last line first, or not --- */

static void put_lines(void *unused) {
  memset(spu_ls(BIG), 1, LINES * LINE);
  mfc_put(spu_ls(BIG), spu_ls_ea(2, BIG), LINES * LINE, 0, 0, 0);
  bed_finish(0xffffffff);
}

static void see_lines(void *unused) {
  const uint32_t *first = spu_ls(BIG), *last = spu_ls(BIG + LINES * LINE - 16);
  struct spu_flag flag = {.word = last, .value = 1, .what = "flag"};
  spu_wait_flag(&flag);
  ck_assert_uint_eq(last[3], 0x01010101); /* 16 bytes arrive together */
  outcome = *first ? 1 : 2;
}

/* --- two units --- */

static void store_line(void *argument) {
  uint32_t *line = spu_ls(OUT);
  *line = *(const unsigned *)argument;
  mfc_putlluc(line, line_ea, 0, 0);
  mfc_read_atomic_status();
}

static void look_at_line(void) {
  memcpy(&outcome, blade_memory(bed.blade, line_ea), sizeof outcome);
}

PROGRAM(write_word, spu_write_out_mbox(*(const unsigned *)argument))

static void hear_first(void *unused) {
  static const unsigned spes[] = {0, 1};
  uint32_t heard;
  outcome = 1 + ppe_wait_out_mbox(spes, 2);
  for (unsigned i = 0; i < 2; i++) { /* a word never comes before its writer has written it */
    while (spe_out_mbox_read(i, &heard, 1) == 0) {
    }
    ck_assert_uint_eq(heard, i + 1);
  }
}

PROGRAM(tell_spe, spe_in_mbox_write(2, argument, 1, SPE_MBOX_ALL_BLOCKING))
PROGRAM(read_first, outcome = spu_read_in_mbox(); spu_read_in_mbox())

static unsigned numbers[] = {1, 2};

#define SPU(number, program, pointer) \
  { .spe = number, .main = program, .argument = pointer, .name = "program" }
#define PPU(number, program, pointer) \
  { .chip = number, .main = program, .argument = pointer, .name = "program" }

static const struct {
  const char *what;
  struct spu spus[2];
  struct ppu ppus[2];
  void (*look)(void);
  unsigned outcomes; /* a bit for each that some seed must have, 1 << outcome; all others none */
} trials[] = {
  {"two puts", {SPU(0, put_unordered, NULL)}, {}, look_at_flag, 6},
  {"a fence", {SPU(0, put_fenced, NULL)}, {}, look_at_flag, 4},
  {"a barrier of all tags", {SPU(0, put_around_barrier, NULL)}, {}, look_at_flag, 4},
  {"a wait for the tag", {SPU(0, put_and_wait, NULL)}, {}, look_at_flag, 4},
  {"lines of a put", {SPU(0, put_lines, NULL), SPU(2, see_lines, NULL)}, {}, NULL, 6},
  {"reserved lines", {SPU(0, store_line, numbers), SPU(1, store_line, numbers + 1)}, {}, look_at_line, 6},
  {"words to a PPE",
   {SPU(0, write_word, numbers), SPU(1, write_word, numbers + 1)},
   {PPU(0, hear_first, NULL)},
   NULL,
   6},
  {"words of two PPEs",
   {SPU(2, read_first, NULL)},
   {PPU(0, tell_spe, numbers), PPU(1, tell_spe, numbers + 1)},
   NULL,
   6},
};

static void stop(void) {
  des_shuffle(0);
  bed_end();
}

TESTS(shuffle, .start = bed_begin_unwatched, .stop = stop);

TEST_EACH(seeds_find_the_orders_that_there_are, 0, sizeof trials / sizeof *trials) {
  unsigned found = 0, usual = 0;
  for (uint64_t seed = 0; seed <= 2 * SEEDS; seed++) {
    struct spu spus[2];
    struct ppu ppus[2];
    memcpy(spus, trials[_i].spus, sizeof spus);
    memcpy(ppus, trials[_i].ppus, sizeof ppus);
    blade_reset(bed.blade);
    line_ea = blade_allocate(bed.blade, 0, LINE);
    des_shuffle(seed / 2);
    outcome = 0;
    bed_run_all(&(struct spu_programs){.spus = spus,
                                       .nspus = spus[1].main ? 2 : 1,
                                       .ppus = ppus,
                                       .nppus = ppus[1].main   ? 2
                                                : ppus[0].main ? 1
                                                               : 0});
    if (trials[_i].look) {
      trials[_i].look();
    }
    found |= seed > 1 ? 1U << outcome : 0;
    ck_assert_msg(seed % 2 == 0 || usual == outcome, "%s: seed %u makes two runs", trials[_i].what,
                  (unsigned)seed / 2);
    usual = outcome;
  }
  ck_assert_msg(found == trials[_i].outcomes, "%s: 0x%x", trials[_i].what, found);
}

/* --- messages between nodes --- */

struct end {
  unsigned peer;
  uint64_t told;
};

PROGRAM(send_message, net_put(((struct end *)argument)->peer, 0, 0))

PROGRAM(take_message, struct end *end = argument; net_wait(end->peer, 0, 0); end->told = ppe_cycles())

/* The message can be late, by less than 8,000 cycles, and with some seeds the taker can stand still before
 * the wait, for less than 100,000: of two blades on a switch, and of a blade and its host. */
TEST_EACH(messages_are_late, 0, 2) {
  struct platform *platform = platform_read(_i ? "roadrunner" : "blades", &failure);
  struct machine *machine = machine_of_nodes(platform, 2, 0, &failure);
  uint64_t usual = 0;
  unsigned late = 0;
  ck_assert_msg(machine, "%s", failure.text);
  for (uint64_t seed = 0; seed <= 64; seed++) {
    struct end ends[2] = {{_i ? 2 : 1, 0}, {0, 0}};
    struct machine_program programs[2] = {{.main = send_message, .argument = &ends[0], .name = "sender"},
                                          {.main = take_message, .argument = &ends[1], .name = "taker"}};
    machine_reset(machine, NULL);
    des_shuffle(seed);
    bool stalls = des_shuffled.stalls;
    machine_start(machine, (struct place){.kind = PLACE_PPE, .node = 0}, &programs[0]);
    machine_start(machine, (struct place){.kind = PLACE_PPE, .node = ends[0].peer}, &programs[1]);
    struct blade_result result = machine_run(machine);
    ck_assert(!result.faults && !result.stuck);
    blade_result_fini(&result);
    usual = seed ? usual : ends[1].told;
    ck_assert_uint_ge(ends[1].told, usual);
    ck_assert_uint_lt(ends[1].told, usual + (stalls ? 100000 : 8000));
    late += !stalls && ends[1].told > usual;
  }
  ck_assert_uint_gt(late, 4);
  machine_free(machine);
  platform_free(platform);
}
