/* SPDX-License-Identifier: BSD-3-Clause
 * How a parent moves the data of its ready children: all together, or each child as it becomes ready.
 *
 * Transfers between parent and child happen only after the child's ready and before the child's go. A rank
 * leaves a call after its own go, with all its transfers over. So consecutive calls do not overlap, whichever
 * rank is ahead.
 * source: Gaona, Fernandez, Acacio 2009, sections 3.2 and 3.3. */
#pragma once

#include "algos/phase/ready_go.h"

/* Broadcast the buffer of the root down the neighbours of the algorithm, a put to each child.
 *
 * In phases: when all children are ready and this rank may go, this rank has the data. This rank starts the
 * puts to all children, waits for all puts, and tells all children to go. */
void child_transfers_down_in_phases(struct coll *c);

/* As ready: this rank says at once that it is ready. When this rank may go, this rank starts the put to each
 * child as soon as the child is ready too. When all puts have been started, this rank finishes the puts in
 * the same order, and each child may go at once; children on other chips come first, because other ranks wait
 * for them there. */
void child_transfers_down_as_ready(struct coll *c);

/* Reduce the buffers of all ranks to the buffer of the root up these neighbours, a get from each child, in
 * the same two ways: a rank is ready when its buffer contains the data of its children; the buffer does not
 * change until the rank may go. */
void child_transfers_up_in_phases(struct coll *c);
void child_transfers_up_as_ready(struct coll *c);

/* Return the bytes of scratch for a reduce: room for an operand of each child. */
size_t child_transfers_scratch(const struct coll_group *group);
