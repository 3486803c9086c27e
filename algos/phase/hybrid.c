/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/hybrid.h"

#include "algos/phase/doubling.h"
#include "algos/phase/tree_collect.h"
#include "algos/phase/tree_send.h"

struct tree hybrid_tree(const struct coll *c) {
  unsigned span = 1U << (coll_value(c, 0) - 1), first = c->rank - c->rank % span;
  unsigned n = c->nranks - first < span ? c->nranks - first : span;
  return (struct tree){.team = team_part(team_of_all(c->nranks), first, n), .root = first};
}

void hybrid_allgather(struct coll *c) {
  struct tree tree = hybrid_tree(c);
  tree_collect_gather(c, 0, tree.team.n);
  if (c->rank == tree.root) {
    doubling_allgather(c, tree.team.n);
  }
  tree_send_binomial(c, tree, parts_all(c));
}
