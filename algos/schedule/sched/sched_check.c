/* SPDX-License-Identifier: BSD-3-Clause
 * The result of a sched, without a machine: each region of each place holds a set of contributions, the
 * numbers of places with data in the region. An empty set is data written by nobody. The data of a region is
 * undefined after a copy of an empty set, and after a contribution is added twice; so is all data made of
 * undefined data. A result must be defined; other undefined data does no harm. */
#include "algos/schedule/sched/sched.h"

#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* The first region that an operation makes undefined. */
struct flaw {
  unsigned operation, region;
  unsigned twice; /* the contribution added twice; SCHED_NONE: the source has no data */
};

struct check {
  const struct sched *sched;
  const char *path;
  const char *region; /* in words */
  size_t nwords;      /* of a set */
  /* [(place * nregions + region) * (nwords + 1)]: a set, and the number of the first flaw from 1 that makes
   * the data undefined; 0: defined */
  uint64_t *sets;
  uint64_t *before; /* the sets at the last TOGETHER */
  struct flaw *flaws;
  size_t nflaws;
  struct err *err;
};

static uint64_t *set_of(const struct check *check, uint64_t *sets, unsigned place, unsigned region) {
  return sets + ((size_t)place * check->sched->nregions + region) * (check->nwords + 1);
}

/* Return the number of contributions in SET. */
static unsigned size_of(const struct check *check, const uint64_t *set) {
  unsigned size = 0;
  for (size_t i = 0; i < check->nwords; i++) {
    size += (unsigned)__builtin_popcountll(set[i]);
  }
  return size;
}

/* Return the lowest place in both A and B; SCHED_NONE: there is none. */
static unsigned find_common(const struct check *check, const uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < check->nwords; i++) {
    if (a[i] & b[i]) {
      return (unsigned)(i * 64) + (unsigned)__builtin_ctzll(a[i] & b[i]);
    }
  }
  return SCHED_NONE;
}

/* Tell whether PLACE has data in REGION before a call. */
static bool has_at_first(const struct sched *sched, unsigned place, unsigned region) {
  switch (sched->collective) {
  case COLL_BCAST:
  case COLL_SCATTER:
    return place == 0;
  case COLL_ALLGATHER:
  case COLL_GATHER:
    return region / sched->npieces == place;
  default:
    return true;
  }
}

/* Tell whether PLACE must have the result in REGION after a call. */
static bool is_result(const struct sched *sched, unsigned place, unsigned region) {
  switch (sched->collective) {
  case COLL_REDUCE:
    return place == 0;
  case COLL_REDUCESCATTER:
    return region / sched->npieces == place;
  case COLL_GATHER:
  case COLL_SCATTER:
    return place == 0 || region / sched->npieces == place;
  default:
    return true;
  }
}

/* Return the number of the flaw of OPERATION, the last one so far, at REGION. */
static uint64_t add_flaw(struct check *check, const struct operation *operation, unsigned region,
                         unsigned twice) {
  unsigned number = (unsigned)(operation - check->sched->operations);
  if (check->nflaws == 0 || check->flaws[check->nflaws - 1].operation != number) {
    VEC_ADD(check->flaws, check->nflaws) = (struct flaw){number, region, twice};
  }
  return check->nflaws;
}

/* Return the lower number of the flaws A and B; 0: no flaw. */
static uint64_t first_flaw(uint64_t a, uint64_t b) {
  return a && (a < b || !b) ? a : b;
}

/* Let OPERATION move data between the sets of CHECK and the sets SOURCES. */
static void move(struct check *check, const struct operation *operation, uint64_t *sources) {
  bool adds = operation_adds(operation);
  size_t n = check->nwords;
  for (unsigned i = operation->first; i < operation->first + operation->count; i++) {
    const uint64_t *from = set_of(check, sources, operation->from, i);
    uint64_t *to = set_of(check, check->sets, operation->to, i), flaw = from[n];
    unsigned twice = adds ? find_common(check, from, to) : SCHED_NONE;
    flaw = adds ? first_flaw(flaw, to[n]) : flaw;
    if (!flaw && (twice != SCHED_NONE || size_of(check, from) == 0)) {
      flaw = add_flaw(check, operation, i, twice);
    }
    for (size_t k = 0; k < n; k++) {
      to[k] = (adds ? to[k] : 0) | from[k];
    }
    to[n] = flaw;
  }
}

static void describe_flaw(const struct check *check, const struct flaw *flaw, struct err *text) {
  const struct operation *operation = &check->sched->operations[flaw->operation];
  if (flaw->twice == SCHED_NONE) {
    err_set(text, "%s:%u: place %u has nothing in %s %u yet, expected a source with data", check->path,
            operation->line, operation->from, check->region, flaw->region);
  } else {
    err_set(text, "%s:%u: place %u has the contribution of place %u to %s %u already, expected it once",
            check->path, operation->line, operation->to, flaw->twice, check->region, flaw->region);
  }
}

/* Refuse OPERATION if the collective, or a block between TOGETHER and ROUND, does not have this kind. */
static int check_kind(const struct check *check, const struct operation *operation) {
  bool adds = operation_adds(operation);
  const char *name = collective_name(check->sched->collective);
  if (check->sched->collective == COLL_BARRIER && operation->kind < OPERATION_SIGNAL) {
    return err_set(check->err, "%s:%u: data in a barrier, expected signals", check->path, operation->line);
  }
  if (adds && !collective_combines(check->sched->collective)) {
    return err_set(check->err, "%s:%u: an addition in the collective %s, expected get or put", check->path,
                   operation->line, name);
  }
  if (operation->block && operation->kind < OPERATION_SIGNAL && !adds) {
    return err_set(check->err, "%s:%u: get or put between together and round, expected getadd or putadd",
                   check->path, operation->line);
  }
  return 0;
}

static int check_operations(struct check *check) {
  const struct sched *sched = check->sched;
  size_t nbytes = (size_t)sched->nplaces * sched->nregions * (check->nwords + 1) * sizeof *check->sets;
  VEC_EACH(operation, sched->operations, sched->noperations) {
    if (check_kind(check, operation) != 0) {
      return -1;
    }
    if (operation->kind == OPERATION_TOGETHER) {
      memcpy(check->before, check->sets, nbytes);
    }
    if (operation->kind < OPERATION_SIGNAL) {
      move(check, operation, operation->block ? check->before : check->sets);
    }
  }
  return 0;
}

/* Check for results without undefined data. */
static int check_flaws(const struct check *check) {
  const struct sched *sched = check->sched;
  uint64_t flaw = 0;
  for (unsigned place = 0; place < sched->nplaces; place++) {
    for (unsigned i = 0; i < sched->nregions; i++) {
      flaw = is_result(sched, place, i)
               ? first_flaw(flaw, set_of(check, check->sets, place, i)[check->nwords])
               : flaw;
    }
  }
  if (flaw) {
    describe_flaw(check, &check->flaws[flaw - 1], check->err);
  }
  return flaw ? -1 : 0;
}

/* Return the line of the last operation that writes REGION of PLACE; of the last one, if none does. */
static unsigned last_line(const struct sched *sched, unsigned place, unsigned region) {
  size_t i = sched->noperations;
  while (i > 0) {
    const struct operation *operation = &sched->operations[--i];
    if (operation->kind < OPERATION_SIGNAL && operation->to == place && operation->first <= region &&
        region < operation->first + operation->count) {
      return operation->line;
    }
  }
  return sched->last_line;
}

/* Check for the whole result at all places. */
static int check_result(const struct check *check) {
  const struct sched *sched = check->sched;
  unsigned whole = collective_combines(sched->collective) ? sched->nplaces : 1;
  for (unsigned place = 0; place < sched->nplaces; place++) {
    for (unsigned i = 0; i < sched->nregions; i++) {
      unsigned size = size_of(check, set_of(check, check->sets, place, i));
      if (!is_result(sched, place, i) || size == whole) {
        continue;
      }
      unsigned line = last_line(sched, place, i);
      if (whole == 1 && !sched->is_vector) {
        return err_set(check->err, "%s:%u: the result of place %u lacks the block of place %u", check->path,
                       line, place, i / sched->npieces);
      }
      return err_set(check->err, "%s:%u: %s %u of the result of place %u has %u of %u contributions",
                     check->path, line, check->region, i, place, size, whole);
    }
  }
  return 0;
}

int sched_check(const struct sched *sched, const char *path, struct err *note, struct err *err) {
  size_t nwords = (sched->nplaces + 63) / 64, n = (size_t)sched->nplaces * sched->nregions;
  struct check check = {.sched = sched,
                        .path = path,
                        .region = sched->is_vector ? "piece" : "region",
                        .nwords = nwords,
                        .sets = xcalloc(n * (nwords + 1) + 1, sizeof *check.sets),
                        .before = xcalloc(n * (nwords + 1) + 1, sizeof *check.before),
                        .err = err};
  for (unsigned place = 0; place < sched->nplaces; place++) {
    for (unsigned i = 0; i < sched->nregions; i++) {
      if (has_at_first(sched, place, i)) {
        set_of(&check, check.sets, place, i)[place / 64] |= UINT64_C(1) << place % 64;
      }
    }
  }
  int status =
    check_operations(&check) == 0 && check_flaws(&check) == 0 && check_result(&check) == 0 ? 0 : -1;
  if (status == 0 && check.nflaws > 0) {
    describe_flaw(&check, &check.flaws[0], note);
  }
  free(check.sets);
  free(check.before);
  free(check.flaws);
  return status;
}
