/* SPDX-License-Identifier: BSD-3-Clause
 * Phases of collectives by signals in OR mode: a child tells its parent that the child is ready, and later
 * learns that the child may go.
 *
 *   ready    child > parent      bit of the child in the parent's register
 *   go       parent > child      bit of the parent in the child's register
 *
 * A rank sends ready once per call and then waits for go, so its parent can receive at most the ready signal
 * of the next call before the parent has finished this call; no rank gets further ahead, and no bit is sent
 * again before its receiver has awaited it. Signals of one call use the low half of the register and signals
 * of the next call the high half, as in the paper. The paper's root clears the awaited signals; here a rank
 * takes only the awaited bits. Within a pair ready and go travel in opposite directions, to different
 * registers, and a rank has different bits for all its relatives. The same holds for leaders that signal one
 * another once in each call: no leader ends a call before signals of all other leaders of the call.
 *
 * A step charges its bookkeeping once per relative: a parent once for each child that the parent lets go.
 * With one charge per phase instead, a single rank that serves all other ranks would be the best barrier on 8
 * and on 16, and the best broadcast on 7, where the paper found pairwise exchange and the tree.
 * source: Gaona, Fernandez, Acacio 2009, section 3; steps: sections 4.1 and 4.2, figures 5 and 6. */
#pragma once

#include "algos/shape/neighbours.h"
#include "algos/step/step.h"

/* Return the neighbours of this rank in the algorithm of its call.
 * faults: the algorithm has none. */
struct neighbours neighbours_in_call(const struct coll *c);

/* Wait until all children of NEIGHBOURS are ready. */
void ready_await_children(struct coll *c, const struct neighbours *neighbours);

/* Tell the parent, if any, that this rank is ready, and wait until this rank may go. */
void ready_and_await_go(struct coll *c, const struct neighbours *neighbours);

/* Tell all children to go. */
void go_tell_children(struct coll *c, const struct neighbours *neighbours);

/* A barrier: all are ready in the neighbours of the algorithm, and go again. */
void ready_go(struct coll *c);

/* The same for neighbours on chips: before the leaders of the chips, which have no parents, go, the leaders
 * tell one another that all ranks are ready. */
void ready_go_on_chips(struct coll *c);

/* --- transfers between a parent and its children --- */

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

/* Reduce the buffers of all ranks to the buffer of the root up the neighbours, a get from each child, in
 * the same two ways: a rank is ready when its buffer contains the data of its children; the buffer does not
 * change until the rank may go. */
void child_transfers_up_in_phases(struct coll *c);
void child_transfers_up_as_ready(struct coll *c);

/* Return the bytes of scratch for a reduce: room for an operand of each child. */
size_t child_transfers_scratch(const struct coll_group *group);
