/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of the judge: all legal orders of small random programs are tried one by one (orders.h). The
 * machine does nothing else, shuffled or not; the detector of hazards reports a program if and only if two
 * accesses to one place, one of which writes, can come in either order; and shuffled runs show most of the
 * programs of which an order gives other bytes. So the detector is stricter than the bytes only where
 * either order gives the same bytes. */
#include "tests/reference/orders.h"
#include "tests/suite.h"

enum {
  PLACE = 0x10000,
  FLAGS = 0x11000,
  SOURCES = 0x12000,
  PLACE_BYTES = 128,
  PROGRAMS = BED_SANITIZED ? 20 : 200,
  PARTS = 4,
  SEEDS = 16
};

struct player {
  const struct orders_program *program;
  unsigned spe;
  struct orders_outcome *outcome;
};

static uint32_t place_at(unsigned place) {
  return PLACE + place * PLACE_BYTES;
}

/* Give the command of STEP. */
static void give(const struct orders_step *step) {
  static void (*const puts[])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                              uint32_t) = {mfc_put, mfc_putf, mfc_putb};
  static void (*const gets[])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                              uint32_t) = {mfc_get, mfc_getf, mfc_getb};
  if (step->kind == ORDERS_FLAG) { /* no place is ever zero, so that a flag may come from any */
    uint32_t from = step->from < ORDERS_PLACES ? place_at(step->from) : SOURCES;
    puts[step->order](spu_ls(from), spu_ls_ea(step->to, FLAGS + 16 * step->command), 16, step->tag, 0, 0);
  } else if (step->kind == ORDERS_PUT) {
    puts[step->order](spu_ls(place_at(step->from)), spu_ls_ea(step->to / 2, place_at(step->to)), 16,
                      step->tag, 0, 0);
  } else {
    gets[step->order](spu_ls(place_at(step->to)), spu_ls_ea(step->from / 2, place_at(step->from)), 16,
                      step->tag, 0, 0);
  }
}

/* Let a program touch its place of STEP. */
static void touch(const struct player *player, const struct orders_step *step) {
  uint8_t *place = spu_ls(place_at(step->from));
  if (step->kind == ORDERS_STORE) {
    spu_note_store(place, 16);
    spu_sync();
    memset(place, (int)step->value, 16);
  } else {
    spu_note_load(place, 16);
    spu_sync();
    player->outcome->loads[step->value] = *place;
  }
}

static void play(void *argument) {
  const struct player *player = argument;
  spu_note_flags(spu_ls(FLAGS), 16 * ORDERS_COMMANDS);
  for (unsigned i = 0; i < player->program->nsteps[player->spe]; i++) {
    const struct orders_step *step = &player->program->steps[player->spe][i];
    struct spu_flag flag = {
      .word = spu_ls(FLAGS + 16 * step->command), .value = 1, .peer = -1, .what = "flag"};
    switch (step->kind) {
    case ORDERS_STORE:
    case ORDERS_LOAD:
      touch(player, step);
      break;
    case ORDERS_AWAIT:
      spu_wait_flag(&flag);
      break;
    case ORDERS_FINISH:
      mfc_write_tag_mask(step->tag);
      mfc_read_tag_status_all();
      break;
    case ORDERS_BARRIER:
      mfc_barrier(0);
      break;
    default:
      give(step);
    }
  }
}

/* Run PROGRAM, shuffled by SEED. */
static struct orders_outcome run(const struct orders_program *program, uint64_t seed) {
  struct orders_outcome outcome;
  struct player players[ORDERS_SPES];
  struct spu spus[ORDERS_SPES];
  const uint32_t one = 1;
  memset(&outcome, 0, sizeof outcome);
  blade_reset(bed.blade);
  des_shuffle(seed);
  for (unsigned s = 0; s < program->nspes; s++) {
    uint8_t *ls = blade_ls(bed.blade, s);
    for (unsigned p = 2 * s; p < 2 * s + 2; p++) {
      memset(ls + place_at(p), (int)p + 1, 16);
    }
    memcpy(ls + SOURCES, &one, sizeof one);
    players[s] = (struct player){program, s, &outcome};
    spus[s] = (struct spu){.spe = s, .main = play, .argument = &players[s], .name = "program"};
  }
  bed_run(spus, program->nspes);
  des_shuffle(0);
  for (unsigned p = 0; p < ORDERS_PLACES; p++) {
    outcome.places[p] = p / 2 < program->nspes ? blade_ls(bed.blade, p / 2)[place_at(p)] : (uint8_t)(p + 1);
  }
  return outcome;
}

static bool is_among(const struct orders_found *found, const struct orders_outcome *outcome) {
  for (size_t i = 0; i < found->noutcomes; i++) {
    if (memcmp(&found->outcomes[i], outcome, sizeof *outcome) == 0) {
      return true;
    }
  }
  return false;
}

TESTS(orders, .start = bed_begin_unwatched, .stop = bed_end);

TEST_EACH(the_detector_agrees_with_all_legal_orders, 0, PARTS) {
  unsigned open = 0, shown = 0, strict = 0, sound = 0;
  bed_watch();
  for (unsigned number = 0; number < PROGRAMS; number++) {
    struct dice dice = {.state = (uint64_t)_i << 32 | number};
    struct orders_program program = orders_draw(&dice);
    struct orders_found found = orders_try(&program);
    struct orders_outcome usual = run(&program, 0), other;
    bool differs = false;
    for (uint64_t seed = 0; seed <= SEEDS; seed++) {
      other = seed ? run(&program, seed) : usual;
      bool reported = bed_take_hazards() > 0;
      ck_assert_msg(is_among(&found, &other), "part %d, program %u, seed %u: no legal order does that", _i,
                    number, (unsigned)seed);
      ck_assert_msg(reported == found.both_ways, "part %d, program %u, seed %u: %s", _i, number,
                    (unsigned)seed,
                    reported ? "reported, and has one order" : "has two orders, and is not reported");
      differs |= memcmp(&usual, &other, sizeof usual) != 0;
    }
    ck_assert(found.noutcomes == 1 || found.both_ways);
    open += found.noutcomes > 1;
    shown += differs;
    strict += found.both_ways && found.noutcomes == 1;
    sound += !found.both_ways;
    free(found.outcomes);
  }
  if (!BED_SANITIZED) { /* all kinds are tried; a few programs need not have all */
    static const unsigned shown_before[PARTS] = {115, 110, 107, 116}; /* of 135, 134, 130, 142 */
    ck_assert_msg(shown >= shown_before[_i], "part %d: %u of %u programs, expected at least %u", _i, shown,
                  open, shown_before[_i]);
    ck_assert_msg(sound > PROGRAMS / 5 && strict > 0, "part %d: %u, %u", _i, sound, strict);
  }
}
