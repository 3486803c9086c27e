/* SPDX-License-Identifier: BSD-3-Clause
 * The detector of hazards and programs that use several rules of order: each has a twin that lacks one order.
 * source: docs/how-to/orders.md. */
#include "tests/bed.h"

enum { DATA = 0x10000, FLAG = 0x11000, OUT = 0x12000, LIST = 0x13000, LINE = 128 };

static uint64_t memory; /* two lines of main memory, all zero */
static bool racy;       /* the order is missing */

/* Let the 16 bytes at OUT begin with 1. */
static uint32_t *one(void) {
  uint32_t *word = spu_ls(OUT);
  spu_note_store(word, 16);
  *word = 1;
  return word;
}

static void await_flag(void *unused) {
  struct spu_flag flag = {.word = spu_ls(FLAG), .value = 1, .peer = -1, .what = "flag"};
  spu_note_flags(spu_ls(FLAG), 16);
  spu_wait_flag(&flag);
}

static void await_flag_and_read(void *unused) {
  await_flag(unused);
  spu_note_load(spu_ls(DATA), 16);
}

/* --- a flag in the last 16 bytes of a put of 128: these 16 bytes arrive with the flag, no others --- */

static void put_with_flag(void *unused) {
  uint32_t *last = spu_ls(OUT + LINE - 16);
  *last = 1;
  spu_note_store(spu_ls(OUT), LINE);
  mfc_put(spu_ls(OUT), spu_ls_ea(1, FLAG + 16 - LINE), LINE, 0, 0, 0);
  bed_finish(1);
}

static void read_beside_flag(void *unused) {
  spu_note_flags(spu_ls(FLAG), 4);
  struct spu_flag flag = {.word = spu_ls(FLAG), .value = 1, .peer = -1, .what = "flag"};
  spu_wait_flag(&flag);
  spu_note_load(spu_ls(racy ? FLAG - 16 : FLAG + 4), 12);
}

/* --- looks at flags and at tags: what a program has looked at, and found up, is in order --- */

static void look_and_read(void *unused) {
  struct spu_flag flags[] = {{.word = spu_ls(OUT), .value = 1, .peer = -1, .what = "other flag"},
                             {.word = spu_ls(FLAG), .value = 1, .peer = -1, .what = "flag"}};
  spu_note_flags(spu_ls(FLAG), 16);
  ck_assert(!spu_poll_flag(&flags[1]));
  spu_wait_any(&(struct spu_any){.flags = flags, .nflags = 2});
  ck_assert(!spu_poll_flag(&flags[0]) && spu_poll_flag(&flags[1]));
  spu_note_load(spu_ls(DATA), 16);
}

/* Racy: the flag, up from the beginning, ends the wait, and the look at the tag comes too early. In a
 * shuffled run the put may be over by then: the look is an order. Otherwise only the tag can end the wait. */
static void put_and_overwrite(void *unused) {
  struct spu_flag flag = {.word = spu_ls(FLAG), .value = !racy, .peer = -1, .what = "flag"};
  mfc_put(one(), spu_ls_ea(1, DATA), 16, 3, 0, 0);
  mfc_write_tag_mask(1 << 3);
  spu_wait_any(&(struct spu_any){.flags = &flag, .nflags = 1, .tags = 1 << 3});
  uint32_t status = mfc_read_tag_status_immediate();
  ck_assert(racy || status == 1 << 3);
  racy = status == 0;
  spu_note_store(spu_ls(OUT), 16);
  bed_finish(1 << 3);
}

/* --- a get that polls the flag of another SPE --- */

static void put_data_and_flag(void *unused) {
  mfc_put(one(), spu_ls_ea(1, DATA), 16, 0, 0, 0);
  (racy ? mfc_put : mfc_putf)(spu_ls(OUT), spu_ls_ea(1, FLAG), 16, 0, 0, 0);
  bed_finish(1);
}

static void poll_and_get(void *unused) {
  uint32_t *seen = spu_ls(OUT);
  do {
    mfc_get(seen, spu_ls_ea(1, FLAG), 16, 0, 0, 0);
    bed_finish(1);
  } while (!*seen);
  mfc_get(spu_ls(OUT), spu_ls_ea(1, DATA), 16, 0, 0, 0);
  bed_finish(1);
}

PROGRAM(note_flag, spu_note_flags(spu_ls(FLAG), 16))

/* --- putqlluc, and a put to a line under a reservation --- */

PROGRAM(store_line, mfc_putqlluc(one(), memory, 0, 0, 0); bed_finish(1))

static bool is_stored(const void *line, const void *unused) {
  return *(const uint32_t *)line == 1;
}

static void await_line(void) {
  spu_wait_line(
    &(struct spu_line_wait){.ls = spu_ls(OUT), .ea = memory, .found = is_stored, .reason = COMPUTE_OTHER});
}

static void put_to_line(void *unused) {
  if (!racy) {
    await_line();
  } else {
    mfc_getllar(spu_ls(OUT), memory, 0, 0);
    mfc_read_atomic_status();
    racy = !is_stored(spu_ls(OUT), NULL); /* in a shuffled run the load may see the store: an order */
  }
  mfc_put(spu_ls(DATA), memory, 16, 0, 0, 0);
  bed_finish(1);
}

/* --- a put, and a line that is stored by putllc after the put --- */

static void put_and_store_line(void *unused) {
  uint32_t *line = spu_ls(LIST);
  mfc_put(one(), spu_ls_ea(1, DATA), 16, 0, 0, 0);
  if (!racy) {
    bed_finish(1);
  }
  mfc_getllar(line, memory, 0, 0);
  mfc_read_atomic_status();
  *line = 1;
  mfc_putllc(line, memory, 0, 0);
  ck_assert_uint_eq(mfc_read_atomic_status(), 0); /* nobody else stores */
  bed_finish(1);
}

PROGRAM(await_line_and_read, await_line(); spu_note_load(spu_ls(DATA), 16))

/* --- a PPE writes data and a flag into a local store --- */

static void copy_data_and_flag(void *unused) {
  uint32_t word = 1;
  memcpy(blade_memory(bed.blade, memory), &word, sizeof word);
  for (unsigned i = 0; i < 2; i++) {
    bool flag = racy ? i == 0 : i == 1;
    ppe_memcpy(spu_ls_ea(1, flag ? FLAG : DATA), memory, 16);
  }
}

/* --- a PPE starts a program, and joins it --- */

static void get_and_put(void *unused) {
  mfc_get(spu_ls(DATA), memory, 16, 0, 0, 0);
  bed_finish(1);
  mfc_put(spu_ls(DATA), memory + LINE, 16, 0, 0, 0);
  bed_finish(1);
}

static void start_and_join(void *unused) {
  struct spu spu = {.spe = 0, .main = get_and_put, .name = "started"};
  if (!racy) {
    ppe_note_store(memory, 16);
  }
  ppe_start_spu(&spu);
  if (racy) {
    ppe_note_store(memory, 16);
  }
  ppe_join_spu(&spu);
  ppe_note_load(memory + LINE, 16);
}

static void put_and_end(void *unused) {
  mfc_put(spu_ls(DATA), memory, 16, 0, 0, 0);
  if (!racy) {
    bed_finish(1);
  }
}

static void join_and_read(void *unused) {
  struct spu spu = {.spe = 0, .main = put_and_end, .name = "started"};
  ppe_start_spu(&spu);
  ppe_join_spu(&spu);
  ppe_note_load(memory, 16);
}

/* --- proxy commands of two PPE programs: one queue, whose tag status tells of the commands of both --- */

static void put_by_proxy(void *unused) {
  uint32_t word = 1;
  spe_mfcio_put(0, DATA, spu_ls_ea(1, DATA), 16, 3, 0, 0);
  spe_in_mbox_write(0, &word, 1, SPE_MBOX_ALL_BLOCKING);
}

PROGRAM(pass_on, spu_write_out_mbox(spu_read_in_mbox()))

static void wait_for_both(void *unused) {
  static const unsigned spe = 0;
  uint32_t word, status;
  ppe_wait_out_mbox(&spe, 1);
  spe_out_mbox_read(0, &word, 1);
  if (!racy) {
    spe_mfcio_tag_status_read(0, 1 << 3, SPE_TAG_ALL, &status);
  }
  spe_in_mbox_write(1, &word, 1, SPE_MBOX_ALL_BLOCKING);
}

PROGRAM(hear_and_read, spu_read_in_mbox(); spu_note_load(spu_ls(DATA), 16))

/* --- a tag status answered before the command whose end the program takes the status for --- */

static void put_after_answer(void *unused) {
  mfc_put(one(), spu_ls_ea(2, DATA), 16, 0, 0, 0);
  bed_finish(1);
  mfc_write_tag_update_immediate();
  spu_compute(1000);
  mfc_put(spu_ls(OUT), spu_ls_ea(1, DATA), 16, 0, 0, 0);
  ck_assert_uint_eq(mfc_read_tag_status(), 1);
  if (!racy) {
    bed_finish(1);
  }
  mfc_put(spu_ls(OUT), spu_ls_ea(1, FLAG), 16, 1, 0, 0);
  bed_finish(2);
}

/* --- the source of a put, a part of which is read as well --- */

static void overwrite_source(void *unused) {
  mfc_put(spu_ls(OUT), spu_ls_ea(1, DATA), 32, 0, 0, 0);
  spu_note_load(spu_ls(OUT + 16), 16);
  if (!racy) {
    bed_finish(1);
  }
  spu_note_store(spu_ls(OUT), 16);
  bed_finish(1);
}

/* --- a list that has stopped, and a put of the same tag that has not --- */

static void put_beside_list(void *unused) {
  mfc_list_element_t *list = spu_ls(LIST);
  for (unsigned i = 0; i < 2; i++) {
    list[i] =
      (mfc_list_element_t){.notify = i == 0, .size = 16, .eal = (uint32_t)spu_ls_ea(1, DATA + 16 * i)};
  }
  mfc_put(one(), spu_ls_ea(2, DATA), 16, 0, 0, 0);
  mfc_putl(spu_ls(FLAG), spu_ls_ea(1, 0), list, 2 * sizeof *list, 0, 0, 0);
  mfc_read_list_stall_status();
  mfc_write_list_stall_ack(0);
  if (!racy) {
    bed_finish(1);
  }
  spu_note_store(spu_ls(OUT), 16);
  bed_finish(1);
}

static const struct {
  const char *what;
  void (*spus[3])(void *), (*ppus[2])(void *);
} trials[] = {
  {"a flag among the bytes of a put", {put_with_flag, read_beside_flag}, {NULL}},
  {"a look at one of two flags", {put_data_and_flag, look_and_read}, {NULL}},
  {"a look at a tag", {put_and_overwrite}, {NULL}},
  {"a get that polls", {put_data_and_flag, note_flag, poll_and_get}, {NULL}},
  {"a queued store of a line and a put", {store_line, put_to_line}, {NULL}},
  {"a put and a store of a reserved line", {put_and_store_line, await_line_and_read}, {NULL}},
  {"copies of a PPE into a local store", {NULL, await_flag_and_read}, {copy_data_and_flag}},
  {"a program started by a PPE", {NULL}, {start_and_join}},
  {"a program joined by a PPE", {NULL}, {join_and_read}},
  {"a source read in part", {overwrite_source}, {NULL}},
  {"a stopped list beside a put", {put_beside_list}, {NULL}},
  {"an old tag status", {put_after_answer, await_flag_and_read}, {NULL}},
  {"proxy commands of two PPEs", {pass_on, hear_and_read}, {put_by_proxy, wait_for_both}},
};

TESTS(order_rules, .start = bed_begin, .stop = bed_end);

/* Loop test: each trial sound, then racy; in the usual order, then in shuffled ones. */
TEST_EACH(the_missing_order_is_reported, 0, 2 * (sizeof trials / sizeof *trials)) {
  const int number = _i / 2;
  for (uint64_t seed = 0; seed < 8; seed++) {
    racy = _i % 2;
    struct spu spus[3];
    struct ppu ppus[2];
    struct spu_programs programs = {.spus = spus, .ppus = ppus};
    for (unsigned i = 0; i < 3; i++) {
      if (trials[number].spus[i]) {
        spus[programs.nspus++] = (struct spu){.spe = i, .main = trials[number].spus[i], .name = "spe"};
      }
    }
    for (unsigned i = 0; i < 2; i++) {
      if (trials[number].ppus[i]) {
        ppus[programs.nppus++] = (struct ppu){.chip = i, .main = trials[number].ppus[i], .name = "ppe"};
      }
    }
    blade_reset(bed.blade);
    memory = blade_allocate(bed.blade, 0, 2 * LINE);
    des_shuffle(seed);
    bed_run_all(&programs);
    des_shuffle(0);
    ck_assert(seed || racy == _i % 2);
    char *first = bed.hazards->count ? bed.hazards->lines[0] : "nothing";
    ck_assert_msg((bed.hazards->count > 0) == racy, "%s, %s, seed %u: %s", trials[number].what,
                  racy ? "racy" : "sound", (unsigned)seed, first);
    bed_take_hazards();
  }
}
