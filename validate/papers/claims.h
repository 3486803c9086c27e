/* SPDX-License-Identifier: BSD-3-Clause
 * Findings of the literature, decided by runs of the simulator. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;
struct ledger;
struct platform;

enum claim_verdict {
  CLAIM_HOLDS,
  CLAIM_FAILS,
  CLAIM_UNDECIDED, /* the verdict depends on values not determined by any publication, see claims_judge */
  CLAIM_ELSEWHERE, /* no run on this machine can tell */
};

/* Whether a finding tests the simulator. */
enum claim_fairness {
  CLAIM_FAIR, /* the finding could fail */
  /* the finding holds because of the design of the machine, or by a value fitted to the finding */
  CLAIM_BY_CONSTRUCTION,
  CLAIM_WITHIN_NOISE, /* the difference is smaller than the precision of the figures */
};

enum { CLAIM_EVIDENCE_SIZE = 1024 };

/* One finding and its verdict. No text contains a comma, a quote or a newline. */
struct claim_row {
  unsigned id;
  char name[64];
  bool complete; /* false: some runs are missing because of an interruption */
  enum claim_verdict verdict;
  enum claim_fairness fairness;
  /* percent of drawn machines on which the finding holds; NaN: no drawn machines */
  double share;
  char evidence[CLAIM_EVIDENCE_SIZE]; /* the numbers behind the verdict; for elsewhere: the reason */
  const char *source, *statement;
  const char *inequality; /* the inequality decided */
  const char *measured;   /* profile of software costs, and timing */
  const char *note;       /* reason of a failure on platform note_on, or a remark; may be empty */
  const char *note_on;
};

/* Return the number of findings. */
size_t claims_count(void);

/* Return a line, as from measured_elsewhere, saying that no finding was made on PLATFORM; NULL: PLATFORM is
 * the machine of the findings.
 * owner: the caller frees the text. */
char *claims_nothing(const struct platform *platform);

/* Room for claims_headline. */
enum { CLAIMS_HEADLINE_SIZE = 200 };

/* Count the verdicts of N ROWS in one line; DRAWS: the number of drawn machines behind the verdicts, or 0. */
void claims_headline(const struct claim_row *rows, size_t n, unsigned draws, char line[CLAIMS_HEADLINE_SIZE]);

/* Decide all findings on BLADE with results from LEDGER; fill ROWS, an array of claims_count() rows. After an
 * interruption some of ROWS are not complete; the verdict of an incomplete row is meaningless.
 * errors: a process that died; the store. */
int claims_decide_all(struct blade *blade, struct ledger *ledger, struct claim_row *rows, struct err *err);

/* Ask LEDGER, within one of its rounds, for the results needed by finding I on BLADE, and fill ROW with the
 * verdict; ROW is complete if all results are available. */
void claims_ask(struct blade *blade, struct ledger *ledger, size_t i, struct claim_row *row);

/* Set SHARE, the percentage of machines with drawn unknown values on which ROW holds. The verdict is
 * undecided unless at most a twentieth of the machines disagree. */
void claims_judge(struct claim_row *row, double share);

/* Return FAIRNESS as printed. */
const char *claims_fairness_name(enum claim_fairness fairness);

/* Return VERDICT as printed. */
const char *claims_verdict_name(enum claim_verdict verdict);
