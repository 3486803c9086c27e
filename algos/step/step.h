/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary of algorithms, so that a rank's program reads like the paper.
 *
 * Ranks notify each other through arrays with one 16-byte entry per sender in every local store: an address
 * array (addresses of data) and a flag array (acknowledgements, arrivals). Entries carry a serial number, so
 * that calls can follow one another without a barrier in between.
 * faults: a rank or a slot out of range; on hosts, a feature of SPEs only. A fault stops the program and is
 * reported.
 * source: Ali, Midkiff, Pai 2010, section 3.2; Velamati et al. 2007, section 4 (serial numbers); Gaona,
 * Fernandez, Acacio 2009, section 3 (signals). */
#pragma once

#include "algos/step/coll.h"
#include "sim/spu/spu_mfcio.h"

/* Declare to the hazard detector the words of the local store that hold flags; the notification arrays must
 * be in place. */
void step_enter(struct coll *c);

/* Begin the next step (round) of the algorithm. */
void step_begin(struct coll *c);

/* Compute for CYCLES, at most COMPUTE_MAX, as spu_compute. */
void step_compute(struct coll *c, uint64_t cycles);

/* Raise the flag of this rank at rank TO, and wait until the put has left the local store. Every single
 * notification by flag or address waits in this way; notifications to several ranks do not (see below).
 * source: Ali, Midkiff, Pai 2010: table 1 charges Bruck's barrier a crossing in every round, and the way down
 * a tree a notification for every level, as only waiting ranks take; Velamati et al. 2007, section 5.1. */
void step_notify(struct coll *c, unsigned to);

/* Wait until rank FROM has raised its flag at this rank once more. */
void step_await(struct coll *c, unsigned from);

/* The same through the signal notification register in OR mode: bit r for rank r, in the low and in the high
 * half in turn. So a rank may send one signal before the one before has been read. */
void step_signal(struct coll *c, unsigned to);
void step_await_signal(struct coll *c, unsigned from);

/* Wait until one of RANKS, bit r for rank r, has sent its signal.
 * returns: that rank; the lowest of several ranks whose signals have arrived together. */
unsigned step_await_any_signal(struct coll *c, uint32_t ranks);

/* Send rank TO the address, in this rank's local store, of the data for TO. */
void step_post(struct coll *c, unsigned to, const void *data);

/* The same with an effective address, such as an address in main memory. */
void step_post_ea(struct coll *c, unsigned to, uint64_t ea);

/* Wait for the address of rank FROM, get NBYTES from there into INTO, and acknowledge. */
void step_take(struct coll *c, unsigned from, void *into, size_t nbytes);

/* Acknowledge to rank TO, by a flag, the data taken from TO: the last part of step_take. */
void step_acknowledge(struct coll *c, unsigned to);

/* Wait until rank FROM has acknowledged the data posted to FROM. */
void step_await_taken(struct coll *c, unsigned from);

/* Post OUT to PEER, take NBYTES from PEER into IN, and wait for PEER's acknowledgement. */
void step_exchange(struct coll *c, unsigned peer, const void *out, void *in, size_t nbytes);

/* Combine NBYTES of whole elements from FROM into INTO, both in local store, with the operator of the
 * call. */
void step_combine(struct coll *c, void *into, const void *from, size_t nbytes);

/* --- transfers --- */

/* Number of slots for concurrent transfers; on hosts there is no limit. */
enum { STEP_SLOTS = 16 };

/* A transfer between local store and an effective address. Both addresses are congruent modulo 16; sizes are
 * arbitrary. A fenced transfer begins after all earlier transfers of its slot. */
struct step_transfer {
  void *ls;
  uint64_t ea;
  size_t nbytes;
  unsigned slot;
  bool fenced;
};

/* Start TRANSFER into local store, or out of local store, and go on at once. */
void step_start_get(struct coll *c, const struct step_transfer *transfer);
void step_start_put(struct coll *c, const struct step_transfer *transfer);

/* Start to put TRANSFER, at most 16 bytes for a program to read, behind all earlier puts of the slot. */
void step_start_flag(struct coll *c, const struct step_transfer *transfer);

/* Return the tag of SLOT, below STEP_SLOTS, as a mask for waits. */
uint32_t step_slot_tags(const struct coll *c, unsigned slot);

/* Wait until all transfers of SLOT are over. */
void step_finish(struct coll *c, unsigned slot);

/* Get NBYTES from effective address EA into INTO and wait; put NBYTES to EA and wait. */
void step_fetch(struct coll *c, void *into, uint64_t ea, size_t nbytes);
void step_store(struct coll *c, const void *from, uint64_t ea, size_t nbytes);

/* Return the effective address, at rank RANK, of the local store address of LOCAL. */
uint64_t step_peer_ea(const struct coll *c, unsigned rank, const void *local);

/* --- pieces of the above --- */

/* Wait for the next address posted by rank FROM and return the address. */
uint64_t step_await_post(struct coll *c, unsigned from);

/* --- notifications to several ranks --- */

/* The same as step_notify and step_post_ea, when others follow (a fan-out, or an acknowledgement before one).
 * The puts queue up behind one another, and the rank waits for none. After the last notification
 * step_settle_all waits for all puts together.
 * source: Ali, Midkiff, Pai 2010, section 5.1 (messages of a root follow one another in a gap, not in a
 * latency); Velamati et al. 2007, section 5.1 (the root posts without blocking). */
void step_notify_more(struct coll *c, unsigned to);
void step_post_ea_more(struct coll *c, unsigned to, uint64_t ea);
void step_settle_all(struct coll *c);

/* Tell whether rank FROM has raised its flag at this rank once more, so that step_await would not wait. The
 * test takes no time: a loop with nothing but the test would never end. */
bool step_is_notified(struct coll *c, unsigned from);

/* Raise the flag of this rank at ranks FIRST .. END - 1 by one DMA list, and wait until the list has left the
 * local store. The list is built at LIST, in local store, END - FIRST elements. */
void step_notify_list(struct coll *c, unsigned first, unsigned end, mfc_list_element_t *list);

/* Put NBYTES of entries to the same place of the local store of rank TO as one notification. Each entry must
 * show by itself that the entry has arrived; see metadata.h. */
void step_put_entries(struct coll *c, unsigned to, const void *entries, size_t nbytes);

/* Declare, before the first put, that other ranks put NBYTES of ENTRIES. */
void step_note_entries(struct coll *c, const void *entries, size_t nbytes);

/* Wait until SERIAL, in an entry put by rank FROM, is the number of this call, counted from 1. */
void step_await_entry(struct coll *c, unsigned from, const uint32_t *serial);

/* Take the time for acting on arrived entries. */
void step_receive_entries(struct coll *c);

/* --- a line of main memory --- */

/* Prepare to write a line of main memory, in the time of a notification. */
void step_prepare_line(struct coll *c);

/* Read the 128 bytes at EA into LINE, in local store, with a reservation, and act on the bytes. */
void step_load_line(struct coll *c, void *line, uint64_t ea);

/* Read the line repeatedly until the counter in its first four bytes has reached COUNT; the counter wraps
 * from 2^32 - 1 to 0. */
void step_await_count(struct coll *c, void *line, uint64_t ea, uint32_t count);

/* Write LINE back to EA if the reservation still holds.
 * returns: whether LINE has been written. */
bool step_store_line(struct coll *c, void *line, uint64_t ea);

/* --- processes on hosts only (NEED_HOSTS) --- */

/* Tell whether RANK is on the same host. */
bool step_is_near(const struct coll *c, unsigned rank);

/* The same as step_notify to a rank on the same host, through shared memory: no message is sent. */
void step_notify_near(struct coll *c, unsigned to);

/* Let the processor copy NBYTES to INTO from rank FROM, on the same host; PLACE is the address of the same
 * data in this rank's memory. */
void step_copy(struct coll *c, void *into, unsigned from, const void *place, size_t nbytes);

/* ONE: let all later messages of this rank take one rail, independent of size; else messages are divided. */
void step_use_one_rail(struct coll *c, bool one);

/* Bytes of local store that the notification arrays of NRANKS ranks take. */
size_t step_arrays_bytes(unsigned nranks);

/* Return the rank that writes byte OFFSET of the notification arrays of NRANKS ranks, by DMA; NRANKS if only
 * the owner of the arrays writes the byte. */
unsigned step_arrays_sender(unsigned nranks, size_t offset);
