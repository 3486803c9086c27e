/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll findings: published findings, decided by the simulator's own runs. */
#include "cli/commands.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/evidence/evidence.h"
#include "validate/papers/findings.h"

#include <math.h>

static const char columns[] =
  "id,claim,verdict,fair,share,evidence,source,statement,inequality,measured,note,"
  "version,platform_checksum,turned_by,read_again";
static const char columns_at_bounds[] =
  "id,claim,setting,verdict,at_bound,evidence,version,platform_checksum";

static struct table *table_of(const struct finding_row *rows, size_t nrows, const struct platform *platform) {
  struct table *table = table_new(columns);
  table_set_platform(table, platform);
  VEC_EACH(row, rows, nrows) {
    table_add(table, "%u %s %s %s %.0f %s %s %s %s %s %s %s %s", row->finding->id, row->finding->name,
              findings_verdict_name(row->verdict), findings_fairness_name(row->finding->fairness), row->share,
              row->evidence, row->finding->source, row->finding->statement, row->finding->inequality,
              row->finding->measured, row->finding->note,
              row->finding->turned_by ? row->finding->turned_by : "",
              row->finding->read_again ? "yes" : "no");
  }
  table_hide(table, "evidence,source,statement,inequality,measured,note,read_again");
  return table;
}

/* Explain the verdicts below the table, where there is room; SAMPLES as of findings_headline. */
static void explain(struct table *table, const struct finding_row *rows, size_t nrows, unsigned samples) {
  char line[4 * FINDING_EVIDENCE_SIZE];
  VEC_EACH(row, rows, nrows) {
    table_note(table, "\n%u %s: %s (%s)", row->finding->id, findings_verdict_name(row->verdict),
               row->finding->statement, row->finding->source);
    if (*row->finding->inequality) {
      table_note(table, "   %s; %s", row->finding->inequality, row->finding->measured);
    }
    table_note(table, "   %s", row->evidence);
    if (row->finding->turned_by && row->verdict == FINDING_UNDECIDED && !samples) {
      table_note(table, "   another verdict with %s, which the sources allow", row->finding->turned_by);
    }
    if (*row->finding->note && row->verdict != FINDING_ELSEWHERE) {
      table_note(table, "   note on %s: %s", row->finding->note_on, row->finding->note);
    }
  }
  findings_headline(rows, nrows, samples, line);
  table_note(table, "\n%s", line);
}

static int decide(struct session *session, struct machine *machine) {
  SCOPED char *nothing = findings_nothing(machine_platform(machine));
  if (nothing) {
    session->table = table_of(NULL, 0, machine_platform(machine));
    session_say(session, nothing);
    return CLI_DONE;
  }
  SCOPED struct finding_row *rows = xcalloc(findings_count(), sizeof *rows);
  int status = findings_decide_all(machine, &session->ledger, rows, session->err);
  if (status == 0 && session->opts.samples) {
    struct evidence evidence = session_evidence(session);
    SCOPED double *shares = xcalloc(findings_count(), sizeof *shares);
    status = samples_findings(&evidence, shares, session->err);
    for (size_t i = 0; i < findings_count() && status == 0; i++) {
      if (!isnan(shares[i])) {
        findings_judge(&rows[i], shares[i]);
      }
    }
    status = sweep_interrupted() ? 0 : status; /* the rows stay unjudged */
  }
  if (status == 0) {
    size_t nrows = 0; /* complete ones, in front */
    VEC_EACH(row, rows, findings_count()) {
      if (row->complete) {
        rows[nrows++] = *row;
      }
    }
    for (size_t i = 0; i < nrows && !session->opts.samples; i++) {
      findings_settle(&rows[i]);
    }
    session->table = table_of(rows, nrows, machine_platform(machine));
    explain(session->table, rows, nrows, session->opts.samples);
  }
  return status == 0 ? sweep_outcome(&session->ledger) : sweep_lost(&session->ledger);
}

/* Add the changes of the verdict on finding I on BOUNDS to TABLE.
 * returns: whether there are changes. */
static bool add_bounds(struct table *table, const struct variations *bounds, size_t i) {
  const struct finding_row *as_is = &bounds->items[0]->findings[i];
  bool turns = false;
  for (size_t k = 1; k < bounds->n; k++) {
    const struct finding_row *row = &bounds->items[k]->findings[i];
    if (row->complete && row->verdict != as_is->verdict) {
      table_add(table, "%u %s %s %s %s %s", row->finding->id, row->finding->name, bounds->items[k]->label,
                findings_verdict_name(as_is->verdict), findings_verdict_name(row->verdict), row->evidence);
      turns = true;
    }
  }
  return turns;
}

/* Print the changes of verdicts at bounds of values. */
static int decide_at_bounds(struct session *session, const struct machine *machine) {
  session->table = table_new(columns_at_bounds);
  table_hide(session->table, "evidence");
  table_set_platform(session->table, machine_platform(machine));
  SCOPED char *nothing = findings_nothing(machine_platform(machine));
  if (nothing) {
    session_say(session, nothing);
    return CLI_DONE;
  }
  struct evidence evidence = session_evidence(session);
  struct variations bounds = {
    .evidence = &evidence, .wanted = variations_no_row, .decided = variations_all_findings};
  size_t n = 0, nturned = 0;
  int status = variations_run_bounds(&bounds, session->err);
  for (size_t i = 0; i < findings_count() && status == 0; i++) {
    n += bounds.items[0]->findings[i].verdict == FINDING_ELSEWHERE ? 0 : 1;
    nturned += add_bounds(session->table, &bounds, i);
  }
  if (status == 0 && !sweep_interrupted()) {
    table_note(session->table,
               "%zu of %zu verdicts change on one of %zu machines, each with one value at a bound", nturned,
               n, bounds.n - 1);
  }
  variations_fini(&bounds);
  return status == 0 ? sweep_outcome(&session->ledger) : sweep_lost(&session->ledger);
}

int cmd_findings(struct session *session) {
  bool bounds = session->opts.bounds;
  int code = session_check_columns(session, bounds ? columns_at_bounds : columns);
  struct machine *machine = code == CLI_DONE ? session_machine(session, 0) : NULL;
  return !machine ? code : bounds ? decide_at_bounds(session, machine) : decide(session, machine);
}
