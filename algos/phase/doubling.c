/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/doubling.h"

#include "algos/phase/tree_ways.h"
#include "algos/step/ranks.h"
#include "sim/base/minmax.h"

void doubling_allgather(struct coll *c, unsigned distance) {
  for (; distance < c->nranks; distance *= 2) {
    unsigned first = c->rank - c->rank % distance;
    struct part own = parts_range(c, first, distance), other = parts_range(c, first ^ distance, distance);
    step_begin(c);
    step_exchange(c, c->rank ^ distance, own.bytes, other.bytes, other.nbytes);
  }
}

void doubling_allreduce(struct coll *c, struct doubling how) {
  unsigned n = (c->nranks + how.distance - 1) / how.distance, m = ranks_floor_power(n);
  unsigned number = c->rank / how.distance;
  if (number >= m) {
    unsigned helper = (number - m) * how.distance;
    tree_send_part(c, helper, parts_all(c));
    tree_receive_part(c, helper, parts_all(c));
    return;
  }
  unsigned ward = (number + m) * how.distance;
  if (number + m < n) {
    tree_collect_combine(c, ward);
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    unsigned peer = (number ^ distance) * how.distance;
    step_begin(c);
    step_exchange(c, peer, c->buffer, c->scratch, c->nbytes);
    step_combine(c, c->buffer, c->scratch, c->nbytes);
    if (how.confirm) { /* the old vector may change from the acknowledgement of the peer on */
      step_notify(c, peer);
      step_await(c, peer);
    }
  }
  if (number + m < n) {
    tree_send_part(c, ward, parts_all(c));
  }
}

size_t halving_scratch(const struct coll_group *group) {
  return (layout_stride(group) + 16) / 2; /* pieces are places of 16 bytes, one half may have one more */
}

void halving_reduce_scatter(struct coll *c, unsigned root) {
  unsigned number = c->rank ^ root;
  for (unsigned distance = c->nranks / 2; distance > 0; distance /= 2) {
    unsigned first = number - number % distance;
    struct part keep = parts_range(c, first, distance), give = parts_range(c, first ^ distance, distance);
    step_begin(c);
    step_exchange(c, c->rank ^ distance, give.bytes, c->scratch, keep.nbytes);
    step_combine(c, keep.bytes, c->scratch, keep.nbytes);
  }
}

struct tree hybrid_tree(const struct coll *c) {
  unsigned span = 1U << (coll_value(c, 0) - 1), first = c->rank - c->rank % span;
  unsigned n = MIN(c->nranks - first, span);
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

static const struct {
  void (*tell)(struct coll *c, unsigned to);
  void (*hear)(struct coll *c, unsigned from);
} ways[] = {
  [SYNCHRONIZE_BY_FLAG] = {step_notify, step_await},
  [SYNCHRONIZE_BY_SIGNAL] = {step_signal, step_await_signal},
};

void synchronize_ranks(struct coll *c, enum synchronize_by by) {
  unsigned r = c->rank, m = ranks_floor_power(c->nranks);
  if (r >= m) {
    step_begin(c);
    ways[by].tell(c, r - m);
    ways[by].hear(c, r - m);
    return;
  }
  if (r + m < c->nranks) {
    step_begin(c);
    ways[by].hear(c, r + m);
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    step_begin(c);
    ways[by].tell(c, r ^ distance);
    ways[by].hear(c, r ^ distance);
  }
  if (r + m < c->nranks) {
    step_begin(c);
    ways[by].tell(c, r + m);
  }
}
