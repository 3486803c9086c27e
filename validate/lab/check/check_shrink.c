/* SPDX-License-Identifier: BSD-3-Clause
 * See check.h. Each step tries the smallest candidate first; the next round profits from later
 * steps. */
#include "validate/lab/check/check.h"

#include "algos/step/collective.h"
#include "sim/base/jobs/worker_end.h"
#include "sim/base/minmax.h"
#include "sim/base/seconds.h"
#include "validate/lab/check/check_grid.h"

#include <time.h>

enum { RUNS_MAX = 400, ROUNDS_MAX = 3, FEW_CALLS = 8 };

/* Seconds for one bug: of a point that ends, polls for ever, or takes too long; for a try of the last one. */
enum { LONGEST = 600, LONGEST_POLLING = 15, LONGEST_TOO_LONG = 6, TRY_TOO_LONG = 1 };

/* Take CANDIDATE if it is within what was asked for and fails in the same way. */
static bool take_if_fails(struct check_shrink *shrink, const struct call *candidate) {
  if (shrink->runs == RUNS_MAX || seconds_of(CLOCK_MONOTONIC) > shrink->end ||
      !check_grid_asks(shrink->asked, candidate, machine_platform(shrink->check->machine))) {
    return false;
  }
  shrink->runs++;
  struct check_result result = check_run_apart(shrink->check, candidate, shrink->seconds);
  if (result.verdict != CHECK_FAIL || result.failure != shrink->result.failure) {
    check_result_fini(&result);
    return false;
  }
  check_result_fini(&shrink->result);
  shrink->call = *candidate;
  shrink->result = result;
  return true;
}

/* Try VALUE as FIELD of the point. */
#define TRY_VALUE(shrink, field, value) \
  do { \
    struct call changed = (shrink)->call; \
    changed.field = (value); \
    if ((shrink)->call.field != (value)) { \
      take_if_fails(shrink, &changed); \
    } \
  } while (0)

/* Try the usual value of each field but the number of calls: of operator and type, or of all others. */
static void simplify_fields(struct check_shrink *shrink, bool of_reductions) {
  for (const struct call_field *field = call_fields; field < call_fields + CALL_FIELDS; field++) {
    struct call candidate = shrink->call;
    bool is_tried = field != &call_fields[FIELD_repeat] && !field->kind->is_part &&
                    field->kind->combines == of_reductions && call_field_means(field, &candidate);
    if (is_tried && !call_field_is_usual(field, &candidate)) {
      call_field_reset(field, &candidate);
      take_if_fails(shrink, &candidate);
    }
  }
}

/* Try fewer calls, at once and packed. */
static void simplify_calls(struct check_shrink *shrink) {
  struct call candidate = shrink->call;
  if (candidate.placement.kind != PLACEMENT_PACKED) {
    candidate.placement = (struct placement){.kind = PLACEMENT_PACKED};
    take_if_fails(shrink, &candidate);
  }
  simplify_fields(shrink, false);
  TRY_VALUE(shrink, root_step, 0);
  TRY_VALUE(shrink, byte_step, 0);
  candidate = shrink->call;
  unsigned passes = 0, next = 1;
  for (; next < shrink->call.repeat; next = next < FEW_CALLS ? next + 1 : 2 * next) {
    candidate.repeat = next;
    passes = take_if_fails(shrink, &candidate) ? passes : next;
  }
  while (passes + 1 < shrink->call.repeat) {
    candidate.repeat = passes + (shrink->call.repeat - passes) / 2;
    passes = take_if_fails(shrink, &candidate) ? passes : candidate.repeat;
  }
}

/* Try fewer ranks; the last one stays root. */
static void shrink_ranks(struct check_shrink *shrink) {
  struct call candidate = shrink->call;
  unsigned root = candidate.root;
  for (candidate.nranks = 1; candidate.nranks < shrink->call.nranks; candidate.nranks++) {
    candidate.root = root >= candidate.nranks ? candidate.nranks - 1 : root;
    take_if_fails(shrink, &candidate);
  }
  TRY_VALUE(shrink, root, 0);
}

/* Try NBYTES; every second call has at most as many bytes fewer as before. */
static bool try_bytes(struct check_shrink *shrink, size_t nbytes) {
  struct call candidate = shrink->call;
  candidate.nbytes = nbytes;
  LOWER(candidate.byte_step, nbytes);
  return take_if_fails(shrink, &candidate);
}

static void shrink_bytes(struct check_shrink *shrink) {
  size_t sizes[CHECK_ROUND_SIZES_MAX], n = check_round_sizes(sizes), passes = 0;
  if (shrink->call.nbytes == 0 || try_bytes(shrink, 0)) {
    return;
  }
  for (size_t i = 0; i < n && sizes[i] < shrink->call.nbytes; i++) {
    if (try_bytes(shrink, sizes[i])) {
      break;
    }
    passes = sizes[i];
  }
  bool combines = collective_combines(shrink->call.algorithm.algo->collective);
  size_t unit = combines ? combine_size(shrink->call.type) : 1;
  passes = passes / unit * unit; /* the largest size known to have no failure */
  while (passes + unit < shrink->call.nbytes) {
    size_t next = passes + (shrink->call.nbytes - passes) / 2 / unit * unit;
    passes = try_bytes(shrink, next) ? passes : next;
  }
}

void check_shrink(struct check_shrink *shrink) {
  shrink->runs = 1;
  bool polls = check_is_endless(&shrink->result), is_long = worker_end_took_too_long(shrink->result.detail);
  bool tries = !is_long || !check_is_large(&shrink->call); /* else every try would take the whole time */
  shrink->end = seconds_of(CLOCK_MONOTONIC) + (is_long ? LONGEST_TOO_LONG
                                               : polls ? LONGEST_POLLING
                                                       : LONGEST);
  unsigned given = shrink->check->seconds;
  shrink->seconds = given ? given : is_long ? TRY_TOO_LONG : CHECK_LONGEST;
  for (unsigned round = 0; tries && round < ROUNDS_MAX; round++) {
    struct call start = shrink->call;
    unsigned before = shrink->runs;
    simplify_calls(shrink);
    shrink_ranks(shrink);
    shrink_bytes(shrink);
    simplify_fields(shrink, true);
    if (shrink->runs == before ||
        (start.nranks == shrink->call.nranks && start.nbytes == shrink->call.nbytes &&
         start.repeat == shrink->call.repeat && start.root == shrink->call.root)) {
      break;
    }
  }
}
