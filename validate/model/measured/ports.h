/* SPDX-License-Identifier: BSD-3-Clause
 * The published cost of collectives whose ranks send k messages at once, on a network with ts + m tau for one
 * message of m bytes.
 *
 * The equations are for full trees and rounds; for other numbers of ranks whole steps are counted, as in the
 * algorithms.
 * source: Qian, Afsahi 2006, section 5, equations 1 and 2. */
#pragma once

#include <stddef.h>

/* Times in any unit. */
struct ports {
  double startup, byte; /* ts, tau */
  unsigned k;           /* ports */
  unsigned lanes; /* lanes that share the bytes: k as published; 1: the ports of a rank share one bandwidth */
};

/* Return the time of a scatter or gather over the tree of degree k + 1: ceil(log n / log (k + 1)) startups,
 * and n - 1 blocks of M bytes through the lanes of the root. */
static inline double ports_tree(const struct ports *ports, unsigned n, size_t m) {
  unsigned steps = 0;
  for (size_t reached = 1; reached < n; reached *= ports->k + 1) {
    steps++;
  }
  return steps * ports->startup + (n - 1) / (double)ports->lanes * (double)m * ports->byte;
}

/* Return how often up to K of COUNT messages can be sent until all are. */
static inline unsigned ports_turns(unsigned count, unsigned k) {
  return (count + k - 1) / k;
}

/* Return the time of a sequential scatter or a direct all-to-all: ceil((n - 1) / k) startups and
 * ceil((n - 1) / lanes) blocks of M bytes one after the other. */
static inline double ports_direct(const struct ports *ports, unsigned n, size_t m) {
  return ports_turns(n - 1, ports->k) * ports->startup +
         ports_turns(n - 1, ports->lanes) * (double)m * ports->byte;
}
