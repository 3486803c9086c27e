/* SPDX-License-Identifier: BSD-3-Clause
 * The result of a schedule, without a machine: each region of each place holds a set of contributions, the
 * numbers of places with data in the region. An empty set is data written by nobody. */
#include "algos/schedule/schedule.h"

#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

struct check {
  const struct schedule *schedule;
  const char *path;
  const char *region; /* in words */
  size_t nwords;      /* of a set */
  uint64_t *sets;     /* [(place * nregions + region) * nwords] */
  uint64_t *before;   /* the sets at the last TOGETHER */
  struct err *err;
};

static uint64_t *set_of(const struct check *check, uint64_t *sets, unsigned place, unsigned region) {
  return sets + ((size_t)place * check->schedule->nregions + region) * check->nwords;
}

/* Return the number of contributions in SET. */
static unsigned size_of(const struct check *check, const uint64_t *set) {
  unsigned size = 0;
  for (size_t i = 0; i < check->nwords; i++) {
    size += (unsigned)__builtin_popcountll(set[i]);
  }
  return size;
}

/* Return the lowest place in both A and B; SCHEDULE_NONE: there is none. */
static unsigned find_common(const struct check *check, const uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < check->nwords; i++) {
    if (a[i] & b[i]) {
      return (unsigned)(i * 64) + (unsigned)__builtin_ctzll(a[i] & b[i]);
    }
  }
  return SCHEDULE_NONE;
}

/* Tell whether PLACE has data in REGION before a call. */
static bool has_at_first(const struct schedule *schedule, unsigned place, unsigned region) {
  switch (schedule->collective) {
  case COLL_BCAST:
  case COLL_SCATTER:
    return place == 0;
  case COLL_ALLGATHER:
  case COLL_GATHER:
    return region / schedule->npieces == place;
  default:
    return true;
  }
}

/* Tell whether PLACE must have the result in REGION after a call. */
static bool is_result(const struct schedule *schedule, unsigned place, unsigned region) {
  switch (schedule->collective) {
  case COLL_REDUCE:
    return place == 0;
  case COLL_REDUCESCATTER:
    return region / schedule->npieces == place;
  case COLL_GATHER:
  case COLL_SCATTER:
    return place == 0 || region / schedule->npieces == place;
  default:
    return true;
  }
}

/* Let OPERATION move data between SETS and the sets SOURCES. */
static int move(const struct check *check, const struct operation *operation, uint64_t *sources) {
  bool adds = operation_adds(operation);
  const char *name = check->region;
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    const uint64_t *from = set_of(check, sources, operation->from, i);
    uint64_t *to = set_of(check, check->sets, operation->to, i);
    if (size_of(check, from) == 0) {
      return err_set(check->err, "%s:%u: place %u has nothing in %s %u yet, expected a source with data",
                     check->path, operation->line, operation->from, name, i);
    }
    unsigned twice = adds ? find_common(check, from, to) : SCHEDULE_NONE;
    if (twice != SCHEDULE_NONE) {
      return err_set(check->err,
                     "%s:%u: place %u has the contribution of place %u to %s %u already, expected it once",
                     check->path, operation->line, operation->to, twice, name, i);
    }
    if (adds && size_of(check, to) == 0) {
      return err_set(check->err, "%s:%u: place %u has nothing in %s %u to combine with, expected data",
                     check->path, operation->line, operation->to, name, i);
    }
    for (size_t k = 0; k < check->nwords; k++) {
      to[k] = (adds ? to[k] : 0) | from[k];
    }
  }
  return 0;
}

/* Refuse OPERATION if the collective, or a block between TOGETHER and ROUND, does not have this kind. */
static int check_kind(const struct check *check, const struct operation *operation) {
  bool adds = operation_adds(operation);
  const char *name = collective_name(check->schedule->collective);
  if (check->schedule->collective == COLL_BARRIER && operation->kind < OPERATION_SIGNAL) {
    return err_set(check->err, "%s:%u: data in a barrier, expected signals", check->path, operation->line);
  }
  if (adds && !collective_combines(check->schedule->collective)) {
    return err_set(check->err, "%s:%u: an addition in the collective %s, expected get or put", check->path,
                   operation->line, name);
  }
  if (operation->block && operation->kind < OPERATION_SIGNAL && !adds) {
    return err_set(check->err, "%s:%u: get or put between together and round, expected getadd or putadd",
                   check->path, operation->line);
  }
  return 0;
}

static int check_operations(const struct check *check) {
  const struct schedule *schedule = check->schedule;
  size_t nbytes = (size_t)schedule->nplaces * schedule->nregions * check->nwords * sizeof *check->sets;
  for (size_t i = 0; i < schedule->noperations; i++) {
    const struct operation *operation = &schedule->operations[i];
    if (check_kind(check, operation) != 0) {
      return -1;
    }
    if (operation->kind == OPERATION_TOGETHER) {
      memcpy(check->before, check->sets, nbytes);
    }
    if (operation->kind < OPERATION_SIGNAL &&
        move(check, operation, operation->block ? check->before : check->sets) != 0) {
      return -1;
    }
  }
  return 0;
}

/* Check for the whole result at all places. */
static int check_result(const struct check *check) {
  const struct schedule *schedule = check->schedule;
  unsigned whole = collective_combines(schedule->collective) ? schedule->nplaces : 1;
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    for (unsigned i = 0; i < schedule->nregions; i++) {
      unsigned size = size_of(check, set_of(check, check->sets, place, i));
      if (!is_result(schedule, place, i) || size == whole) {
        continue;
      }
      if (whole == 1 && !schedule->is_vector) {
        return err_set(check->err, "%s: the result of place %u lacks the block of place %u", check->path,
                       place, i / schedule->npieces);
      }
      return err_set(check->err, "%s: %s %u of the result of place %u has %u of %u contributions",
                     check->path, check->region, i, place, size, whole);
    }
  }
  return 0;
}

int schedule_check(const struct schedule *schedule, const char *path, struct err *err) {
  size_t nwords = (schedule->nplaces + 63) / 64, n = (size_t)schedule->nplaces * schedule->nregions;
  struct check check = {.schedule = schedule,
                        .path = path,
                        .region = schedule->is_vector ? "piece" : "region",
                        .nwords = nwords,
                        .sets = xcalloc(n * nwords + 1, sizeof *check.sets),
                        .before = xcalloc(n * nwords + 1, sizeof *check.before),
                        .err = err};
  for (unsigned place = 0; place < schedule->nplaces; place++) {
    for (unsigned i = 0; i < schedule->nregions; i++) {
      if (has_at_first(schedule, place, i)) {
        set_of(&check, check.sets, place, i)[place / 64] |= UINT64_C(1) << place % 64;
      }
    }
  }
  int status = check_operations(&check) == 0 ? check_result(&check) : -1;
  free(check.sets);
  free(check.before);
  return status;
}
