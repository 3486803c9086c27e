/* SPDX-License-Identifier: BSD-3-Clause
 * See claims.h. */
#include "validate/papers/claims.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/papers/claims_decide.h"
#include "validate/papers/measured.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A row of claims.def. */
struct entry {
  unsigned id;
  const char *name, *profile;
  bool is_loop;
  enum claim_fairness fairness;
  const char *source, *statement, *inequality, *measured, *note;
  claim_decider *decide;
  /* the finding is decided on hosts: the reason why not on SPEs; NULL: the finding is decided on SPEs */
  const char *elsewhere;
};

enum timing { SINGLE, LOOP, BENCHMARK };
#define MEASURED_SINGLE "single calls"
#define MEASURED_LOOP "mean of calls back to back"
#define MEASURED_BENCHMARK "benchmark"

static const struct entry entries[] = {
#define CLAIM(id, name, profile, timing, fairness, source, statement, inequality, note) \
  {id, \
   #name, \
   #profile, \
   timing == LOOP, \
   CLAIM_##fairness, \
   source, \
   statement, \
   inequality, \
   #profile "; " MEASURED_##timing, \
   note, \
   claim_##name, \
   NULL},
#define CLAIM_HOSTS(id, name, source, statement, inequality, elsewhere, note) \
  {id,        #name,      "ali2010",       false, CLAIM_FAIR,   source, \
   statement, inequality, MEASURED_SINGLE, note,  claim_##name, elsewhere},
#include "validate/papers/claims.def"
};

enum { COUNT = sizeof entries / sizeof *entries };

/* The built-in platforms of all findings. */
static const char made_on_spes[] = "qs20", made_on_hosts[] = "qsnet2";

size_t claims_count(void) {
  return COUNT;
}

const char *claims_verdict_name(enum claim_verdict verdict) {
  static const char *const names[] = {[CLAIM_HOLDS] = "holds",
                                      [CLAIM_FAILS] = "fails",
                                      [CLAIM_UNDECIDED] = "undecided",
                                      [CLAIM_ELSEWHERE] = "elsewhere"};
  return names[verdict];
}

const char *claims_fairness_name(enum claim_fairness fairness) {
  static const char *const names[] = {
    [CLAIM_FAIR] = "yes", [CLAIM_BY_CONSTRUCTION] = "by-construction", [CLAIM_WITHIN_NOISE] = "within-noise"};
  return names[fairness];
}

void claims_judge(struct claim_row *row, double share) {
  const double few = 5; /* maximum percent of drawn machines that disagree */
  row->share = share;
  if (row->verdict != CLAIM_ELSEWHERE) {
    row->verdict = share >= 100 - few ? CLAIM_HOLDS : share <= few ? CLAIM_FAILS : CLAIM_UNDECIDED;
  }
}

/* --- for deciders --- */

double claim_value(struct decision *d, struct claim_run run) {
  run.profile = d->profile;
  return d->value(d, &run);
}

double claim_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes) {
  return claim_value(d, (struct claim_run){.kind = d->is_loop ? CLAIM_LOOP : CLAIM_CALL,
                                           .algorithm = algorithm,
                                           .type = d->type,
                                           .ranks = ranks,
                                           .bytes = bytes});
}

void claim_require(struct decision *d, bool holds) {
  d->refuted |= !holds;
}

void claim_say(struct decision *d, const char *format, ...) {
  size_t used = strlen(d->evidence);
  va_list arguments;
  if (used > 0 && used + 3 < sizeof d->evidence) {
    strcpy(d->evidence + used, "; ");
    used += 2;
  }
  va_start(arguments, format);
  vsnprintf(d->evidence + used, sizeof d->evidence - used, format, arguments);
  va_end(arguments);
}

/* --- all findings --- */

/* Return the built-in platform of the findings about the kind of nodes of PLATFORM. */
static const char *machine_of(const struct platform *platform) {
  return platform_has_spes(platform) ? made_on_spes : made_on_hosts;
}

char *claims_nothing(const struct platform *platform) {
  const char *machine = machine_of(platform);
  if (measured_on(platform, machine)) {
    return NULL;
  }
  const char *nothing = published_machine(platform) ? "no finding was made" : "nothing was measured";
  return measured_elsewhere(nothing, platform, &machine, 1);
}

void claims_headline(const struct claim_row *rows, size_t n, unsigned draws,
                     char line[CLAIMS_HEADLINE_SIZE]) {
  unsigned counts[CLAIM_ELSEWHERE + 1] = {0}, nfair = 0;
  char judged[48] = "";
  for (size_t i = 0; i < n; i++) {
    counts[rows[i].verdict]++;
    nfair += rows[i].verdict == CLAIM_HOLDS && rows[i].fairness == CLAIM_FAIR;
  }
  if (draws) {
    snprintf(judged, sizeof judged, " judged on %u drawn machines", draws);
  }
  snprintf(line, CLAIMS_HEADLINE_SIZE,
           "%zu findings%s: %u hold (%u of them could have failed), %u fail, %u undecided, %u elsewhere", n,
           judged, counts[CLAIM_HOLDS], nfair, counts[CLAIM_FAILS], counts[CLAIM_UNDECIDED],
           counts[CLAIM_ELSEWHERE]);
}

/* Ask for a figure; a figure not yet in the ledger counts as 1. */
static double look_up(struct decision *decision, const struct claim_run *run) {
  const struct claim_source *source = decision->context;
  size_t nmissing = source->ledger->nmissing;
  struct err err = {""};
  double value = claim_run_value(run, &(struct claim_source){source->blade, source->ledger, &err});
  if (source->ledger->nmissing > nmissing) {
    return 1;
  }
  if (isnan(value) && !*decision->missing) {
    snprintf(decision->missing, sizeof decision->missing, "%s", err.text);
    for (char *c = decision->missing; *c; c++) { /* the text becomes a field of csv */
      *c = *c == ',' || *c == '\n' ? ';' : *c == '"' ? '\'' : *c;
    }
  }
  return value;
}

static void decide(const struct entry *entry, struct claim_source *source, struct claim_row *row) {
  struct decision d = {
    .value = look_up, .context = source, .profile = entry->profile, .is_loop = entry->is_loop};
  *row = (struct claim_row){.id = entry->id,
                            .verdict = CLAIM_ELSEWHERE,
                            .fairness = entry->fairness,
                            .share = NAN,
                            .source = entry->source,
                            .statement = entry->statement,
                            .inequality = entry->inequality,
                            .measured = entry->measured,
                            .note = entry->note,
                            .note_on = entry->elsewhere ? made_on_hosts : made_on_spes};
  snprintf(row->name, sizeof row->name, "%s", entry->name);
  for (char *c = row->name; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
  size_t nmissing = source->ledger->nmissing;
  bool on_hosts = !platform_has_spes(blade_platform(source->blade)), here = on_hosts == !!entry->elsewhere;
  if (here) {
    entry->decide(&d);
    row->verdict = *d.missing ? CLAIM_ELSEWHERE : d.refuted ? CLAIM_FAILS : CLAIM_HOLDS;
  }
  row->complete = source->ledger->nmissing == nmissing;
  snprintf(row->evidence, sizeof row->evidence, "%s",
           *d.missing ? d.missing
           : here     ? d.evidence
           : on_hosts ? "it is about SPEs and the platform has none"
                      : entry->elsewhere);
}

void claims_ask(struct blade *blade, struct ledger *ledger, size_t i, struct claim_row *row) {
  struct claim_source source = {blade, ledger, NULL};
  decide(&entries[i], &source, row);
}

/* Findings being decided. */
struct walk {
  struct claim_source source;
  struct claim_row *rows;
};

static void decide_all(void *context) {
  struct walk *walk = context;
  for (size_t i = 0; i < COUNT; i++) {
    decide(&entries[i], &walk->source, &walk->rows[i]);
  }
}

int claims_decide_all(struct blade *blade, struct ledger *ledger, struct claim_row *rows, struct err *err) {
  struct walk walk = {{blade, ledger, NULL}, rows};
  int status = ledger_settle(ledger, decide_all, &walk, err);
  if (status == 0 && des_interrupted()) {
    decide_all(&walk); /* with the results available so far */
  }
  return status;
}
