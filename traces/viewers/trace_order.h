/* SPDX-License-Identifier: BSD-3-Clause
 * Operations of a trace kept until the machine comes to their cycles: programs are ahead of the machine, and
 * transfers end after the grant. */
#pragma once

#include "traces/viewers/trace_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_mfc;
struct trace_place;

enum trace_action {
  ACTION_BEGIN, /* track, slice: the slice begins */
  ACTION_END,   /* track, slice: the slice ends */
  ACTION_TAKE,  /* mfc, is_atomic, slice: a command begins, in the lowest free place of the MFC */
  ACTION_FREE,  /* mfc: a bus request leaves its window */
  ACTION_LAND,  /* chip: a transfer leaves the rings */
};

/* Something to be written at cycle `at`. */
struct trace_op {
  enum trace_action action;
  uint64_t at;
  uint64_t number; /* running number, to keep operations of one cycle in order; trace_order_keep sets it */
  const struct trace_track *track;
  struct trace_mfc *mfc;
  const struct trace_track *issuer;
  unsigned chip;
  bool is_atomic;
  struct trace_slice slice;
};

/* A heap of numbers of operations, the next one first. Starts as zero. */
struct trace_order {
  struct trace_op *ops;
  size_t *heap, *unused; /* numbers of ops: waiting ones, and free ones */
  size_t n, nunused, room;
  uint64_t nkept;
};

/* Keep OP. */
void trace_order_keep(struct trace_order *order, const struct trace_op *op);

/* Take the next operation due by CYCLE into OP.
 * returns: false if no operation is due. */
bool trace_order_take(struct trace_order *order, uint64_t cycle, struct trace_op *op);

/* Release the contents of ORDER. */
void trace_order_fini(struct trace_order *order);
