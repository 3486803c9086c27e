/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/memory/metadata.h"

#include "algos/memory/double_buffer.h"
#include "algos/phase/tree_ways.h"
#include "sim/base/minmax.h"

struct entry {
  uint64_t ea;
  uint32_t serial, unused;
};

size_t metadata_scratch(const struct coll_group *group) {
  return double_buffer_scratch(group) + group->nranks * (sizeof(struct entry) + sizeof(uint64_t));
}

static struct entry *table(struct coll *c) {
  return (struct entry *)(c->scratch + double_buffer_scratch(c->group));
}

/* Enter the own address in place INDEX. */
static void enter(struct coll *c, unsigned index) {
  if (coll_own_calls(c) == 0) {
    step_note_entries(c, table(c), c->nranks * sizeof(struct entry));
  }
  table(c)[index] = (struct entry){.ea = c->buffer_ea, .serial = coll_own_calls(c) + 1};
}

/* Send the entries FIRST .. END - 1 to rank TO, as far as there are any. */
static void send(struct coll *c, unsigned to, unsigned first, unsigned end) {
  LOWER(end, c->nranks);
  if (first < end) {
    step_put_entries(c, to, &table(c)[first], (end - first) * sizeof(struct entry));
  }
}

/* Wait until rank FROM has sent the entries FIRST .. END - 1, as far as there are any. */
static void await(struct coll *c, unsigned from, unsigned first, unsigned end) {
  LOWER(end, c->nranks);
  for (unsigned i = first; i < end; i++) {
    step_await_entry(c, from, &table(c)[i].serial);
  }
  if (first < end) {
    step_receive_entries(c);
  }
}

static struct tree tree_of_addresses(const struct coll *c) {
  return (struct tree){.team = team_of_all(c->nranks), .root = c->root, .degree = METADATA_DEGREE};
}

void metadata_gather(struct coll *c) {
  struct tree tree = tree_of_addresses(c);
  unsigned own = tree_number(tree, c->rank);
  step_begin(c);
  enter(c, own);
  TREE_EACH_UP(child, tree, c->rank) {
    struct subtree below = subtree_of(tree, child);
    await(c, child, below.number, below.number + below.weight);
  }
  if (c->rank != tree.root) {
    send(c, tree_parent(tree, c->rank), own, own + tree_weight(tree, c->rank));
  }
}

void metadata_allgather(struct coll *c) {
  unsigned r = c->rank, n = c->nranks, m = ranks_floor_power(n);
  step_begin(c);
  enter(c, r);
  if (r >= m) {
    send(c, r - m, r, r + 1);
    await(c, r - m, 0, n);
    return;
  }
  if (r + m < n) {
    await(c, r + m, r + m, r + m + 1);
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    unsigned partner = r ^ distance, mine = r & ~(distance - 1), its = partner & ~(distance - 1);
    step_begin(c);
    send(c, partner, mine, mine + distance);
    send(c, partner, m + mine, m + mine + distance);
    await(c, partner, its, its + distance);
    await(c, partner, m + its, m + its + distance);
  }
  if (r + m < n) {
    send(c, r + m, 0, n);
  }
}

uint64_t metadata_of_root(struct coll *c) {
  struct tree tree = tree_of_addresses(c);
  uint64_t ea = c->buffer_ea;
  step_begin(c);
  if (c->rank != tree.root) {
    ea = step_await_post(c, tree_parent(tree, c->rank));
  }
  tree_post_children(c, tree, ea);
  return ea;
}

uint64_t metadata_at(struct coll *c, unsigned place) {
  return table(c)[place].ea;
}

const uint64_t *metadata_list(struct coll *c, unsigned skip, size_t offset) {
  uint64_t *list = (uint64_t *)&table(c)[c->nranks], *end = list;
  for (unsigned i = 0; i < c->nranks; i++) {
    if (i != skip) {
      *end++ = metadata_at(c, i) + offset;
    }
  }
  return list;
}

void metadata_tell_all(struct coll *c) {
  step_begin(c);
  for (unsigned distance = 1; distance < c->nranks; distance++) {
    step_post_ea(c, (c->rank + distance) % c->nranks, c->buffer_ea);
  }
}
