/* SPDX-License-Identifier: BSD-3-Clause
 * The messages of a run: the cycles of sending and of notification of each message, and every packet in a
 * server on the way. */
#pragma once

#include "sim/hw/watch/probe.h"
#include "traces/record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct net_record_message {
  uint64_t sent;          /* cycle at which the program sends the message */
  uint64_t arrived, told; /* arrival of the last byte; notification of the program; RECORD_NEVER: not yet */
  size_t nbytes;
  uint32_t after;    /* the step before the arrival */
  uint16_t from, to; /* nodes */
  bool asks;         /* `from` asks `to` for the bytes */
};

enum net_record_flag {
  NET_RECORD_ANSWER = 1,      /* an acknowledgement */
  NET_RECORD_AGAIN = 2,       /* sent before */
  NET_RECORD_SAME_SERVER = 4, /* the packet followed a packet that left the server */
  NET_RECORD_PCIE = 8,        /* the server is a link of a triblade */
  NET_RECORD_FIRST =
    16, /* the server is the first one on the way of the packet, from a NIC or from a blade */
};

/* A step of a packet: a service, or a wait of TCP, from `came` to `end`. */
struct net_record_step {
  uint64_t came, begin, end, gap, latency; /* as in struct probe_packet */
  uint32_t after;                          /* the preceding step; 0: the message was sent */
  uint32_t before;                         /* the step before on the same server; 0: the first step */
  uint32_t message, server, nbytes;
  uint8_t kind;  /* PROBE_PACKET, PROBE_PACKET_TIMEOUT or PROBE_PACKET_DELAY */
  uint8_t flags; /* enum net_record_flag */
};

struct net_record_server {
  char *name;      /* NULL: nothing is known of the server */
  uint32_t latest; /* step */
};

struct net_record {
  struct probe probe; /* first */
  struct record_share *share;
  struct net_record_message *messages; /* number - 1 */
  struct net_record_step *steps;       /* number - 1 */
  struct net_record_server *servers;
  size_t nmessages, messages_room, nsteps, steps_room, nservers;
};

/* Make RECORD ready to be attached to a network just reset; the bytes of RECORD count in SHARE. */
void net_record_init(struct net_record *record, struct record_share *share);
void net_record_fini(struct net_record *record);
