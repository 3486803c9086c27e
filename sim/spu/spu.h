/* SPDX-License-Identifier: BSD-3-Clause
 * What the calls of SPE and PPE programs share: the program that calls. */
#pragma once

#include "sim/base/des.h"
#include "sim/node/programs.h"

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
