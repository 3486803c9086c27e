/* SPDX-License-Identifier: BSD-3-Clause
 * Who collects which blocks in an all-to-all between two clusters: messages between the member i of one with
 * n1 ranks and the member j of another one with n2.
 *
 * If the own cluster is not the larger one, member j mod n1 collects what goes to j. Else its members form
 * rows of n2, and the one in place j of row floor(i / n2) collects what that row sends to j; the last row may
 * lack places, then those of the row before stand in for them.
 * source: Steffenel, Martinasso, Trystram 2007, section 7. */
#pragma once

#include <stddef.h>

struct coll_group;

struct grid {
  unsigned near, far; /* ranks of the cluster that sends, and of that which receives */
};

/* Return the member of the own cluster that collects what FROM sends to TO. */
unsigned grid_relay(struct grid grid, unsigned from, unsigned to);

/* Return the members whose blocks RELAY hands on in each of its messages: from the first one up to, but not,
 * the end. */
unsigned grid_first(struct grid grid, unsigned relay);
unsigned grid_end(struct grid grid, unsigned relay);

/* Return the place, in what the relay has collected for the other cluster, of the block of FROM for TO. Those
 * of a message follow one another. */
unsigned grid_place(struct grid grid, unsigned from, unsigned to);

/* Return the place at which the area begins in which ranks on chip NEAR collect for chip FAR, in the scratch
 * below. */
unsigned grid_area(const struct coll_group *group, unsigned near, unsigned far);

/* Return the bytes of all areas, on the chip that needs most. */
size_t grid_scratch(const struct coll_group *group);
