/* SPDX-License-Identifier: BSD-3-Clause
 * How a parent moves the data of its children once they are ready: all together, or each as it comes.
 *
 * A child's buffer and a parent's are used for one another only between the child's ready and its go; a rank
 * leaves a call with its own go, and with all transfers over that it has started. So a call disturbs no other
 * one, whoever is ahead.
 * source: Gaona, Fernandez, Acacio 2009, sections 3.2 and 3.3. */
#pragma once

#include "algos/phase/ready_go.h"

/* Broadcast the buffer of the root down the neighbours of the algorithm, a put to each child.
 *
 * In phases: when all children are ready and this rank may go, it has the data; it starts the puts to all
 * children, waits for all of them, and tells all to go. */
void child_transfers_down_in_phases(struct coll *c);

/* As they are ready: this rank says that it is ready at once. When it may go, it starts the put to each child
 * as soon as that is ready too. When all have been started it finishes them in the same order, and each child
 * may go at once; those on other chips come first, because others wait for them there. */
void child_transfers_down_as_ready(struct coll *c);

/* Reduce the buffers of all ranks to that of the root up these neighbours, a get from each child, in the same
 * two ways: a rank is ready when its buffer contains what its children have, and that does not change until
 * it may go. */
void child_transfers_up_in_phases(struct coll *c);
void child_transfers_up_as_ready(struct coll *c);

/* Return the bytes of scratch for a reduce: room for an operand of each child. */
size_t child_transfers_scratch(const struct coll_group *group);
