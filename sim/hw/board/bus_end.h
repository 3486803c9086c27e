/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a transfer: the unit and the bytes or register behind an effective address. */
#pragma once

#include <stdint.h>

struct memory;
struct spe;

enum bus_end_kind {
  BUS_END_LS,      /* bytes of a local store */
  BUS_END_SIGNAL,  /* a signal notification register */
  BUS_END_MAILBOX, /* an inbound mailbox */
  BUS_END_MEMORY,  /* bytes of the main memory of a chip */
};

/* One end of a transfer: a unit on the ring of a chip, and the target behind the unit. */
struct bus_end {
  uint8_t kind; /* enum bus_end_kind */
  uint8_t unit;
  uint8_t signal; /* SIGNAL: 0 or 1 */
  unsigned chip;
  union {
    struct spe *spe;       /* LS, SIGNAL, MAILBOX */
    struct memory *memory; /* MEMORY */
  };
  uint8_t *bytes; /* LS, MEMORY; else NULL */
};
