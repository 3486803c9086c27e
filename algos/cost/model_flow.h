/* SPDX-License-Identifier: BSD-3-Clause
 * Transfers of the model machine: they share what they cross.
 *
 * A transfer of some bus requests is a flow. What it shares with others are resources: the window of an MFC in each direction,
 * ramps, directions of links, memories. A flow has a pace, the cycles that each of its requests takes alone, and it keeps each
 * of its resources busy for some cycles per request, its use. All requests that wait for a resource wait equally long in
 * proportion to their use: for q times that. So a flow goes on at the interval
 *
 *   pace + sum of q use
 *
 * per request; the q of a resource is 0 as long as the resource has time left, else such that the uses of all its flows,
 * each divided by the interval of its flow, add up to 1.
 *
 * A flow has two parts. The requests of the first one, the burst, are under way at once, since so many window entries are free.
 * Those of the second one, the rest, follow as entries become free again, which all flows through one window have to share: it
 * is a resource of the second part only. */
#pragma once

#include "sim/base/wheel.h"

#include <stdbool.h>
#include <stdint.h>

struct model_use;

/* What flows share; all zero at the beginning. */
struct model_resource {
  double q;
  struct model_use *uses;
  bool dirty;                        /* its flows have changed */
  struct model_resource *next_dirty; /* in a list */
};

/* The use of a resource by a flow. */
struct model_use {
  struct model_resource *resource;
  struct model_flow *flow;
  double cycles;                   /* per request */
  struct model_use *next, **place; /* of the same resource; where it is linked; NULL: it is not */
};

struct model_flow {
  double burst, rest;           /* requests */
  double burst_pace, rest_pace; /* cycles per request, alone */
  unsigned nuses, nwindows;     /* the first `nwindows` uses are of windows, which count for the rest only */
  struct model_use *uses;
  void (*burst_ended)(struct model_flow *flow); /* called when the burst has passed */
  void (*ended)(struct model_flow *flow);
  unsigned order; /* of its end among the events of one cycle */
  struct model_flows *flows;
  /* kept by model_flow.c: */
  struct event event; /* its part ends */
  bool resting;       /* in its second part */
  double left, since; /* requests of its part at cycle `since` */
  double interval;    /* cycles per request */
};

/* All flows of a machine. */
struct model_flows {
  struct model_resource *dirty;
  struct event settle; /* at the end of a cycle in which something has changed */
};

/* Prepare FLOWS, without a flow. */
void model_flows_init(struct model_flows *flows);

/* Let RESOURCE be used by FLOW, which has not begun, for CYCLES per request; windows come first. Nothing if CYCLES is 0. */
void model_flow_add_use(struct model_flow *flow, struct model_resource *resource, double cycles);

/* Let FLOW begin now. It calls `ended` when its last request has passed. */
void model_flow_begin(struct model_flow *flow);
