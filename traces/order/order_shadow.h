/* SPDX-License-Identifier: BSD-3-Clause
 * A shadow of memory: for each byte of a local store, or of main memory, the last write and the reads since;
 * for traces/order*.c only. */
#pragma once

#include "sim/base/pool.h"
#include "traces/order/order_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order_span {
  uint64_t ea, nbytes;
};

/* A program has seen the end of an access, in epoch COUNT of LANE: a clock with LANE up to COUNT knows the
 * end. No seer of an access has known of an earlier seer. A seer never changes: stamps share lists. */
struct order_seer {
  uint32_t lane, count;
  uint32_t next; /* number of the seer before; 0: none */
};

struct order_seers {
  struct order_seer *items; /* [number]; number 0 is nobody */
  uint32_t n, room;
};

/* When an access is over: as soon as a clock knows LANE up to COUNT, or a seer of the end. */
struct order_stamp {
  uint32_t lane, count; /* count 0: no access */
  uint32_t access;      /* number of the access, for messages */
  uint32_t seers;       /* number of the last seer; 0: nobody */
  /* of a put, or of a tell that follows puts, of a process: 1 + number of the pair of sender and receiver */
  uint32_t pair : 31, tells : 1;
};

struct order_read {
  struct order_read *next; /* of the same cell */
  struct order_stamp stamp;
};

/* Bytes with the same history. */
struct order_cell {
  uint64_t start, end;
  struct order_stamp writer;
  struct order_read *reads;
};

struct order_shadow {
  struct order_cell *cells; /* in ascending order of addresses */
  size_t n, room;
  size_t last;       /* the cell found last */
  struct pool reads; /* of cells */
};

/* A new access. KNOWS is the clock of the reader or writer. */
struct order_judge {
  const struct order_stamp *stamp;
  const struct order_clock *knows;
  struct order *order;
};

/* Report that nothing orders the access EARLIER to CELL and the new access of JUDGE, a write if WRITES, else
 * a read; in order_text.c. */
void order_report(const struct order_judge *judge, const struct order_stamp *earlier,
                  const struct order_cell *cell, bool writes);

/* Tell whether CLOCK knows one of the seers of ORDER from number LAST on; in order_release.c. */
bool order_knows_seer(const struct order *order, const struct order_clock *clock, uint32_t last);

/* Return the number of SEER, now one of ORDER; in order_release.c. */
uint32_t order_seer_new(struct order *order, struct order_seer seer);

/* Tell whether CLOCK knows by a tell that the put or tell with STAMP is over; in
 * order_release.c. */
bool order_knows_by_tell(const struct order *order, const struct order_clock *clock,
                         const struct order_stamp *stamp);

/* Judge a read, or a write, of the bytes of SPAN, at least one, and keep the access. Each cell with an
 * earlier access not known to be over is reported, unless both accesses read. */
void order_shadow_read(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge);
void order_shadow_write(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge);

/* The program in LANE, with the clock of JUDGE, has seen the end of the accesses to SPAN with the lane and
 * count of the stamp of JUDGE. */
void order_shadow_mark(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge,
                       uint32_t lane);

/* Forget all accesses. */
void order_shadow_clear(struct order_shadow *shadow);
