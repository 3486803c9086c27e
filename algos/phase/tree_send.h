/* SPDX-License-Identifier: BSD-3-Clause
 * Ways of data down from a root with ordered transfers: common parts of the optimised broadcasts. */
#pragma once

#include "algos/phase/parts.h"
#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* Give PART to rank TO and wait for the acknowledgement. */
void tree_send_part(struct coll *c, unsigned to, struct part part);

/* Take PART from rank FROM, in a step of its own as well. */
void tree_receive_part(struct coll *c, unsigned from, struct part part);

/* Take PART from the parent in TREE (unless this rank is the root), then give PART to the children one after
 * the other, heaviest first. */
void tree_send_binomial(struct coll *c, struct tree tree, struct part part);

/* Broadcast the buffer of the root of WHOLE to all its ranks, a power of two, in two halves.
 *
 *   step 1       the root gives the right half of the data to its counterpart in the other half of the ranks
 *   steps 2..    both halves of the data go down binomial trees, each in its half of the ranks
 *   last step    counterparts exchange their missing halves; the root misses nothing
 *
 * blocks: the left half of the data is a multiple of 16 bytes.
 * source: Ali, Midkiff, Pai 2010, section 5.2, figure 5. */
void tree_send_segmented(struct coll *c, struct tree whole);
