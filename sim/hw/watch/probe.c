/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/watch/probe.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>

/* Count ONE, 1 or -1, PROBE among PROBES. */
static void count(struct probes *probes, const struct probe *probe, unsigned one) {
  probes->n += one;
  probes->detailed += probe->details ? one : 0;
  probes->each_load += probe->each_load ? one : 0;
  probes->ordering += probe->orders ? one : 0;
  probes->counting += probe->counts ? one : 0;
  probes->followed += probe->accesses_only ? 0 : one;
  probes->followed_in_detail += probe->details && !probe->accesses_only ? one : 0;
}

void probes_add(struct probes *probes, struct probe *probe) {
  probes->items = xrealloc(probes->items, probes->n + 1, sizeof(struct probe *));
  probes->items[probes->n] = probe;
  count(probes, probe, 1);
}

void probes_remove(struct probes *probes, struct probe *probe) {
  unsigned place = 0;
  while (probes->items[place] != probe) {
    place++;
  }
  count(probes, probe, -1U);
  for (; place < probes->n; place++) {
    probes->items[place] = probes->items[place + 1];
  }
  if (probes->n == 0) {
    free(probes->items);
    probes->items = NULL;
  }
}
