/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/knomial.h"

struct tree knomial_tree(const struct coll *c, unsigned root) {
  return (struct tree){.team = team_of_all(c->nranks), .root = root, .degree = coll_value(c, 0)};
}

void knomial_notify(struct coll *c, struct tree tree) {
  for (struct tree_child child = tree_first(tree, c->rank); tree_has(child); child = tree_next(child)) {
    step_notify_more(c, tree_child_rank(child));
  }
  step_settle_all(c);
}
