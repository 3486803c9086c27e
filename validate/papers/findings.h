/* SPDX-License-Identifier: BSD-3-Clause
 * Findings of the literature, decided by runs of the simulator. */
#pragma once

#include "validate/papers/figure.h"

#include <stdbool.h>
#include <stddef.h>

enum finding_verdict {
  FINDING_HOLDS,
  FINDING_FAILS,
  FINDING_UNDECIDED, /* the verdict depends on values not determined by any publication */
  FINDING_ELSEWHERE, /* no run on this machine can tell */
};

/* Whether a finding tests the simulator. */
enum finding_fairness {
  FINDING_FAIR, /* the finding could fail */
  /* the finding holds because of the design of the machine, or by a value fitted to the finding */
  FINDING_BY_CONSTRUCTION,
  FINDING_WITHIN_NOISE, /* the difference is smaller than the precision of the figures */
};

enum { FINDING_EVIDENCE_SIZE = 1024 };

struct decision;

/* A row of findings.def. No text contains a comma, a quote or a newline. */
struct finding {
  unsigned id;
  const char *name, *profile;
  bool is_loop; /* the source timed loops of calls; else single calls */
  enum finding_fairness fairness;
  const char *source, *statement;
  const char *inequality;
  const char *measured;               /* profile of software costs, and timing */
  const char *note;                   /* reason of a failure on platform note_on, or a remark; may be empty */
  void (*decide)(struct decision *d); /* fills D; the verdict follows from `refuted` and `missing` */
  const char *note_on;                /* the machine of the finding */
  const char *elsewhere; /* decided on hosts: the reason why not on SPEs; NULL: decided on SPEs */
  /* KEY=VALUE, within the bounds of the value: the setting turns the verdict; NULL: no single value does */
  const char *turned_by;
  bool read_again; /* the reading of the text was changed after the finding had failed */
};

/* The rows of findings.def; findings_count() of them. */
extern const struct finding findings_table[];

/* One finding and the verdict. */
struct finding_row {
  const struct finding *finding;
  bool complete; /* false: some runs are missing because of an interruption */
  enum finding_verdict verdict;
  /* percent of sampled machines on which the finding holds; NaN: no sampled machines */
  double share;
  char evidence[FINDING_EVIDENCE_SIZE]; /* the numbers behind the verdict; for elsewhere: the reason */
};

/* Return the number of findings. */
size_t findings_count(void);

/* Return a line, as from measured_elsewhere, saying that no finding was made on PLATFORM; NULL: PLATFORM is
 * the machine of the findings.
 * owner: the caller frees the text. */
char *findings_nothing(const struct platform *platform);

/* Room for findings_headline. */
enum { FINDINGS_HEADLINE_SIZE = 280 };

/* Count the verdicts of N ROWS in one line; SAMPLES: the sampled machines behind the verdicts, or 0. */
void findings_headline(const struct finding_row *rows, size_t n, unsigned samples,
                       char line[FINDINGS_HEADLINE_SIZE]);

/* Decide all findings on MACHINE with results from LEDGER; fill ROWS, an array of findings_count() rows.
 * After an interruption some of ROWS are not complete; the verdict of an incomplete row is meaningless.
 * errors: a process that died; the store. */
int findings_decide_all(struct machine *machine, struct ledger *ledger, struct finding_row *rows,
                        struct err *err);

/* Ask LEDGER, within a round, for the results needed by finding I on MACHINE, and fill ROW with the
 * verdict; ROW is complete if all results are available. */
void findings_ask(struct machine *machine, struct ledger *ledger, size_t i, struct finding_row *row);

/* Set SHARE, the percentage of machines with sampled unknown values on which ROW holds. The verdict is
 * undecided unless at most a twentieth of the machines disagree. */
void findings_judge(struct finding_row *row, double share);

/* Make ROW, decided on the machine of the findings, undecided if one uncertain value turns the verdict. */
void findings_settle(struct finding_row *row);

/* Return FAIRNESS as printed. */
const char *findings_fairness_name(enum finding_fairness fairness);

/* Return VERDICT as printed. */
const char *findings_verdict_name(enum finding_verdict verdict);

/* --- deciders ---
 *
 * A decider asks for figures, requires inequalities and writes the numbers to the evidence. Which figures a
 * decider asks for must not depend on values. A decider is called more than once: first to learn the figures
 * asked for, then with the figures. */

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

/* Add to the evidence of D, after a separator. */
void finding_say(struct decision *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
