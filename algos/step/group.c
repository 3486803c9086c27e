/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/group.h"

#include "sim/base/vec.h"

void group_make_places(struct coll_group *group, unsigned nchips) {
  size_t n = group->nranks;
  group->spe_of = xcalloc(4 * n + nchips + 1, sizeof *group->spe_of);
  group->chip_of = group->spe_of + n;
  group->by_chip = group->chip_of + n;
  group->place_of = group->by_chip + n;
  group->chip_first = group->place_of + n;
}

void group_list_chips(struct coll_group *group, unsigned nchips) {
  const struct group_lists lists = {group->nranks, group->chip_of, group->place_of, group->by_chip,
                                    group->chip_first};
  group->nchips = group_list(&lists, nchips);
}

unsigned group_list(const struct group_lists *lists, unsigned n) {
  SCOPED unsigned *next = xcalloc(2 * (size_t)n, sizeof *next);
  unsigned *number = next + n, place = 0, nfull = 0;
  VEC_EACH(of, lists->of, lists->nranks) {
    next[*of]++;
  }
  for (unsigned i = 0; i < n; i++) {
    unsigned count = next[i];
    next[i] = lists->first[nfull] = place;
    number[i] = nfull;
    nfull += count > 0;
    place += count;
  }
  lists->first[nfull] = place;
  for (unsigned r = 0; r < lists->nranks; r++) {
    unsigned i = lists->of[r];
    lists->at[r] = next[i];
    lists->ranks[next[i]++] = r;
    lists->of[r] = number[i];
  }
  return nfull;
}
