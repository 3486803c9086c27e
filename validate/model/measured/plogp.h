/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of the extended PLogP model, measured by SPE programs, never computed by formula.
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 7.1. */
#pragma once

#include "algos/cost/cost.h"
#include "platform/platform.h"

#include <stdbool.h>
#include <stddef.h>

enum { PLOGP_CHANGED = 13 };

/* Parameters of one machine under one software-cost profile; measured when first asked for, then
 * remembered. */
struct plogp {
  struct machine *machine;
  const struct platform *platform; /* of the machine */
  const struct profile *profile;
  /* reason why a parameter has no value, of the last such parameter since a reset to NULL */
  const char *unmeasured;
  /* machines with the parameters of one term raised or lowered, see cause.c; NULL: nobody has asked for the
   * machine */
  struct machine *changed[PLOGP_CHANGED];
  bool
    /* the structure lives until the ledger has made all experiments, so that experiments on the changed
     * machines are possible */
    lasting;
  struct ledger *ledger; /* makes the measurements; NULL: each measurement is made at once */
  void *values;          /* a tree of struct plogp_value */
};

/* Prepare to measure on MACHINE with the programs of PROFILE. */
void plogp_init(struct plogp *plogp, struct machine *machine, const struct profile *profile);

/* Release the values and changed machines of PLOGP. */
void plogp_fini(struct plogp *plogp);

/* Maximum size of a message between nodes with a latency and a gap. */
enum { PLOGP_MESSAGE_MOST = 64 << 20 };

/* Return a parameter in SPU cycles: for M bytes (COST_ACK: a notification, or a message of no bytes) and, for
 * COST_C and COST_BURST_C, N messages, for COST_L4 and COST_G4 N hosts. NaN: the platform has no such
 * parameter (across chips on one chip, a pair on one SPE, no room for M bytes, a partial element to combine).
 * 1, a value on which every equation ends: not known yet, or after an interruption (see
 * ledger_complete and des_interrupted); or no measurement because a program stops (see `unmeasured`). */
double plogp_get(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n);

/* Return the mean time in SPU cycles of a get of M bytes while N messages cross between two chips, N / 2 each
 * way (for an odd N one more to the first chip), as PARAMETER requires: COST_C in loops; COST_BURST_C once,
 * all in one cycle. N is at least 1 and at most twice the SPEs of a chip. */
double plogp_crossing_time(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n);

/* Return the name of PARAMETER as in the paper: L, g1, gAck ... */
const char *plogp_name(enum cost_parameter parameter);

/* Tell whether PLATFORM can have PARAMETER at all. */
bool plogp_exists(const struct platform *platform, enum cost_parameter parameter);
