/* SPDX-License-Identifier: BSD-3-Clause
 * See figures.h. Figures in use are a list: a process has few platforms at a time. */
#include "sim/hw/figures.h"

#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/hw/ring.h"
#include "sim/hw/route.h"

#include <stdlib.h>

static struct figures *in_use;

struct figures *figures_share(const struct platform *platform) {
  struct figures *figures = in_use;
  while (figures && figures->checksum != platform->checksum) {
    figures = figures->next;
  }
  if (!figures) {
    figures = xcalloc(1, sizeof *figures);
    *figures = (struct figures){.checksum = platform->checksum, .next = in_use};
    parameters_init(&figures->parameters, platform);
    for (unsigned nbytes = 0; nbytes <= BUS_REQUEST_BYTES_MAX; nbytes++) {
      figures->link_intervals[nbytes] = rate_interval(parameters_link_mcyc(&figures->parameters, nbytes));
    }
    figures->ring_plan = ring_plan_new(&figures->parameters.ring);
    figures->routes = routes_new(&figures->parameters.ring);
    in_use = figures;
  }
  figures->nusers++;
  return figures;
}

void figures_release(struct figures *figures) {
  if (--figures->nusers > 0) {
    return;
  }
  struct figures **link = &in_use;
  while (*link != figures) {
    link = &(*link)->next;
  }
  *link = figures->next;
  free(figures->ring_plan);
  free(figures->routes);
  free(figures);
}
