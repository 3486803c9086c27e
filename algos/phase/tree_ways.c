/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/tree_ways.h"

#include "sim/base/minmax.h"

void tree_send_part(struct coll *c, unsigned to, struct part part) {
  step_begin(c);
  step_post(c, to, part.bytes);
  step_await_taken(c, to);
}

void tree_receive_part(struct coll *c, unsigned from, struct part part) {
  step_begin(c);
  step_take(c, from, part.bytes, part.nbytes);
}

void tree_send_binomial(struct coll *c, struct tree tree, struct part part) {
  if (c->rank != tree.root) {
    tree_receive_part(c, tree_parent(tree, c->rank), part);
  }
  TREE_EACH(child, tree, c->rank) {
    tree_send_part(c, tree_child_rank(child), part);
  }
}

/* Return the half of WHOLE (0: the root's half) by the first number of the half. */
static struct tree half_of(struct tree whole, unsigned side) {
  unsigned half = whole.team.n / 2, root = tree_rank(whole, side * half);
  unsigned member = team_member(whole.team, root);
  return (struct tree){.team = team_part(whole.team, member - member % half, half), .root = root};
}

void tree_send_segmented(struct coll *c, struct tree whole) {
  unsigned half = whole.team.n / 2, number = tree_number(whole, c->rank);
  if (half == 0) {
    return;
  }
  size_t left = (c->nbytes / 2 + 15) / 16 * 16;
  LOWER(left, c->nbytes);
  struct part parts[2] = {{.bytes = c->buffer, .nbytes = left},
                          {.bytes = c->buffer + left, .nbytes = c->nbytes - left}};
  unsigned side = number >= half, counterpart = tree_rank(whole, number ^ half);
  struct part mine = parts[side], other = parts[!side];

  if (number == 0) {
    tree_send_part(c, counterpart, other);
  } else if (number == half) {
    tree_receive_part(c, counterpart, mine);
  }
  tree_send_binomial(c, half_of(whole, side), mine);
  if (number == 0) {
    tree_send_part(c, counterpart, mine);
  } else if (number == half) {
    tree_receive_part(c, counterpart, other);
  } else {
    step_begin(c);
    step_exchange(c, counterpart, mine.bytes, other.bytes, other.nbytes);
  }
}

size_t tree_collect_scratch(const struct coll_group *group) {
  return group->nbytes;
}

void tree_collect_combine(struct coll *c, unsigned from) {
  step_begin(c);
  step_take(c, from, c->scratch, c->nbytes);
  step_combine(c, c->buffer, c->scratch, c->nbytes);
}

void tree_collect_reduce(struct coll *c, struct tree tree) {
  TREE_EACH_UP(child, tree, c->rank) {
    tree_collect_combine(c, child);
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
