/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms that are broken on purpose: the runner must notice each of them. Beside each kind stands the
 * sound one, which it must accept. */
#include "algos/shape/tree.h"
#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "tests/bed.h"
#include "validate/lab/verify/runner.h"
#include "tests/suite.h"

/* Scratch for one vector. */
static size_t vector(const struct coll_group *group) {
  return group->nbytes;
}

/* Define NAME, the program of a rank that makes CALL. */
#define RANK_PROGRAM(name, call) \
  static void name(struct coll *c) { \
    call; \
  }

/* Run PROGRAM as an algorithm for COLLECTIVE, with ranks, root, size and calls of SPEC. */
static struct outcome run(enum collective collective, void (*program)(struct coll *), struct rig_spec spec) {
  struct algo algo = {.collective = collective,
                      .name = "trial",
                      .source = "ali2010",
                      .idea = "",
                      .scratch = vector,
                      .run = program};
  struct outcome outcome;
  struct err err = {""};
  spec.call.algo = &algo;
  spec.profile = bed_profile(&watched);
  ck_assert_msg(runner_run(watched.machine, &spec, &outcome, &err) == 0, "%s", err.text);
  return outcome;
}

/* Run PROGRAM on 8 ranks with root 3 and 1000 bytes. */
static struct outcome try(enum collective collective, void (*program)(struct coll *)) {
  struct rig_spec spec = {
    .nranks = 8, .root = 3, .nbytes = collective == COLL_BARRIER ? 0 : 1000, .nrepeats = 1, .seed = 7};
  return run(collective, program, spec);
}

static void accept(enum collective collective, void (*program)(struct coll *)) {
  struct outcome outcome = try(collective, program);
  ck_assert_msg(outcome.end == CALL_OK, "%s", outcome.detail);
  ck_assert_msg(bed_take_hazards(&watched) == 0, "a sound program with hazards");
  outcome_fini(&outcome);
}

/* Check that PROGRAM is not verified, for a reason that contains WHY. */
static void reject(enum collective collective, void (*program)(struct coll *), const char *why) {
  struct outcome outcome = try(collective, program);
  ck_assert_msg(outcome.end != CALL_OK, "accepted, expected '%s'", why);
  ck_assert_msg(outcome.detail && strstr(outcome.detail, why), "%s: expected '%s' in it", outcome.detail,
                why);
  outcome_fini(&outcome);
  bed_take_hazards(&watched);
}

/* --- broadcasts: the root tells everybody, everybody takes --- */

/* How a flat broadcast goes wrong. */
struct flaw {
  int bytes_more; /* than there are */
  int place;      /* takes from this many bytes behind the address */
  unsigned from;  /* takes from this many ranks after the root */
  bool unasked;   /* takes without waiting for the address */
  bool no_ack;
};

static void flat(struct coll *c, struct flaw flaw) {
  if (c->rank == c->root) {
    for (unsigned i = 1; i < c->nranks; i++) {
      step_post_ea_more(c, (c->root + i) % c->nranks, step_peer_ea(c, c->rank, c->buffer));
    }
    for (unsigned i = 1; i < c->nranks; i++) {
      step_await_taken(c, (c->root + i) % c->nranks);
    }
    return;
  }
  unsigned from = (c->root + flaw.from) % c->nranks;
  uint64_t ea = spu_ls_ea(c->group->spe_of[from], call_map_buffer(c->group));
  if (!flaw.unasked) {
    ea = step_await_post(c, from);
  }
  step_fetch(c, c->buffer, ea + (uint64_t)flaw.place, (size_t)((int)c->nbytes + flaw.bytes_more));
  if (!flaw.no_ack) {
    step_notify_more(c, from);
  }
}

#define FLAT(name, ...) RANK_PROGRAM(name, flat(c, (struct flaw){__VA_ARGS__}))

FLAT(sound, .bytes_more = 0)
FLAT(one_byte_short, .bytes_more = -1)
FLAT(one_block_short, .bytes_more = -16)
FLAT(past_the_end, .bytes_more = 1)
FLAT(one_block_past_the_end, .bytes_more = 48)
FLAT(block_off_by_one, .place = 16)
FLAT(misaligned_source, .place = 1)
FLAT(wrong_partner, .from = 1)
FLAT(wrong_partner_unasked, .from = 1, .unasked = true)
FLAT(without_ack, .no_ack = true)

static void nothing(struct coll *c) {
}

TESTS(broken_algorithms, .start = bed_begin, .stop = bed_end);

TEST(a_broadcast_must_deliver_all_bytes_and_no_other) {
  accept(COLL_BCAST, sound);
  reject(COLL_BCAST, nothing, "byte 0 is");
  reject(COLL_BCAST, one_byte_short, "byte 999 is");
  reject(COLL_BCAST, one_block_short, "byte 984 is");
  reject(COLL_BCAST, block_off_by_one, "byte 0 is");
  reject(COLL_BCAST, past_the_end, "byte 1000 (behind the end)");
  reject(COLL_BCAST, one_block_past_the_end, "byte 1000 (behind the end)");
}

TEST(a_broadcast_must_ask_the_right_rank) {
  reject(COLL_BCAST, wrong_partner, "from rank 4");
  reject(COLL_BCAST, wrong_partner_unasked, "rank 3 waits for flag 1 from rank");
}

/* The rank after the root takes before it is told, while the root is still busy: it gets what stands there
 * before. */
static void unasked_from_child(struct coll *c) {
  struct tree tree = {.team = team_of_all(c->nranks), .root = c->root};
  if (c->rank != c->root) {
    unsigned parent = tree_parent(tree, c->rank);
    step_fetch(c, c->buffer, spu_ls_ea(c->group->spe_of[parent], call_map_buffer(c->group)), c->nbytes);
  }
}

TEST(a_broadcast_must_wait_for_its_data) {
  reject(COLL_BCAST, unasked_from_child, "is 0x");
}

TEST(a_missing_acknowledgement_is_a_deadlock) {
  reject(COLL_BCAST, without_ack, "waits for flag 1 from rank 4");
}

TEST(a_fault_is_the_result) {
  struct outcome outcome = try(COLL_BCAST, misaligned_source);
  ck_assert(outcome.end >= CALL_FAULT);
  ck_assert_msg(strstr(outcome.detail, "rank 0 stopped at cycle") != NULL, "%s", outcome.detail);
  ck_assert_msg(strstr(outcome.detail, "rank 3 waits for flag 1 from rank") != NULL, "%s", outcome.detail);
  outcome_fini(&outcome);
}

/* The root sends segments of 128 bytes through one staging buffer at the end of the local store. */
static void staged(struct coll *c, bool wait) {
  enum { SEGMENT = 128 };
  uint8_t *stage = spu_ls(spu_ls_bytes() - SEGMENT);
  unsigned pupil = (c->root + 1) % c->nranks;
  for (size_t done = 0; done < c->nbytes; done += SEGMENT) {
    size_t left = c->nbytes - done, nbytes = left < SEGMENT ? left : SEGMENT;
    if (c->rank == c->root) {
      memcpy(stage, c->buffer + done, nbytes);
      step_post_ea_more(c, pupil, step_peer_ea(c, c->rank, stage));
      if (wait) {
        step_await_taken(c, pupil);
      }
    } else if (c->rank == pupil) {
      step_take(c, c->root, c->buffer + done, nbytes);
    }
  }
}

RANK_PROGRAM(staged_then_flat, (staged(c, true), sound(c)))
RANK_PROGRAM(staged_sound, staged(c, true))
RANK_PROGRAM(staged_hasty, staged(c, false))

static bool two_ranks_verified(void (*program)(struct coll *)) {
  struct outcome outcome =
    run(COLL_BCAST, program, (struct rig_spec){.nranks = 2, .nbytes = 1000, .nrepeats = 1});
  bool verified = outcome.end == CALL_OK;
  outcome_fini(&outcome);
  return verified;
}

/* Without the wait the next segment is in the buffer before the last one has been taken out of it. */
TEST(a_reused_buffer_needs_its_acknowledgement) {
  accept(COLL_BCAST, staged_then_flat);
  ck_assert(two_ranks_verified(staged_sound));
  ck_assert_uint_eq(bed_take_hazards(&watched), 0);
  ck_assert(!two_ranks_verified(staged_hasty));
  ck_assert_uint_gt(bed_take_hazards(&watched), 0);
}

/* --- barriers --- */

/* All ranks exchange flags at distance 1, 2, 4 with the partner that PARTNER gives. */
static void doubling(struct coll *c, unsigned (*partner)(const struct coll *, unsigned distance)) {
  for (unsigned distance = 1; distance < c->nranks; distance *= 2) {
    step_notify_more(c, partner(c, distance));
    step_await(c, partner(c, distance));
  }
}

static unsigned right_partner(const struct coll *c, unsigned distance) {
  return c->rank ^ distance;
}

static unsigned same_partner(const struct coll *c, unsigned distance) {
  return c->rank ^ 1;
}

static unsigned low_partner(const struct coll *c, unsigned distance) {
  return c->rank ^ (distance == 4 ? 2 : distance);
}

static unsigned neighbour(const struct coll *c, unsigned distance) {
  return (c->rank + distance) % c->nranks;
}

RANK_PROGRAM(doubling_sound, doubling(c, right_partner))
RANK_PROGRAM(doubling_same_partner, doubling(c, same_partner))
RANK_PROGRAM(doubling_low_partner, doubling(c, low_partner))
RANK_PROGRAM(doubling_neighbour, doubling(c, neighbour))

TEST(a_barrier_must_join_all_ranks) {
  accept(COLL_BARRIER, doubling_sound);
  reject(COLL_BARRIER, nothing, "entered at cycle");
  reject(COLL_BARRIER, doubling_same_partner, "entered at cycle");
  reject(COLL_BARRIER, doubling_low_partner, "entered at cycle");
}

static void sound_once(struct coll *c) {
  if (c->ncalls == 0) {
    doubling_sound(c);
  }
}

/* Sound in the first of three calls only. */
TEST(every_call_of_a_barrier_must_join_all_ranks) {
  struct outcome outcome = run(COLL_BARRIER, sound_once, (struct rig_spec){.nranks = 8, .nrepeats = 3});
  ck_assert_msg(outcome.end != CALL_OK && strstr(outcome.detail, "call 1"), "%s", outcome.detail);
  outcome_fini(&outcome);
}

/* Flags to the right and waits from the right: nobody's flag goes where it is awaited. */
TEST(a_barrier_with_wrong_partners_is_a_deadlock) {
  struct outcome outcome = try(COLL_BARRIER, doubling_neighbour);
  ck_assert(outcome.end >= CALL_FAULT);
  ck_assert_msg(strstr(outcome.detail, "deadlock:\nrank 0 waits for flag 1 from rank 1") != NULL, "%s",
                outcome.detail);
  outcome_fini(&outcome);
}

static void central(struct coll *c, unsigned awaited) {
  if (c->rank != 0) {
    step_notify_more(c, 0);
    step_await(c, 0);
    return;
  }
  for (unsigned r = 1; r < awaited; r++) {
    step_await(c, r);
  }
  for (unsigned r = 1; r < c->nranks; r++) {
    step_notify_more(c, r);
  }
}

RANK_PROGRAM(central_sound, central(c, c->nranks))
RANK_PROGRAM(central_root_does_not_wait, central(c, 0))
RANK_PROGRAM(central_forgets_the_last, central(c, c->nranks - 1))

TEST(a_root_must_wait_for_everybody) {
  accept(COLL_BARRIER, central_sound);
  reject(COLL_BARRIER, central_root_does_not_wait, "entered at cycle");
  reject(COLL_BARRIER, central_forgets_the_last, "with late ranks");
}

/* --- reductions --- */

/* How recursive doubling of vectors goes wrong. */
struct slip {
  bool same_partner, one_element_short, into_scratch;
};

static void reduce_all(struct coll *c, struct slip slip) {
  size_t nbytes = c->nbytes - (slip.one_element_short ? 4 : 0);
  for (unsigned distance = 1; distance < c->nranks; distance *= 2) {
    unsigned peer = slip.same_partner ? same_partner(c, distance) : right_partner(c, distance);
    step_exchange(c, peer, c->buffer, c->scratch, nbytes);
    if (slip.into_scratch) {
      step_combine(c, c->scratch, c->buffer, nbytes);
    } else {
      step_combine(c, c->buffer, c->scratch, nbytes);
    }
  }
}

#define REDUCE_ALL(name, ...) RANK_PROGRAM(name, reduce_all(c, (struct slip){__VA_ARGS__}))

REDUCE_ALL(reduce_sound, .same_partner = false)
REDUCE_ALL(reduce_same_partner, .same_partner = true)
REDUCE_ALL(reduce_one_element_short, .one_element_short = true)
REDUCE_ALL(reduce_into_scratch, .into_scratch = true)

TEST(a_reduction_must_combine_every_element_of_every_rank_once) {
  accept(COLL_ALLREDUCE, reduce_sound);
  reject(COLL_ALLREDUCE, nothing, "element 0 is");
  reject(COLL_ALLREDUCE, reduce_same_partner, "element 0 is");
  reject(COLL_ALLREDUCE, reduce_one_element_short, "element 249 is");
  reject(COLL_ALLREDUCE, reduce_into_scratch, "element 0 is");
}

/* A rank whose partner is still busy changes its vector before the partner has taken it. */
static void reduce_hasty(struct coll *c) {
  for (unsigned distance = 1; distance < c->nranks; distance *= 2) {
    unsigned peer = right_partner(c, distance);
    step_post_ea_more(c, peer, step_peer_ea(c, c->rank, c->buffer));
    uint64_t ea = step_await_post(c, peer);
    spu_compute(c->rank & distance ? 5000 : 0);
    step_fetch(c, c->scratch, ea, c->nbytes);
    step_combine(c, c->buffer, c->scratch, c->nbytes);
    step_acknowledge(c, peer);
    step_await_taken(c, peer);
  }
}

TEST(an_exchanged_vector_must_not_change_before_it_is_taken) {
  reject(COLL_ALLREDUCE, reduce_hasty, "element 0 is");
}
