/* SPDX-License-Identifier: BSD-3-Clause
 * What TCP tells those who watch the network. */
#include "sim/base/des.h"
#include "sim/net/tcp_parts.h"

void tcp_tell_timer(const struct flow *flow, enum probe_kind kind, uint64_t since, uint64_t after) {
  struct tcp *state = flow->state;
  struct probe_event event = {.kind = kind, .cycle = des_now(), .timer.since = since};
  state->now = event.message.step = ++state->net->nsteps;
  event.message.after = after;
  net_tell(state->net, &flow->known, event);
}

void tcp_tell_packet(struct packet *packet, unsigned link, size_t nbytes, const uint64_t from_to[2]) {
  const struct flow *flow = packet->flow;
  struct net *net = flow->state->net;
  uint64_t after = packet->step;
  packet->step = ++net->nsteps;
  if (net->probes.n) {
    net_tell_packet(&flow->known, packet->step, after,
                    &(struct probe_packet){.server.number = link,
                                           .number = (unsigned)packet->number,
                                           .nbytes = nbytes,
                                           .hop = packet->hop,
                                           .came = des_now(),
                                           .begin = from_to[0],
                                           .end = from_to[1],
                                           .is_answer = !packet->is_segment,
                                           .again = packet->again});
  }
}

void tcp_tell_drop(const struct packet *packet, unsigned link) {
  const struct flow *flow = packet->flow;
  const struct net *net = flow->state->net;
  if (net->probes.n) {
    net_tell(net, &flow->known,
             (struct probe_event){
               .kind = PROBE_PACKET_DROP,
               .cycle = des_now(),
               .drop = {.message.after = packet->step,
                        .server = {.number = link, .name = net->names[link], .kind = PROBE_SERVER_LINK}}});
  }
}
