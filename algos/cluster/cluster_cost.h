/* SPDX-License-Identifier: BSD-3-Clause
 * Equations of hierarchical algorithms, as `cost` and `analogy` of their entries. The barrier's are printed
 * in the paper; those of collectives with data are ours, by analogy: the PPE gets the data as it gets
 * notifications; messages follow the tree of the program, those that a node sends, or gets, one after the
 * other by their gap; the parts inside nodes have the equations of their own algorithms. Where nodes are no
 * power of two, the further ones give their data to a partner before recursive doubling and get the result
 * from it: that is one message more, a gap where the partner receives two, and one where it sends two.
 *
 * They are for two nodes at least, and NaN for words of parameters, and for parts, that have no equation, and
 * for messages that an equation would cut unequally.
 *
 *   barrier on N blades     max(inner; Lspe-ppe + gspe-ppe; ceil(log2 N) (Lnode + gnode)) + Lppe-spe +
 *                           release
 *   barrier on N triblades  max(inner; Lspe-ppe + 15 gspe-ppe) + L3 + ceil(log2 N) L4 + L3 + g3 + release
 *
 * Of the paper's 16 SPEs of a blade there may be fewer; its log2 N is for powers of two.
 * source: Ali, Midkiff, Pai 2010, sections 6.1 and 6.2. */
#pragma once

struct algo;
struct cost;

/* Return the cost of what parameter INDEX of ALGO, called as COST says, names as a part inside nodes; NaN: it
 * has no equation. */
double cluster_cost_part(const struct cost *cost, const struct algo *algo, unsigned index);

/* Return the cost of a barrier by ceil(log2 N) rounds whose part inside nodes takes INNER. */
double cluster_cost_barrier(const struct cost *cost, double inner);

/* Return how long m bytes take from an SPE of a node into its main memory, and back to one. */
double cluster_cost_up(const struct cost *cost);
double cluster_cost_down(const struct cost *cost);

/* Return how long the nodes take, from the data being in main memory until it is there on all: a broadcast
 * down a binomial tree; along a chain in pieces of PIECE bytes; a reduction up the tree to the first node;
 * one for all by recursive doubling. */
double cluster_cost_tree_down(const struct cost *cost);
double cluster_cost_chain(const struct cost *cost, unsigned long piece);
double cluster_cost_tree_up(const struct cost *cost);
double cluster_cost_doubling(const struct cost *cost);
