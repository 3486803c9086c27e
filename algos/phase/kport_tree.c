/* SPDX-License-Identifier: BSD-3-Clause
 * See kport_tree.h. The subtree of the child with number v and weight w has the numbers v .. v + w - 1. */
#include "algos/phase/kport_tree.h"

#include "algos/step/layout.h"
#include "sim/base/minmax.h"

struct tree kport_tree(const struct coll *c) {
  unsigned ports = coll_value(c, 0), most = c->nranks > 1 ? c->nranks - 1 : 1;
  return (struct tree){.team = team_of_all(c->nranks), .root = c->root, .degree = MIN(ports, most) + 1};
}

void kport_serve(struct coll *c, struct tree tree, unsigned weight,
                 void (*start)(struct coll *c, const struct step_transfer *transfer)) {
  unsigned n = c->nranks, own = tree_number(tree, c->rank);
  step_begin(c);
  for (unsigned digit = 1; digit < tree.degree && own + digit * weight < n; digit++) {
    struct subtree child = {tree, own + digit * weight, weight};
    uint64_t ea = step_await_post(c, tree_rank(tree, child.number));
    for (unsigned r = 0, count; (count = subtree_run(child, &r)); r += count) {
      struct span run = layout_blocks(c->group, r, count);
      struct step_transfer part = {
        .ls = c->buffer + run.offset, .ea = ea + run.offset, .nbytes = run.nbytes, .slot = digit - 1};
      start(c, &part);
    }
  }
  for (unsigned digit = 1; digit < tree.degree && own + digit * weight < n; digit++) {
    step_finish(c, digit - 1);
    step_notify_more(c, tree_rank(tree, own + digit * weight));
  }
  step_settle_all(c);
}

void kport_put_ahead(struct coll *c, const uint8_t *blocks, unsigned first, unsigned end) {
  step_begin(c);
  for (unsigned distance = first; distance < end; distance++) {
    unsigned to = (c->rank + distance) % c->nranks;
    step_start_put(c, &(struct step_transfer){.ls = (void *)(blocks + to * layout_stride(c->group)),
                                              .ea = step_await_post(c, to),
                                              .nbytes = c->nbytes,
                                              .slot = distance - first});
  }
  for (unsigned distance = first; distance < end; distance++) {
    step_finish(c, distance - first);
    step_notify_more(c, (c->rank + distance) % c->nranks);
  }
  step_settle_all(c);
}
