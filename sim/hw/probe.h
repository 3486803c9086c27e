/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface: whoever wants to see what happens in the machine; no unit knows who watches. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* What happened: the kind of an event, and behind it the member of struct probe_event that it fills in. The kinds from
 * PROBE_RESET on are details. */
enum probe_kind {
  PROBE_COMMAND,  /* command: it has come from its queue to the bus and can be split into bus requests */
  PROBE_ISSUE,    /* issue: a bus request went out on the command bus */
  PROBE_GRANT,    /* grant: a data arbiter granted a transfer on a ring */
  PROBE_CROSS,    /* cross: a bus request went onto a link between two chips */
  PROBE_DELIVER,  /* deliver: its bytes became visible in the target */
  PROBE_COMPLETE, /* complete: the last byte of a DMA command was accounted for at its issuer */
  PROBE_FAULT,    /* fault: an SPE stopped */

  PROBE_RESET,   /* none: the machine was made as new */
  PROBE_END,     /* end: all programs have ended; all traffic is over */
  PROBE_ENQUEUE, /* enqueue: a program put a DMA command into its queue */
  PROBE_ELEMENT, /* element: an element of a list command was read and will be transferred */
  PROBE_MEMORY,  /* memory: a memory controller took a bus request */
  PROBE_SIGNAL,  /* signal: a bus request is about to write a signal register */
  PROBE_STORE,   /* touch: a program says that it writes its local store */
  PROBE_LOAD,    /* touch: a program says that it reads its local store */
  PROBE_FLAGS, /* touch: a program says that others write these bytes of its local store while it polls them */
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
  unsigned
    offset; /* of its first byte among those that its command moves, the elements of a list one after the other */
  unsigned nbytes;
};

struct probe_issue {
  struct probe_request request;
  unsigned chip;      /* whose command bus it is */
  unsigned in_flight; /* bus requests of the MFC that have a window entry, this one included */
  bool coherent;      /* to or from main memory */
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
  bool wakes; /* it ended the wait of a program: on its SPE, or if it is a proxy command on a PPE */
};

struct probe_fault {
  unsigned spe;
  const char *text;
};

struct probe_end {
  uint64_t at; /* cycle at which the last program ended */
};

struct probe_enqueue {
  struct probe_dma dma;
  uint64_t at;   /* cycle of the program, which may be ahead of the machine */
  uint64_t ls;   /* local store address: of the data, or of the list */
  uint64_t ea;   /* effective address; of a list 0 */
  bool is_put;   /* out of the local store of the SPE */
  bool is_proxy; /* in the queue that the PPE fills */
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

struct probe_signal {
  struct probe_request request;
  unsigned peer;   /* SPE whose register it is */
  unsigned number; /* of the register: 1 or 2 */
  uint32_t old;    /* what the register holds */
  uint32_t value;  /* what is written */
  bool full;       /* it has not been read since the last write */
  bool combines;   /* it is in OR mode */
};

struct probe_touch {
  unsigned spe;
  uint64_t at; /* cycle of the program, which may be ahead of the machine */
  uint64_t ls; /* local store address */
  unsigned nbytes;
};

/* One thing that happened. */
struct probe_event {
  enum probe_kind kind;
  uint64_t cycle; /* of the machine */
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
    struct probe_signal signal;
    struct probe_touch touch;
  };
};

/* An observer; embedded in what it serves. */
struct probe {
  void (*see)(struct probe *probe, const struct probe_event *event);
  bool details; /* it looks at details as well; must not change while it is attached */
  struct probe *next;
};
