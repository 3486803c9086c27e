/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the model machine for one blade: the ledger is asked for each, then they are plain data. */
#pragma once

#include "algos/cost/model_values.h"

#include <stdbool.h>

struct blade;
struct ledger;
struct model_machine;
struct model_table;

/* Return why BLADE can have no model machine, which needs chips of at least two SPEs with room for a DMA of
 * 16 KiB each way; NULL: it can. */
const char *model_table_lacks(const struct blade *blade);

/* Make the values of BLADE, none of which is known.
 * owner: the caller, with model_table_free. */
struct model_table *model_table_new(struct blade *blade);

/* Release TABLE; NULL is nothing. */
void model_table_free(struct model_table *table);

/* Return the machine with these values; NULL: not all are known yet, and LEDGER, which has been asked, has
 * counted what is missing; or one cannot be measured. LEDGER NULL: they are measured at once. */
struct model_machine *model_table_machine(struct model_table *table, struct ledger *ledger);

/* Return why there will be no machine: a program that measures one of the values stops. NULL: none is known
 * to. */
const char *model_table_unmeasured(const struct model_table *table);

/* The terms of a prediction, see cause.h: kinds of what contributes to it. */
enum cause_term {
  CAUSE_STEPS,      /* data steps and notifications, as if all were on a chip */
  CAUSE_CROSSINGS,  /* what crossings cost more */
  CAUSE_SHARING,    /* gaps, and readers that share an on-ramp */
  CAUSE_CONGESTION, /* of the link between chips */
  CAUSE_COMBINING,  /* elements */
  CAUSE_SOFTWARE,   /* raising and finding flags, and whatever else a model counts */
  CAUSE_TERMS,
};

/* In what parts of a cycle a changed machine counts. */
enum { MODEL_TABLE_SCALE = 64 };

/* Return a machine like that of TABLE, whose values are all known, with all times in 1 / MODEL_TABLE_SCALE of
 * a cycle, and what contributes to TERM raised by BY, from -1 to 1, / MODEL_TABLE_SCALE of itself.
 * owner: TABLE. */
struct model_machine *model_table_changed(struct model_table *table, enum cause_term term, int by);
