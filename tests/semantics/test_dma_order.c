/* SPDX-License-Identifier: BSD-3-Clause
 * Order among DMA commands: none, fences, barriers; the time at which a put reads the local store; atomic
 * units of data.
 * source: Cell Broadband Engine Architecture; Velamati et al. 2007, sections 2 and 4. */
#include "tests/bed.h"
#include "tests/suite.h"

enum { HERE = 0x10000, WORD = 0x20000, LONG = 16384 };

static uint32_t word_of(unsigned spe, uint32_t address) {
  uint32_t word;
  memcpy(&word, blade_ls(watched.blade, spe) + address, sizeof word);
  return word;
}

static void fill(uint32_t address, int byte, size_t nbytes) {
  memset(spu_ls(address), byte, nbytes);
}

static uint64_t run_one(void (*program)(void *), void *argument) {
  return bed_run_alone(&watched, program, argument);
}

/* Two puts to the same bytes of SPE 1: a long one with these bytes in its last line, then a short one of 16
 * bytes. */
struct two_puts {
  void (*second)(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t);
  uint32_t second_tag;
};

static void put_long_then_short(void *argument) {
  struct two_puts *two = argument;
  fill(HERE, 1, LONG);
  fill(WORD, 2, 16);
  mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 3, 0, 0);
  two->second(spu_ls(WORD), spu_ls_ea(1, HERE + LONG - 16), 16, two->second_tag, 0, 0);
  bed_finish(UINT32_C(1) << 3 | UINT32_C(1) << two->second_tag);
}

/* Run TWO; the second put must win if WORD is the second put's value. Two puts without an order are a
 * hazard. */
static void expect_last_word(struct two_puts two, uint32_t word) {
  blade_reset(watched.blade);
  run_one(put_long_then_short, &two);
  ck_assert_uint_eq(word_of(1, HERE + LONG - 16), word);
  ck_assert_uint_eq(word_of(1, HERE), 0x01010101);
  ck_assert_uint_eq(bed_take_hazards(&watched), word == 0x01010101);
}

TESTS(dma_order, .start = bed_begin, .stop = bed_end);

/* Bus requests of two commands take turns, so that the short put is through long before the last line of the
 * long one. The last line then overwrites the short put. A fence or a barrier keeps the short put behind.
 * Fences and barriers order the commands of one tag only. */
TEST(fences_and_barriers_order_commands_of_their_tag) {
  expect_last_word((struct two_puts){mfc_put, 3}, 0x01010101);
  expect_last_word((struct two_puts){mfc_putf, 3}, 0x02020202);
  expect_last_word((struct two_puts){mfc_putb, 3}, 0x02020202);
  expect_last_word((struct two_puts){mfc_putf, 4}, 0x01010101);
  expect_last_word((struct two_puts){mfc_putb, 4}, 0x01010101);
}

/* A long put, a short one with a fence or a barrier, then a plain short one to another place, all of one tag;
 * SPE 1 notes the arrival of the third. */
struct three {
  void (*second)(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t);
  uint64_t third_done;
  bool second_first; /* the second put had arrived when the third did */
};

static void put_three(void *argument) {
  struct three *three = argument;
  fill(WORD, 1, 32);
  mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 3, 0, 0);
  three->second(spu_ls(WORD), spu_ls_ea(1, WORD), 16, 3, 0, 0);
  mfc_put(spu_ls(WORD + 16), spu_ls_ea(1, WORD + 16), 16, 3, 0, 0);
  bed_finish(8);
}

static void watch_third(void *argument) {
  struct three *three = argument;
  struct spu_flag flag = {.word = spu_ls(WORD + 16), .value = 1, .peer = 0, .what = "word"};
  spu_wait_flag(&flag);
  three->third_done = spu_cycles();
  three->second_first = *(uint32_t *)spu_ls(WORD) != 0;
}

static struct three run_three(void (*second)(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                                             uint32_t)) {
  struct three three = {.second = second};
  blade_reset(watched.blade);
  bed_run_all(&watched, &SPES(ON_SPE(0, put_three, &three), ON_SPE(1, watch_third, &three)));
  return three;
}

/* A long put takes at least 127 ramp intervals. The third put passes a fenced second one at once, but not a
 * barrier. */
TEST(a_barrier_holds_back_later_commands_and_a_fence_does_not) {
  uint64_t long_put =
    (uint64_t)(127 * watched.platform->eib.ramp_interval * watched.platform->clock.bus_divider);
  struct three fenced = run_three(mfc_putf), barrier = run_three(mfc_putb);
  ck_assert_uint_lt(fenced.third_done, long_put / 2);
  ck_assert(!fenced.second_first);
  ck_assert_uint_gt(barrier.third_done, long_put);
  ck_assert(barrier.second_first);
}

/* --- late sampling --- */

static void put_and_change(void *argument) {
  uint64_t pause = *(uint64_t *)argument;
  fill(WORD, 5, 16);
  mfc_put(spu_ls(WORD), spu_ls_ea(1, WORD), 16, 0, 0, 0);
  spu_compute(pause);
  spu_catch_up();
  fill(WORD, 6, 16);
  bed_finish(1);
}

/* The bytes of a put are taken when the bytes become visible in the target: 30 cycles to the bus, 100 command
 * phase, 20 read, the way over the ring, 16 of the beats, 34 until visibility. A store of the program before
 * that cycle arrives. */
TEST(a_put_reads_the_local_store_late) {
  const struct platform *p = watched.platform;
  const struct ring_parameters *ring = &blade_parameters(watched.blade)->ring;
  const struct spe *spes = blade_board(watched.blade)->spes;
  unsigned around = (spes[1].unit + ring->nunits - spes[0].unit) % ring->nunits;
  unsigned hops = around < ring->nunits - around ? around : ring->nunits - around;
  uint64_t taken = (uint64_t)(p->mfc.to_bus + p->eib.command_phase + p->ls.read + p->mfc.visible) +
                   hops * ring->hop + ring->beats;
  uint64_t before = taken - 1, after = taken + 1;
  run_one(put_and_change, &before);
  ck_assert_uint_eq(word_of(1, WORD), 0x06060606);
  blade_reset(watched.blade);
  run_one(put_and_change, &after);
  ck_assert_uint_eq(word_of(1, WORD), 0x05050505);
}

/* --- atomicity --- */

struct torn {
  bool torn_line, torn_block;
};

PROGRAM(put_ones, fill(HERE, 1, 1024); mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), 1024, 0, 0, 0);
        bed_finish(1))

static void watch_lines(void *argument) {
  struct torn *torn = argument;
  const uint8_t *block = spu_ls(HERE);
  for (unsigned i = 0; i < 800; i++) {
    spu_compute(1);
    spu_catch_up();
    for (unsigned line = 0; line < 1024; line += 128) {
      torn->torn_line |= block[line] != block[line + 127];
    }
    torn->torn_block |= block[0] != block[1023];
  }
}

TEST(puts_become_visible_line_by_line) {
  struct torn torn = {0};
  bed_run_all(&watched, &SPES(ON_SPE(0, put_ones, NULL), ON_SPE(1, watch_lines, &torn)));
  ck_assert(!torn.torn_line);
  ck_assert(torn.torn_block);
  ck_assert_uint_eq(word_of(1, HERE + 1020), 0x01010101);
}

/* --- moved bytes --- */

struct copy {
  uint32_t ls, ea, nbytes;
  bool put;
};

static void copy(void *argument) {
  const struct copy *c = argument;
  (c->put ? mfc_put : mfc_get)(spu_ls(c->ls), spu_ls_ea(9, c->ea), c->nbytes, 7, 0, 0);
  bed_finish(128);
}

/* Blocks with a beginning and an end within 128-byte lines, both ways, on one chip and across: exactly the
 * bytes of the block move. */
TEST(unaligned_blocks_move_exactly) {
  static const uint32_t nbytes[] = {1, 2, 4, 8, 16, 48, 112, 128, 144, 1008, 4096, 16384};
  for (unsigned i = 0; i < sizeof nbytes / sizeof *nbytes; i++) {
    for (uint32_t shift = 0; shift < 256; shift += 16) {
      for (unsigned way = 0; way < 2; way++) {
        uint32_t low = nbytes[i] < 16 ? nbytes[i] : 0; /* naturally aligned, also off a multiple of 16 */
        struct copy c = {
          .ls = HERE + 256 - shift + low, .ea = WORD + shift + low, .nbytes = nbytes[i], .put = way};
        blade_reset(watched.blade);
        uint8_t *near = blade_ls(watched.blade, 0) + c.ls, *far = blade_ls(watched.blade, 9) + c.ea;
        uint8_t *source = c.put ? near : far, *target = c.put ? far : near;
        for (uint32_t k = 0; k < c.nbytes; k++) {
          source[k] = (uint8_t)(1 + k % 251);
        }
        run_one(copy, &c);
        ck_assert_mem_eq(source, target, c.nbytes);
        ck_assert_uint_eq(target[-1], 0);
        ck_assert_uint_eq(target[c.nbytes], 0);
      }
    }
  }
}

/* A command is split at 128-byte lines of the effective address, for any local store address: as many bus
 * requests as touched lines. */
TEST(commands_are_split_at_lines_of_the_effective_address) {
  static const uint32_t nbytes[] = {16, 112, 128, 144, 1024};
  for (unsigned i = 0; i < sizeof nbytes / sizeof *nbytes; i++) {
    for (uint32_t shift = 0; shift < 128; shift += 16) {
      struct copy c = {.ls = HERE + 48, .ea = WORD + shift, .nbytes = nbytes[i], .put = i % 2};
      blade_reset(watched.blade);
      run_one(copy, &c);
      struct bus_traffic traffic = blade_bus_traffic(watched.blade);
      ck_assert_uint_eq(traffic.dma_commands, 1);
      ck_assert_uint_eq(traffic.bus_requests, (shift + nbytes[i] + 127) / 128);
    }
  }
}

PROGRAM(put_nothing, mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), 0, 0, 0, 0); bed_finish(1))

/* 10 cycles to issue and 30 to the bus, where there is nothing to do. */
TEST(a_transfer_of_no_bytes_completes) {
  ck_assert_uint_eq(run_one(put_nothing, NULL),
                    (uint64_t)(watched.platform->mfc.issue + watched.platform->mfc.to_bus));
}
