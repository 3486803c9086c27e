/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/model/measured/ports.h"

double ports_tree(const struct ports *ports, unsigned n, size_t m) {
  unsigned steps = 0;
  for (size_t reached = 1; reached < n; reached *= ports->k + 1) {
    steps++;
  }
  return steps * ports->startup + (n - 1) / (double)ports->lanes * (double)m * ports->byte;
}

/* Return how often up to K of COUNT messages can be sent until all are. */
static unsigned turns(unsigned count, unsigned k) {
  return (count + k - 1) / k;
}

double ports_direct(const struct ports *ports, unsigned n, size_t m) {
  return turns(n - 1, ports->k) * ports->startup + turns(n - 1, ports->lanes) * (double)m * ports->byte;
}
