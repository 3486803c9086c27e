/* SPDX-License-Identifier: BSD-3-Clause
 * Equations of hierarchical algorithms, as `cost` and `analogy` of the catalogue entries. The paper prints
 * the equation of the barrier. The equations of collectives with data are ours, by analogy. The PPE gets data
 * in the same way as notifications. Messages follow the tree of the program; consecutive messages from one
 * node, or to one node, are a gap apart. The parts inside nodes have the equations of the algorithms named.
 * Nodes beyond a power of two give their data to a partner before recursive doubling and get the result from
 * the partner: one message more, a gap for the second message that the partner receives, and a gap for the
 * second message sent.
 *
 * The equations hold for at least two nodes. The value is NaN for words of parameters and for parts without
 * an equation, and for messages cut into unequal pieces.
 *
 *   barrier on N blades     max(inner; Lspe-ppe + gspe-ppe; ceil(log2 N) (Lnode + gnode)) + Lppe-spe +
 *                           release
 *   barrier on N triblades  max(inner; Lspe-ppe + 15 gspe-ppe) + L3 + ceil(log2 N) L4 + L3 + g3 + release
 *
 * Here a blade may have fewer than the paper's 16 SPEs; the paper's log2 N is for powers of two.
 * source: Ali, Midkiff, Pai 2010, sections 6.1 and 6.2. */
#pragma once

struct algo;
struct cost;

/* Return the cost of the algorithm named by parameter INDEX of ALGO, called as COST says, as a part inside
 * nodes; NaN if that algorithm has no equation. */
double cluster_cost_part(const struct cost *cost, const struct algo *algo, unsigned index);

/* Return the number of hosts with the nodes of COST behind them; without hosts the number of nodes. */
unsigned cluster_cost_hosts(const struct cost *cost);

/* Return the time of m bytes from an SPE of a node into the node's main memory, and from there to an SPE. */
double cluster_cost_up(const struct cost *cost);
double cluster_cost_down(const struct cost *cost);

/* Return the time of the outer part, from data in main memory to data on all nodes: a broadcast down a
 * binomial tree; along a chain in pieces of PIECE bytes; a reduction up the tree to the first node; a
 * reduction for all nodes by recursive doubling. */
double cluster_cost_tree_down(const struct cost *cost);
double cluster_cost_chain(const struct cost *cost, unsigned long piece);
double cluster_cost_tree_up(const struct cost *cost);
double cluster_cost_doubling(const struct cost *cost);
