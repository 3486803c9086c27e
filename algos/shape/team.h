/* SPDX-License-Identifier: BSD-3-Clause
 * A team: some of the ranks in an order, so that a program for all ranks also serves the ranks of a chip. */
#pragma once

#include "algos/step/group.h"

/* Members 0 .. n - 1. */
struct team {
  const unsigned *rank_of, *place_of; /* NULL: member i of a group without a team is rank i */
  unsigned first, n;
};

/* Return all N ranks in ascending order. */
static inline struct team team_of_all(unsigned n) {
  return (struct team){.n = n};
}

/* Return the ranks on CHIP. */
static inline struct team team_of_chip(const struct coll_group *group, unsigned chip) {
  return (struct team){.rank_of = group->by_chip,
                       .place_of = group->place_of,
                       .first = group->chip_first[chip],
                       .n = group->chip_first[chip + 1] - group->chip_first[chip]};
}

/* Return the N members of TEAM from FIRST on. */
static inline struct team team_part(struct team team, unsigned first, unsigned n) {
  team.first += first;
  team.n = n;
  return team;
}

/* Return the rank of MEMBER, and the member of RANK. */
static inline unsigned team_rank(struct team team, unsigned member) {
  return team.rank_of ? team.rank_of[team.first + member] : team.first + member;
}

static inline unsigned team_member(struct team team, unsigned rank) {
  return (team.place_of ? team.place_of[rank] : rank) - team.first;
}

/* Return the rank that leads CHIP when ROOT leads its own chip: the rank in ROOT's place on CHIP, or the last
 * rank of CHIP if CHIP has fewer ranks. */
static inline unsigned team_leader(const struct coll_group *group, unsigned chip, unsigned root) {
  struct team team = team_of_chip(group, chip), home = team_of_chip(group, group->chip_of[root]);
  unsigned place = team_member(home, root);
  return team_rank(team, place < team.n ? place : team.n - 1);
}
