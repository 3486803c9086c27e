/* SPDX-License-Identifier: BSD-3-Clause
 * Back along a critical path over a message between nodes, from the notification of the receiving program to
 * the sending.
 *
 * Each step of the network names its predecessor. A packet at a link follows from the same packet at the link
 * before. The first step of a packet follows from the packet before in the same server, from an
 * acknowledgement or from a timeout of TCP. */
#include "sim/base/vec.h"
#include "traces/record/net_record.h"
#include "traces/path/path_walk.h"

/* Return the step of number NUMBER; NULL: there is none. */
static const struct net_record_step *step_of(const struct net_record *net, uint32_t number) {
  return number ? &net->steps[number - 1] : NULL;
}

/* Return the cause in place of CAUSE for a packet that is an acknowledgement or sent again, or on a link of a
 * triblade. */
static enum path_cause cause_of(const struct net_record_step *step, enum path_cause cause) {
  bool pcie = step->flags & NET_RECORD_PCIE;
  return step->flags & NET_RECORD_ANSWER     ? PATH_NET_ANSWER
         : step->flags & NET_RECORD_AGAIN    ? PATH_NET_AGAIN
         : pcie && cause == PATH_NET_LATENCY ? PATH_PCIE
         : pcie && cause == PATH_NET_OWN     ? PATH_PCIE_OWN
                                             : cause;
}

/* Return the program of RECORD that sends messages: the program on the PPE of chip 0. */
static unsigned sender(const struct record *record) {
  return (unsigned)VEC_INDEX(record->programs, record->nprograms - 1,
                             item->is_known && item->spe == RECORD_NOBODY && item->chip == 0);
}

/* Go back to cycle FROM over the wait of STEP for the server, split by the packets served meanwhile. */
static void back_queue(struct path_walk *walk, const struct net_record_step *step, uint64_t from) {
  const struct net_record *net = walk->net;
  struct path_blocker blocker = {.spe = RECORD_NOBODY, .server = step->server, .node = RECORD_NOBODY};
  for (const struct net_record_step *other = step_of(net, step->before); other && walk->at > from;
       other = step_of(net, other->before)) {
    uint64_t begin = other->begin - other->gap;
    if (begin >= walk->at) {
      continue;
    }
    bool own = other->message == step->message;
    blocker.spe = net->messages[other->message - 1].from;
    blocker.command = other->message;
    if (own) {
      path_back(walk, begin > from ? begin : from, cause_of(step, PATH_NET_OWN));
    } else {
      path_back_behind(walk, begin > from ? begin : from, cause_of(step, PATH_NET_TAKEN), &blocker);
    }
  }
  path_back(walk, from, cause_of(step, PATH_NET_TAKEN));
}

/* Go back over STEP, a service; NEXT is the step after STEP, or NULL for the arrival of the message. */
static void back_service(struct path_walk *walk, const struct net_record_step *step,
                         const struct net_record_step *next) {
  bool left = next && next->flags & NET_RECORD_SAME_SERVER;
  path_back(walk, step->end + step->latency, PATH_NET_HOST);
  if (!left) {
    uint64_t head = walk->at > step->latency ? walk->at - step->latency : 0;
    path_back(walk, head > step->begin ? head : step->begin, cause_of(step, PATH_NET_LATENCY));
  }
  path_back(walk, step->begin, cause_of(step, PATH_NET_OWN));
  path_back(walk, step->begin - step->gap, cause_of(step, PATH_NET_NIC));
  back_queue(walk, step, step->came);
}

bool path_back_message(struct path_walk *walk, const struct record_interval *interval) {
  const struct net_record *net = walk->net;
  if (!net || interval->number == 0 || interval->number > net->nmessages) {
    return false;
  }
  const struct net_record_message *message = &net->messages[interval->number - 1];
  const struct record *from = walk->records[message->from];
  path_begin_part(walk, &(struct path_part){.number = interval->number,
                                            .nbytes = (uint32_t)message->nbytes,
                                            .spe = RECORD_NOBODY,
                                            .peer = message->to,
                                            .node = message->from,
                                            .step = record_step(&from->programs[sender(from)], message->sent),
                                            .kind = message->asks ? PATH_GET : PATH_MESSAGE,
                                            .is_answered = walk->node == message->from});
  path_back(walk, message->told, PATH_NET_ANSWER); /* a host waits until a put is acknowledged */
  path_back(walk, message->arrived, PATH_NET_HOST);
  const struct net_record_step *next = NULL;
  for (const struct net_record_step *step = step_of(net, message->after); step;
       step = step_of(net, step->after)) {
    switch ((enum probe_kind)step->kind) {
    case PROBE_PACKET:
      back_service(walk, step, next);
      break;
    case PROBE_PACKET_TIMEOUT:
      path_back(walk, step->came, PATH_NET_TIMEOUT);
      break;
    default:
      path_back(walk, step->came, PATH_NET_ANSWER);
      break;
    }
    next = step;
  }
  path_back(walk, message->sent, PATH_NET_HOST);
  walk->node = message->from;
  walk->record = from;
  walk->program = sender(from);
  return true;
}
