/* SPDX-License-Identifier: BSD-3-Clause
 * Order among DMA commands: none, fences, barriers, commands without data (mfc_sync, mfc_eieio, mfc_barrier);
 * the time at which a put reads the local store; atomic units of data.
 * source: Cell Broadband Engine Architecture; Velamati et al. 2007, sections 2 and 4. */
#include "tests/bed.h"

enum { HERE = 0x10000, WORD = 0x20000, LONG = 16384 };

static uint32_t word_of(unsigned spe, uint32_t address) {
  uint32_t word;
  memcpy(&word, blade_ls(bed.blade, spe) + address, sizeof word);
  return word;
}

static void fill(uint32_t address, int byte, size_t nbytes) {
  memset(spu_ls(address), byte, nbytes);
}

static uint64_t run_one(void (*program)(void *), void *argument) {
  return bed_run_alone(program, argument);
}

/* A long put with tag 3, a command without data (NULL: none), and a put of 16 bytes into the last line of the
 * long one. */
struct puts {
  void (*between)(uint32_t tag);
  uint32_t between_tag;
  void (*second)(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t);
  uint32_t second_tag;
};

static void put_long_then_short(void *argument) {
  const struct puts *puts = argument;
  fill(HERE, 1, LONG);
  fill(WORD, 2, 16);
  mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 3, 0, 0);
  if (puts->between) {
    puts->between(puts->between_tag);
  }
  puts->second(spu_ls(WORD), spu_ls_ea(1, HERE + LONG - 16), 16, puts->second_tag, 0, 0);
  bed_finish(UINT32_MAX);
}

/* Check that the short put of PUTS, case NUMBER, is ORDERED behind the long one; if not, the short put
 * arrives first and there is a hazard. */
static void expect(const struct puts *puts, bool ordered, size_t number) {
  struct puts copy = *puts;
  blade_reset(bed.blade);
  run_one(put_long_then_short, &copy);
  uint32_t word = word_of(1, HERE + LONG - 16);
  ck_assert_msg(word == (ordered ? 0x02020202 : 0x01010101), "case %zu: 0x%x", number, word);
  ck_assert_uint_eq(word_of(1, HERE), 0x01010101);
  ck_assert_uint_eq(bed_take_hazards(), !ordered);
}

static void eieio(uint32_t tag) {
  mfc_eieio(tag, 0, 0);
}

TESTS(dma_order, .start = bed_begin, .stop = bed_end);

/* Bus requests of two commands take turns, so that the short put is through long before the last line of the
 * long one. The last line then overwrites the short put. A fence or a barrier keeps the short put behind.
 * Fences and barriers order the commands of one tag only, mfc_barrier orders all commands, mfc_sync and
 * mfc_eieio those of their tag. */
TEST(commands_are_ordered_by_fences_barriers_and_commands_without_data) {
  static const struct {
    struct puts puts;
    bool ordered;
  } cases[] = {{{NULL, 0, mfc_put, 3}, false},       {{NULL, 0, mfc_putf, 3}, true},
               {{NULL, 0, mfc_putb, 3}, true},       {{NULL, 0, mfc_putf, 4}, false},
               {{NULL, 0, mfc_putb, 4}, false},      {{mfc_barrier, 5, mfc_put, 3}, true},
               {{mfc_barrier, 5, mfc_put, 4}, true}, {{mfc_barrier, 3, mfc_put, 4}, true},
               {{mfc_sync, 3, mfc_put, 3}, true},    {{mfc_sync, 3, mfc_put, 4}, false},
               {{mfc_sync, 4, mfc_put, 4}, false},   {{mfc_sync, 5, mfc_put, 3}, false},
               {{eieio, 3, mfc_put, 3}, true},       {{eieio, 3, mfc_put, 4}, false},
               {{eieio, 4, mfc_put, 4}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(&cases[i].puts, cases[i].ordered, i);
  }
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
  blade_reset(bed.blade);
  bed_run_all(&SPES(ON_SPE(0, put_three, &three), ON_SPE(1, watch_third, &three)));
  return three;
}

/* A long put takes at least 127 ramp intervals. The third put passes a fenced second one at once, but not a
 * barrier. */
TEST(a_barrier_holds_back_later_commands_and_a_fence_does_not) {
  uint64_t long_put = (uint64_t)(127 * bed.platform->eib.ramp_interval * bed.platform->clock.bus_divider);
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
  const struct platform *p = bed.platform;
  const struct ring_parameters *ring = &blade_parameters(bed.blade)->ring;
  uint64_t taken = (uint64_t)(p->mfc.to_bus + p->eib.command_phase + p->ls.read + p->mfc.visible) +
                   bed_hops(p, "SPE0", "SPE1") * ring->hop + ring->beats;
  uint64_t before = taken - 1, after = taken + 1;
  run_one(put_and_change, &before);
  ck_assert_uint_eq(word_of(1, WORD), 0x06060606);
  blade_reset(bed.blade);
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
  bed_run_all(&SPES(ON_SPE(0, put_ones, NULL), ON_SPE(1, watch_lines, &torn)));
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
        blade_reset(bed.blade);
        uint8_t *near = blade_ls(bed.blade, 0) + c.ls, *far = blade_ls(bed.blade, 9) + c.ea;
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
      blade_reset(bed.blade);
      run_one(copy, &c);
      struct bus_traffic traffic = blade_bus_traffic(bed.blade);
      ck_assert_uint_eq(traffic.dma_commands, 1);
      ck_assert_uint_eq(traffic.bus_requests, (shift + nbytes[i] + 127) / 128);
    }
  }
}

PROGRAM(put_nothing, mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), 0, 0, 0, 0); bed_finish(1))

/* 10 cycles to issue and 30 to the bus, where there is nothing to do. */
TEST(a_transfer_of_no_bytes_completes) {
  ck_assert_uint_eq(run_one(put_nothing, NULL),
                    (uint64_t)(bed.platform->mfc.issue + bed.platform->mfc.to_bus));
}

/* --- commands without data --- */

/* When the tag groups of a program completed. */
struct times {
  void (*between)(uint32_t tag);
  uint64_t first, second;
};

static void alone(void *argument) {
  struct times *times = argument;
  times->between(1);
  bed_finish(1U << 1);
  times->first = spu_cycles();
}

static uint64_t time_alone(void (*between)(uint32_t tag)) {
  struct times times = {.between = between};
  blade_reset(bed.blade);
  run_one(alone, &times);
  return times.first;
}

/* Issue and the way to the bus; sync and eieio also a command phase there, with the crossing to the farthest
 * chip: of four chips in a ring the farthest is two links away. */
TEST_EACH(a_barrier_needs_no_bus_and_sync_and_eieio_go_to_all_chips, 0, 3) {
  static const struct {
    const char *settings;
    unsigned links;
  } machines[] = {{"blade.chips=1", 0}, {"", 1}, {"blade.chips=4 blade.topology=ring", 2}};
  bed_use("qs20", machines[_i].settings);
  const struct platform *p = bed.platform;
  uint64_t there = (uint64_t)(p->mfc.issue + p->mfc.to_bus);
  uint64_t everywhere = there + (uint64_t)(p->eib.command_phase + machines[_i].links * p->bif.command);
  ck_assert(p->bif.command > 0);
  ck_assert_uint_eq(time_alone(mfc_barrier), there);
  ck_assert_uint_eq(time_alone(mfc_sync), everywhere);
  ck_assert_uint_eq(time_alone(eieio), everywhere);
}

static void behind_a_get(void *argument) {
  struct times *times = argument;
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  times->between(2);
  bed_finish(1U << 1);
  times->first = spu_cycles();
  bed_finish(1U << 2);
  times->second = spu_cycles();
}

/* Run a get with tag 1 and then BETWEEN with tag 2. */
static struct times time_behind(void (*between)(uint32_t tag), void (*program)(void *)) {
  struct times times = {.between = between};
  blade_reset(bed.blade);
  run_one(program, &times);
  return times;
}

static void status_behind_a_get(void *argument) {
  struct times *times = argument;
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 1, 0, 0);
  times->between(2);
  mfc_write_tag_mask(6);
  times->first = mfc_read_tag_status_any();
  bed_finish(6);
}

TEST(the_tag_group_of_a_barrier_ends_with_all_earlier_commands) {
  struct times times = time_behind(mfc_barrier, behind_a_get);
  ck_assert_uint_eq(times.first, times.second);
  ck_assert_uint_eq(time_behind(mfc_barrier, status_behind_a_get).first, 1U << 1 | 1U << 2);
  ck_assert_uint_eq(time_behind(mfc_sync, status_behind_a_get).first, 1U << 2);
}

PROGRAM(bad_tag, mfc_barrier(32))

TEST(tags_are_checked) {
  bed_expect_fault(bad_tag, "rank 0 stopped at cycle 0 by a fault: tag 32, expected 0 to 31\n");
}

static void by_channel(void *argument) {
  static const uint32_t commands[] = {MFC_BARRIER_CMD, MFC_SYNC_CMD, MFC_EIEIO_CMD};
  uint64_t *cycles = argument;
  for (unsigned i = 0; i < 3; i++) {
    uint64_t before = spu_cycles();
    spu_writech(MFC_TagID, 1);
    spu_writech(MFC_Cmd, commands[i]);
    bed_finish(1U << 1);
    cycles[i] = spu_cycles() - before;
    spu_compute((uint64_t)bed.platform->mfc.command_interval); /* the next command begins at once */
  }
}

TEST(channels_lead_to_the_same_commands) {
  uint64_t cycles[3];
  run_one(by_channel, cycles);
  ck_assert_uint_eq(cycles[0], time_alone(mfc_barrier));
  ck_assert_uint_eq(cycles[1], time_alone(mfc_sync));
  ck_assert_uint_eq(cycles[2], time_alone(eieio));
}
