/* SPDX-License-Identifier: BSD-3-Clause
 * Trees over local stores for data in main memory: the data goes through the tree in pieces, double buffered;
 * only the ends of the tree are in main memory. The tree of degree 1 is a pipeline.
 * source: Velamati et al. 2007, sections 6.1 and 7.1 (TREE). */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* Let all ranks have the data of the root of TREE.
 *
 *   memory > 0 > 1 > memory      each rank gets a piece from the buffer of its parent, acknowledges the
 *            0 > 2 > memory      piece, writes the piece to its memory and tells its children; its buffer
 *                2 > 3 > memory  is free again when all children have acknowledged
 *
 * Uses the scratch of double_buffer.h. */
void memory_tree_bcast(struct coll *c, struct tree tree);

/* Combine the data of all ranks into the data of the root of TREE.
 *
 *   memory > 3 > 2           each rank gets a piece of its own data, then a piece of each child, the child
 *   memory > 2 > 0           with the shortest path below it first, and combines the pieces; its parent is
 *   memory > 1 > 0 > memory  told, and acknowledges
 *
 * Uses the scratch of double_buffer.h as four buffers of half the size: two for the combined piece, two for
 * the piece of a child. */
void memory_tree_reduce(struct coll *c, struct tree tree);

/* Return piece INDEX of the data, of SIZE bytes each, between buffer BUFFER of SIZE bytes in scratch and main
 * memory; each buffer has a slot, and a fenced transfer begins when the last transfer of the buffer is
 * over. */
struct step_transfer memory_tree_piece(const struct coll *c, size_t index, unsigned buffer, size_t size);
