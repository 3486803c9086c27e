/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/tree_collect.h"

#include "algos/phase/tree_send.h"

size_t tree_collect_scratch(const struct coll_group *group) {
  return group->nbytes;
}

void tree_collect_combine(struct coll *c, unsigned from) {
  step_begin(c);
  step_take(c, from, c->scratch, c->nbytes);
  step_combine(c, c->buffer, c->scratch, c->nbytes);
}

void tree_collect_reduce(struct coll *c, struct tree tree) {
  unsigned number = tree_number(tree, c->rank), own = tree_weight(tree, c->rank);
  for (unsigned weight = 1; weight < own && number + weight < tree.team.n; weight *= 2) {
    tree_collect_combine(c, tree_rank(tree, number + weight));
  }
  if (c->rank != tree.root) {
    tree_send_part(c, tree_parent(tree, c->rank), parts_all(c));
  }
}

void tree_collect_gather(struct coll *c, unsigned root, unsigned span) {
  unsigned number = c->rank ^ root;
  for (unsigned distance = 1; distance < span; distance *= 2) {
    unsigned partner = c->rank ^ distance;
    if (number & distance) {
      tree_send_part(c, partner, parts_range(c, number, distance));
      return;
    }
    tree_receive_part(c, partner, parts_range(c, number + distance, distance));
  }
}
