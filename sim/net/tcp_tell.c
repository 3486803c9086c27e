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

void tcp_tell_service(struct packet *packet, unsigned link, const struct probe_packet *service) {
  const struct flow *flow = packet->flow;
  struct net *net = flow->state->net;
  uint64_t after = packet->step;
  packet->step = ++net->nsteps;
  if (net->probes.n) {
    struct probe_packet whole = *service;
    whole.server.number = link;
    whole.number = (unsigned)packet->number;
    whole.hop = packet->hop;
    whole.came = des_now();
    whole.is_answer = !packet->is_segment;
    whole.again = packet->again;
    net_tell_packet(&flow->known, packet->step, after, &whole);
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
