/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a link at which what several senders have sent arrives at once: packets take turns, so that of
 * two messages the shorter one is there after twice its time, and the longer one after that of both. */
#pragma once

#include "sim/base/des.h"

#include <stdint.h>

/* What arrives of one message; SPU cycles. */
struct model_inflow {
  uint64_t left;   /* for which it still takes the link alone */
  uint64_t packet; /* for which one of its packets does, at least 1 */
  void (*done)(struct model_inflow *inflow);
  struct model_inflow *next;
};

/* An end of a link; zero: nothing arrives. It is used on one node of the event core. */
struct model_inlet {
  struct model_inflow *first, *last; /* in turn; the first one has the link */
  uint64_t began, slice;             /* since when, and for how long without a look at the others */
  unsigned number;                   /* of the event that ends the slice */
  struct event event;
};

/* Let INFLOW arrive at INLET from now on, and tell it when it is there; NUMBER orders what happens in one
 * cycle.
 * owner: INLET, until then. */
void model_inlet_take(struct model_inlet *inlet, struct model_inflow *inflow, unsigned number);
