/* SPDX-License-Identifier: BSD-3-Clause
 * See blade_plan.h. Plans in use are a list: a process has few platforms at a time. */
#include "sim/hw/bus/blade_plan.h"

#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/hw/bus/ring.h"
#include "sim/hw/bus/route.h"

#include <stdlib.h>

static LIST_HEAD(, blade_plan) in_use;

struct blade_plan *blade_plan_share(const struct platform *platform) {
  struct blade_plan *plan = LIST_FIRST(&in_use);
  while (plan && plan->checksum != platform->checksum) {
    plan = LIST_NEXT(plan, others);
  }
  if (!plan) {
    plan = xcalloc(1, sizeof *plan);
    *plan = (struct blade_plan){.checksum = platform->checksum};
    parameters_init(&plan->parameters, platform);
    for (unsigned nbytes = 0; nbytes <= BUS_REQUEST_BYTES_MAX; nbytes++) {
      plan->link_intervals[nbytes] = rate_interval(parameters_link_mcyc(&plan->parameters, nbytes));
    }
    plan->ring_plan = ring_plan_new(&plan->parameters.ring);
    plan->routes = routes_new(&plan->parameters);
    chip_ways_init(&plan->ways, platform);
    LIST_INSERT_HEAD(&in_use, plan, others);
  }
  plan->nusers++;
  return plan;
}

void blade_plan_release(struct blade_plan *plan) {
  if (--plan->nusers > 0) {
    return;
  }
  LIST_REMOVE(plan, others);
  free(plan->ring_plan);
  free(plan->routes);
  chip_ways_fini(&plan->ways);
  free(plan);
}
