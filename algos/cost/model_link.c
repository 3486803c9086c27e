/* SPDX-License-Identifier: BSD-3-Clause
 * See model_link.h. A message that is alone is served as a whole; when another one comes, up to the end of
 * the packet under way. */
#include "algos/cost/model_link.h"

#include <stddef.h>

static void end_slice(struct event *event);

/* Give the link of INLET to its first message. */
static void serve(struct model_inlet *inlet) {
  const struct model_inflow *first = inlet->first;
  inlet->began = des_now();
  inlet->slice = first->next && first->packet < first->left ? first->packet : first->left;
  inlet->event.run = end_slice;
  des_schedule(&inlet->event, inlet->began + inlet->slice, DES_DELIVER, inlet->number);
}

static void end_slice(struct event *event) {
  struct model_inlet *inlet = EVENT_OWNER(event, struct model_inlet, event);
  struct model_inflow *served = inlet->first;
  served->left -= inlet->slice;
  inlet->first = served->next;
  served->next = NULL;
  if (served->left) {
    *(inlet->first ? &inlet->last->next : &inlet->first) = served;
    inlet->last = served;
  }
  if (inlet->first) {
    serve(inlet);
  }
  if (!served->left) {
    served->done(served);
  }
}

/* Let the first message of INLET, which has had the link for itself, give it away after the packet under
 * way. */
static void cut(struct model_inlet *inlet) {
  const struct model_inflow *first = inlet->first;
  uint64_t passed = des_now() - inlet->began, npackets = passed / first->packet + 1,
           slice = npackets * first->packet;
  if (slice < inlet->slice) {
    des_cancel(&inlet->event);
    inlet->slice = slice;
    des_schedule(&inlet->event, inlet->began + slice, DES_DELIVER, inlet->number);
  }
}

void model_inlet_take(struct model_inlet *inlet, struct model_inflow *inflow, unsigned number) {
  inflow->next = NULL;
  if (inlet->first) {
    inlet->last->next = inflow;
    inlet->last = inflow;
    cut(inlet);
  } else {
    inlet->first = inlet->last = inflow;
    inlet->number = number;
    serve(inlet);
  }
}
