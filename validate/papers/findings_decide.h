/* SPDX-License-Identifier: BSD-3-Clause
 * The interface of deciders of findings. A decider asks for figures, requires inequalities and writes the
 * numbers to the evidence. Which figures a decider asks for must not depend on values. A decider is called
 * more than once: first to learn the figures asked for, then with the figures. */
#pragma once

#include "validate/papers/findings.h"
#include "validate/papers/findings_run.h"

/* Words of the papers as factors, the same for all findings.
 * CLOSE: close to, nearly as good as, almost no difference, flat; a larger difference is clear. EQUAL: no
 * better than; a smaller difference cannot be read from a figure.
 * NEARLY_TWICE: nearly twice, about half, much: nearer to twice than to the same. */
#define FINDING_CLOSE 1.15
#define FINDING_EQUAL 1.01
#define FINDING_NEARLY_TWICE 1.5

struct decision {
  double (*value)(struct decision *decision,
                  const struct finding_run *run); /* NaN: no value; the reason is in `missing` */
  void *context;                                  /* context of value() */
  const char *profile;                            /* profile of the finding's source */
  bool is_loop;                                   /* the source timed loops of calls; else single calls */
  enum coll_type type;
  bool refuted;      /* a required inequality does not hold */
  char missing[256]; /* why a figure is missing; empty: none is */
  char evidence[FINDING_EVIDENCE_SIZE];
};

/* Return the ns of a call of ALGORITHM on RANKS ranks with BYTES bytes, timed as the source did. */
double finding_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes);

/* Return any other figure under the profile of the finding: RUN, or the members of a struct finding_run. */
double finding_figure(struct decision *d, struct finding_run run);
#define finding_value(d, ...) finding_figure(d, (struct finding_run){__VA_ARGS__})

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
