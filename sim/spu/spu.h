/* SPDX-License-Identifier: BSD-3-Clause
 * The calling program: functions for the calls of SPE and PPE programs. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/node/programs.h"

/* Return the local store address of POINTER for program SPU; if POINTER is NULL or in the local
 * store of another SPE, an address that faults in a command.
 * faults: POINTER outside of all local stores. */
uint32_t spu_ls_address(const struct spu *spu, volatile const void *pointer);

/* Look at a channel of the calling program without waiting. Looking takes time, so that a loop of looks ends.
 * returns: the SPE. */
struct spe *spu_look(void);

/* Return the calling program, on an SPE or on a PPE, for CALL. A program outside the simulated machine stops
 * here. */
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
