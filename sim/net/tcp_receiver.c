/* SPDX-License-Identifier: BSD-3-Clause
 * The receiver of a flow: segments in any order, acknowledgements at once or delayed; see tcp.c. */
#include "sim/base/engine/des.h"
#include "sim/net/tcp_private.h"

static void send_acknowledgement(struct flow *flow) {
  flow->ndelayed = 0;
  tcp_send(&(struct packet){.flow = flow, .number = flow->expected});
}

void tcp_acknowledge(struct event *event) {
  struct flow *flow = EVENT_OWNER(event, struct flow, acknowledge);
  if (flow->ndelayed > 0 && !flow->done) {
    if (flow->acknowledge_at > des_now()) {
      des_schedule_on(flow->state->net->node, &flow->acknowledge, flow->acknowledge_at,
                      des_order(DES_PROGRAM, flow->to));
      return;
    }
    tcp_tell_timer(flow, PROBE_PACKET_DELAY, flow->acknowledge_set, flow->acknowledge_after);
    send_acknowledgement(flow);
  }
  tcp_release(flow);
}

/* Delay the acknowledgement of the segments that have come, until another segment comes or
 * network.delayed-ack is over. */
static void delay(struct flow *flow) {
  flow->acknowledge_at = des_now() + flow->state->delay;
  flow->acknowledge_set = des_now();
  flow->acknowledge_after = flow->state->now;
  if (!flow->acknowledge.pending) {
    des_schedule_on(flow->state->net->node, &flow->acknowledge, flow->acknowledge_at,
                    des_order(DES_PROGRAM, flow->to));
  }
}

void tcp_take_segment(struct flow *flow, int number) {
  bool in_order = number == flow->expected;
  flow->come[number] = 1;
  flow->end = number + 1 > flow->end ? number + 1 : flow->end;
  while (flow->expected < flow->nsegments && flow->come[flow->expected]) {
    flow->expected++;
  }
  bool complete = flow->expected == flow->nsegments;
  if (complete && flow->message) {
    net_arrive(flow->message, des_now(), flow->state->now);
    flow->message = NULL;
  }
  if (in_order && !complete && flow->end == flow->expected && flow->state->delay && ++flow->ndelayed < 2) {
    delay(flow);
  } else {
    send_acknowledgement(flow);
  }
}
