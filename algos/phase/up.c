/* SPDX-License-Identifier: BSD-3-Clause
 * See up.h. */
#include "algos/phase/up.h"

#include "algos/phase/down.h"

size_t
up_scratch(const struct coll_group *group)
{
  return group->nbytes;
}

void
up_combine(struct coll *c, unsigned from)
{
  step_begin(c);
  step_take(c, from, c->scratch, c->nbytes);
  step_combine(c, c->buffer, c->scratch, c->nbytes);
}

void
up_reduce(struct coll *c, struct tree tree)
{
  unsigned number = tree_number(tree, c->rank), own = tree_weight(tree, c->rank);
  for (unsigned weight = 1; weight < own && number + weight < tree.team.n; weight *= 2) {
    up_combine(c, tree_rank(tree, number + weight));
  }
  if (c->rank != tree.root) {
    down_give(c, tree_parent(tree, c->rank), parts_all(c));
  }
}

void
up_gather(struct coll *c, unsigned root, unsigned span)
{
  unsigned number = c->rank ^ root;
  for (unsigned distance = 1; distance < span; distance *= 2) {
    unsigned partner = c->rank ^ distance;
    if (number & distance) {
      down_give(c, partner, parts_range(c, number, distance));
      return;
    }
    down_take(c, partner, parts_range(c, number + distance, distance));
  }
}
