/* SPDX-License-Identifier: BSD-3-Clause
 * Starting programs on SPEs and PPEs: the part of a program's world that its own code does not see. */
#pragma once

#include "sim/base/des.h"
#include "sim/hw/blade.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;

/* An SPE program and the state of the library below it. */
struct spu {
  unsigned spe;
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle */
  /* kept by the library: */
  struct spe *hw;
  uint32_t tags_taken;   /* by mfc_tag_reserve */
  uint32_t registers[6]; /* what was written to channels MFC_LSA to MFC_TagID */
  bool started, ended;   /* by a PPE; its main has returned */
  int expected;          /* rank that should end the next wait for a signal, for messages; -1: unknown */
};

/* A PPE program. */
struct ppu {
  unsigned chip;
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle */
  /* kept by the library: */
  struct ppe *hw;
};

/* Programs of one run: at most one per SPE, and any number per PPE. */
struct spu_programs {
  struct spu *spus;
  size_t nspus;
  struct ppu *ppus;
  size_t nppus;
};

/* Run COUNT programs on BLADE, which has been reset.
 * owner: the caller, with blade_result_fini. */
struct blade_result spu_run(struct blade *blade, struct spu *programs, size_t count);

/* The same for programs on SPEs and PPEs. */
struct blade_result spu_run_all(struct blade *blade, const struct spu_programs *programs);

/* Start PROGRAMS on BLADE, which has been reset; they run in its next run, blade_run or blade_run_all. */
void spu_start(struct blade *blade, const struct spu_programs *programs);

/* Start SPU on BOARD, in whose run a PPE program calls, now. */
void spu_start_now(const struct board *board, struct spu *spu);

/* Let signal register WHICH (1 or 2) of SPE combine writes with OR; call between blade_reset and spu_run.
 * source: SPE_CFG_SIGNOTIFY1_OR, SPE_CFG_SIGNOTIFY2_OR of libspe2. */
void spu_config_signal_or(struct blade *blade, unsigned spe, unsigned which);

/* Return the local store address that POINTER of program SPU stands for; outside, one that faults. */
uint32_t spu_ls_address(const struct spu *spu, volatile const void *pointer);

/* Look at a channel of the calling program without waiting: takes its time, so that a loop that polls gets
 * somewhere.
 * returns: the SPE. */
struct spe *spu_look(void);

/* Return the calling program, on an SPE or on a PPE, which is in CALL. A program that runs on another machine
 * than the simulated one stops here. */
static inline struct spu *spu_self_in(const char *call) {
  des_refuse(des_self(), call);
  return des_argument(des_self());
}

static inline struct ppu *ppu_self_in(const char *call) {
  des_refuse(des_self(), call);
  return des_argument(des_self());
}

#define spu_self() spu_self_in(__func__)
#define ppu_self() ppu_self_in(__func__)
