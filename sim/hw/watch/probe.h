/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface: observers see the events of the machine; units do not know the observers. */
#pragma once

#include "sim/hw/watch/compute_reason.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct des_wait;

/* The kinds of events; see probe.def. */
enum probe_kind {
#define EVENT(kind, word, member, head, fields) PROBE_##kind,
#define ALSO(kind, word) PROBE_##kind,
#define BARE(kind, word) PROBE_##kind,
#define ORDER(kind) PROBE_##kind,
#include "sim/hw/watch/probe.def"
};

enum { PROBE_KINDS = PROBE_MESSAGE_ARRIVE + 1 }; /* the last one */

/* No SPE, in place of an SPE. A program has a number that is unique on the blade: an SPE program the number
 * of the SPE, a PPE program a higher number, different for each program. */
enum { PROBE_NOBODY = UINT_MAX };

/* A DMA command, named by SPE and number. */
struct probe_dma {
  unsigned spe;     /* SPE of the executing MFC; SPEs are counted over the blade */
  uint64_t command; /* number among the commands of the SPE, from 1 on */
  unsigned tag;
  unsigned nbytes; /* of the data, or of the list */
};

/* A bus request, named by SPE, number of the command and offset. */
struct probe_request {
  unsigned spe;     /* as in struct probe_dma */
  uint64_t command; /* as in struct probe_dma */
  unsigned tag;
  /* of the first byte among all bytes of the command; the elements of a list count one after the other */
  unsigned offset;
  unsigned nbytes;
  unsigned entry; /* index of the MFC's window entry: different for all bus requests of the MFC in flight */
};

/* The cause of an event. A program acts by changing things that other programs may wait for; actions are the
 * events SIGNAL, MAILBOX, COPY, START, EXIT and FAULT. */
enum probe_cause_kind {
  PROBE_BY_NOTHING,    /* from outside: the run began */
  PROBE_BY_DELIVERY,   /* DMA command `number` of SPE `who` delivered the bus request at `offset` */
  PROBE_BY_COMPLETION, /* DMA command `number` of SPE `who` completed */
  PROBE_BY_STALL,      /* list command `number` of SPE `who` stopped */
  /* atomic command `number` of SPE `who` completed, or for another SPE's program took effect */
  PROBE_BY_ATOMIC,
  PROBE_BY_DECREMENTER, /* the decrementer of SPE `who` passed zero */
  PROBE_BY_PROGRAM,     /* program `who` did action `number` */
  PROBE_BY_MESSAGE,     /* a message of node `who` arrived */
};

struct probe_cause {
  enum probe_cause_kind kind;
  unsigned who;
  uint64_t number; /* of an action: among all of the blade, from 1 on */
  unsigned offset;
};

enum probe_mailbox_kind {
  PROBE_MAILBOX_IN,
  PROBE_MAILBOX_OUT,
  PROBE_MAILBOX_OUT_INTERRUPT,
};

/* The subject of a program's wait. */
enum probe_subject {
#define PROBE_SUBJECT(id, word, phrase) PROBE_FOR_##id,
#include "sim/hw/watch/probe_subject.def"
};

/* An atomic command, named by SPE and number. */
struct probe_atomic {
  unsigned spe;
  uint64_t number;  /* number among the commands of the SPE, from 1 on */
  const char *what; /* "getllar", "putllc", ... */
  uint64_t ls;      /* local store address of the 128 bytes */
  uint64_t ea;      /* of the line */
};

/* A message between nodes, named by the number. */
struct probe_message {
  uint64_t number;   /* from 1 on */
  unsigned from, to; /* nodes */
  unsigned from_host, to_host;
  size_t nbytes;
  uint64_t step;  /* of PACKET, PACKET_TIMEOUT, PACKET_DELAY */
  uint64_t after; /* the step before; 0: the message was sent */
};

enum probe_server_kind {
  PROBE_SERVER_LINK,   /* of the network, in one direction */
  PROBE_SERVER_BUS,    /* of a NIC */
  PROBE_SERVER_MEMORY, /* memory of a host, for messages between processes of the host */
  PROBE_SERVER_PCIE,   /* a link between a blade and the host of its triblade, in one direction */
};

/* A server of packets, named by the number. */
struct probe_server {
  size_t number;    /* from 0 on, servers of the network first */
  const char *name; /* the network's */
  enum probe_server_kind kind;
};

/* A program has seen a result, and goes on because of the result; probe.def tells which fields count. */
struct probe_seen {
  unsigned program;
  unsigned spe;  /* SPE of the tag groups */
  unsigned rank; /* of the program */
  bool is_proxy; /* tag groups of the proxy queue */
  uint32_t mask;
  uint64_t ea;
  uint64_t number;
};

/* One event. probe.def has the fields of each kind, struct probe_issue and so on. */
struct probe_event {
  enum probe_kind kind;
  uint64_t cycle;              /* of the node */
  unsigned node;               /* number of the blade (blade_join), host or process */
  const char *const *programs; /* [number of a program]: the name; NULL: the program does not run */
  union {
    struct probe_message message; /* of all events of messages and packets */
    struct probe_request landed;  /* of ARRIVE */
    struct probe_seen seen;       /* of all other events of orders */
#define EVENT(kind, word, member, head, fields) \
  struct probe_##member { \
    head fields \
  } member;
#define DMA(name) struct probe_dma name;
#define REQUEST(name) struct probe_request name;
#define ATOMIC(name) struct probe_atomic name;
#define MESSAGE(name) struct probe_message name;
#define PACKET(name, number, nbytes) \
  struct probe_message name; \
  unsigned number; \
  size_t nbytes;
#define PIECE(name, offset, nbytes) \
  struct probe_dma name; \
  unsigned offset, nbytes;
#define ACTION(name) struct probe_cause name;
#define THING(who, number) unsigned who, number;
#define ONE(who) unsigned who;
#define TOUCH(who, nbytes) unsigned who, nbytes;
#define BYTES(nbytes) unsigned nbytes;
#define NOBODY
#define FIELD(type, name) type name;
#define INNER(name)
#define WHO(name) unsigned name;
#define SERVER(name) struct probe_server name;
#define CAUSE(name) struct probe_cause name;
#define REASON(name) enum compute_reason name;
#define SUBJECT(name) enum probe_subject name;
#define TEXT(name) const char *name;
#define WAITING(name) const struct des_wait *name; /* `describe` writes "waits for ..." */
#define COMMAND_WORD
#define OTHER(type, name) type name;
#include "sim/hw/watch/probe.def"
  };
};

/* Tell whether EVENT belongs to a message between nodes, or to a packet of a message. */
static inline bool probe_is_of_message(const struct probe_event *event) {
  return event->kind >= PROBE_MESSAGE_LEAVE;
}

/* An observer; embedded in the structure that keeps the observations. */
struct probe {
  void (*see)(struct probe *probe, const struct probe_event *event);
  /* constant while the probe is attached: */
  bool details; /* sees details as well */
  /* sees no bus requests and no course of programs: of the kinds up to DELIVER, MEMORY, and from STEP to WAKE
   * only some events or none */
  bool accesses_only;
  bool orders;    /* also sees the order of programs, commands and nodes */
  bool counts;    /* wants the number of taken window entries at each issue, see PROBE_ISSUE */
  bool each_load; /* also sees every load of a polled line; otherwise all loads are one command */
};

/* The observers of something. Starts as zero. */
struct probes {
  struct probe **items;
  unsigned n;
  unsigned detailed, each_load;          /* number of observers of details, and of each load of a line */
  unsigned followed, followed_in_detail; /* how many look not only at accesses, and of these at details */
  unsigned ordering, counting;           /* how many look at orders, and at numbers of window entries */
};

/* Let PROBE see the events told to PROBES from now on; or end that. */
void probes_add(struct probes *probes, struct probe *probe);
void probes_remove(struct probes *probes, struct probe *probe);

/* Tell PROBES of EVENT, no event of orders. */
static inline void probes_tell(const struct probes *probes, const struct probe_event *event) {
  for (unsigned i = 0; i < probes->n; i++) {
    probes->items[i]->see(probes->items[i], event);
  }
}
