/* SPDX-License-Identifier: BSD-3-Clause
 * The table of findings, and the verdict on each. A decider is called in every round of the ledger; an
 * unknown figure counts as 1 until the last round, whose inequalities decide. */
#include "validate/papers/findings.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/papers/findings_decide.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The built-in platforms of all findings. */
#define MADE_ON_SPES "qs20"
#define MADE_ON_HOSTS "qsnet2"

enum timing { SINGLE, LOOP, BENCHMARK };
#define MEASURED_SINGLE "single calls"
#define MEASURED_LOOP "mean of calls back to back"
#define MEASURED_BENCHMARK "benchmark"

static const struct finding entries[] = {
#define ROW(id, name, profile, is_loop, fairness, source, statement, inequality, measured, note, on, where) \
  [id - 1] = {id,       #name, profile,        is_loop, FINDING_##fairness, source, statement, inequality, \
              measured, note,  finding_##name, on,      .elsewhere = where},
#define FINDING(id, name, profile, timing, fairness, source, statement, inequality, note, ...) \
  ROW(id, name, #profile, timing == LOOP, fairness, source, statement, inequality, \
      #profile "; " MEASURED_##timing, note, MADE_ON_SPES, NULL)
#define FINDING_HOSTS(id, name, source, statement, inequality, where, note, ...) \
  ROW(id, name, "ali2010", false, FAIR, source, statement, inequality, MEASURED_SINGLE, note, MADE_ON_HOSTS, \
      where)
#define UNCERTAIN(id, setting) [id - 1].turned_by = setting,
#define READ_AGAIN(id) [id - 1].read_again = true,
#include "validate/papers/findings.def"
};

enum { COUNT = sizeof entries / sizeof *entries };

size_t findings_count(void) {
  return COUNT;
}

const char *findings_verdict_name(enum finding_verdict verdict) {
  static const char *const names[] = {[FINDING_HOLDS] = "holds",
                                      [FINDING_FAILS] = "fails",
                                      [FINDING_UNDECIDED] = "undecided",
                                      [FINDING_ELSEWHERE] = "elsewhere"};
  return names[verdict];
}

const char *findings_fairness_name(enum finding_fairness fairness) {
  static const char *const names[] = {[FINDING_FAIR] = "yes",
                                      [FINDING_BY_CONSTRUCTION] = "by-construction",
                                      [FINDING_WITHIN_NOISE] = "within-noise"};
  return names[fairness];
}

void findings_judge(struct finding_row *row, double share) {
  const double few = 5; /* maximum percent of sampled machines that disagree */
  row->share = share;
  if (row->verdict != FINDING_ELSEWHERE) {
    row->verdict = share >= 100 - few ? FINDING_HOLDS : share <= few ? FINDING_FAILS : FINDING_UNDECIDED;
  }
}

void findings_settle(struct finding_row *row) {
  if (row->finding->turned_by && row->verdict != FINDING_ELSEWHERE) {
    row->verdict = FINDING_UNDECIDED;
  }
}

/* --- all findings --- */

char *findings_nothing(const struct platform *platform) {
  const char *machine = platform_has_spes(platform) ? MADE_ON_SPES : MADE_ON_HOSTS;
  if (measured_on(platform, machine)) {
    return NULL;
  }
  const char *nothing = published_machine(platform) ? "no finding was made" : "nothing was measured";
  return measured_elsewhere(nothing, platform, &machine, 1);
}

void findings_headline(const struct finding_row *rows, size_t n, unsigned samples,
                       char line[FINDINGS_HEADLINE_SIZE]) {
  unsigned counts[FINDING_ELSEWHERE + 1] = {0}, nfair = 0, nagain = 0;
  char judged[48] = "", again[64] = "";
  for (size_t i = 0; i < n; i++) {
    counts[rows[i].verdict]++;
    nfair += rows[i].verdict == FINDING_HOLDS && rows[i].finding->fairness == FINDING_FAIR &&
             !rows[i].finding->read_again;
    nagain += rows[i].finding->read_again;
  }
  if (nagain) {
    snprintf(again, sizeof again, "; %u were read again after they had failed", nagain);
  }
  if (samples) {
    snprintf(judged, sizeof judged, " judged on %u drawn machines", samples);
  }
  snprintf(line, FINDINGS_HEADLINE_SIZE,
           "%zu findings%s: %u hold (%u of them could have failed), %u fail, %u undecided, %u elsewhere%s", n,
           judged, counts[FINDING_HOLDS], nfair, counts[FINDING_FAILS], counts[FINDING_UNDECIDED],
           counts[FINDING_ELSEWHERE], again);
}

/* The machine under test, and the ledger with results. */
struct source {
  struct machine *machine;
  struct ledger *ledger;
};

/* Ask for a figure; a figure not yet in the ledger counts as 1. */
static double look_up(struct decision *decision, const struct figure *figure) {
  const struct source *source = decision->context;
  struct figure_asked asked;
  if (!figure_ask(&asked, figure, source->ledger, source->machine)) {
    decision->incomplete = true;
    return 1;
  }
  if (isnan(asked.value) && !*decision->missing) {
    snprintf(decision->missing, sizeof decision->missing, "%.255s", asked.why.text);
    for (char *c = decision->missing; *c; c++) { /* the text becomes a field of csv */
      *c = *c == ',' || *c == '\n' ? ';' : *c == '"' ? '\'' : *c;
    }
  }
  return asked.value;
}

static void decide(const struct finding *entry, struct source *source, struct finding_row *row) {
  struct decision d = {
    .value = look_up, .context = source, .profile = entry->profile, .is_loop = entry->is_loop};
  *row = (struct finding_row){.finding = entry, .verdict = FINDING_ELSEWHERE, .share = NAN};
  snprintf(row->name, sizeof row->name, "%s", entry->name);
  for (char *c = row->name; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
  bool on_hosts = !platform_has_spes(machine_platform(source->machine)),
       here = on_hosts == !!entry->elsewhere;
  if (here) {
    entry->decide(&d);
    row->verdict = *d.missing ? FINDING_ELSEWHERE : d.refuted ? FINDING_FAILS : FINDING_HOLDS;
  }
  row->complete = !d.incomplete;
  snprintf(row->evidence, sizeof row->evidence, "%s",
           *d.missing ? d.missing
           : here     ? d.evidence
           : on_hosts ? "it is about SPEs and the platform has none"
                      : entry->elsewhere);
}

void findings_ask(struct machine *machine, struct ledger *ledger, size_t i, struct finding_row *row) {
  struct source source = {machine, ledger};
  decide(&entries[i], &source, row);
}

/* Findings being decided. */
struct walk {
  struct source source;
  struct finding_row *rows;
};

static void decide_all(void *context) {
  struct walk *walk = context;
  for (size_t i = 0; i < COUNT; i++) {
    decide(&entries[i], &walk->source, &walk->rows[i]);
  }
}

int findings_decide_all(struct machine *machine, struct ledger *ledger, struct finding_row *rows,
                        struct err *err) {
  struct walk walk = {{machine, ledger}, rows};
  int status = ledger_settle(ledger, decide_all, &walk, err);
  if (status == 0 && des_interrupted()) {
    decide_all(&walk); /* with the results available so far */
  }
  return status;
}
