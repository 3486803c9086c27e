/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface: whoever wants to see what happens in the machine; no unit knows who watches. */
#pragma once

#include "sim/hw/compute_reason.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct des_wait;

/* What happened; see probe.def. */
enum probe_kind {
#define EVENT(kind, word, member, head, fields) PROBE_##kind,
#define ALSO(kind, word) PROBE_##kind,
#define BARE(kind, word) PROBE_##kind,
#define ORDER(kind) PROBE_##kind,
#include "sim/hw/probe.def"
};

/* Instead of an SPE: there is none. A program has a number that is unique on its blade: that of its SPE, and
 * on a PPE one beyond those; programs that run on one PPE have different ones. */
enum { PROBE_NOBODY = UINT_MAX };

/* A DMA command. SPE and number name it. */
struct probe_dma {
  unsigned spe;     /* whose MFC carries it out; SPEs are counted over the blade */
  uint64_t command; /* its number among those of its SPE, from 1 on */
  unsigned tag;
  unsigned nbytes; /* of the data, or of the list */
};

/* A bus request. SPE, number of the command and offset name it. */
struct probe_request {
  unsigned spe;     /* as in struct probe_dma */
  uint64_t command; /* as in struct probe_dma */
  unsigned tag;
  /* of its first byte among those that its command moves, the elements of a list one after the other */
  unsigned offset;
  unsigned nbytes;
  unsigned entry; /* its place among the window entries of its MFC: no two have the same one at a time */
};

/* What makes something happen. A program acts where it changes what others may wait for; its actions are the
 * events SIGNAL, MAILBOX, COPY, START, EXIT and FAULT. */
enum probe_cause_kind {
  PROBE_BY_NOTHING,     /* from outside: the run began */
  PROBE_BY_DELIVERY,    /* DMA command `number` of SPE `who` delivered its bus request at `offset` */
  PROBE_BY_COMPLETION,  /* DMA command `number` of SPE `who` completed */
  PROBE_BY_STALL,       /* list command `number` of SPE `who` stopped */
  PROBE_BY_ATOMIC,      /* atomic command `number` of SPE `who` completed; that of another SPE took effect */
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

/* What a program waits for. */
enum probe_subject {
  PROBE_FOR_FLAG,    /* bytes of its local store */
  PROBE_FOR_TAGS,    /* DMA commands of some tag groups */
  PROBE_FOR_QUEUE,   /* room in a queue of DMA commands */
  PROBE_FOR_SIGNAL,  /* a signal register */
  PROBE_FOR_MAILBOX, /* a word in a mailbox, or room */
  PROBE_FOR_ATOMIC,  /* an atomic command */
  PROBE_FOR_PROGRAM, /* the end of a program */
  PROBE_FOR_EVENT,   /* one of several things */
  PROBE_FOR_MEMORY,  /* bytes of main memory */
  PROBE_FOR_MESSAGE, /* a message from another node */
};

/* An atomic command. SPE and number name it. */
struct probe_atomic {
  unsigned spe;
  uint64_t number;  /* among those of its SPE, from 1 on */
  const char *what; /* "getllar", "putllc", ... */
  uint64_t ls;      /* local store address of its 128 bytes */
  uint64_t ea;      /* of its line */
};

/* A message between nodes. The number names it. */
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
  PROBE_SERVER_MEMORY, /* of a host whose processes send to one another */
  PROBE_SERVER_PCIE,   /* a link between a blade and the host of its triblade, in one direction */
};

/* A server of packets. The number names it. */
struct probe_server {
  size_t number;    /* from 0 on, servers of the network first */
  const char *name; /* the network's */
  enum probe_server_kind kind;
};

/* A program has seen something, and goes on because of it; probe.def says which fields count. */
struct probe_seen {
  unsigned program;
  unsigned spe;  /* whose tag groups they are */
  bool is_proxy; /* they are of the commands that PPEs give */
  uint32_t mask;
  uint64_t ea;
  uint64_t number;
};

/* One thing that happened. The fields of each kind, struct probe_issue and so on, are in probe.def. */
struct probe_event {
  enum probe_kind kind;
  uint64_t cycle; /* of the node */
  unsigned node;  /* number of the blade (blade_set_number), host or process */
  const char *const
    *programs; /* by number, of those that there have been: their names; NULL: it does not run */
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
#define WAITING(name) const struct des_wait *name; /* its `describe` writes "waits for ..." */
#define COMMAND_WORD
#define OTHER(type, name) type name;
#include "sim/hw/probe.def"
  };
};

/* Tell whether EVENT happens to a message between nodes, or to one of its packets. */
static inline bool probe_is_of_message(const struct probe_event *event) {
  return event->kind >= PROBE_MESSAGE_LEAVE;
}

/* An observer; embedded in what it serves. */
struct probe {
  void (*see)(struct probe *probe, const struct probe_event *event);
  /* these must not change while it is attached */
  bool details; /* it looks at details as well */
  /* but neither at bus requests nor at what programs do besides: of the kinds up to DELIVER, MEMORY, and from
   * STEP to WAKE it sees none, or only some */
  bool accesses_only;
  bool orders;    /* and at what orders programs, commands and nodes */
  bool each_load; /* and at every load of a line that a program polls; they are one command otherwise */
};

/* The observers of something. Starts as zero. */
struct probes {
  struct probe **items;
  unsigned n;
  unsigned detailed, each_load;          /* how many of them look at details, and at each load of a line */
  unsigned followed, followed_in_detail; /* how many look not only at accesses, and of these at details */
  unsigned ordering;                     /* how many look at orders */
};

/* Let PROBE see what PROBES are told of from now on; or no more. */
void probes_add(struct probes *probes, struct probe *probe);
void probes_remove(struct probes *probes, struct probe *probe);

/* Tell PROBES of EVENT, no event of orders. */
static inline void probes_tell(const struct probes *probes, const struct probe_event *event) {
  for (unsigned i = 0; i < probes->n; i++) {
    probes->items[i]->see(probes->items[i], event);
  }
}

/* Tell the observers of orders among PROBES of EVENT, an event of orders. */
void probes_tell_order(const struct probes *probes, const struct probe_event *event);
