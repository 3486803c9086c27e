/* SPDX-License-Identifier: BSD-3-Clause
 * The terms of a prediction: what parameters and values contribute to, see cause.h. */
#pragma once

/* Kinds of parameters. */
enum cause_term {
  CAUSE_STEPS,      /* data steps and notifications, as if all were on a chip */
  CAUSE_CROSSINGS,  /* what crossings cost more */
  CAUSE_SHARING,    /* gaps, and readers that share an on-ramp */
  CAUSE_CONGESTION, /* of the link between chips */
  CAUSE_COMBINING,  /* elements */
  CAUSE_SOFTWARE,   /* raising and finding flags, and whatever else a model counts */
  CAUSE_TERMS,
};
