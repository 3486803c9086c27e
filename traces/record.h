/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that keeps what has to be known of a run to explain it afterwards: what every program did and
 * waited for, every DMA command, and every service of a ramp, a link or a memory controller. Of several calls
 * back to back it keeps the last one. */
#pragma once

#include "platform/parameters.h"
#include "sim/hw/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct platform;

/* Bytes that the records of a run may take unless record_init is told otherwise. */
#define RECORD_BYTES_MAX (UINT64_C(1) << 30)

enum {
  RECORD_NOBODY = UINT16_MAX,     /* in place of a program, an SPE, a rank or a server: there is none */
  RECORD_NEVER_LATE = UINT16_MAX, /* see struct record_service */
  RECORD_NAME_SIZE = 24,
};

#define RECORD_NEVER UINT64_MAX /* in place of a cycle: it has not happened */

/* --- programs --- */

enum record_activity { RECORD_COMPUTES, RECORD_WAITS };

/* A time in which a program computes for one reason, or waits for one thing. Those of a program lie side by
 * side without a gap; none is empty. */
struct record_interval {
  uint64_t from, to; /* cycles */
  /* of a wait: what has ended it, as in struct probe_cause; of a bus request its last service instead of its
   * offset */
  uint32_t number;
  uint32_t service;
  uint16_t server;
  uint16_t who;
  uint8_t cause;    /* enum probe_cause_kind */
  uint8_t activity; /* enum record_activity */
  uint8_t what;     /* of a wait: enum probe_subject; else enum compute_reason */
};

struct record_program {
  char name[RECORD_NAME_SIZE];
  uint16_t rank; /* RECORD_NOBODY: it is none */
  uint16_t spe;  /* RECORD_NOBODY: it runs on a PPE */
  uint16_t chip;
  bool is_known;    /* it has been started */
  uint16_t starter; /* the program that has started it; RECORD_NOBODY: it was there from the beginning */
  uint64_t started;
  uint64_t entered, left; /* cycles of its latest call; RECORD_NEVER: not yet */
  unsigned calls;         /* entered so far */
  struct record_interval *intervals;
  size_t nintervals, room;
};

/* --- DMA commands --- */

enum record_dma_flag {
  RECORD_PUT = 1,
  RECORD_LIST = 2,
  RECORD_SYNC = 4,     /* it moves nothing */
  RECORD_PROXY = 8,    /* given by a PPE */
  RECORD_ORDERED = 16, /* with a fence or a barrier, or one by itself */
  RECORD_NOTICE = 32,  /* a put into a register of another SPE, or where its program polls */
  RECORD_SEVERAL = 64, /* it has several peers; `peer` is the first one */
};

/* A DMA command. Cycles are RECORD_NEVER for what has not happened. */
struct record_dma {
  uint64_t enqueued;  /* of its program */
  uint64_t arrived;   /* it could be split into bus requests */
  uint64_t resumed;   /* a list that had stopped went on; else RECORD_NEVER */
  uint64_t issued;    /* its first bus request; the first one of all */
  uint64_t granted;   /* its first bus request on a ring */
  uint64_t delivered; /* its latest bus request */
  uint64_t completed;
  uint64_t ea;
  uint32_t nbytes;   /* that it moves; of a list as far as it has been read */
  uint32_t requests; /* that have been delivered */
  uint32_t element;  /* of a list: offset of the first byte of its latest element among those that it moves */
  uint32_t service;  /* of the bus request delivered last: its last service, by server */
  uint16_t server;
  uint16_t program; /* who gave it */
  /* SPE from which a get comes, or to which a put goes; RECORD_NOBODY: main memory, or nothing is moved */
  uint16_t peer;
  uint16_t woke; /* the program whose wait it has ended last; RECORD_NOBODY: none */
  uint8_t tag;
  uint8_t flags; /* enum record_dma_flag */
};

/* The DMA commands of an SPE, by number: that of the first one that is kept is `first`. */
struct record_dmas {
  struct record_dma *dmas;
  size_t n, room;
  uint64_t first;
};

/* --- services --- */

/* Something that serves one bus request after the other: the on-ramp of a unit, a memory controller, or a
 * link. */
enum record_server_kind { RECORD_RAMP, RECORD_MEMORY, RECORD_LINK };

/* A bus request was served. */
struct record_service {
  uint64_t at;            /* cycle at which that began */
  uint32_t command;       /* with spe: its DMA command */
  uint32_t waited;        /* cycles for this service */
  uint32_t before;        /* the service of this bus request before this one, by server */
  uint16_t before_server; /* RECORD_NOBODY: this is its first one */
  uint16_t spe;
  uint16_t
    late; /* of a first one: cycles between the moment when the window entry was free and that at which the
                     * bus request was issued; RECORD_NEVER_LATE: so many or more */
  uint8_t nbytes;
  uint8_t ring; /* of a ramp */
  uint8_t hops; /* on it */
  uint8_t to;   /* of a ramp: the unit at the other end; of a memory controller: 1: it is written */
  /* of a first one: the bus request is the first of an element of a list, but not of its first one */
  bool starts;
};

/* The services of a server in the order of their beginnings; their numbers count from the beginning of the
 * run, that of the first one that is kept is `first`. */
struct record_log {
  struct record_service *services;
  size_t n, room;
  uint32_t first;
};

/* --- actions of programs, and atomic commands --- */

/* A program did something that others may wait for, without a DMA. */
struct record_action {
  uint64_t at;
  uint32_t nbytes; /* of a copy */
  uint16_t program;
  uint16_t spe;  /* whose register or mailbox it is; RECORD_NOBODY: there is none */
  uint8_t kind;  /* PROBE_SIGNAL, PROBE_MAILBOX, PROBE_COPY, PROBE_START or PROBE_EXIT */
  bool is_write; /* of a mailbox */
};

/* An atomic command. */
struct record_atomic {
  uint64_t enqueued;
  uint64_t came;     /* to where its line is ordered, of several loads the last one */
  uint64_t effected; /* it had its line, likewise */
  uint64_t completed;
  uint64_t ea;
  uint64_t written;    /* the line was written by somebody else between two loads; else RECORD_NEVER */
  uint32_t writer;     /* number of the atomic command that did, of SPE `writing` */
  uint16_t writing;    /* RECORD_NOBODY: no atomic command did */
  bool is_load, polls; /* polls: it has loaded its line more than once */
};

struct record_atomics {
  struct record_atomic *atomics;
  size_t n, room;
  uint64_t first;
};

/* --- the record --- */

/* What records that belong together take and may take. */
struct record_share {
  uint64_t nbytes, nbytes_max;
  bool full; /* they would have taken more: what they keep is of no use */
};

struct record {
  struct probe probe;
  const struct platform *platform;
  struct parameters parameters;
  uint64_t nbytes, nbytes_max; /* that records take, and may take */
  bool full;                   /* they would have taken more: nothing is kept */
  struct record_share
    *share;            /* of those of several nodes; then earlier calls are kept as well. NULL: alone */
  unsigned calls;      /* that have been entered */
  uint64_t begin, end; /* the first entry of a rank into the last call, and the last exit */
  struct record_program *programs;
  unsigned nprograms;
  struct record_dmas *dmas;       /* [spe] */
  struct record_atomics *atomics; /* [spe] */
  struct record_log *logs;        /* [server] */
  unsigned nservers;
  struct record_action *actions;
  size_t nactions, actions_room;
  struct record_flight *flights; /* [spe * window entries + entry]: bus requests under way */
  struct record_waker *wakers;   /* [spe]: who has just woken its program */
  struct record_flags *flags;    /* [spe]: where its program polls */
  struct record_write *writes;   /* of lines by atomic commands, the latest of each line */
  size_t nwrites, writes_room;
};

/* Make RECORD ready to be attached to a blade of PLATFORM, which must outlive it; the blade has just been
 * reset. It keeps up to NBYTES_MAX bytes; of a run that needs more it keeps nothing, and says so in `full`.
 * owner: the caller, with record_fini. */
void record_init(struct record *record, const struct platform *platform, uint64_t nbytes_max);

/* The same for one of the nodes of a call, whose records all count in SHARE. Nodes enter and leave calls at
 * different times, so that everything is kept. */
void record_init_of_node(struct record *record, const struct platform *platform, struct record_share *share);

/* Release what RECORD holds. */
void record_fini(struct record *record);

/* Return DMA command NUMBER of SPE; NULL: it is not kept, since it was over before the last call began. */
const struct record_dma *record_dma(const struct record *record, unsigned spe, uint64_t number);

/* Return atomic command NUMBER of SPE; NULL: it is not kept. */
const struct record_atomic *record_atomic(const struct record *record, unsigned spe, uint64_t number);

/* Return service NUMBER of SERVER; NULL: it is not kept. */
const struct record_service *record_service(const struct record *record, unsigned server, uint32_t number);

/* Return the number of the server that is the on-ramp of UNIT of CHIP, the memory controller of CHIP, or the
 * link FROM -> TO. */
unsigned record_ramp(const struct record *record, unsigned chip, unsigned unit);
unsigned record_memory(const struct record *record, unsigned chip);
unsigned record_link(const struct record *record, unsigned from, unsigned to);

/* What a server is. */
struct record_server {
  enum record_server_kind kind;
  unsigned chip, other; /* other: of a ramp its unit, of a link the chip to which it leads */
};

/* Return what SERVER is. */
struct record_server record_server(const struct record *record, unsigned server);

/* Return for how many thousandths of a cycle SERVER is taken by SERVICE. */
uint64_t record_interval_mcyc(const struct record *record, unsigned server,
                              const struct record_service *service);

/* Return the cycles from SERVICE, of a ramp, until its last beat has reached the other end. */
uint64_t record_ring_cycles(const struct record *record, const struct record_service *service);
