/* SPDX-License-Identifier: BSD-3-Clause
 * Phases of collectives by signals in OR mode: a child tells its parent that it is ready, and later hears
 * that it may go.
 *
 *   ready    child > parent      bit of the child in the parent's register
 *   go       parent > child      bit of the parent in the child's register
 *
 * A rank sends ready once per call and then waits for go, so its parent can receive at most the ready signal
 * of the next call before the parent has finished this call; no rank gets further ahead, and no bit is sent
 * again before it was awaited. Signals of one call use the low half of the register and those of the next the
 * high half, as in the paper, whose root clears what it has awaited; here a rank takes only the bits that it
 * waits for. Within a pair ready and go travel in opposite directions, to different registers, and a rank has
 * different bits for all its relatives. The same holds for leaders that signal one another once in each call:
 * none ends a call before it has heard the others in it.
 *
 * The bookkeeping of a step is that of one relative: a parent has it once for each child that it lets go.
 * Charged once per phase instead, one rank that serves all the others would be the best barrier on 8 and on
 * 16, and the best broadcast on 7, where the paper found pairwise exchange and the tree.
 * source: Gaona, Fernandez, Acacio 2009, section 3; steps: sections 4.1 and 4.2, figures 5 and 6. */
#pragma once

#include "algos/shape/neighbours.h"
#include "algos/step/step.h"

/* Return the neighbours of this rank in the algorithm of its call.
 * faults: the algorithm has none. */
struct neighbours neighbours_in_call(const struct coll *c);

/* Wait until all children of NEIGHBOURS are ready. */
void ready_await_children(struct coll *c, const struct neighbours *neighbours);

/* Tell the parent, unless there is none, that this rank is ready, and wait until it may go. */
void ready_and_await_go(struct coll *c, const struct neighbours *neighbours);

/* Tell all children that they may go. */
void go_tell_children(struct coll *c, const struct neighbours *neighbours);

/* A barrier: all are ready in the neighbours of the algorithm, and go again. */
void ready_go(struct coll *c);

/* The same, where these are neighbours on chips: before they go, the leaders of the chips, which have no
 * parents, tell one another that all are ready. */
void ready_go_on_chips(struct coll *c);
