/* SPDX-License-Identifier: BSD-3-Clause
 * The complete d-ary tree over a team: number v, counted from the root, has the children d v + 1 .. d v + d.
 * source: Gaona, Fernandez, Acacio 2009, section 3.1 (tree topology). */
#pragma once

#include "algos/shape/team.h"
#include "algos/step/ranks.h"

struct dary {
  struct team team;
  unsigned root; /* a rank */
  unsigned degree;
};

static inline unsigned
dary_number(struct dary dary, unsigned rank)
{
  return ranks_to_virtual(team_member(dary.team, rank), team_member(dary.team, dary.root), dary.team.n);
}

/* Return the rank with NUMBER. */
static inline unsigned
dary_rank(struct dary dary, unsigned number)
{
  return team_rank(dary.team, ranks_from_virtual(number, team_member(dary.team, dary.root), dary.team.n));
}

/* Return the parent of RANK, which is not the root. */
static inline unsigned
dary_parent(struct dary dary, unsigned rank)
{
  return dary_rank(dary, (dary_number(dary, rank) - 1) / dary.degree);
}

/* Return how many children RANK has, and the rank of child I of them. */
static inline unsigned
dary_nchildren(struct dary dary, unsigned rank)
{
  unsigned first = dary_number(dary, rank) * dary.degree + 1;
  unsigned left = first < dary.team.n ? dary.team.n - first : 0;
  return left < dary.degree ? left : dary.degree;
}

static inline unsigned
dary_child(struct dary dary, unsigned rank, unsigned i)
{
  return dary_rank(dary, dary_number(dary, rank) * dary.degree + 1 + i);
}
