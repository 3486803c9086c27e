/* SPDX-License-Identifier: BSD-3-Clause
 * The binomial tree for k ports: in each step a rank serves k children at once, by separate DMAs that are
 * under way together. The tree is the k-nomial tree of degree k + 1 (tree.h); children of one weight belong
 * to one step.
 *
 * On a cluster a port is a rail of the network; on a Cell a port is a place in the queue of one MFC, so more
 * ports overlap latencies and share the bandwidth of the MFC. Blocks of a subtree keep their places;
 * neighbouring blocks move together, by one DMA for each 16 KiB of a run.
 * source: Qian, Afsahi 2006, sections 5.1 and 5.2. */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* Maximum number of ports of these algorithms. An MFC has fewer ports (NEED_MFC_PORTS): its last slot is left
 * for a rank's copies to itself. */
enum { KPORT_MOST = 65535 };

/* The parameter of the algorithms for k ports, the first one. */
#define KPORT_PARAM \
  { .name = "ports", .least = 1, .most = KPORT_MOST, .initial = 1, .of_ranks = true }

/* Return the tree of the call of C, whose first parameter is the number of ports; a rank uses no more ports
 * than there are other ranks. */
struct tree kport_tree(const struct coll *c);

/* One step of a scatter: put the blocks of their subtrees to all children of WEIGHT, once the children have
 * posted their buffers, and tell the children; START is step_start_put. One step of a gather: get the blocks
 * from the children, and acknowledge; START is step_start_get. */
void kport_serve(struct coll *c, struct tree tree, unsigned weight,
                 void (*start)(struct coll *c, const struct step_transfer *transfer));

/* One step without a tree: put their blocks of BLOCKS, one for each rank, to the ranks at distances FIRST ..
 * END - 1 on the ring of all ranks, once these ranks have posted the places, and tell these ranks. */
void kport_put_ahead(struct coll *c, const uint8_t *blocks, unsigned first, unsigned end);
