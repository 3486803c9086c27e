/* SPDX-License-Identifier: BSD-3-Clause
 * See model_flow.h.
 *
 * When a part begins or ends, its resources are looked at again at the end of the cycle: each finds its q with those of the
 * others as they are, and those whose flows thereby change are looked at again, until nothing changes any more. */
#include "algos/cost/model_flow.h"

#include "sim/base/des.h"

#include <math.h>

/* Intervals that differ by less are the same. */
static const double tolerance = 1e-3;

/* A bound for what never comes to rest: looks at resources for each change. */
enum { LOOKS_MAX = 400, NEWTON_STEPS = 20 };

static void settle(struct event *event);
static void end_part(struct event *event);

void
model_flows_init(struct model_flows *flows)
{
  *flows = (struct model_flows){.settle = {.run = settle}};
}

void
model_flow_add_use(struct model_flow *flow, struct model_resource *resource, double cycles)
{
  if (cycles > 0) {
    flow->uses[flow->nuses++] = (struct model_use){.resource = resource, .flow = flow, .cycles = cycles};
  }
}

/* --- resources --- */

static void
mark(struct model_flows *flows, struct model_resource *resource)
{
  if (!resource->dirty) {
    resource->dirty = true;
    resource->next_dirty = flows->dirty;
    flows->dirty = resource;
  }
}

/* Look at RESOURCE, whose flows have changed, at the end of this cycle. */
static void
change(struct model_flows *flows, struct model_resource *resource)
{
  mark(flows, resource);
  if (!flows->settle.pending) {
    des_schedule(&flows->settle, des_now(), DES_LINK, 0);
  }
}

/* Return the q of RESOURCE at which it is busy all the time, or 0 if it is not, with everything else as it is. */
static double
find_q(const struct model_resource *resource)
{
  double q = 0;
  for (unsigned step = 0; step < NEWTON_STEPS; step++) {
    double busy = -1, slope = 0;
    for (const struct model_use *use = resource->uses; use; use = use->next) {
      double interval = use->flow->interval + (q - resource->q) * use->cycles;
      double share = use->cycles / interval;
      busy += share;
      slope += share * share;
    }
    if (busy <= tolerance / 10) {
      return q;
    }
    q += busy / slope; /* from below: the sum is convex */
  }
  return q;
}

/* --- flows --- */

/* Find out how many requests of FLOW are left now. */
static void
catch_up(struct model_flow *flow)
{
  double now = (double)des_now();
  flow->left -= (now - flow->since) / flow->interval;
  flow->left = flow->left > 0 ? flow->left : 0;
  flow->since = now;
}

/* Let the part of FLOW end when it does at its interval. */
static void
expect_end(struct model_flow *flow)
{
  if (flow->event.pending) {
    des_cancel(&flow->event);
  }
  flow->event.run = end_part;
  uint64_t cycles = (uint64_t)ceil(flow->left * flow->interval);
  des_schedule(&flow->event, des_now() + cycles, DES_COMPLETE, flow->order);
}

/* Let the flows of RESOURCE go on with its new Q. */
static void
set_q(struct model_flows *flows, struct model_resource *resource, double q)
{
  double more = q - resource->q;
  resource->q = q;
  for (struct model_use *use = resource->uses; use; use = use->next) {
    struct model_flow *flow = use->flow;
    double interval = flow->interval + more * use->cycles;
    if (fabs(interval - flow->interval) > tolerance * flow->interval) {
      for (unsigned i = 0; i < flow->nuses; i++) {
        if (flow->uses[i].place && flow->uses[i].resource != resource) {
          mark(flows, flow->uses[i].resource);
        }
      }
    }
    catch_up(flow);
    flow->interval = interval;
    expect_end(flow);
  }
}

static void
settle(struct event *event)
{
  struct model_flows *flows = EVENT_OWNER(event, struct model_flows, settle);
  for (unsigned looks = 0; flows->dirty; looks++) {
    struct model_resource *resource = flows->dirty;
    flows->dirty = resource->next_dirty;
    resource->dirty = false;
    double q = looks < LOOKS_MAX ? find_q(resource) : resource->q;
    if (q != resource->q) {
      set_q(flows, resource, q);
    }
  }
}

/* Let USE count, or no more. */
static void
link_use(struct model_use *use)
{
  use->next = use->resource->uses;
  use->place = &use->resource->uses;
  if (use->next) {
    use->next->place = &use->next;
  }
  use->resource->uses = use;
  change(use->flow->flows, use->resource);
}

static void
unlink_use(struct model_use *use)
{
  if (use->place) {
    *use->place = use->next;
    if (use->next) {
      use->next->place = use->place;
    }
    use->place = NULL;
    change(use->flow->flows, use->resource);
  }
}

/* Begin the part of FLOW with so many REQUESTS at PACE. */
static void
begin_part(struct model_flow *flow, double requests, double pace)
{
  flow->left = requests;
  flow->since = (double)des_now();
  flow->interval = pace;
  for (unsigned i = 0; i < flow->nuses; i++) {
    struct model_use *use = &flow->uses[i];
    if (flow->resting || i >= flow->nwindows) {
      flow->interval += use->resource->q * use->cycles;
      if (use->place) {
        change(flow->flows, use->resource);
      } else {
        link_use(use);
      }
    }
  }
  expect_end(flow);
}

static void
end_part(struct event *event)
{
  struct model_flow *flow = EVENT_OWNER(event, struct model_flow, event);
  if (!flow->resting) {
    flow->burst_ended(flow);
  }
  if (!flow->resting && flow->rest > 0) {
    flow->resting = true;
    begin_part(flow, flow->rest, flow->rest_pace);
    return;
  }
  for (unsigned i = 0; i < flow->nuses; i++) {
    unlink_use(&flow->uses[i]);
  }
  flow->ended(flow);
}

void
model_flow_begin(struct model_flow *flow)
{
  flow->resting = flow->burst <= 0;
  if (flow->resting) {
    begin_part(flow, flow->rest, flow->rest_pace);
  } else {
    begin_part(flow, flow->burst, flow->burst_pace);
  }
}
