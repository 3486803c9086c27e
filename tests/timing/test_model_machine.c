/* SPDX-License-Identifier: BSD-3-Clause
 * The model machine predicts programs that it was not made for: drawn exchanges, trees, rings and
 * combinations, written in the vocabulary, on machines of two to eight chips: at least 95 % of 20 programs
 * within 10 % of the simulation on each. */
#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "tests/bed.h"
#include "validate/lab/rig.h"
#include "validate/model/predict.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>

enum { PROGRAMS = 20, RANKS_MAX = 64, BYTES = 8192 };

static uint64_t program_seed; /* of the program that all ranks run */

/* Draw an order of N ranks. */
static void draw_order(struct dice *dice, unsigned n, unsigned order[]) {
  for (unsigned i = 0; i < n; i++) {
    unsigned j = (unsigned)dice_below(dice, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

/* Ranks exchange in drawn pairs. */
static void exchange_in_pairs(struct coll *c, const unsigned order[], size_t nbytes) {
  for (unsigned i = 0; i + 1 < c->nranks; i += 2) {
    if (order[i] == c->rank || order[i + 1] == c->rank) {
      step_begin(c);
      step_exchange(c, order[i] == c->rank ? order[i + 1] : order[i], c->buffer, c->buffer + BYTES, nbytes);
    }
  }
}

/* Data goes down a drawn tree: rank order[i] takes it from one that comes before in the order. */
static void send_down_tree(struct coll *c, struct dice *dice, const unsigned order[], size_t nbytes) {
  unsigned parents[RANKS_MAX];
  for (unsigned i = 1; i < c->nranks; i++) {
    parents[i] = order[dice_below(dice, i)];
    if (order[i] == c->rank) {
      step_begin(c);
      step_take(c, parents[i], c->buffer, nbytes);
    }
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    if (parents[i] == c->rank) {
      step_begin(c);
      step_post(c, order[i], c->buffer);
      step_await_taken(c, order[i]);
    }
  }
}

/* Each rank tells the next one of a drawn order, and waits for the one before. */
static void tell_round(struct coll *c, const unsigned order[]) {
  unsigned place = 0, n = c->nranks;
  while (order[place] != c->rank) {
    place++;
  }
  step_begin(c);
  step_notify(c, order[(place + 1) % n]);
  step_await(c, order[(place + n - 1) % n]);
}

static void run_drawn(struct coll *c) {
  struct dice dice = {.state = program_seed};
  unsigned rounds = 2 + (unsigned)dice_below(&dice, 4), order[RANKS_MAX];
  for (unsigned i = 0; i < rounds; i++) {
    size_t nbytes = (size_t)16 << dice_below(&dice, 10);
    unsigned kind = (unsigned)dice_below(&dice, 3);
    draw_order(&dice, c->nranks, order);
    if (kind == 0) {
      exchange_in_pairs(c, order, nbytes);
    } else if (kind == 1) {
      send_down_tree(c, &dice, order, nbytes);
    } else {
      tell_round(c, order);
      step_combine(c, c->buffer, c->buffer + BYTES, nbytes);
    }
  }
}

static const struct algo drawn = {
  .collective = COLL_BCAST, .name = "drawn", .source = "ali2010", .idea = "drawn", .run = run_drawn};

/* Return the cycles of the call of SPEC in the simulation. */
static double simulate(const struct bed *bed, const struct rig_spec *spec) {
  struct rig rig;
  uint64_t last = 0;
  rig_init_known(&rig, bed->blade, spec);
  rig_set_calls(&rig);
  rig_run_sound(&rig);
  for (unsigned r = 0; r < spec->nranks; r++) {
    ck_assert_uint_eq(driver_entered(rig.ranks[r].c, 0), 0);
    last = driver_left(rig.ranks[r].c, 0) > last ? driver_left(rig.ranks[r].c, 0) : last;
  }
  rig_fini(&rig);
  return (double)last;
}

static const struct {
  const char *name;
  unsigned ranks; /* at most; the least are 2 */
} machines[] = {{"qs20", 16},
                {"quad-mesh", 32},
                {"quad-ring", 32},
                {"octo-star", 64},
                {"tests/platforms/valid/mesh-4x12.xml", 48}};

TESTS(model_machine, .timeout = 120, .start = bed_start_engine);

TEST_EACH(drawn_programs_are_predicted, 0, sizeof machines / sizeof *machines) {
  struct bed bed = bed_new(machines[_i].name);
  struct plogp plogp;
  unsigned good = 0;
  plogp_init(&plogp, bed.blade, platform_profile(bed.platform, "ali2010"));
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    struct dice dice = {.state = seed};
    struct rig_spec spec = {.call = {.algo = &drawn},
                            .nranks = 2 + (unsigned)dice_below(&dice, machines[_i].ranks - 1),
                            .nbytes = 2 * BYTES,
                            .nrepeats = 1,
                            .profile = plogp.profile};
    program_seed = dice.state;
    double simulated = simulate(&bed, &spec), predicted = predict(&plogp, MODEL_REFINED, &spec).middle;
    good += fabs(predicted / simulated - 1) <= 0.1;
    if (!(fabs(predicted / simulated - 1) <= 0.1)) {
      fprintf(stderr, "# %s, %u ranks, program %u: %.0f predicted, %.0f simulated\n", machines[_i].name,
              spec.nranks, (unsigned)seed, predicted, simulated);
    }
  }
  ck_assert_uint_ge(good, PROGRAMS * 95 / 100);
  plogp_fini(&plogp);
  bed_fini(&bed);
}

/* Return by how many percent the prediction of the call NAME on NRANKS ranks with NBYTES is off on BED. */
static double error_of(const struct bed *bed, const char *name, unsigned nranks, size_t nbytes) {
  struct rig_spec spec = {.nranks = nranks, .nbytes = nbytes, .nrepeats = 1};
  struct plogp plogp;
  struct err err = {""};
  ck_assert_int_eq(catalogue_find(name, &spec.call, &err), 0);
  spec.profile = platform_profile(bed->platform, "ali2010");
  plogp_init(&plogp, bed->blade, spec.profile);
  double error = 100 * (predict(&plogp, MODEL_REFINED, &spec).middle / simulate(bed, &spec) - 1);
  plogp_fini(&plogp);
  return error;
}

/* Commands of an MFC take turns by their places in its queue, and receivers take their senders in turn: so
 * exchanges with several ports fall into step, whatever the cycle in which they begin. A model that serves in
 * the order of issue is up to 30 % off, by as much as the issue of a command takes a cycle more or less. */
TEST_EACH(exchanges_fall_into_step, 0, 5) {
  char setting[32], name[32];
  snprintf(setting, sizeof setting, "mfc.issue=%d", 8 + _i);
  struct bed bed = bed_new_with("qs20", setting);
  for (unsigned ports = 1; ports <= 3; ports++) {
    snprintf(name, sizeof name, "alltoall:direct:ports=%u", ports);
    double error = error_of(&bed, name, 4, 16384);
    ck_assert_msg(fabs(error) <= 5, "%s, %s: %g %%", setting, name, error);
  }
  bed_fini(&bed);
}

/* On a slow link a notification of 16 bytes takes much less time than a bus request of 128. */
TEST(few_bytes_take_little_time_on_a_slow_link) {
  static const char *const names[] = {"barrier:one-to-all", "barrier:bruck", "bcast:one-to-all"};
  struct bed slow = bed_new_with("qs20", "bif.bandwidth=1");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    double error = error_of(&slow, names[i], 16, i == 2 ? 16 : 0);
    ck_assert_msg(fabs(error) <= 5, "%s: %g %%", names[i], error);
  }
  bed_fini(&slow);
}

/* What the model machine leaves out: on chips of 12 SPEs the exchanges of an all-gather wait for rings, which
 * it does not know. With twice as many there is nothing to wait for. */
TEST(rings_are_what_is_left_out) {
  struct bed few = bed_new("tests/platforms/valid/mesh-4x12.xml");
  ck_assert_double_lt(error_of(&few, "allgather:hybrid:switch=2", 8, 16384), -25);
  bed_fini(&few);
  struct bed many =
    bed_new_with("tests/platforms/valid/mesh-4x12.xml", "eib.rings-clockwise=4 eib.rings-counterclockwise=4");
  ck_assert_double_le(fabs(error_of(&many, "allgather:hybrid:switch=2", 8, 16384)), 2);
  bed_fini(&many);
}
