/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary in which algorithms are written, so that a rank's program reads like the paper.
 *
 * Ranks tell each other things through arrays with one 16-byte entry per sender in every local store: an
 * address array (where the data lies) and a flag array (acknowledgements, arrivals). Entries carry a serial
 * number, so that calls can follow one another without a barrier in between.
 * faults: a number of a rank or of a slot that there is not; on hosts, what only SPEs have. A fault stops the
 * program, and is told.
 * source: Ali, Midkiff, Pai 2010, section 3.2; Velamati et al. 2007, section 4 (serial numbers); Gaona,
 * Fernandez, Acacio 2009, section 3 (signals). */
#pragma once

#include "algos/step/coll.h"
#include "sim/spu/spu_mfcio.h"

/* Say which words of the local store are flags; the arrays must be there. */
void step_enter(struct coll *c);

/* Begin the next step (round) of the algorithm. */
void step_begin(struct coll *c);

/* Compute for CYCLES, at most COMPUTE_MAX. */
void step_compute(struct coll *c, uint64_t cycles);

/* Raise the flag of this rank at rank TO, and wait until it has left, as after every notification by flag or
 * address that is not one of several (see below).
 * source: Ali, Midkiff, Pai 2010: table 1 charges Bruck's barrier a crossing in every round, and the way down
 * a tree a notification for every level, as only waiting ranks take; Velamati et al. 2007, section 5.1. */
void step_notify(struct coll *c, unsigned to);

/* Wait until rank FROM has raised its flag here once more. */
void step_await(struct coll *c, unsigned from);

/* The same through the signal notification register in OR mode: bit r for rank r, in the low or the high half
 * for calls of even or odd number. */
void step_signal(struct coll *c, unsigned to);
void step_await_signal(struct coll *c, unsigned from);

/* Wait until one of RANKS, bit r for rank r, has sent its signal.
 * returns: that rank; of several that have arrived together the lowest. */
unsigned step_await_any_signal(struct coll *c, uint32_t ranks);

/* Tell rank TO where in the own local store the data for it begins. */
void step_post(struct coll *c, unsigned to, const void *data);

/* The same with an effective address, such as that of data in main memory. */
void step_post_ea(struct coll *c, unsigned to, uint64_t ea);

/* Wait for the address of rank FROM, get NBYTES from there into INTO, and acknowledge. */
void step_take(struct coll *c, unsigned from, void *into, size_t nbytes);

/* Acknowledge to rank TO what was taken from it, a flag: the last part of step_take. */
void step_acknowledge(struct coll *c, unsigned to);

/* Wait until rank FROM has acknowledged what was posted to it. */
void step_await_taken(struct coll *c, unsigned from);

/* Post OUT to PEER, take as many bytes from it, and wait for its acknowledgement. */
void step_exchange(struct coll *c, unsigned peer, const void *out, void *in, size_t nbytes);

/* Combine NBYTES of whole elements from FROM into INTO, both in local store, with the operator of the
 * call. */
void step_combine(struct coll *c, void *into, const void *from, size_t nbytes);

/* --- transfers --- */

/* Places for transfers that are under way at once; on hosts there are as many as are used. */
enum { STEP_SLOTS = 16 };

/* A transfer between local store and an effective address; both are congruent modulo 16, sizes are arbitrary.
 * A fenced one begins after all earlier ones of its slot. */
struct step_transfer {
  void *ls;
  uint64_t ea;
  size_t nbytes;
  unsigned slot;
  bool fenced;
};

/* Start TRANSFER into local store, or out of it, and go on at once. */
void step_start_get(struct coll *c, const struct step_transfer *transfer);
void step_start_put(struct coll *c, const struct step_transfer *transfer);

/* Wait until all transfers of SLOT are over. */
void step_finish(struct coll *c, unsigned slot);

/* Get NBYTES from effective address EA into INTO and wait for them; or put them there. */
void step_fetch(struct coll *c, void *into, uint64_t ea, size_t nbytes);
void step_store(struct coll *c, const void *from, uint64_t ea, size_t nbytes);

/* Return the effective address at which rank RANK has what is at LOCAL in the own local store. */
uint64_t step_peer_ea(const struct coll *c, unsigned rank, const void *local);

/* --- pieces of the above --- */

/* Return the effective address that is posted by rank FROM next. */
uint64_t step_await_post(struct coll *c, unsigned from);

/* --- notifications to several ranks --- */

/* The same as step_notify and step_post_ea, when others follow (a fan-out, or an acknowledgement before one):
 * their puts queue up behind one another, and none is waited for. The last one is followed by
 * step_settle_all, which waits for all of them together.
 * source: Ali, Midkiff, Pai 2010, section 5.1 (messages of a root follow one another in a gap, not in a
 * latency); Velamati et al. 2007, section 5.1 (the root posts without blocking). */
void step_notify_more(struct coll *c, unsigned to);
void step_post_ea_more(struct coll *c, unsigned to, uint64_t ea);
void step_settle_all(struct coll *c);

/* Tell whether rank FROM has raised its flag here once more, so that step_await would not wait. A look takes
 * no time: a loop of nothing else would never end. */
bool step_is_notified(struct coll *c, unsigned from);

/* Raise the flag of this rank at ranks FIRST .. END - 1, which it has always notified together, by one DMA
 * list, and wait until it has left. The list is built at LIST, in local store, END - FIRST elements. */
void step_notify_list(struct coll *c, unsigned first, unsigned end, mfc_list_element_t *list);

/* Put NBYTES of entries to the same place of the local store of rank TO as one notification. Each entry must
 * tell by itself whether it has arrived; see metadata.h. */
void step_put_entries(struct coll *c, unsigned to, const void *entries, size_t nbytes);

/* Say that NBYTES of ENTRIES are put by other ranks, before the first of them is. */
void step_note_entries(struct coll *c, const void *entries, size_t nbytes);

/* Wait until SERIAL, in an entry that rank FROM puts, counts the calls with this one; act on the entries that
 * have arrived. */
void step_await_entry(struct coll *c, unsigned from, const uint32_t *serial);
void step_receive_entries(struct coll *c);

/* --- a line of main memory --- */

/* Prepare to write such a line, which takes what a notification takes. */
void step_prepare_line(struct coll *c);

/* Read the 128 bytes at EA into LINE, in local store, with a reservation, and act on them. */
void step_load_line(struct coll *c, void *line, uint64_t ea);

/* Read them again and again until the counter in their first four bytes has reached COUNT; it goes from 2^32
 * - 1 to 0. */
void step_await_count(struct coll *c, void *line, uint64_t ea, uint32_t count);

/* Write LINE back to EA if the reservation still holds.
 * returns: whether it has been written. */
bool step_store_line(struct coll *c, void *line, uint64_t ea);

/* --- processes on hosts only (NEED_HOSTS) --- */

/* Tell whether RANK is on the same host. */
bool step_is_near(const struct coll *c, unsigned rank);

/* The same as step_notify to such a rank, through memory that both share: nothing is sent. */
void step_notify_near(struct coll *c, unsigned to);

/* Let the processor copy NBYTES to INTO from what rank FROM, on the same host, has at PLACE of the own
 * memory. */
void step_copy(struct coll *c, void *into, unsigned from, const void *place, size_t nbytes);

/* Let all that this rank sends from now on take one rail, whatever its size; or divide it among the rails as
 * the network does. */
void step_use_one_rail(struct coll *c, bool one);

/* Bytes of local store that the notification arrays of NRANKS ranks take. */
size_t step_arrays_bytes(unsigned nranks);

/* Return the rank that writes byte OFFSET of the notification arrays of NRANKS ranks, by DMA; NRANKS: only
 * the rank whose arrays these are writes it. */
unsigned step_arrays_sender(unsigned nranks, size_t offset);
