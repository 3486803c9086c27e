/* SPDX-License-Identifier: BSD-3-Clause
 * See rings.h. Rings in use are a list: a process has few platforms at a time. */
#include "sim/hw/rings.h"

#include "sim/base/xalloc.h"
#include "sim/hw/ring.h"
#include "sim/hw/route.h"

#include <stdbool.h>
#include <stdlib.h>

static struct rings *in_use;

/* Tell whether A and B have equal members. Bytes between the members may differ. */
static bool are_equal(const struct ring_parameters *a, const struct ring_parameters *b) {
  return a->nunits == b->nunits && a->hops_max == b->hops_max && a->transfers_max == b->transfers_max &&
         a->start_interval == b->start_interval && a->hop == b->hop && a->beats == b->beats;
}

struct rings *rings_share(const struct ring_parameters *parameters) {
  struct rings *rings = in_use;
  while (rings && !are_equal(&rings->plan->parameters, parameters)) {
    rings = rings->next;
  }
  if (!rings) {
    rings = xcalloc(1, sizeof *rings);
    *rings =
      (struct rings){.plan = ring_plan_new(parameters), .routes = routes_new(parameters), .next = in_use};
    in_use = rings;
  }
  rings->nusers++;
  return rings;
}

void rings_release(struct rings *rings) {
  if (--rings->nusers > 0) {
    return;
  }
  struct rings **link = &in_use;
  while (*link != rings) {
    link = &(*link)->next;
  }
  *link = rings->next;
  free(rings->plan);
  free(rings->routes);
  free(rings);
}
