/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll claims: published findings, decided by the simulator's own runs. */
#include "cli/commands.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/papers/claims.h"

#include <stdio.h>
#include <stdlib.h>

static struct table *
table_of(const struct claim_row *rows, size_t nrows)
{
  static const char *const details[] = {"source", "statement", "inequality", "measured", "note"};
  struct table *table = table_new("id,claim,verdict,evidence,source,statement,inequality,measured,note");
  for (size_t i = 0; i < nrows; i++) {
    const struct claim_row *row = &rows[i];
    table_add_count(table, row->id);
    table_add_text(table, row->name);
    table_add_text(table, claims_verdict_name(row->verdict));
    table_add_text(table, row->evidence);
    table_add_text(table, row->source);
    table_add_text(table, row->statement);
    table_add_text(table, row->inequality);
    table_add_text(table, row->measured);
    table_add_text(table, row->note);
  }
  for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
    table_hide(table, details[i]);
  }
  table_hide(table, "evidence");
  return table;
}

/* Explain the verdicts below the table, where there is room. */
static void
explain(struct table *table, const struct claim_row *rows, size_t nrows)
{
  unsigned counts[3] = {0};
  char line[4 * CLAIM_EVIDENCE_SIZE];
  for (size_t i = 0; i < nrows; i++) {
    const struct claim_row *row = &rows[i];
    counts[row->verdict]++;
    table_note(table, "");
    snprintf(line, sizeof line, "%u %s: %s (%s)", row->id, claims_verdict_name(row->verdict), row->statement,
             row->source);
    table_note(table, line);
    if (*row->inequality) {
      snprintf(line, sizeof line, "   %s; %s", row->inequality, row->measured);
      table_note(table, line);
    }
    snprintf(line, sizeof line, "   %s", row->evidence);
    table_note(table, line);
    if (*row->note && *row->inequality) {
      snprintf(line, sizeof line, "   note: %s", row->note);
      table_note(table, line);
    }
  }
  snprintf(line, sizeof line, "%zu findings: %u hold, %u fail, %u undecidable", nrows, counts[CLAIM_HOLDS],
           counts[CLAIM_FAILS], counts[CLAIM_UNDECIDABLE]);
  table_note(table, "");
  table_note(table, line);
}

/* Move the complete ones of ROWS to the front, in their order.
 * returns: how many they are. */
static size_t
keep_complete(struct claim_row *rows)
{
  size_t n = 0;
  for (size_t i = 0; i < claims_count(); i++) {
    if (rows[i].complete) {
      rows[n++] = rows[i];
    }
  }
  return n;
}

static int
decide(const struct machines *machines, const struct opts *opts, struct err *err)
{
  struct claim_row *rows = xcalloc(claims_count(), sizeof *rows);
  struct claims_options options = {.njobs = opts->jobs, .progress = sweep_progress};
  struct blade *blade = blade_new(machines->platforms[0], err);
  int code = blade ? CLI_DONE : CLI_INPUT;
  if (blade && claims_decide_all(blade, &options, rows, err) != 0) {
    code = CLI_FAILED;
  }
  sweep_clear_progress();
  if (code == CLI_DONE) {
    size_t nrows = keep_complete(rows);
    struct table *table = table_of(rows, nrows);
    explain(table, rows, nrows);
    code = machines_write_table(machines, opts, table, err);
    table_free(table);
  }
  blade_free(blade);
  free(rows);
  return code;
}

int
cmd_claims(const struct opts *opts, struct err *err)
{
  struct machines machines;
  int code = machines_load(&machines, opts, err);
  if (code != CLI_DONE) {
    return code;
  }
  if (machines.n != 1) {
    err_set(err, "claims: several platforms, expected one");
    code = CLI_USAGE;
  } else {
    sweep_start(opts);
    code = decide(&machines, opts, err);
  }
  machines_fini(&machines);
  return code != CLI_DONE ? code : sweep_end(CLI_DONE);
}
