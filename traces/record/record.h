/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that keeps the facts for an explanation of a run afterwards: activities and waits of every
 * program, every DMA command, and every service of a ramp, a link or a memory controller. Of several calls
 * back to back the record keeps the last one. Another observer keeps the messages of a network. */
#pragma once

#include "platform/parameters.h"
#include "sim/hw/watch/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum bytes of the records of a run as a rule. */
#define RECORD_BYTES_MAX (UINT64_C(1) << 30)

enum {
  RECORD_NOBODY = UINT16_MAX,     /* in place of a program, an SPE, a rank or a server: there is none */
  RECORD_NEVER_LATE = UINT16_MAX, /* see struct record_service */
  RECORD_NAME_SIZE = 24,
};

#define RECORD_NEVER UINT64_MAX /* in place of a cycle: not yet */

/* --- programs --- */

enum record_activity { RECORD_COMPUTES, RECORD_WAITS };

/* A time of one activity: a program computes for one reason, or waits for one thing. The intervals of a
 * program follow each other without a gap; none is empty. */
struct record_interval {
  uint64_t from, to; /* cycles */
  /* of a wait: the cause of its end, as in struct probe_cause; of a bus request its last service instead of
   * its offset */
  uint32_t number;
  uint32_t service;
  uint16_t server;
  uint16_t who;
  uint8_t cause;    /* enum probe_cause_kind */
  uint8_t activity; /* enum record_activity */
  uint8_t what;     /* of a wait: enum probe_subject; else enum compute_reason */
};

/* From a cycle on a program is at the step NAME of a schedule, until the next step. */
struct record_step {
  uint64_t at;
  const char *name;
};

struct record_program {
  char name[RECORD_NAME_SIZE];
  uint16_t rank; /* RECORD_NOBODY: no rank */
  uint16_t spe;  /* RECORD_NOBODY: the program runs on a PPE */
  uint16_t chip;
  bool is_known;          /* the program has been started */
  uint16_t starter;       /* the program that started this one; RECORD_NOBODY: runs from the beginning */
  uint64_t entered, left; /* cycles of the latest call; RECORD_NEVER: not yet */
  unsigned calls;         /* entered so far */
  struct record_interval *intervals;
  size_t nintervals, room;
  struct record_step *steps; /* of the latest call; none: the program has no names for steps */
  size_t nsteps, steps_room;
};

/* --- DMA commands --- */

enum record_dma_flag {
  RECORD_PUT = 1,
  RECORD_LIST = 2,
  RECORD_SYNC = 4,       /* without data */
  RECORD_PROXY = 8,      /* given by a PPE */
  RECORD_ORDERED = 16,   /* with a fence or a barrier, or a barrier by itself */
  RECORD_NOTICE = 32,    /* a put into a register of another SPE, or into bytes polled there */
  RECORD_SEVERAL = 64,   /* there are several peers; `peer` is the first one */
  RECORD_BARRIER = 128,  /* later commands of the tag wait, too */
  RECORD_ALL_TAGS = 256, /* likewise the commands of all tags of the queue */
};

/* A DMA command. A cycle is RECORD_NEVER before its event. */
struct record_dma {
  uint64_t enqueued;  /* by the program */
  uint64_t arrived;   /* ready to be split into bus requests */
  uint64_t resumed;   /* a stopped list went on; else RECORD_NEVER */
  uint64_t issued;    /* the first bus request */
  uint64_t granted;   /* the first bus request on a ring */
  uint64_t delivered; /* the latest bus request */
  uint64_t completed;
  uint64_t ea;
  uint32_t nbytes;  /* moved; of a list the bytes of the elements read so far */
  uint32_t element; /* of a list: offset of the first byte of the latest element, in the bytes moved */
  uint32_t service; /* of the bus request delivered last: the last service, by server */
  uint16_t server;
  uint16_t program; /* the issuing program */
  /* SPE at the other end of a get or put; RECORD_NOBODY: main memory, or no data */
  uint16_t peer;
  uint16_t flags; /* enum record_dma_flag */
  uint8_t tag;
  /* the command of the SPE for which a fence or a barrier let this command wait, of several such commands the
   * last to complete; a command that arrived later did not wait; 0: none */
  uint32_t after;
};

/* The DMA commands of an SPE, by number; `first` is the number of the first kept command. */
struct record_dmas {
  struct record_dma *dmas;
  size_t n, room;
  uint64_t first;
};

/* --- services --- */

/* A server serves one bus request after the other: the on-ramp of a unit, a memory controller, or a link. */
enum record_server_kind { RECORD_RAMP, RECORD_MEMORY, RECORD_LINK };

/* A bus request was served. */
struct record_service {
  uint64_t at;            /* cycle at which the service began */
  uint32_t command;       /* with spe: the DMA command */
  uint32_t waited;        /* cycles for this service */
  uint32_t before;        /* the preceding service of this bus request, by server */
  uint16_t before_server; /* RECORD_NOBODY: this service is the first */
  uint16_t spe;
  /* of a first one: cycles from the release of the window entry to the issue of the bus request;
   * RECORD_NEVER_LATE: so many or more */
  uint16_t late;
  uint8_t nbytes;
  uint8_t ring; /* of a ramp */
  uint8_t hops; /* of a ramp: on the ring */
  uint8_t to;   /* of a ramp: the unit at the other end; of a memory controller: 1: a write */
  /* of a first one: the bus request is the first of a list element, but not of the first element */
  bool starts;
};

/* The services of a server in the order of beginnings. Numbers count from the beginning of the run; `first`
 * is the number of the first kept service. */
struct record_log {
  struct record_service *services;
  size_t n, room;
  uint32_t first;
};

/* --- atomic commands --- */

/* An atomic command. */
struct record_atomic {
  uint64_t enqueued;
  uint64_t came;     /* to the place where the line is ordered, of several loads the last one */
  uint64_t effected; /* the command had the line, likewise */
  uint64_t ea;
  uint64_t written;    /* the line was written by somebody else between two loads; else RECORD_NEVER */
  uint32_t writer;     /* number of the atomic command of SPE `writing` that wrote the line */
  uint16_t writing;    /* RECORD_NOBODY: no atomic command did */
  bool is_load, polls; /* polls: the line was loaded more than once */
};

struct record_atomics {
  struct record_atomic *atomics;
  size_t n, room;
  uint64_t first;
};

/* --- the record --- */

/* Polled bytes of a local store. */
struct record_polled {
  uint64_t ls;
  unsigned nbytes;
};

/* An SPE: commands, the bytes polled by the program, and the latest command to wake the program. */
struct record_spe {
  struct record_dmas dmas;
  struct record_atomics atomics;
  struct record_polled *flags;
  size_t nflags, flags_room;
  struct {
    uint64_t command;
    uint32_t service;
    uint16_t server, spe;
  } waker;
};

/* The bytes of all records of one run, and the maximum. */
struct record_share {
  uint64_t nbytes, nbytes_max;
  bool full; /* the maximum was exceeded: the records are of no use */
};

/* Add MORE bytes to SHARE.
 * returns: false if SHARE has no room for the bytes; SHARE is full then. */
bool record_share_take(struct record_share *share, uint64_t more);

struct record {
  struct probe probe;
  struct parameters parameters;
  struct record_share *share;
  uint64_t nbytes;     /* of the share */
  bool keeps_all;      /* earlier calls, too */
  unsigned calls;      /* entered */
  uint64_t begin, end; /* the first entry of a rank into the last call, and the last exit */
  struct record_program *programs;
  size_t nprograms, programs_room;
  struct record_spe *spes; /* [spe] */
  struct record_log *logs; /* [server] */
  unsigned nservers;
  struct record_flight *flights; /* [spe * window entries + entry]: bus requests under way */
  struct record_write *writes;   /* of lines by atomic commands, the latest of each line */
  size_t nwrites, writes_room;
};

/* Make RECORD ready to be attached to a blade of PLATFORM, just reset; SHARE must outlive RECORD. Once SHARE
 * is full, RECORD keeps nothing. Several nodes enter and leave calls at different times: the caller lets
 * their records keep all calls. */
void record_init(struct record *record, const struct platform *platform, struct record_share *share);
void record_fini(struct record *record);

/* Return the name of the step of PROGRAM at cycle AT of its latest call; NULL: none. */
const char *record_step(const struct record_program *program, uint64_t at);

/* Tell whether step INDEX of PROGRAM is a call of an application, "call 3 line 11 reduce:binomial"; *TO
 * becomes the exit. */
bool record_stay(const struct record_program *program, size_t index, uint64_t *to);

/* Return DMA command NUMBER of SPE; NULL: the command was over before the last call began, and is not
 * kept. */
struct record_dma *record_dma(const struct record *record, unsigned spe, uint64_t number);

/* Return atomic command NUMBER of SPE; NULL: the command is not kept. */
struct record_atomic *record_atomic(const struct record *record, unsigned spe, uint64_t number);

/* Return service NUMBER of SERVER; NULL: the service is not kept. */
const struct record_service *record_service(const struct record *record, unsigned server, uint32_t number);

/* The kind and place of a server. */
struct record_server {
  enum record_server_kind kind;
  unsigned chip, other; /* other: of a ramp the unit, of a link the chip at its end */
};

/* Return the kind and place of SERVER. */
struct record_server record_server(const struct record *record, unsigned server);

/* Return for how many thousandths of a cycle SERVER is taken by SERVICE. */
uint64_t record_interval_mcyc(const struct record *record, unsigned server,
                              const struct record_service *service);

/* Return the cycles from SERVICE, of a ramp, until the last beat has reached the other end. */
uint64_t record_ring_cycles(const struct record *record, const struct record_service *service);

/* --- a network, in net_record.c: the cycles of each message, and every packet in a server on the way --- */

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
