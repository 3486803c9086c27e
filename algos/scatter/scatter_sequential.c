/* SPDX-License-Identifier: BSD-3-Clause
 * Sequential scatter: the root puts their blocks to k ranks at once, then to the next k.
 *
 *   k = 2, step 1   0 > 1 2
 *          step 2   0 > 3 4
 *          ...
 *
 * rounds: ceil((n - 1) / k) for n ranks; each block moves once.
 * published (other machine): T = (n - 1) / k (ts + m tau) with startup ts, block m, time per byte tau.
 * source: Qian, Afsahi 2006, section 5.1, equation 2. */
#include "algos/phase/kport_tree.h"
#include "algos/step/layout.h"
#include "sim/base/minmax.h"

static void run(struct coll *c) {
  unsigned ports = coll_value(c, 0), n = c->nranks;
  if (c->rank != c->root) {
    step_begin(c);
    step_post(c, c->root, c->buffer + layout_block(c->group, c->rank).offset);
    step_await(c, c->root);
    return;
  }
  for (unsigned first = 1; first < n; first += ports) {
    kport_put_ahead(c, c->buffer, first, MIN(first + ports, n));
  }
}

const struct algo scatter_sequential = {
  .collective = COLL_SCATTER,
  .name = "sequential",
  .source = "ali2010",
  .idea = "the root puts to several ranks at once and then to the next ones",
  .needs = NEED_MFC_PORTS,
  .params = {KPORT_PARAM},
  .run = run,
};
