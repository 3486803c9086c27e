/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface: whoever wants to see what happens in the machine; no unit knows who watches. */
#pragma once

#include <stdint.h>

/* What happened. */
enum probe_kind {
  PROBE_COMMAND,  /* a DMA command has come from its queue to the bus and can be split into bus requests */
  PROBE_ISSUE,    /* a bus request went out on the command bus */
  PROBE_GRANT,    /* a data arbiter granted a transfer on a ring of `chip` */
  PROBE_CROSS,    /* a bus request went onto the link from `chip` to `next_chip` */
  PROBE_DELIVER,  /* its bytes became visible in the target */
  PROBE_COMPLETE, /* the last byte of a DMA command was accounted for at its issuer */
  PROBE_FAULT,    /* an SPE stopped */
};

/* One thing that happened; only the fields that its kind names are set. */
struct probe_event {
  enum probe_kind kind;
  uint64_t cycle;
  unsigned spe; /* whose DMA command it is */
  unsigned tag;
  unsigned nbytes;    /* of the command, or of the bus request */
  unsigned chip;      /* GRANT, CROSS */
  unsigned ring;      /* GRANT */
  unsigned next_chip; /* CROSS */
  unsigned from, to;  /* GRANT: units */
  unsigned hops;      /* GRANT */
  uint64_t waited;    /* GRANT: cycles since the data was ready; CROSS: cycles in the queue of the link */
  const char *text;   /* FAULT */
};

/* An observer; embedded in what it serves. */
struct probe {
  void (*see)(struct probe *probe, const struct probe_event *event);
  struct probe *next;
};
