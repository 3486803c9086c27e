/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary in which algorithms are written, so that a rank's program reads like the paper.
 *
 * Ranks tell each other things through arrays with one 16-byte entry per sender in every local store: an address array
 * (where the data lies) and a flag array (acknowledgements, arrivals). Entries carry a serial number, so that calls can
 * follow one another without a barrier in between.
 * source: Ali, Midkiff, Pai 2010, section 3.2; Velamati et al. 2007, section 4 (serial numbers); Gaona, Fernandez, Acacio
 * 2009, section 3 (signals). */
#pragma once

#include "algos/coll.h"

/* Say which words of the local store are flags; the arrays must be there. */
void step_enter(struct coll *c);

/* Begin the next step (round) of the algorithm. */
void step_begin(struct coll *c);

/* Raise the flag of this rank at rank TO, and go on at once: a rank that also waits for a flag loses nothing by it. */
void step_notify(struct coll *c, unsigned to);

/* Wait until rank FROM has raised its flag here once more. */
void step_await(struct coll *c, unsigned from);

/* The same through the signal notification register in OR mode: bit r for rank r, in the low or the high half for calls
 * of even or odd number. */
void step_signal(struct coll *c, unsigned to);
void step_await_signal(struct coll *c, unsigned from);

/* Tell rank TO where in the own local store the data for it begins, and go on at once. */
void step_post(struct coll *c, unsigned to, const void *data);

/* Wait for the address of rank FROM, get NBYTES from there into INTO, acknowledge, and wait until the acknowledgement has
 * left: without that, data would go down a tree faster than Ali, Midkiff and Pai found (their equations charge every level
 * L(m) + L(1)). */
void step_take(struct coll *c, unsigned from, void *into, size_t nbytes);

/* Wait until rank FROM has acknowledged what was posted to it. */
void step_await_taken(struct coll *c, unsigned from);

/* Post OUT to PEER, take as many bytes from it, and wait for its acknowledgement. */
void step_exchange(struct coll *c, unsigned peer, const void *out, void *in, size_t nbytes);

/* --- pieces of the above, for microbenchmarks --- */

/* Get NBYTES from effective address EA into INTO and wait for them. */
void step_fetch(struct coll *c, void *into, uint64_t ea, size_t nbytes);

/* Wait until what was put to the arrays of rank TO has left this rank's MFC. */
void step_settle(struct coll *c, unsigned to);

/* Return the effective address that is posted by rank FROM next. */
uint64_t step_await_post(struct coll *c, unsigned from);

/* Bytes of local store that the notification arrays of NRANKS ranks take. */
size_t step_arrays_bytes(unsigned nranks);
