/* SPDX-License-Identifier: BSD-3-Clause
 * The sender of a flow: the window, segments that are lost and sent again, timeouts; see tcp.c. */
#include "sim/base/engine/des.h"
#include "sim/net/tcp_private.h"

#include <string.h>

enum { DUPLICATES = 3, BACKOFFS_MOST = 6 };

static void send_segment(struct flow *flow, int number) {
  if (flow->timed == TCP_NOTHING_TIMED) {
    flow->timed = number;
    flow->timed_at = des_now();
  }
  tcp_send(&(struct packet){.flow = flow, .number = number, .is_segment = true});
}

/* Send segment NUMBER once more. An acknowledgement could belong to either copy, so that no round trip is
 * measured. */
static void send_again(struct flow *flow, int number) {
  flow->timed = TCP_NOTHING_TIMED;
  flow->state->net->totals.nretransmissions++;
  tcp_send(&(struct packet){.flow = flow, .number = number, .is_segment = true, .again = true});
}

/* Wait for an acknowledgement from now on. */
static void start_timer(struct flow *flow) {
  struct des_node *node = flow->state->net->node;
  flow->deadline = des_now() + (flow->timeout << flow->backoffs);
  flow->timer_set = des_now();
  flow->timer_after = flow->state->now;
  if (flow->timer.pending && flow->timer.at > flow->deadline) {
    des_cancel(&flow->timer);
  }
  if (!flow->timer.pending) {
    des_schedule_on(node, &flow->timer, flow->deadline, des_order(DES_PROGRAM, flow->from));
  }
}

void tcp_pump(struct flow *flow) {
  double most = flow->state->window_most;
  int window = (int)(flow->window < most ? flow->window : most);
  bool any = false;
  while (flow->next_segment < flow->nsegments && flow->next_segment - flow->unacknowledged < window) {
    if (!flow->come[flow->next_segment]) {
      send_segment(flow, flow->next_segment);
    }
    flow->next_segment++;
    any = true;
  }
  if (any && !flow->deadline) {
    start_timer(flow);
  }
}

/* The window shrinks by half. */
static void halve(struct flow *flow) {
  flow->threshold = flow->window / 2 < 2 ? 2 : flow->window / 2;
}

void tcp_time_out(struct event *event) {
  struct flow *flow = EVENT_OWNER(event, struct flow, timer);
  if (flow->done) {
    tcp_release(flow);
    return;
  }
  if (flow->deadline > des_now()) {
    des_schedule_on(flow->state->net->node, &flow->timer, flow->deadline, des_order(DES_PROGRAM, flow->from));
    return;
  }
  flow->state->net->totals.ntimeouts++;
  tcp_tell_timer(flow, PROBE_PACKET_TIMEOUT, flow->timer_set, flow->timer_after);
  halve(flow);
  flow->window = 1;
  flow->recovering = false;
  flow->duplicates = 0;
  flow->next_segment = flow->unacknowledged;
  flow->backoffs += flow->backoffs < BACKOFFS_MOST;
  memset(flow->again, 0, (size_t)flow->nsegments);
  send_again(flow, flow->next_segment++);
  start_timer(flow);
}

/* All before segment NUMBER have come, for the first time. */
static void advance(struct flow *flow, int number) {
  struct tcp *state = flow->state;
  if (flow->timed >= 0 && number > flow->timed) {
    uint64_t time = des_now() - flow->timed_at;
    flow->round_trip = flow->round_trip ? (7 * flow->round_trip + time) / 8 : time;
    uint64_t timeout = 3 * flow->round_trip;
    flow->timeout = timeout > state->timeout_least ? timeout : state->timeout_least;
    flow->timed = TCP_NOTHING_TIMED;
  }
  int nnew = number - flow->unacknowledged;
  flow->unacknowledged = number;
  flow->duplicates = 0;
  flow->backoffs = 0;
  flow->next_segment = flow->next_segment < number ? number : flow->next_segment;
  if (flow->recovering && number >= flow->recover) {
    flow->recovering = false;
    flow->window = flow->threshold;
  }
  if (!flow->recovering) {
    flow->window += flow->window < flow->threshold ? nnew : nnew / flow->window;
    flow->window = flow->window < state->window_most ? flow->window : state->window_most;
  }
  flow->done = number >= flow->nsegments;
  if (flow->done) {
    flow->deadline = 0;
  } else {
    start_timer(flow);
  }
}

/* In a recovery each acknowledgement lets one segment leave: the first missing segment, otherwise a new
 * segment if the window allows a new one. */
static void fill_hole(struct flow *flow) {
  for (int i = flow->unacknowledged; i < flow->end && i < flow->recover; i++) {
    if (!flow->come[i] && !flow->again[i]) {
      flow->again[i] = 1;
      send_again(flow, i);
      return;
    }
  }
  int out = 0;
  for (int i = flow->unacknowledged; i < flow->next_segment; i++) {
    out += !flow->come[i];
  }
  if (out < (int)flow->window && flow->next_segment < flow->nsegments) {
    send_segment(flow, flow->next_segment++);
  }
}

void tcp_receive_ack(struct flow *flow, int number) {
  if (flow->done) {
    return;
  }
  if (number > flow->unacknowledged) {
    advance(flow, number);
    if (flow->done) {
      return;
    }
  } else {
    flow->duplicates++;
  }
  if (!flow->recovering && flow->duplicates == DUPLICATES) {
    flow->recovering = true;
    flow->recover = flow->next_segment;
    halve(flow);
    flow->window = flow->threshold;
    memset(flow->again, 0, (size_t)flow->nsegments);
  }
  if (flow->recovering) {
    fill_hole(flow);
  } else {
    tcp_pump(flow);
  }
}
