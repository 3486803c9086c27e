/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary of algorithms: notifications in close succession. */
#include "algos/step/step.h"
#include "tests/call_bed.h"
#include "tests/semantics/auditor.h"

/* The root posts both halves of its buffer in a row; a put reads the local store late, so that the second
 * notice must not overwrite the first. */
static void post_twice(struct coll *c) {
  size_t half = c->nbytes / 2;
  if (c->rank == 0) {
    step_post(c, 1, c->buffer);
    step_post(c, 1, c->buffer + half);
    step_await_taken(c, 1);
    step_await_taken(c, 1);
  } else {
    step_take(c, 0, c->buffer, half);
    step_take(c, 0, c->buffer + half, half);
  }
}

/* The entry of an algorithm for COLLECTIVE with the program RUN; other members may follow. */
#define TRIAL(of, program, ...) \
  { .collective = of, .name = "trial", .source = "ali2010", .idea = "", .run = program, __VA_ARGS__ }

/* Make NCALLS calls of ALGO on NRANKS ranks with NBYTES and check the outcome. */
static void run_soundly(const struct algo *algo, unsigned nranks, size_t nbytes, unsigned ncalls) {
  bed_watch();
  struct call call = {
    .algorithm.algo = algo, .nranks = nranks, .nbytes = nbytes, .repeat = ncalls, .profile = bed_profile()};
  call_bed_run(&call);
}

TESTS(steps, .start = bed_begin_unwatched, .stop = bed_end);

TEST(two_notices_in_a_row_do_not_mix) {
  struct algo algo = TRIAL(COLL_BCAST, post_twice, .needs = 0);
  run_soundly(&algo, 2, 128, 1);
}

/* Rank 0 signals and notifies rank 1 in turn; each notice lets the next half be written over. */
static void mix_signals_and_flags(struct coll *c) {
  size_t half = c->nbytes / 2;
  if (c->rank == 0) {
    step_post(c, 1, c->buffer);
    step_signal(c, 1);
    step_await_taken(c, 1);
    step_compute(c, 20000);
    step_post(c, 1, c->buffer + half);
    step_notify(c, 1);
    step_await_taken(c, 1);
  } else {
    step_await_signal(c, 0);
    step_take(c, 0, c->buffer, half);
    step_await(c, 0);
    if (spu_cycles() < (c->ncalls + 1) * UINT64_C(20000)) {
      spu_fault("the flag was seen before it was raised");
    }
    step_take(c, 0, c->buffer + half, half);
  }
}

TEST(signals_and_flags_of_one_pair_do_not_mix) {
  struct algo algo = TRIAL(COLL_BCAST, mix_signals_and_flags, .needs = NEED_SIGNAL_BITS);
  run_soundly(&algo, 2, 128, 4);
}

/* The rank copies its buffer over itself through one place in local store, piece by piece. The sizes of
 * pieces take several DMAs; each DMA must wait until the earlier bytes of the place are written out. */
static void copy_over_itself(struct coll *c) {
  for (size_t done = 0, nbytes; done < c->nbytes; done += 3008) {
    nbytes = c->nbytes - done < 3007 ? c->nbytes - done : 3007;
    struct step_transfer transfer = {
      .ls = c->scratch, .ea = c->buffer_ea + done, .nbytes = nbytes, .slot = 3, .fenced = true};
    step_start_get(c, &transfer);
    step_start_put(c, &transfer);
  }
  step_finish(c, 3);
}

static size_t one_place(const struct coll_group *group) {
  return 3008;
}

TEST(a_fenced_transfer_waits_with_all_its_dmas) {
  struct algo algo = TRIAL(COLL_BCAST, copy_over_itself, .in_memory = true, .scratch = one_place);
  run_soundly(&algo, 1, 20001, 1);
}

/* --- waits for notifications --- */

enum { TAG = 77, FIRST_OF_CHIP_1 = 8 };

static size_t room_for_a_list(const struct coll_group *group) {
  return group->nranks * sizeof(mfc_list_element_t);
}

/* Rank 0 notifies some ranks by one of the waiting ways; each way to rank 1, on rank 0's chip, and to rank 8,
 * on the other chip. */
static void notify_one(struct coll *c) {
  if (c->rank == 0) {
    step_notify(c, 1);
    step_notify(c, FIRST_OF_CHIP_1);
  }
}

static void notify_more(struct coll *c) {
  if (c->rank == 0) {
    step_notify_more(c, 1);
    step_settle_all(c);
    step_notify_more(c, 1);
    step_notify_more(c, FIRST_OF_CHIP_1);
    step_settle_all(c);
  }
}

static void notify_by_list(struct coll *c) {
  if (c->rank == 0) {
    step_notify_list(c, 1, FIRST_OF_CHIP_1, (mfc_list_element_t *)(void *)c->scratch);
    step_notify_list(c, FIRST_OF_CHIP_1, FIRST_OF_CHIP_1 + 1, (mfc_list_element_t *)(void *)c->scratch);
  }
}

static void (*const ways_to_notify[])(struct coll *) = {notify_one, notify_more, notify_by_list};

/* Loop test: the index is the way. Each notification has a wait of its own, but the notifications of a
 * fan-out or of a list share one: two waits for every way. */
TEST_EACH(a_notification_is_waited_for_and_a_fan_out_as_a_whole, 0, 3) {
  struct algo algo = TRIAL(COLL_BARRIER, ways_to_notify[_i], .scratch = room_for_a_list);
  struct call call = {
    .algorithm.algo = &algo, .nranks = FIRST_OF_CHIP_1 + 1, .repeat = 1, .profile = bed_profile()};
  struct auditor auditor;
  struct rig rig;
  auditor_init(&auditor);
  rig_init_known(&rig, bed.machine, &call);
  rig.group.costs.tag = TAG;
  rig_set_calls(&rig);
  blade_attach(bed.blade, &auditor.probe);
  rig_run_sound(&rig);
  blade_detach(bed.blade, &auditor.probe);
  ck_assert_uint_eq(auditor.computed[COMPUTE_TAG], 2 * TAG);
  auditor_fini(&auditor);
  rig_fini(&rig);
}
