/* SPDX-License-Identifier: BSD-3-Clause
 * The interface of deciders of findings. A decider asks for figures, requires inequalities and writes the
 * numbers to the evidence. Which figures a decider asks for must not depend on values. A decider is called
 * more than once: first to learn the figures asked for, then with the figures. */
#pragma once

#include "validate/papers/claims.h"
#include "validate/papers/claims_run.h"

/* Words of the papers as factors, the same for all findings.
 * CLOSE: close to, nearly as good as, almost no difference, flat; a larger difference is clear. EQUAL: no
 * better than; a smaller difference cannot be read from a figure.
 * NEARLY_TWICE: nearly twice, about half, much: nearer to twice than to the same. */
#define CLAIM_CLOSE 1.15
#define CLAIM_EQUAL 1.01
#define CLAIM_NEARLY_TWICE 1.5

struct decision {
  double (*value)(struct decision *decision,
                  const struct claim_run *run); /* NaN: no value; the reason is in `missing` */
  void *context;                                /* context of value() */
  const char *profile;                          /* profile of the finding's source */
  bool is_loop;                                 /* the source timed loops of calls; else single calls */
  enum coll_type type;
  bool refuted;      /* a required inequality does not hold */
  char missing[256]; /* why a figure is missing; empty: none is */
  char evidence[CLAIM_EVIDENCE_SIZE];
};

/* Return the ns of a call of ALGORITHM on RANKS ranks with BYTES bytes, timed as the source did. */
double claim_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes);

/* Return any other figure, under the profile of the finding. */
double claim_value(struct decision *d, struct claim_run run);

/* Require an inequality: HOLDS. */
void claim_require(struct decision *d, bool holds);

/* Add to the evidence, after a separator. */
void claim_say(struct decision *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fill D with evidence; the verdict follows from `refuted` and `missing`. */
typedef void claim_decider(struct decision *d);

#define CLAIM(id, name, ...) claim_decider claim_##name;
#define CLAIM_HOSTS CLAIM
#include "validate/papers/claims.def"
