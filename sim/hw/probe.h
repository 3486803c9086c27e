/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface: whoever wants to see what happens in the machine; no unit knows who watches. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What happened. The kinds from PROBE_RESET on are details. */
enum probe_kind {
  PROBE_COMMAND,  /* a DMA command has come from its queue to the bus and can be split into bus requests */
  PROBE_ISSUE,    /* a bus request went out on the command bus */
  PROBE_GRANT,    /* a data arbiter granted a transfer on a ring of `chip` */
  PROBE_CROSS,    /* a bus request went onto the link from `chip` to `next_chip` */
  PROBE_DELIVER,  /* its bytes became visible in the target; its window entry is free again at cycle `at` */
  PROBE_COMPLETE, /* the last byte of a DMA command was accounted for at its issuer */
  PROBE_FAULT,    /* an SPE stopped */

  PROBE_RESET,   /* the machine was made as new */
  PROBE_END,     /* all programs have ended, the last one at cycle `at`; all traffic is over */
  PROBE_ENQUEUE, /* a program put a DMA command into its queue */
  PROBE_ELEMENT, /* an element of a list command was read and will be transferred */
  PROBE_MEMORY,  /* the memory controller of `chip` took a bus request */
  PROBE_SIGNAL,  /* a bus request is about to write signal register `number` of SPE `peer` */
  PROBE_STORE,   /* a program says that it writes its local store */
  PROBE_LOAD,    /* a program says that it reads its local store */
  PROBE_FLAGS,   /* a program says that others write these bytes of its local store while it polls them */
};

/* One thing that happened; only the fields that its kind names are set. */
struct probe_event {
  enum probe_kind kind;
  uint64_t cycle;
  unsigned spe; /* whose DMA command it is, or whose program */
  unsigned tag;
  unsigned nbytes;    /* of the command, of the bus request, or of what a program says */
  unsigned chip;      /* GRANT, CROSS, MEMORY */
  unsigned ring;      /* GRANT */
  unsigned next_chip; /* CROSS */
  unsigned from, to;  /* GRANT: units */
  unsigned hops;      /* GRANT */
  unsigned queued;    /* GRANT: bus requests with ready data at the on-ramp, this one included */
  uint64_t waited;    /* GRANT: cycles since the data was ready; CROSS, MEMORY: cycles in the queue */
  uint64_t command;   /* ENQUEUE, ELEMENT, COMPLETE: its number among those of its SPE, from 1 on */
  uint64_t
    at; /* ENQUEUE, STORE, LOAD, END: cycle of the program, which may be ahead of the machine; DELIVER */
  unsigned in_flight; /* ISSUE: bus requests of the MFC that have a window entry, this one included */
  uint64_t ls; /* ENQUEUE (of a list: where the list is), ELEMENT, STORE, LOAD, FLAGS: local store address */
  uint64_t ea; /* ENQUEUE (not of a list), ELEMENT: effective address */
  unsigned peer;    /* SIGNAL */
  unsigned number;  /* SIGNAL: 1 or 2 */
  uint32_t old;     /* SIGNAL: what the register holds */
  uint32_t value;   /* SIGNAL: what is written */
  bool full;        /* SIGNAL: it has not been read since the last write */
  bool combines;    /* SIGNAL: it is in OR mode */
  bool is_put;      /* ENQUEUE, ELEMENT; MEMORY: written */
  bool is_proxy;    /* ENQUEUE: in the queue that the PPE fills */
  bool is_list;     /* ENQUEUE */
  bool is_sync;     /* ENQUEUE: it moves nothing, only orders */
  bool fence;       /* ENQUEUE: after all earlier ones of its tag */
  bool barrier;     /* ENQUEUE: that, and before all later ones of its tag */
  bool all_tags;    /* ENQUEUE: the same whatever the tags */
  bool coherent;    /* ISSUE: to or from main memory */
  const char *text; /* FAULT */
};

/* An observer; embedded in what it serves. */
struct probe {
  void (*see)(struct probe *probe, const struct probe_event *event);
  bool details; /* it looks at details as well; must not change while it is attached */
  struct probe *next;
};
