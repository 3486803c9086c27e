/* SPDX-License-Identifier: BSD-3-Clause
 * Random DMA programs on many machines: all bytes arrive, each where it must, and no ring, ramp, link or bus
 * ever does more than it can. A message names the seed. */
#include "sim/hw/ea.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "tests/bed.h"
#include "tests/gaming/referee.h"
#include "traces/utilisation.h"

#include <check.h>
#include <string.h>

Suite *random_programs_suite(void);

/* Local stores: what is read (the same in all programs), what others put (a slot for each command of each
 * SPE), what is got (a slot for each command). */
enum {
  SOURCE = 0x10000,
  SOURCE_BYTES = 0x4000,
  PUTS = 0x14000,
  SLOT = 0x200,
  COMMANDS = 8,
  MOST_SPES = 32,
  MOST_PEERS = MOST_SPES + 4, /* with the main memories of the chips */
  GETS = PUTS + SLOT * COMMANDS * MOST_SPES,
  END = GETS + SLOT * COMMANDS
};

struct command {
  bool put;
  unsigned peer;       /* SPE; from the number of SPEs on: main memory of a chip */
  uint32_t from, into; /* local store addresses, or places in main memory, of the source and of the target */
  uint32_t nbytes, tag;
  unsigned order, pause;
};

struct program {
  unsigned ncommands;
  struct command commands[COMMANDS];
};

static struct program programs[MOST_SPES];
static struct blade *current; /* of this round */

/* Return the effective address of byte ADDRESS of PEER. */
static uint64_t ea_of_peer(unsigned peer, uint32_t address) {
  return peer < blade_nspes(current)
           ? spu_ls_ea(peer, address)
           : EA_MEMORY_BASE + (peer - blade_nspes(current)) * blade_parameters(current)->memory_bytes +
               address;
}

/* Return the bytes of PEER. */
static uint8_t *bytes_of_peer(unsigned peer) {
  return peer < blade_nspes(current) ? blade_ls(current, peer) : blade_memory(current, ea_of_peer(peer, 0));
}

static struct command random_command(struct dice *dice, unsigned spe, unsigned index, unsigned nspes) {
  static const uint32_t small[] = {1, 2, 4, 8};
  struct command c = {
    .put = dice_below(dice, 2),
    .peer = (unsigned)dice_below(dice, dice_below(dice, 3) ? nspes + blade_nchips(current) : 1 + nspes / 4),
    .tag = (uint32_t)dice_below(dice, 4),
    .order = (unsigned)dice_below(dice, 6),
    .pause = (unsigned)dice_below(dice, dice_below(dice, 4) ? 20 : 3000)};
  uint32_t low = 0;
  if (dice_below(dice, 5) == 0) {
    c.nbytes = small[dice_below(dice, 4)];
    low = (uint32_t)dice_below(dice, 16 / c.nbytes) * c.nbytes;
  } else {
    c.nbytes = 16 * (uint32_t)(1 + dice_below(dice, 24));
  }
  c.from = SOURCE + 16 * (uint32_t)dice_below(dice, (SOURCE_BYTES - SLOT) / 16) + low;
  c.into = (c.put ? PUTS + SLOT * (COMMANDS * spe + index) : GETS + SLOT * index) +
           16 * (uint32_t)dice_below(dice, 7) + low;
  return c;
}

static void play(void *argument) {
  static void (*const puts[])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                              uint32_t) = {mfc_put, mfc_put, mfc_put, mfc_put, mfc_putf, mfc_putb};
  static void (*const gets[])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                              uint32_t) = {mfc_get, mfc_get, mfc_get, mfc_get, mfc_getf, mfc_getb};
  const struct program *program = argument;
  for (unsigned i = 0; i < program->ncommands; i++) {
    const struct command *c = &program->commands[i];
    spu_compute(c->pause);
    if (c->put) {
      puts[c->order](spu_ls(c->from), ea_of_peer(c->peer, c->into), c->nbytes, c->tag, 0, 0);
    } else {
      gets[c->order](spu_ls(c->into), ea_of_peer(c->peer, c->from), c->nbytes, c->tag, 0, 0);
    }
  }
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
}

/* What each SPE, and then each main memory, has at its source. */
static uint8_t sources[MOST_PEERS][SOURCE_BYTES];

static void make_sources(void) {
  for (unsigned peer = 0; peer < MOST_PEERS; peer++) {
    for (uint32_t i = 0; i < SOURCE_BYTES; i++) {
      struct dice dice = {(uint64_t)peer << 32 | i};
      sources[peer][i] = (uint8_t)(1 + dice_below(&dice, 255));
    }
  }
}

static void fill_sources(struct blade *blade) {
  for (unsigned chip = 0; chip < blade_nchips(blade); chip++) {
    ck_assert_uint_eq(blade_allocate(blade, chip, END), ea_of_peer(blade_nspes(blade) + chip, 0));
  }
  ck_assert_uint_le(blade_nspes(blade) + blade_nchips(blade), MOST_PEERS);
  for (unsigned peer = 0; peer < blade_nspes(blade) + blade_nchips(blade); peer++) {
    memcpy(bytes_of_peer(peer) + SOURCE, sources[peer], SOURCE_BYTES);
  }
}

/* Take the bytes that COMMAND of SPE must have moved out of its target, so that only zeros are left.
 * returns: whether all were right. */
static bool take_out(unsigned spe, const struct command *c) {
  unsigned from = c->put ? spe : c->peer, target = c->put ? c->peer : spe;
  uint8_t *bytes = bytes_of_peer(target) + c->into;
  bool right = memcmp(bytes, &sources[from][c->from - SOURCE], c->nbytes) == 0;
  memset(bytes, 0, c->nbytes);
  return right;
}

static void check_bytes(struct blade *blade, int seed, unsigned round) {
  unsigned long wrong = 0, stray = 0;
  for (unsigned spe = 0; spe < blade_nspes(blade); spe++) {
    for (unsigned i = 0; i < programs[spe].ncommands; i++) {
      wrong += !take_out(spe, &programs[spe].commands[i]);
    }
  }
  for (unsigned peer = 0; peer < blade_nspes(blade) + blade_nchips(blade); peer++) {
    static const uint8_t nothing[END - PUTS];
    stray += memcmp(bytes_of_peer(peer) + PUTS, nothing, sizeof nothing) != 0;
  }
  ck_assert_msg(
    wrong == 0 && stray == 0,
    "seed %d, round %u: %lu commands moved wrong bytes, %lu local stores or memories with stray bytes", seed,
    round, wrong, stray);
}

/* Check that a part that served so much was busy for SHARE of its time, no more than all. */
static void check_share(double share, uint64_t served) {
  ck_assert_double_ge(share, 0);
  ck_assert_double_le(share, 1);
  ck_assert(served > 0 || share == 0);
}

/* Check that what the parts have counted adds up to what the whole machine has, and to the bytes ASKED
 * for. */
static void check_sums(const struct utilisation *u, const struct bus_traffic *whole, uint64_t asked) {
  const struct parameters *parameters = &u->parameters;
  uint64_t on_rings = 0, out = 0, in = 0, on_links = 0, requests = 0, bytes = 0, commands = 0;
  for (size_t i = 0; i < (size_t)parameters->nchips * parameters->nrings; i++) {
    check_share(utilisation_ring_share(u, i), u->rings[i].served);
    on_rings += u->rings[i].nbytes;
  }
  for (size_t i = 0; i < (size_t)parameters->nchips * parameters->ring.nunits; i++) {
    const struct utilisation_ramps *ramps = &u->ramps[i];
    check_share(utilisation_share(u, &ramps->out), ramps->out.served);
    check_share(utilisation_share(u, &ramps->in), ramps->in.served);
    ck_assert_uint_eq(ramps->out.waited, ramps->cycles[WAITED_OWN_RAMP] + ramps->cycles[WAITED_RECEIVER] +
                                           ramps->cycles[WAITED_RING]);
    ck_assert_uint_le(ramps->queued_max, ramps->out.served);
    ck_assert(ramps->queued_max > 0 || ramps->out.served == 0);
    out += ramps->out.nbytes;
    in += ramps->in.nbytes;
  }
  for (size_t i = 0; i < (size_t)parameters->nchips * parameters->nchips; i++) {
    check_share(utilisation_share(u, &u->links[i]), u->links[i].served);
    on_links += u->links[i].nbytes;
  }
  for (unsigned i = 0; i < parameters->nspes; i++) {
    const struct utilisation_mfc *mfc = &u->mfcs[i];
    ck_assert_uint_le(mfc->queued_max, parameters->queue);
    ck_assert_uint_le(mfc->flying_max, parameters->nwindows * parameters->window);
    ck_assert_uint_eq(mfc->queued, 0);
    commands += mfc->commands;
    requests += mfc->requests;
    bytes += mfc->nbytes;
  }
  ck_assert_uint_eq(on_rings, whole->eib_bytes);
  ck_assert_uint_eq(out, whole->eib_bytes);
  ck_assert_uint_eq(in, whole->eib_bytes);
  ck_assert_uint_eq(on_links, whole->bif_bytes);
  ck_assert_uint_eq(commands, whole->dma_commands);
  ck_assert_uint_eq(requests, whole->bus_requests);
  ck_assert_uint_eq(bytes, asked);
}

static void run_round(struct bed *bed, struct dice *dice, int seed, unsigned round) {
  static struct referee referee;
  struct spu spus[MOST_SPES];
  unsigned nspes = blade_nspes(bed->blade);
  struct utilisation utilisation;
  uint64_t asked = 0, commands = 0;
  current = bed->blade;
  for (unsigned spe = 0; spe < nspes; spe++) {
    programs[spe].ncommands = (unsigned)dice_below(dice, COMMANDS + 1);
    for (unsigned i = 0; i < programs[spe].ncommands; i++, commands++) {
      programs[spe].commands[i] = random_command(dice, spe, i, nspes);
      asked += programs[spe].commands[i].nbytes;
    }
    spus[spe] = (struct spu){.spe = spe, .main = play, .argument = &programs[spe], .name = "spe"};
  }
  blade_reset(bed->blade);
  fill_sources(bed->blade);
  referee_init(&referee, bed->blade);
  utilisation_init(&utilisation, blade_platform(bed->blade));
  blade_attach(bed->blade, &referee.probe);
  blade_attach(bed->blade, &utilisation.probe);
  bed_run(bed, spus, nspes);
  blade_detach(bed->blade, &referee.probe);
  blade_detach(bed->blade, &utilisation.probe);
  ck_assert_msg(!referee.wrong[0], "seed %d, round %u: %s", seed, round, referee.wrong);
  ck_assert_uint_eq(referee.commands, commands);
  ck_assert_uint_eq(referee.completed, commands);
  ck_assert_uint_eq(referee.bytes_asked, asked);
  ck_assert_uint_eq(referee.bytes_issued, asked);
  ck_assert_uint_eq(referee.bytes_delivered, asked);
  check_bytes(bed->blade, seed, round);
  struct bus_traffic whole = blade_bus_traffic(bed->blade);
  check_sums(&utilisation, &whole, asked);
  utilisation_fini(&utilisation);
}

/* Loop test: the index is the machine and the seed. */
START_TEST(all_bytes_arrive_and_no_limit_is_passed) {
  struct bed bed = bed_new_machine(_i);
  bed_watch(&bed);
  make_sources();
  struct dice dice = {(uint64_t)_i};
  for (unsigned round = 0; round < (BED_SANITIZED ? 30 : 250); round++) {
    run_round(&bed, &dice, _i, round);
  }
  bed_fini(&bed);
}
END_TEST

Suite *random_programs_suite(void) {
  Suite *suite = suite_create("random_programs");
  TCase *tests = tcase_create("random_programs");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, bed_start_engine, NULL);
  tcase_add_loop_test(tests, all_bytes_arrive_and_no_limit_is_passed, 0, BED_MACHINES);
  suite_add_tcase(suite, tests);
  return suite;
}
