/* SPDX-License-Identifier: BSD-3-Clause
 * Commands without data: mfc_sync, mfc_eieio, mfc_barrier.
 * source: Cell Broadband Engine Architecture, MFC synchronization commands. */
#include "tests/bed.h"
#include "tests/suite.h"

enum { HERE = 0x10000, WORD = 0x20000, LONG = 16384 };

static void barrier(uint32_t tag) {
  mfc_barrier(tag);
}

static void sync_tag(uint32_t tag) {
  mfc_sync(tag);
}

static void eieio(uint32_t tag) {
  mfc_eieio(tag, 0, 0);
}

/* A long put with tag 3, a short put of 16 bytes into the long put's last line, and a command between the
 * two. */
struct three {
  void (*between)(uint32_t tag);
  uint32_t tag;       /* of the command between */
  uint32_t short_tag; /* of the short put */
};

static void put_around(void *argument) {
  const struct three *three = argument;
  memset(spu_ls(HERE), 1, LONG);
  memset(spu_ls(WORD), 2, 16);
  mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), LONG, 3, 0, 0);
  three->between(three->tag);
  mfc_put(spu_ls(WORD), spu_ls_ea(1, HERE + LONG - 16), 16, three->short_tag, 0, 0);
  bed_finish(UINT32_MAX);
}

/* Check that the short put of THREE is ORDERED behind the long one; if not, the short put arrives first and
 * there is a hazard. */
static void expect(struct three three, bool ordered) {
  uint8_t byte;
  blade_reset(watched.blade);
  bed_run_alone(&watched, put_around, &three);
  byte = blade_ls(watched.blade, 1)[HERE + LONG - 16];
  ck_assert_uint_eq(byte, ordered ? 2 : 1);
  ck_assert_uint_eq(bed_take_hazards(&watched), !ordered);
}

TESTS(sync, .start = bed_begin, .stop = bed_end);

TEST(a_barrier_orders_all_commands_and_sync_and_eieio_those_of_their_tag) {
  expect((struct three){barrier, 5, 3}, true);
  expect((struct three){barrier, 5, 4}, true);
  expect((struct three){barrier, 3, 4}, true);
  expect((struct three){sync_tag, 3, 3}, true);
  expect((struct three){sync_tag, 3, 4}, false);
  expect((struct three){sync_tag, 4, 4}, false);
  expect((struct three){sync_tag, 5, 3}, false);
  expect((struct three){eieio, 3, 3}, true);
  expect((struct three){eieio, 3, 4}, false);
  expect((struct three){eieio, 4, 4}, false);
}

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

static uint64_t time_alone(struct bed *bed, void (*between)(uint32_t tag)) {
  struct times times = {.between = between};
  blade_reset(bed->blade);
  bed_run_alone(bed, alone, &times);
  return times.first;
}

/* Issue and the way to the bus; sync and eieio also a command phase there, with the crossing to the farthest
 * chip: of four chips in a ring the farthest is two links away. */
TEST_EACH(a_barrier_needs_no_bus_and_sync_and_eieio_go_to_all_chips, 0, 3) {
  static const struct {
    const char *settings;
    unsigned links;
  } machines[] = {{"blade.chips=1", 0}, {"", 1}, {"blade.chips=4 blade.topology=ring", 2}};
  struct bed bed = bed_new_with("qs20", machines[_i].settings);
  const struct platform *p = bed.platform;
  uint64_t there = (uint64_t)(p->mfc.issue + p->mfc.to_bus);
  uint64_t everywhere = there + (uint64_t)(p->eib.command_phase + machines[_i].links * p->bif.command);
  ck_assert(p->bif.command > 0);
  ck_assert_uint_eq(time_alone(&bed, barrier), there);
  ck_assert_uint_eq(time_alone(&bed, sync_tag), everywhere);
  ck_assert_uint_eq(time_alone(&bed, eieio), everywhere);
  bed_fini(&bed);
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
  blade_reset(watched.blade);
  bed_run_alone(&watched, program, &times);
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
  struct times times = time_behind(barrier, behind_a_get);
  ck_assert_uint_eq(times.first, times.second);
  ck_assert_uint_eq(time_behind(barrier, status_behind_a_get).first, 1U << 1 | 1U << 2);
  ck_assert_uint_eq(time_behind(sync_tag, status_behind_a_get).first, 1U << 2);
}

PROGRAM(bad_tag, mfc_barrier(32))

TEST(tags_are_checked) {
  bed_expect_fault(&watched, bad_tag, "rank 0 stopped at cycle 0 by a fault: tag 32, expected 0 to 31\n");
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
    spu_compute((uint64_t)watched.platform->mfc.command_interval); /* the next command begins at once */
  }
}

TEST(channels_lead_to_the_same_commands) {
  uint64_t cycles[3];
  bed_run_alone(&watched, by_channel, cycles);
  ck_assert_uint_eq(cycles[0], time_alone(&watched, barrier));
  ck_assert_uint_eq(cycles[1], time_alone(&watched, sync_tag));
  ck_assert_uint_eq(cycles[2], time_alone(&watched, eieio));
}
