/* SPDX-License-Identifier: BSD-3-Clause
 * Direct all-to-all for k ports: in step i rank p puts their blocks to the k ranks at distances (i - 1) k + 1
 * .. i k on the ring of all ranks, so that no rank is the target of more than k ranks.
 *
 *   k = 2, step 1   p > p + 1, p + 2
 *          step 2   p > p + 3, p + 4
 *          ...
 *
 * rounds: ceil((n - 1) / k) for n ranks; each block moves once. A rank's block for itself goes by a separate
 * DMA. Writing needs no permission on the cluster of the paper; here every rank first tells all ranks that it
 * has entered the call. published (other machine): T = (n - 1) / k (ts + m tau) with startup ts, block m,
 * time per byte tau.
 * source: Qian, Afsahi 2006, section 5.3. */
#include "algos/phase/portion.h"
#include "algos/phase/kport_tree.h"
#include "sim/base/minmax.h"

static void run(struct coll *c) {
  unsigned ports = coll_value(c, 0), n = c->nranks;
  for (unsigned distance = 1; distance < n; distance++) {
    unsigned from = (c->rank + n - distance) % n;
    step_post_ea_more(c, from, step_peer_ea(c, c->rank, portion_from(c, from)));
  }
  step_settle_all(c);
  portion_start_own(c);
  for (unsigned first = 1; first < n; first += ports) {
    unsigned end = MIN(first + ports, n);
    kport_put_ahead(c, c->in, first, end);
    for (unsigned distance = first; distance < end; distance++) {
      step_await(c, (c->rank + n - distance) % n);
    }
  }
  portion_finish_own(c);
}

const struct algo alltoall_direct = {
  .collective = COLL_ALLTOALL,
  .name = "direct",
  .source = "ali2010",
  .idea = "every rank puts to several ranks at once and then to the next ones on the ring",
  .needs = NEED_MFC_PORTS,
  .params = {KPORT_PARAM},
  .run = run,
};
