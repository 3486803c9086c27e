/* SPDX-License-Identifier: BSD-3-Clause
 * What TCP tells those who watch the network. */
#include "sim/base/des.h"
#include "sim/net/tcp_parts.h"

void tcp_tell(const struct flow *flow, const struct net_event *event) {
  struct tcp *state = flow->state;
  struct net_event whole = *event;
  state->now = whole.step = ++state->net->nsteps;
  whole.cycle = des_now();
  net_tell_of(state->net, &flow->known, whole);
}

void tcp_tell_service(struct packet *packet, unsigned link, const struct net_service *service) {
  const struct flow *flow = packet->flow;
  struct net *net = flow->state->net;
  uint64_t after = packet->step;
  packet->step = ++net->nsteps;
  if (net->probes) {
    struct net_service whole = *service;
    whole.server = link;
    whole.packet = (unsigned)packet->number;
    whole.hop = packet->hop;
    whole.came = des_now();
    whole.is_answer = !packet->is_segment;
    whole.again = packet->again;
    net_tell_service(&flow->known, packet->step, after, &whole);
  }
}

void tcp_tell_drop(const struct packet *packet, unsigned link) {
  const struct flow *flow = packet->flow;
  const struct net *net = flow->state->net;
  if (net->probes) {
    net_tell_of(net, &flow->known,
                (struct net_event){.kind = NET_DROP,
                                   .cycle = des_now(),
                                   .after = packet->step,
                                   .service = {.server = link, .name = net->names[link], .kind = NET_LINK}});
  }
}
