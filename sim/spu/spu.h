/* SPDX-License-Identifier: BSD-3-Clause
 * The calling program and the waits of programs (waits.def), for the calls of SPE and PPE programs. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/hw/board/program.h"
#include "sim/node/programs.h"
#include "sim/spu/spu_time.h"

#include <stdint.h>

/* Return the local store address of POINTER for program SPU; if POINTER is NULL or in the local
 * store of another SPE, an address that faults in a command.
 * faults: POINTER outside of all local stores. */
uint32_t spu_ls_address(const struct spu *spu, volatile const void *pointer);

/* Look at a channel of the calling program without waiting. Looking takes time, so that a loop of looks ends.
 * returns: the SPE. */
struct spe *spu_look(void);

/* The calling program, on an SPE or on a PPE, as in program_self_for. */
#define spu_self() ((struct spu *)program_self_for(__func__))
#define ppu_self() ((struct ppu *)program_self_for(__func__))

/* --- waits --- */

struct machine;

enum wait_kind {
#define WAIT(kind, pokes, subject, over, says) WAIT_##kind,
#include "sim/spu/waits.def"
};

/* The data of a wait; the kind determines the members that the program fills in. */
struct wait {
  struct des_wait wait; /* first; filled in by wait_for */
  union {
    const struct spe *spe;
    const struct program *program; /* ANY, ANY_TAG */
    const struct spu_flag *flag;
    const struct machine *machine;
    const struct board *board; /* SPE_OUT_WORDS */
  };
  union {
    const struct spu *spu;
    const struct spu_any *any;
    const uint8_t *bytes; /* at `ea` */
    const unsigned *spes; /* SPE_OUT_WORDS */
  };
  union {
    uint64_t ea;
    struct probe_cause *found; /* SPE_OUT_WORDS: the writer of the word */
  };
  /* register, mask of tags, condition, value, own node, or number of `spes` */
  uint32_t number;
  int from; /* rank or node; -1: unknown */
};

/* The rows of waits.def. */
struct wait_row {
  struct des_wait wait;
  enum probe_subject subject;
};

extern const struct wait_row wait_rows[];

/* Let the calling program wait for KIND with the data OWN until the wait is over. BY: as in program_wait. */
static inline void wait_for(enum wait_kind kind, struct wait *own, const struct probe_cause *by) {
  own->wait = wait_rows[kind].wait;
  program_stall(program_self()->board);
  program_wait(&own->wait, wait_rows[kind].subject, by);
}

/* Tell whether FLAG is up. */
static inline bool flag_is_up(const struct spu_flag *flag) {
  return (int32_t)(*flag->word - flag->value) >= 0;
}
