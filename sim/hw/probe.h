/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface: whoever wants to see what happens in the machine; no unit knows who watches. */
#pragma once

#include "sim/hw/compute_reason.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct des_wait;

/* What happened: the kind of an event, and behind it the member of struct probe_event that it fills in. The
 * kinds from PROBE_RESET on are details. */
enum probe_kind {
  PROBE_COMMAND,  /* command: it has come from its queue to the bus and can be split into bus requests */
  PROBE_ISSUE,    /* issue: a bus request went out on the command bus */
  PROBE_GRANT,    /* grant: a data arbiter granted a transfer on a ring */
  PROBE_CROSS,    /* cross: a bus request went onto a link between two chips */
  PROBE_DELIVER,  /* deliver: its bytes became visible in the target */
  PROBE_COMPLETE, /* complete: the last byte of a DMA command was accounted for at its issuer */
  PROBE_FAULT,    /* fault: a program stopped, or the MFC of an SPE */

  PROBE_RESET,   /* none: the machine was made as new */
  PROBE_END,     /* end: all programs have ended; all traffic is over */
  PROBE_ENQUEUE, /* enqueue: a program put a DMA command into its queue */
  PROBE_ELEMENT, /* element: an element of a list command was read and will be transferred */
  /* stall: a list stopped behind an element with its notify bit: all up to there has been moved */
  PROBE_STALL,
  PROBE_RESUME,  /* stall: the program lets it go on */
  PROBE_MEMORY,  /* memory: a memory controller took a bus request */
  PROBE_SIGNAL,  /* signal: somebody is about to write a signal register */
  PROBE_MAILBOX, /* mailbox: a word was written into a mailbox, or read from it */
  PROBE_COPY,    /* copy: a program on a PPE copied bytes */
  PROBE_STORE,   /* touch: a program says that it writes its local store */
  PROBE_LOAD,    /* touch: a program says that it reads its local store */
  /* touch: a program says that others write these bytes of its local store while it polls them */
  PROBE_FLAGS,

  /* ppe_touch: a program on a PPE writes main memory, other than by a copy: it takes a message, or
   * combines */
  PROBE_PPE_STORE,
  PROBE_PPE_LOAD, /* ppe_touch: it reads main memory: it sends a message, or combines */

  PROBE_START,   /* start: a program will begin */
  PROBE_EXIT,    /* exit: a program has ended */
  PROBE_ENTER,   /* call: a program enters a call of a collective */
  PROBE_LEAVE,   /* call: it leaves it */
  PROBE_STEP,    /* step: it begins a step of the call */
  PROBE_COMPUTE, /* compute: a program computes */
  PROBE_WAIT,    /* wait: a program begins to wait; not told of waits that take no time */
  PROBE_WAKE,    /* wake: it goes on */

  PROBE_ATOMIC_ENQUEUE,  /* atomic_enqueue: a program gave an atomic command to its MFC */
  PROBE_ATOMIC_EFFECT,   /* atomic_effect: it has read or written its line */
  PROBE_ATOMIC_COMPLETE, /* atomic_complete: its status can be read */
};

enum { PROBE_NOBODY = UINT_MAX }; /* in place of an SPE: there is none */

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

struct probe_issue {
  struct probe_request request;
  unsigned chip; /* whose command bus it is */
  /* bus requests of the MFC that have a window entry, this one included; 0 if no observer looks at details */
  unsigned in_flight;
  bool coherent; /* to or from main memory */
};

struct probe_grant {
  struct probe_request request;
  unsigned chip, ring;
  unsigned from, to; /* units: places on the rings of that chip */
  unsigned hops;
  unsigned queued; /* bus requests with ready data at the on-ramp, this one included */
  uint64_t waited; /* cycles since its data was ready */
};

struct probe_cross {
  struct probe_request request;
  unsigned chip, next_chip;
  uint64_t waited; /* cycles in the queue of the link */
};

struct probe_memory {
  struct probe_request request;
  unsigned chip; /* whose memory it is */
  bool is_write;
  uint64_t waited; /* cycles in the queue of the controller */
};

struct probe_deliver {
  struct probe_request request;
  unsigned peer;    /* SPE whose local store or register it reached; PROBE_NOBODY: it reached main memory */
  bool wakes;       /* it ended the wait of the program there */
  uint64_t free_at; /* cycle at which its window entry is free again */
};

struct probe_complete {
  struct probe_dma dma;
  /* it ended the wait of a program: on its SPE, or if it is a proxy command of at least one on a PPE */
  bool wakes;
};

struct probe_fault {
  struct probe_cause by; /* itself; of an SPE also if its program has ended already */
  unsigned spe;          /* PROBE_NOBODY: the program ran on a PPE */
  const char *text;
};

struct probe_end {
  uint64_t at; /* cycle at which the last program ended */
};

struct probe_enqueue {
  struct probe_dma dma;
  unsigned program; /* who gave it */
  uint64_t at;      /* cycle of the program, which may be ahead of the machine */
  uint64_t ls;      /* local store address: of the data, or of the list */
  uint64_t ea;      /* effective address; of a list its high word */
  bool is_put;      /* out of the local store of the SPE */
  bool is_proxy;    /* in the queue that the PPE fills */
  bool is_list;
  bool is_sync;  /* it moves nothing: mfc_sync, mfc_eieio, mfc_barrier */
  bool fence;    /* after all earlier ones of its tag */
  bool barrier;  /* that, and before all later ones of its tag */
  bool all_tags; /* a barrier for the commands of all tags */
};

struct probe_element {
  struct probe_dma dma;
  bool is_put;
  uint64_t ls, ea;
  unsigned offset; /* of its first byte among those that the command moves */
  unsigned nbytes;
};

struct probe_stall {
  struct probe_dma dma;
  uint64_t ls;   /* local store address of the elements that have not been read */
  unsigned left; /* bytes of them */
};

struct probe_signal {
  struct probe_cause by;
  unsigned peer;   /* SPE whose register it is */
  unsigned number; /* of the register: 1 or 2 */
  uint32_t old;    /* what the register holds */
  uint32_t value;  /* what is written */
  bool full;       /* it has not been read since the last write */
  bool combines;   /* it is in OR mode */
};

enum probe_mailbox_kind {
  PROBE_MAILBOX_IN,
  PROBE_MAILBOX_OUT,
  PROBE_MAILBOX_OUT_INTERRUPT,
};

struct probe_mailbox {
  struct probe_cause by;
  unsigned spe; /* whose mailbox it is */
  enum probe_mailbox_kind which;
  bool is_write;
  uint32_t value;
  unsigned words; /* that it holds now */
};

struct probe_copy {
  struct probe_cause by;
  uint64_t to, from; /* effective addresses */
  unsigned nbytes;
};

/* A program has a number that is unique on its blade: that of its SPE, and on a PPE one beyond those;
 * programs that run on one PPE have different ones. */
struct probe_start {
  struct probe_cause by;
  unsigned program;
  unsigned spe;     /* PROBE_NOBODY: it runs on a PPE */
  unsigned chip;    /* of that SPE or PPE */
  const char *name; /* valid until the run is over */
  uint64_t at;      /* cycle in which it begins */
};

struct probe_exit {
  struct probe_cause by; /* itself */
  uint64_t at;           /* cycle of the program, which may be ahead of the machine */
};

struct probe_call {
  unsigned program;
  unsigned rank; /* PROBE_NOBODY: the program of a PPE */
  unsigned call; /* calls before this one */
  uint64_t at;   /* cycle of the program, which may be ahead of the machine */
};

struct probe_step {
  unsigned program;
  unsigned step; /* of the call, from 1 on */
  uint64_t at;   /* cycle of the program, which may be ahead of the machine */
};

struct probe_compute {
  unsigned program;
  enum compute_reason reason;
  uint64_t at; /* cycle of the program at which that begins, which may be ahead of the machine */
  uint64_t cycles;
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

struct probe_wait {
  unsigned program;
  enum probe_subject subject;
  const struct des_wait *wait; /* its `describe` writes "waits for ..." */
};

struct probe_wake {
  unsigned program;
  enum probe_subject subject;
  uint64_t since; /* cycle of its WAIT */
  struct probe_cause cause;
};

/* An atomic command. SPE and number name it. */
struct probe_atomic {
  unsigned spe;
  uint64_t number;  /* among those of its SPE, from 1 on */
  const char *what; /* "getllar", "putllc", ... */
  uint64_t ls;      /* local store address of its 128 bytes */
  uint64_t ea;      /* of its line */
};

struct probe_atomic_enqueue {
  struct probe_atomic atomic;
  uint64_t at; /* cycle of the program, which may be ahead of the machine */
};

struct probe_atomic_effect {
  struct probe_atomic atomic;
  uint64_t came; /* cycle at which it came to where the line is ordered; from then on it waited for others */
  unsigned
    keeper; /* SPE whose atomic unit kept the line; PROBE_NOBODY: it was in memory, or nobody needed it */
  bool is_local;   /* done in the atomic unit of its own SPE */
  uint32_t status; /* enum atomic_status */
};

struct probe_atomic_complete {
  struct probe_atomic atomic;
  bool wakes; /* it ended the wait of its program */
};

struct probe_touch {
  unsigned spe;
  uint64_t at; /* cycle of the program, which may be ahead of the machine */
  uint64_t ls; /* local store address */
  unsigned nbytes;
};

struct probe_ppe_touch {
  unsigned program;
  uint64_t ea; /* of main memory */
  unsigned nbytes;
};

/* One thing that happened. */
struct probe_event {
  enum probe_kind kind;
  uint64_t cycle; /* of the machine */
  unsigned blade; /* number of the blade, see blade_set_number */
  const char *const
    *programs; /* by number, of those that there have been: their names; NULL: it does not run */
  union {
    struct probe_dma command;
    struct probe_issue issue;
    struct probe_grant grant;
    struct probe_cross cross;
    struct probe_memory memory;
    struct probe_deliver deliver;
    struct probe_complete complete;
    struct probe_fault fault;
    struct probe_end end;
    struct probe_enqueue enqueue;
    struct probe_element element;
    struct probe_stall stall;
    struct probe_signal signal;
    struct probe_touch touch;
    struct probe_ppe_touch ppe_touch;
    struct probe_mailbox mailbox;
    struct probe_copy copy;
    struct probe_start start;
    struct probe_exit exit;
    struct probe_call call;
    struct probe_step step;
    struct probe_compute compute;
    struct probe_wait wait;
    struct probe_wake wake;
    struct probe_atomic_enqueue atomic_enqueue;
    struct probe_atomic_effect atomic_effect;
    struct probe_atomic_complete atomic_complete;
  };
};

/* An observer; embedded in what it serves. */
struct probe {
  void (*see)(struct probe *probe, const struct probe_event *event);
  /* these must not change while it is attached */
  bool details; /* it looks at details as well */
  /* but neither at bus requests nor at what programs do besides: of the kinds up to DELIVER, MEMORY, and from
   * START to WAKE it sees none, or only some */
  bool accesses_only;
  bool each_load; /* and at every load of a line that a program polls; they are one command otherwise */
  struct probe *next;
};
