/* SPDX-License-Identifier: BSD-3-Clause
 * The interface of deciders of findings. A decider asks for figures, requires inequalities and writes the
 * numbers to the evidence. Which figures a decider asks for must not depend on values. A decider is called
 * more than once: first to learn the figures asked for, then with the figures. */
#pragma once

#include "validate/papers/figure.h"
#include "validate/papers/findings.h"

struct decision {
  double (*value)(struct decision *decision,
                  const struct figure *figure); /* NaN: no value; the reason is in `missing` */
  void *context;                                /* context of value() */
  const char *profile;                          /* profile of the finding's source */
  bool is_loop;                                 /* the source timed loops of calls; else single calls */
  enum coll_type type;
  bool refuted;      /* a required inequality does not hold */
  bool incomplete;   /* some runs are missing */
  char missing[256]; /* why a figure is missing; empty: none is */
  char evidence[FINDING_EVIDENCE_SIZE];
};

/* Return the ns of a call of ALGORITHM on RANKS ranks with BYTES bytes, timed as the source did. */
double finding_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes);

/* Return any other figure under the profile of the finding: FIGURE, or the members of a struct figure. */
double finding_figure(struct decision *d, struct figure figure);
#define finding_value(d, ...) finding_figure(d, (struct figure){__VA_ARGS__})

/* Require an inequality: HOLDS. */
void finding_require(struct decision *d, bool holds);

/* Add to the evidence, after a separator. */
void finding_say(struct decision *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Both: require HOLDS, and add the numbers behind to the evidence. */
#define finding_point(d, holds, ...) (finding_require(d, holds), finding_say(d, __VA_ARGS__))

/* Fill D with evidence; the verdict follows from `refuted` and `missing`. */
typedef void finding_decider(struct decision *d);

#define FINDING(id, name, ...) finding_decider finding_##name;
#define FINDING_HOSTS FINDING
#include "validate/papers/findings.def"
