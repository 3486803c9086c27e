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
  CLAIM_UNDECIDED, /* it depends on values that nothing published determines, see claims_judge */
  CLAIM_ELSEWHERE, /* no run on this machine can tell */
};

/* Whether a finding tests the simulator. */
enum claim_fairness {
  CLAIM_FAIR, /* it could fail */
  /* it holds because of how the machine was made, or by a value that was fitted to it */
  CLAIM_BY_CONSTRUCTION,
  CLAIM_WITHIN_NOISE, /* what it compares differs by less than what the figures are known to */
};

enum { CLAIM_EVIDENCE_SIZE = 1024 };

/* One finding and its verdict. No text contains a comma, a quote or a newline. */
struct claim_row {
  unsigned id;
  char name[64];
  bool complete; /* false: an interruption has kept some of its runs from being made */
  enum claim_verdict verdict;
  enum claim_fairness fairness;
  double share;                       /* percent of drawn machines on which it holds; NaN: none were drawn */
  char evidence[CLAIM_EVIDENCE_SIZE]; /* the numbers behind the verdict; elsewhere: why */
  const char *source, *statement;
  const char *inequality; /* what was decided */
  const char *measured;   /* profile of software costs and what was timed */
  const char *note;       /* why it fails on platform note_on, or what else to know; may be empty */
  const char *note_on;
};

/* Return the number of findings. */
size_t claims_count(void);

/* Say in a line as of measured_elsewhere that no finding was made on PLATFORM; NULL: PLATFORM is the machine of the
 * findings.
 * owner: the caller frees the text. */
char *claims_nothing(const struct platform *platform);

/* Room for claims_headline. */
enum { CLAIMS_HEADLINE_SIZE = 200 };

/* Count the verdicts of N ROWS in one line; DRAWS: the number of drawn machines behind the verdicts, 0: none. */
void claims_headline(const struct claim_row *rows, size_t n, unsigned draws, char line[CLAIMS_HEADLINE_SIZE]);

/* Decide the findings by results on BLADE, for which LEDGER is asked, into ROWS, claims_count() of them.
 * After an interruption some of ROWS are not complete; their verdict means nothing.
 * errors: a process that died; the store. */
int claims_decide_all(struct blade *blade, struct ledger *ledger, struct claim_row *rows, struct err *err);

/* Ask LEDGER, within a round of it, for what decides finding I on BLADE, and decide it into ROW; it is
 * complete once all is known. */
void claims_ask(struct blade *blade, struct ledger *ledger, size_t i, struct claim_row *row);

/* Say that ROW holds on SHARE percent of the machines that were drawn from what is not known. If they do not
 * agree, but for a twentieth of them, it is undecided. */
void claims_judge(struct claim_row *row, double share);

/* Return FAIRNESS as printed. */
const char *claims_fairness_name(enum claim_fairness fairness);

/* Return VERDICT as printed. */
const char *claims_verdict_name(enum claim_verdict verdict);
