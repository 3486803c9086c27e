/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a connection of TCP; for this folder only. */
#pragma once

#include "sim/base/pool.h"
#include "sim/net/net_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message in transit, from the first segment to the acknowledgement of the last segment. */
struct flow {
  struct tcp *state;
  struct flow *next, *before;  /* neighbours in the list of all flows */
  struct net_message *message; /* NULL: the message has arrived */
  struct net_message known;    /* a copy of the message, for the observers */
  unsigned from, to;
  size_t nbytes;
  struct fabric_route forth, back;
  unsigned npackets; /* segments and acknowledgements of the flow in transit */

  /* the sender; segments are counted */
  int nsegments, unacknowledged, next_segment;
  int duplicates, recover; /* recover: the sender recovers from a loss until this segment is acknowledged */
  bool recovering, done;
  double window, threshold;
  struct event timer; /* no earlier than the deadline */
  uint64_t deadline;  /* 0: nothing is waited for */
  /* the cycle in which the timer was set, and the number of the step that set the timer */
  uint64_t timer_set, timer_after;
  uint64_t timeout, round_trip;
  unsigned backoffs;
  int timed; /* the segment that measures the round trip, or TCP_NOTHING_TIMED */
  uint64_t timed_at;

  /* the receiver */
  int expected, end;        /* the first missing segment; one after the highest segment that has come */
  unsigned ndelayed;        /* segments not acknowledged yet */
  struct event acknowledge; /* a delayed acknowledgement, no earlier than acknowledge_at */
  uint64_t acknowledge_at, acknowledge_set, acknowledge_after;
  /* of each segment: the segment has come; the segment has been sent again in this recovery */
  unsigned char *come, *again;
};

/* A segment or an acknowledgement. */
struct packet {
  struct event event; /* arrival at the next server, or at the destination */
  struct flow *flow;
  int number;             /* of the segment; of an acknowledgement: of the next one expected */
  bool is_segment, again; /* again: a segment sent before */
  unsigned hop;
  uint64_t step; /* the number of the packet's latest step told to observers */
};

struct tcp {
  struct net *net;
  struct pool packets, flow_pool;
  struct flow *flows;
  struct port_room *rooms; /* of each link */
  double window_most;      /* segments */
  uint64_t timeout_least, delay;
  size_t queue_bytes, buffer_bytes;
  uint64_t now; /* the number of the step from which packets sent now follow */
};

/* Let a copy of PACKET, whose flow, number and kind are set, go to the first server. */
void tcp_send(const struct packet *packet);

/* Release FLOW if nothing of the flow is left: no packet, no timer. */
void tcp_release(struct flow *flow);

/* --- the sender --- */

enum { TCP_NOTHING_TIMED = -1 };

/* Send the segments that the window of FLOW allows. */
void tcp_pump(struct flow *flow);

/* An acknowledgement of all before segment NUMBER of FLOW has come. */
void tcp_receive_ack(struct flow *flow, int number);

/* The timer of a flow: perhaps nothing has come back for too long. */
void tcp_time_out(struct event *timer);

/* --- for observers --- */

/* Tell the observers of KIND: a timer of FLOW, set at cycle SINCE after step AFTER, has ended now. Packets
 * sent from now on follow from this end. */
void tcp_tell_timer(const struct flow *flow, enum probe_kind kind, uint64_t since, uint64_t after);
