/* SPDX-License-Identifier: BSD-3-Clause
 * The binomial tree for k ports: in each step a rank serves k children at once, by DMAs of its own that are
 * under way together. It is the k-nomial tree of degree k + 1 (tree.h), whose children of one weight belong
 * to one step.
 *
 * On a cluster a port is a rail of the network; on a Cell it is a place in the queue of one MFC, so more of
 * them overlap latencies and share its bandwidth. Blocks of a subtree keep their places; those next to one
 * another move together, by one DMA for each 16 KiB of such a run.
 * source: Qian, Afsahi 2006, sections 5.1 and 5.2. */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* Ports that these algorithms may use. Those of an MFC are fewer (NEED_MFC_PORTS): its last slot is left for
 * a rank's copies to itself. */
enum { KPORT_MOST = 65535 };

/* The parameter of the algorithms for k ports, the first one. */
#define KPORT_PARAM \
  { .name = "ports", .least = 1, .most = KPORT_MOST, .initial = 1 }

/* Return the tree of the call of C, whose first parameter is the number of ports; no rank uses more than
 * there are others. */
struct tree kport_tree(const struct coll *c);

/* One step of a scatter: put the blocks of their subtrees to all children of WEIGHT, once they have posted
 * their buffers, and tell them; START is step_start_put. One step of a gather: get them from there, and
 * acknowledge; START is step_start_get. */
void kport_serve(struct coll *c, struct tree tree, unsigned weight,
                 void (*start)(struct coll *c, const struct step_transfer *transfer));

/* One step without a tree: put their blocks of BLOCKS, one for each rank, to the ranks at distances FIRST ..
 * END - 1 on the ring of all, once they have posted the places, and tell them. */
void kport_put_ahead(struct coll *c, const uint8_t *blocks, unsigned first, unsigned end);
