/* SPDX-License-Identifier: BSD-3-Clause
 * One-to-all barrier: every rank raises its flag at rank 0; then rank 0 releases all ranks, its own chip
 * first.
 *
 *   1 2 3 ... p-1  >  0  >  1 2 3 ... p-1
 *
 * Ali, Midkiff and Pai describe the two phases in the other order (the root notifies, all ranks acknowledge);
 * ranks would leave before other ranks have entered. The order here is the order of Velamati et al.; the cost
 * has the same terms. Velamati et al. also release through a DMA list.
 * source: Ali, Midkiff, Pai 2010, section 5.1, table 1; OTA of Velamati et al. 2007, section 5.1. */
#include "algos/cost/cost.h"
#include "algos/step/step.h"

/* How the root releases the others. */
enum fanout { FANOUT_PUT, FANOUT_PUTL };

static size_t scratch(const struct coll_group *group) {
  return group->nranks * sizeof(mfc_list_element_t);
}

static void run(struct coll *c) {
  step_begin(c);
  if (c->rank != 0) {
    step_notify(c, 0);
    step_await(c, 0);
    return;
  }
  for (unsigned r = 1; r < c->nranks; r++) {
    step_await(c, r);
  }
  step_begin(c);
  if (coll_value(c, 0) == FANOUT_PUTL && c->nranks > 1) {
    step_notify_list(c, 1, c->nranks, (mfc_list_element_t *)c->scratch);
    return;
  }
  for (unsigned r = 1; r < c->nranks; r++) {
    step_notify_more(c, r);
  }
  step_settle_all(c);
}

static double cost(const struct cost *c) {
  return cost_fan_out(c, COST_ACK);
}

const struct algo barrier_one_to_all = {
  .collective = COLL_BARRIER,
  .name = "one-to-all",
  .source = "ali2010",
  .idea = "all raise a flag at the root and the root releases all",
  .params = {{.name = "fanout",
              .choices = {[FANOUT_PUT] = {.word = "put"},
                          [FANOUT_PUTL] = {.word = "putl", .source = "velamati2007", .needs = NEED_SPES}}}},
  .scratch = scratch,
  .run = run,
  .cost = cost,
};
