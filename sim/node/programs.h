/* SPDX-License-Identifier: BSD-3-Clause
 * Starting programs on SPEs and PPEs: the part of a program's environment beyond the program's own code. */
#pragma once

#include "sim/hw/blade.h"
#include "sim/hw/board/program_head.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An SPE program and the library's state for the program. */
struct spu {
  struct program program; /* first; kept by the library */
  unsigned spe;
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle */
  /* kept by the library: */
  struct spe *hw;
  uint32_t tags_taken;   /* by mfc_tag_reserve */
  uint32_t registers[5]; /* the last values written to channels MFC_LSA to MFC_TagID */
  uint32_t srr0;         /* the last value written to channel SPU_WrSRR0 */
  bool interrupts;       /* enabled, as the machine status says */
  bool started, ended;   /* started: by a PPE; ended: main has returned */
  int expected;          /* rank whose signal should end the next wait, for messages; -1: unknown */
};

/* A PPE program. */
struct ppu {
  struct program program; /* first; kept by the library */
  unsigned chip;
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle */
  /* kept by the library: */
  struct ppe *hw;
};

/* Start SPU or PPU on BOARD, after a reset of the blade: at most one program per SPE, any number per PPE. The
 * programs run in the next blade_run or blade_run_all. */
void spu_start(const struct board *board, struct spu *spu);
void ppu_start(const struct board *board, struct ppu *ppu);

/* Start SPU on BOARD now; called by a PPE program that runs on BOARD. */
void spu_start_now(const struct board *board, struct spu *spu);

/* Let signal register WHICH (1 or 2) of SPE combine writes with OR; call after blade_reset, before a run.
 * source: SPE_CFG_SIGNOTIFY1_OR, SPE_CFG_SIGNOTIFY2_OR of libspe2. */
void spu_config_signal_or(struct blade *blade, unsigned spe, unsigned which);
