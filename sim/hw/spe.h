/* SPDX-License-Identifier: BSD-3-Clause
 * A synergistic processor element: local store, DMA engine, signal notification registers, and the program on it. */
#pragma once

#include "sim/hw/dma.h"
#include "sim/hw/pace.h"
#include "sim/hw/snr.h"

#include <stdint.h>

struct blade;
struct des_actor;

enum { SPE_SIGNALS = 2 };

/* What can end the wait of a program (see des_wait). */
enum spe_poke {
  SPE_POKE_LS = 1,     /* bytes arrived in its local store */
  SPE_POKE_SIGNAL = 2, /* a signal arrived */
  SPE_POKE_DMA = 4,    /* a DMA command completed */
};

struct spe {
  struct blade *blade;
  unsigned index; /* on the blade */
  unsigned chip;
  unsigned unit; /* position on the ring of its chip */
  uint8_t *ls;
  struct pace ls_port; /* what goes out to the bus and what comes in, first come, first served */
  struct dma dma;
  struct snr signals[SPE_SIGNALS];
  struct des_actor *actor; /* the program; NULL: none */
};

/* Stop the program of SPE, which calls, with a fault. Does not return.
 * What its MFC has on the bus goes on; it issues nothing more.
 * source: the MFC stops its queue and interrupts the PPE, which reports and ends the program. */
void spe_fault(struct spe *spe, const char *what) __attribute__((noreturn));

/* The same for a fault that its MFC finds while the program waits or computes. */
void spe_stop(struct spe *spe, const char *what);
