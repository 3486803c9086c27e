/* SPDX-License-Identifier: BSD-3-Clause
 * The relays of an all-to-all between two clusters: messages between member i of a cluster with n1 ranks and
 * member j of a cluster with n2 ranks.
 *
 * If the sending cluster is not the larger cluster, member j mod n1 collects the blocks for j. Otherwise the
 * members form rows of n2, and the member in place j of row floor(i / n2) collects the row's blocks for j;
 * the last row may lack places, and members of the row before then stand in.
 * source: Steffenel, Martinasso, Trystram 2007, section 7. */
#pragma once

#include <stddef.h>

struct coll_group;

struct grid {
  unsigned near, far; /* number of ranks of the sending and of the receiving cluster */
};

/* Return the member of the own cluster that collects the block of FROM for TO. */
unsigned grid_relay(struct grid grid, unsigned from, unsigned to);

/* Return the range of members whose blocks RELAY hands on in each of its messages: the first member, and the
 * member behind the last. */
unsigned grid_first(struct grid grid, unsigned relay);
unsigned grid_end(struct grid grid, unsigned relay);

/* Return the place of the block of FROM for TO among the relay's collected blocks for the other cluster.
 * Blocks of one message have consecutive places. */
unsigned grid_place(struct grid grid, unsigned from, unsigned to);

/* Return the first place, in the scratch below, of the area where ranks on chip NEAR collect blocks for chip
 * FAR. */
unsigned grid_area(const struct coll_group *group, unsigned near, unsigned far);

/* Return the bytes of all areas on the chip with the maximum need. */
size_t grid_scratch(const struct coll_group *group);
