/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a connection of TCP; for this folder only. */
#pragma once

#include "sim/base/pool.h"
#include "sim/net/net_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message under way, from its first segment to the acknowledgement of its last one. */
struct flow {
  struct tcp *state;
  struct flow *next, *before;  /* of those that there are */
  struct net_message *message; /* NULL: it has arrived */
  struct net_message known;    /* a copy of the message, for those who watch */
  unsigned from, to;
  size_t nbytes;
  struct fabric_route forth, back;
  unsigned npackets; /* of it under way, acknowledgements too */

  /* the sender; segments are counted */
  int nsegments, unacknowledged, next_segment;
  int duplicates, recover; /* until it is acknowledged the sender recovers from a loss */
  bool recovering, done;
  double window, threshold;
  struct event timer;              /* no earlier than the deadline */
  uint64_t deadline;               /* 0: nothing is waited for */
  uint64_t timer_set, timer_after; /* when it was, and what that followed from */
  uint64_t timeout, round_trip;
  unsigned backoffs;
  int timed; /* the segment whose round trip is measured */
  uint64_t timed_at;

  /* the receiver */
  int expected, end;        /* the first segment that is missing; after the last one that has come */
  unsigned ndelayed;        /* segments not acknowledged yet */
  struct event acknowledge; /* what is delayed, no earlier than its deadline */
  uint64_t acknowledge_at, acknowledge_set, acknowledge_after;
  unsigned char *come, *again; /* of each segment: it has come; it has been sent again in this recovery */
};

/* A segment or an acknowledgement. */
struct packet {
  struct event event; /* it has come to its next server, or to its end */
  struct flow *flow;
  int number;             /* of the segment; of an acknowledgement: of the next one expected */
  bool is_segment, again; /* again: it was sent before */
  unsigned hop;
  uint64_t step; /* the latest thing that was told of it */
};

struct tcp {
  struct net *net;
  struct pool packets, flow_pool;
  struct flow *flows;
  struct port_room *rooms; /* of each link */
  double window_most;      /* segments */
  uint64_t timeout_least, delay;
  size_t queue_bytes, buffer_bytes;
  uint64_t now; /* what is sent follows from the thing of this number */
};

/* Let a copy of PACKET, whose flow, number and kind are set, go to its first server. */
void tcp_send(const struct packet *packet);

/* Release FLOW once nothing of it is left. */
void tcp_release(struct flow *flow);

/* --- the sender --- */

enum { TCP_NOTHING_TIMED = -1 };

/* Send what the window of FLOW allows. */
void tcp_pump(struct flow *flow);

/* An acknowledgement of all before segment NUMBER of FLOW has come. */
void tcp_receive_ack(struct flow *flow, int number);

/* The timer of a flow: perhaps nothing has come back for too long. */
void tcp_time_out(struct event *timer);

/* --- the receiver --- */

/* Segment NUMBER of FLOW has come. */
void tcp_take_segment(struct flow *flow, int number);

/* The event `acknowledge` of a flow: perhaps an acknowledgement has waited long enough. */
void tcp_acknowledge(struct event *event);

/* --- for observers --- */

/* Tell of KIND: a timer of FLOW, which was set at cycle SINCE after step AFTER, has ended now. Packets that
 * are sent now come after that. */
void tcp_tell_timer(const struct flow *flow, enum probe_kind kind, uint64_t since, uint64_t after);
