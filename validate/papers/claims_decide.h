/* SPDX-License-Identifier: BSD-3-Clause
 * What deciders of findings work with. A decider asks for figures, whatever their values are, requires
 * inequalities and says the numbers. It is called more than once: first to learn which figures it asks for,
 * then with them. */
#pragma once

#include "validate/papers/claims.h"
#include "validate/papers/claims_run.h"

/* What words of the papers mean, as factors. They are the same for all findings.
 * CLOSE: close to, nearly as good as, almost no difference, flat; what differs by more does so clearly.
 * EQUAL: no better than; less than that cannot be read from a figure.
 * NEARLY_TWICE: nearly twice, about half, much: nearer to twice than to the same. */
#define CLAIM_CLOSE 1.15
#define CLAIM_EQUAL 1.01
#define CLAIM_NEARLY_TWICE 1.5

struct decision {
  double (*value)(struct decision *decision,
                  const struct claim_run *run); /* NaN: cannot be had; why is in `missing` */
  void *context;                                /* of value() */
  const char *profile;                          /* of the finding's source */
  bool is_loop;                                 /* its source timed loops of calls; else single calls */
  enum coll_type type;
  bool refuted;      /* a required inequality does not hold */
  char missing[256]; /* why a figure is missing; empty: none is */
  char evidence[CLAIM_EVIDENCE_SIZE];
};

/* Return the ns of a call of ALGORITHM on RANKS ranks with BYTES bytes, timed as the source did. */
double claim_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes);

/* Return any other figure, under the profile of the finding. */
double claim_value(struct decision *d, struct claim_run run);

/* Require that an inequality holds. */
void claim_require(struct decision *d, bool holds);

/* Add to the evidence, after a separator. */
void claim_say(struct decision *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Decide with what D contains; its verdict follows from `refuted` and `missing`.  */
typedef void claim_decider(struct decision *d);

#define CLAIM(id, name, ...) claim_decider claim_##name;
#define CLAIM_HOSTS CLAIM
#include "validate/papers/claims.def"
