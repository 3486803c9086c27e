/* SPDX-License-Identifier: BSD-3-Clause
 * Starting SPE programs: the part of an SPE program's world that its own code does not see. */
#pragma once

#include "sim/hw/blade.h"

#include <stddef.h>
#include <stdint.h>

/* An SPE program and the state of the library below it. */
struct spu {
  unsigned spe;
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle */
  /* kept by the library: */
  struct spe *hw;
  uint32_t tag_mask;
  int expected; /* rank that should end the next wait for a signal, for messages; -1: unknown */
};

/* Run COUNT programs on BLADE, which has been reset.
 * owner: the caller, with blade_result_fini. */
struct blade_result spu_run(struct blade *blade, struct spu *programs, size_t count);

/* Let signal register WHICH (1 or 2) of SPE combine writes with OR; call between blade_reset and spu_run.
 * source: SPE_CFG_SIGNOTIFY1_OR, SPE_CFG_SIGNOTIFY2_OR of libspe2. */
void spu_config_signal_or(struct blade *blade, unsigned spe, unsigned which);

/* Return the calling program. */
struct spu *spu_self(void);
