/* SPDX-License-Identifier: BSD-3-Clause
 * A shadow of memory: for each byte of a local store, or of main memory, the last write and the reads since;
 * for traces/order*.c only. */
#pragma once

#include "sim/base/pool.h"
#include "traces/order/order_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order;

struct order_span {
  uint64_t ea, nbytes;
};

/* When an access is over: as soon as a clock knows LANE up to COUNT, or, if somebody has seen so already,
 * SEEN_LANE up to SEEN_COUNT. */
struct order_stamp {
  uint32_t lane, count;           /* count 0: no access */
  uint32_t access;                /* number of the access, for messages */
  uint32_t seen_lane, seen_count; /* seen_count 0: nobody */
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

/* Tell whether CLOCK knows by a tell that the put or tell with STAMP is over; in
 * order_release.c. */
bool order_knows_by_tell(const struct order *order, const struct order_clock *clock,
                         const struct order_stamp *stamp);

/* Judge a read, or a write, of the bytes of SPAN, at least one, and keep the access. Each cell with an
 * earlier access not known to be over is reported, unless both accesses read. */
void order_shadow_read(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge);
void order_shadow_write(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge);

/* The accesses to SPAN with the lane and count of STAMP are known to be over in lane SEEN_LANE of STAMP from
 * count SEEN_COUNT on. */
void order_shadow_mark(struct order_shadow *shadow, struct order_span span, const struct order_stamp *stamp);

/* Forget all accesses. */
void order_shadow_clear(struct order_shadow *shadow);
