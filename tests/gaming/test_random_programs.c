/* SPDX-License-Identifier: BSD-3-Clause
 * Random DMA programs on many machines: all bytes arrive, each where it must, and no ring, ramp, link or bus
 * ever does more than it can. A message names the seed. */
#include "tests/gaming/referee.h"
#include "tests/random_programs.h"
#include "traces/utilisation.h"

/* Local stores: what is read (the same in all programs), what others put (a slot for each command of each
 * SPE), what is got (a slot for each command). */
enum {
  SOURCE = 0x10000,
  SOURCE_BYTES = 0x4000,
  PUTS = 0x14000,
  SLOT = 0x200,
  MOST_BYTES = 384,
  COMMANDS = 8,
  MOST_SPES = 32,
  MOST_PEERS = MOST_SPES + 4, /* with the main memories of the chips */
  GETS = PUTS + SLOT * COMMANDS * MOST_SPES,
  END = GETS + SLOT * COMMANDS
};

static struct random_program programs[RANDOM_SPES];
static struct blade *current; /* of this round */

/* Return the bytes of PEER. */
static uint8_t *bytes_of_peer(unsigned peer) {
  return peer < blade_nspes(current) ? blade_ls(current, peer)
                                     : blade_memory(current, random_ea(current, peer, 0));
}

/* Draw addresses for COMMAND: what it reads is one of the sources, what it writes is in the slot of its
 * own. */
static void place(const struct random_rules *rules, struct random_command *command, unsigned spe,
                  unsigned index) {
  uint32_t from = SOURCE + 16 * (uint32_t)dice_below(rules->dice, (SOURCE_BYTES - SLOT) / 16) + command->low;
  uint32_t slot = command->put ? PUTS + SLOT * (COMMANDS * spe + index) : GETS + SLOT * index;
  uint32_t into = slot + 16 * (uint32_t)dice_below(rules->dice, 7) + command->low;
  command->ls = command->put ? from : into;
  command->ea = random_ea(rules->blade, command->peer, command->put ? into : from);
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
    ck_assert_uint_eq(blade_allocate(blade, chip, END), random_ea(blade, blade_nspes(blade) + chip, 0));
  }
  ck_assert_uint_le(blade_nspes(blade) + blade_nchips(blade), MOST_PEERS);
  for (unsigned peer = 0; peer < blade_nspes(blade) + blade_nchips(blade); peer++) {
    memcpy(bytes_of_peer(peer) + SOURCE, sources[peer], SOURCE_BYTES);
  }
}

/* Return the place of byte EA of PEER. */
static uint32_t place_of(unsigned peer, uint64_t ea) {
  return (uint32_t)(ea - random_ea(current, peer, 0));
}

/* Take the bytes that COMMAND of SPE must have moved out of its target, so that only zeros are left.
 * returns: whether all were right. */
static bool take_out(unsigned spe, const struct random_command *c) {
  uint32_t far = place_of(c->peer, c->ea);
  uint8_t *bytes = c->put ? bytes_of_peer(c->peer) + far : bytes_of_peer(spe) + c->ls;
  const uint8_t *source = c->put ? &sources[spe][c->ls - SOURCE] : &sources[c->peer][far - SOURCE];
  bool right = memcmp(bytes, source, c->nbytes) == 0;
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
    ck_assert_uint_le(mfc->queued_max, parameters->mfc_queue);
    ck_assert_uint_le(mfc->flying_max, parameters->mfc_windows * parameters->mfc_window);
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

static void run_round(struct dice *dice, int seed, unsigned round) {
  static struct referee referee;
  struct utilisation utilisation;
  uint64_t asked = 0, commands = 0;
  unsigned nspes = blade_nspes(bed.blade), everybody = nspes + blade_nchips(bed.blade);
  current = bed.blade;
  random_programs(&(struct random_rules){.commands = COMMANDS,
                                         .few = COMMANDS,
                                         .peers = dice_below(dice, 3) ? everybody : 1 + nspes / 4,
                                         .bytes = MOST_BYTES,
                                         .only_transfers = true,
                                         .dice = dice,
                                         .blade = bed.blade,
                                         .place = place},
                  programs);
  for (unsigned spe = 0; spe < nspes; spe++) {
    commands += programs[spe].ncommands;
    for (unsigned i = 0; i < programs[spe].ncommands; i++) {
      asked += programs[spe].commands[i].nbytes;
    }
  }
  blade_reset(bed.blade);
  fill_sources(bed.blade);
  referee_init(&referee, bed.platform);
  utilisation_init(&utilisation, bed.platform);
  blade_attach(bed.blade, &referee.probe);
  blade_attach(bed.blade, &utilisation.probe);
  random_run(programs);
  blade_detach(bed.blade, &referee.probe);
  blade_detach(bed.blade, &utilisation.probe);
  ck_assert_msg(!referee.wrong[0], "seed %d, round %u: %s", seed, round, referee.wrong);
  ck_assert_uint_eq(referee.commands, commands);
  ck_assert_uint_eq(referee.completed, commands);
  ck_assert_uint_eq(referee.bytes_asked, asked);
  ck_assert_uint_eq(referee.bytes_issued, asked);
  ck_assert_uint_eq(referee.bytes_delivered, asked);
  check_bytes(bed.blade, seed, round);
  struct bus_traffic whole = blade_bus_traffic(bed.blade);
  check_sums(&utilisation, &whole, asked);
  utilisation_fini(&utilisation);
}

TESTS(random_programs, .start = bed_start, .stop = bed_end);

/* Loop test: the index is the machine and the seed. */
TEST_EACH(all_bytes_arrive_and_no_limit_is_passed, 0, BED_MACHINES) {
  bed_use_machine(_i);
  bed_watch();
  make_sources();
  struct dice dice = {(uint64_t)_i};
  for (unsigned round = 0; round < (BED_SANITIZED ? 30 : 250); round++) {
    run_round(&dice, _i, round);
  }
}
