/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_order.h. */
#include "traces/viewers/trace_order.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>

/* Tell whether operation A comes before B. */
static bool comes_before(const struct trace_order *order, size_t a, size_t b) {
  const struct trace_op *x = &order->ops[a], *y = &order->ops[b];
  return x->at != y->at ? x->at < y->at : x->number < y->number;
}

static void grow(struct trace_order *order) {
  size_t room = order->room ? 2 * order->room : 64;
  order->ops = xrealloc(order->ops, room, sizeof *order->ops);
  order->heap = xrealloc(order->heap, room, sizeof *order->heap);
  order->unused = xrealloc(order->unused, room, sizeof *order->unused);
  for (size_t i = order->room; i < room; i++) {
    order->unused[order->nunused++] = i;
  }
  order->room = room;
}

void trace_order_keep(struct trace_order *order, const struct trace_op *op) {
  if (order->nunused == 0) {
    grow(order);
  }
  size_t at = order->n++, added = order->unused[--order->nunused];
  order->ops[added] = *op;
  order->ops[added].number = order->nkept++;
  for (; at > 0 && comes_before(order, added, order->heap[(at - 1) / 2]); at = (at - 1) / 2) {
    order->heap[at] = order->heap[(at - 1) / 2];
  }
  order->heap[at] = added;
}

bool trace_order_take(struct trace_order *order, uint64_t cycle, struct trace_op *op) {
  if (order->n == 0 || order->ops[order->heap[0]].at > cycle) {
    return false;
  }
  size_t taken = order->heap[0], moved = order->heap[--order->n], at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child + 1 < order->n && comes_before(order, order->heap[child + 1], order->heap[child])) {
      child++;
    }
    if (child >= order->n || comes_before(order, moved, order->heap[child])) {
      break;
    }
    order->heap[at] = order->heap[child];
    at = child;
  }
  order->heap[at] = moved;
  order->unused[order->nunused++] = taken;
  *op = order->ops[taken];
  return true;
}

void trace_order_fini(struct trace_order *order) {
  free(order->ops);
  free(order->heap);
  free(order->unused);
}
