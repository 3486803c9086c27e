/* SPDX-License-Identifier: BSD-3-Clause
 * See claims.h. The deciders are called until they ask for no run that has not been made; in practice once before the runs
 * and once after them. */
#include "validate/papers/claims.h"

#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/jobs.h"
#include "sim/base/xalloc.h"
#include "validate/papers/claims_decide.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of claims.def. */
struct entry {
  unsigned id;
  const char *name, *profile;
  bool is_loop;
  const char *source, *statement, *inequality, *measured, *note;
  claim_decider *decide; /* NULL: not on one blade; the note says why */
};

enum timing { SINGLE, LOOP, BENCHMARK };
#define MEASURED_SINGLE "single calls"
#define MEASURED_LOOP "mean of calls back to back"
#define MEASURED_BENCHMARK "benchmark"

static const struct entry entries[] = {
#define CLAIM(id, name, profile, timing, source, statement, inequality, note) \
  {id,     #name,       #profile,   timing == LOOP, \
   source, statement,   inequality, #profile "; " MEASURED_##timing, \
   note,   claim_##name},
#define CLAIM_ELSEWHERE(id, name, source, statement, note) \
  {id, #name, "", false, source, statement, "", "", note, NULL},
#include "validate/papers/claims.def"
};

enum { COUNT = sizeof entries / sizeof *entries };

size_t
claims_count(void)
{
  return COUNT;
}

const char *
claims_verdict_name(enum claim_verdict verdict)
{
  static const char *const names[] = {
    [CLAIM_HOLDS] = "holds", [CLAIM_FAILS] = "fails", [CLAIM_UNDECIDABLE] = "undecidable"};
  return names[verdict];
}

/* --- for deciders --- */

double
claim_value(struct decision *d, struct claim_run run)
{
  run.profile = d->profile;
  return d->value(d, &run);
}

double
claim_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes)
{
  return claim_value(d, (struct claim_run){.kind = d->is_loop ? CLAIM_LOOP : CLAIM_CALL,
                                           .algorithm = algorithm,
                                           .type = d->type,
                                           .ranks = ranks,
                                           .bytes = bytes});
}

void
claim_require(struct decision *d, bool holds)
{
  d->refuted |= !holds;
}

void
claim_say(struct decision *d, const char *format, ...)
{
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

/* --- the runs --- */

/* A run that was asked for. */
struct known {
  struct claim_run run;
  bool done;
  double value;
  char why[sizeof((struct decision *)0)->missing]; /* there is none; empty: there is one */
};

/* All runs, and where they are made. */
struct ledger {
  struct blade *blade;
  const struct claims_options *options;
  struct known *runs;
  size_t nruns, capacity;
  size_t first;  /* runs before it were to be made before */
  bool complete; /* all runs that were asked for since it was set are done */
};

static double
look_up(struct decision *decision, const struct claim_run *run)
{
  struct ledger *ledger = decision->context;
  size_t i = 0;
  while (i < ledger->nruns && !claim_run_equal(&ledger->runs[i].run, run)) {
    i++;
  }
  if (i == ledger->nruns) {
    if (ledger->nruns == ledger->capacity) {
      ledger->capacity = ledger->capacity ? 2 * ledger->capacity : 512;
      ledger->runs = xrealloc(ledger->runs, ledger->capacity, sizeof *ledger->runs);
    }
    ledger->runs[ledger->nruns++] = (struct known){.run = *run, .value = 1};
  }
  ledger->complete &= ledger->runs[i].done;
  if (*ledger->runs[i].why && !*decision->missing) {
    memcpy(decision->missing, ledger->runs[i].why, sizeof decision->missing);
  }
  return ledger->runs[i].value;
}

static int
make_run(void *context, size_t index, struct pack *result)
{
  struct ledger *ledger = context;
  struct err err = {""};
  double value = claim_run_measure(&ledger->runs[ledger->first + index].run, ledger->blade, &err);
  pack_add_real(result, value);
  pack_add_text(result, isnan(value) ? err.text : "");
  return des_interrupted() ? -1 : 0;
}

static int
take_run(void *context, size_t index, struct pack *result)
{
  struct ledger *ledger = context;
  struct known *known = &ledger->runs[ledger->first + index];
  known->done = true;
  known->value = pack_take_real(result);
  snprintf(known->why, sizeof known->why, "%s", pack_take_text(result));
  for (char *c = known->why; *c; c++) { /* it becomes a field of csv */
    *c = *c == ',' || *c == '\n' ? ';' : *c == '"' ? '\'' : *c;
  }
  return 0;
}

static void
describe_run(const void *context, size_t index, char *text, size_t size)
{
  const struct ledger *ledger = context;
  const struct claim_run *run = &ledger->runs[ledger->first + index].run;
  snprintf(text, size, "%s on %u ranks with %zu bytes", run->algorithm ? run->algorithm : "a benchmark",
           run->ranks, run->bytes);
}

static void
progress(void *context, size_t done)
{
  const struct ledger *ledger = context;
  if (ledger->options->progress) {
    ledger->options->progress(ledger->first + done, ledger->nruns);
  }
}

/* --- deciding --- */

static void
decide(const struct entry *entry, struct ledger *ledger, struct claim_row *row)
{
  struct decision d = {
    .value = look_up, .context = ledger, .profile = entry->profile, .is_loop = entry->is_loop};
  *row = (struct claim_row){.id = entry->id,
                            .verdict = CLAIM_UNDECIDABLE,
                            .source = entry->source,
                            .statement = entry->statement,
                            .inequality = entry->inequality,
                            .measured = entry->measured,
                            .note = entry->note};
  snprintf(row->name, sizeof row->name, "%s", entry->name);
  for (char *c = row->name; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
  ledger->complete = true;
  if (entry->decide) {
    entry->decide(&d);
    row->verdict = *d.missing ? CLAIM_UNDECIDABLE : d.refuted ? CLAIM_FAILS : CLAIM_HOLDS;
  }
  row->complete = ledger->complete;
  snprintf(row->evidence, sizeof row->evidence, "%s",
           *d.missing      ? d.missing
           : entry->decide ? d.evidence
                           : entry->note);
}

int
claims_decide_all(struct blade *blade, const struct claims_options *options, struct claim_row *rows,
                  struct err *err)
{
  struct ledger ledger = {.blade = blade, .options = options};
  int status = 0;
  do {
    struct jobs jobs = {.count = ledger.nruns - ledger.first,
                        .nworkers = options->njobs,
                        .context = &ledger,
                        .work = make_run,
                        .deliver = take_run,
                        .describe = describe_run,
                        .progress = progress,
                        .interrupted = des_interrupted};
    status = jobs.count ? jobs_run(&jobs, err) : 0;
    ledger.first = ledger.nruns;
    for (size_t i = 0; i < COUNT && status == 0; i++) {
      decide(&entries[i], &ledger, &rows[i]);
    }
  } while (status == 0 && ledger.first < ledger.nruns && !des_interrupted());
  free(ledger.runs);
  return status;
}
