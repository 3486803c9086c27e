/* SPDX-License-Identifier: BSD-3-Clause
 * Mutants of collectives must fail the check that `cellcoll check` makes, for a reason that says where, and
 * the sound ones beside them must pass at every point. */
#include "algos/catalogue.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "tests/bed.h"
#include "tests/gaming/mutants.h"
#include "validate/lab/check/check.h"
#include "validate/lab/check/check_grid.h"

static const struct mutant *const lists[] = {mutants_of_moves,  mutants_of_reductions, mutants_of_waits,
                                             mutants_of_places, mutants_of_ppes,       mutants_of_points};
enum { NLISTS = sizeof lists / sizeof *lists };

/* Check that the point CALL has failed as MUTANT expects, for RESULT. */
static void expect_failure(const struct mutant *mutant, const struct call *call,
                           const struct check_result *result) {
  for (size_t i = 0; i < sizeof mutant->expected / sizeof *mutant->expected && mutant->expected[i]; i++) {
    ck_assert_msg(strstr(result->detail, mutant->expected[i]) != NULL,
                  "%s, %u ranks, root %u, %zu bytes: %s: expected '%s' in it", mutant->algo.name,
                  call->nranks, call->root, call->nbytes, result->detail, mutant->expected[i]);
  }
}

/* One in so many points of sound algorithms is checked with the sanitizers. */
enum { SANITIZED_STRIDE = 8 };

/* Check MUTANT at all points, a mutant until it fails, and in the usual order, so that the first failure is
 * known; with ranks at PLACEMENT, NULL: wherever they are drawn. */
static void check_mutant(const struct mutant *mutant, const struct placement *placement) {
  struct check_points points = {0};
  bool sound = mutant->expected[0] == NULL, failed = false;
  struct check_grid grid = {
    .given = {.algorithm = catalogue_call(&mutant->algo), .profile = bed_profile(), .seed = 1},
    .fixed = (sound ? 0 : 1u << FIELD_shuffle) | (placement ? 1u << CHECK_PLACEMENT : 0)};
  if (placement) {
    grid.given.placement = *placement;
  }
  struct check check;
  check_open(&check, bed.machine);
  check_grid_list(&points, &grid, bed.platform);
  for (size_t i = 0; i < points.n && !failed; i += sound && BED_SANITIZED ? SANITIZED_STRIDE : 1) {
    struct check_result result = check_run(&check, &points.calls[i]);
    failed = result.verdict == CHECK_FAIL;
    if (failed) {
      ck_assert_msg(!strpbrk(result.detail, ",\"\n"), "%s", result.detail);
      ck_assert_msg(!sound, "%s, %u ranks, root %u, %zu bytes: %s", mutant->algo.name, points.calls[i].nranks,
                    points.calls[i].root, points.calls[i].nbytes, result.detail);
      expect_failure(mutant, &points.calls[i], &result);
    }
    check_result_fini(&result);
  }
  ck_assert_msg(sound || failed, "%s passes", mutant->algo.name);
  check_points_fini(&points);
  check_close(&check);
}

/* Return mutant number INDEX of all lists, and its list; NULL: there are not so many. */
static const struct mutant *find_mutant(int index, const struct mutant **list) {
  for (size_t i = 0; i < NLISTS; i++) {
    *list = lists[i];
    for (const struct mutant *mutant = *list; mutant->algo.name; mutant++) {
      if (index-- == 0) {
        return mutant;
      }
    }
  }
  return NULL;
}

static int count_mutants(void) {
  const struct mutant *list;
  int n = 0;
  while (find_mutant(n, &list)) {
    n++;
  }
  return n;
}

/* --- data that does not move --- */

static const uint8_t *vectors[64]; /* where ranks have their data, known without the machine */

/* Wait until all ranks are here. */
static void meet(struct coll *c) {
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != c->rank) {
      step_notify(c, r);
    }
  }
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != c->rank) {
      step_await(c, r);
    }
  }
}

/* Copy from the memory of the simulator what a broadcast or a gather should move; the block of rank 1 of a
 * gather does move. */
static void cheat(struct coll *c) {
  bool gathers = c->group->call.algo->collective == COLL_GATHER;
  size_t stride = gathers ? layout_stride(c->group) : 0;
  vectors[c->rank] = c->buffer + c->rank * stride;
  step_begin(c);
  meet(c);
  spu_catch_up();
  for (unsigned r = 0; r < c->nranks; r++) {
    bool moves = gathers && r == 1 && r != c->root;
    if (moves && c->rank == c->root) {
      step_take(c, r, c->buffer + r * stride, c->nbytes);
    } else if (gathers ? c->rank == c->root && r != c->rank : r == c->root && r != c->rank) {
      memcpy(c->buffer + r * stride, vectors[r], c->nbytes);
    } else if (moves && c->rank == r) {
      step_post(c, c->root, c->buffer + r * stride);
      step_await_taken(c, c->root);
    }
  }
  meet(c);
}

TESTS(mutants, .start = bed_begin_unwatched, .stop = bed_end);

TEST_EACH(flaws_are_found_and_sound_algorithms_pass, 0, count_mutants()) {
  const struct placement packed = {.kind = PLACEMENT_PACKED};
  const struct mutant *list, *mutant = find_mutant(_i, &list);
  check_mutant(mutant, list == mutants_of_points ? NULL : &packed);
}

TEST(numbers_of_ranks_between_the_usual_ones_are_checked) {
  bed_use("quad-mesh", "");
  for (const struct mutant *mutant = mutants_of_many_ranks; mutant->algo.name; mutant++) {
    check_mutant(mutant, NULL);
  }
}

/* Right bytes that did not come by the machine fail wherever there is something to move, on SPEs and on
 * processes, two on a host: a gather of two ranks to rank 0 moves all. */
TEST_EACH(data_that_does_not_move_is_missed, 0, 2) {
  bed_use(_i ? "icluster2-fe" : "qs20", "");
  const enum collective collectives[] = {COLL_BCAST, COLL_GATHER};
  struct check check;
  check_open(&check, bed.machine);
  for (size_t i = 0; i < 2; i++) {
    const struct algo algo = {
      .collective = collectives[i], .name = "cheat", .source = "ali2010", .run = cheat};
    struct call call = {.algorithm.algo = &algo, .repeat = 2, .profile = bed_profile()};
    for (call.nranks = 1; call.nranks <= 16; call.nranks += call.nranks < 4 ? 1 : 4) {
      for (call.nbytes = 0; call.nbytes <= 4096; call.nbytes = 8 * call.nbytes + 1) {
        struct check_result result = check_run(&check, &call);
        bool moves = call.nbytes == 0 || call.nranks <= 1 + i;
        ck_assert_msg(result.verdict == (moves ? CHECK_PASS : CHECK_FAIL), "%u ranks, %zu bytes: %s",
                      call.nranks, call.nbytes, result.detail ? result.detail : "passes");
        ck_assert(moves ||
                  strstr(result.detail, i == 0 ? "rank 0: 0 bytes have gone to other ranks in 2 calls; "
                                               : "bytes have come from other ranks in 2 calls; "));
        check_result_fini(&result);
      }
    }
  }
  check_close(&check);
}

/* Tell whether ALGORITHM delivers what the operator that does not commute makes of the contributions in the
 * order of ranks, with each of several numbers of ranks, roots and sizes that the call serves. */
static bool keeps_order(const struct algorithm *algorithm) {
  struct algo algo = *algorithm->algo;
  struct check check;
  bool keeps = true, served = false;
  struct call call = {.algorithm = *algorithm, .op = OP_COMPOSE, .type = TYPE_PAIR, .repeat = 2, .seed = 1};
  algo.in_order = true; /* is refused otherwise */
  call.algorithm.algo = &algo;
  call.profile = bed_profile();
  check_open(&check, bed.machine);
  for (call.nranks = 2; call.nranks <= 17 && keeps; call.nranks++) {
    for (call.root = 0; call.root < call.nranks && keeps; call.root += 1 + call.nranks / 3) {
      for (call.nbytes = 8; call.nbytes <= 1032 && keeps; call.nbytes += 1024) {
        struct check_result result = check_run(&check, &call);
        served |= result.verdict == CHECK_PASS;
        keeps = result.verdict != CHECK_FAIL;
        check_result_fini(&result);
      }
    }
  }
  check_close(&check);
  return keeps && served;
}

/* The word `order` of an entry is a promise about all of its variants. */
TEST(orders_of_entries_are_what_an_operator_that_does_not_commute_finds) {
  bed_use("blades", "");
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algorithm algorithm = catalogue_call(catalogue[i]);
    bool keeps = collective_combines(algorithm.algo->collective);
    do {
      keeps = keeps && keeps_order(&algorithm);
    } while (keeps && catalogue_next(&algorithm));
    ck_assert_msg(keeps == algorithm.algo->in_order, "%s:%s %s the order of ranks",
                  collective_name(algorithm.algo->collective), algorithm.algo->name,
                  keeps ? "keeps" : "changes");
  }
}

/* What the needs refuse neither passes nor fails. */
TEST(a_refusal_does_not_pass) {
  struct algo algo = mutants_of_moves[0].algo;
  struct check check;
  algo.needs = NEED_POWER_OF_TWO_RANKS;
  check_open(&check, bed.machine);
  struct call call = {.algorithm.algo = &algo, .nbytes = 16, .repeat = 1, .profile = bed_profile()};
  for (call.nranks = 1; call.nranks <= 18; call.nranks++) {
    struct check_result result = check_run(&check, &call);
    bool power = (call.nranks & (call.nranks - 1)) == 0;
    ck_assert_int_eq(result.verdict, power ? CHECK_PASS : CHECK_NOT_APPLICABLE);
    ck_assert(power || strstr(result.detail, call.nranks > 16 ? "one per SPE" : "a power of two"));
    check_result_fini(&result);
  }
  check_close(&check);
}
