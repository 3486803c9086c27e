/* SPDX-License-Identifier: BSD-3-Clause
 * evidence ablation, controls and tried: published rows and findings on the machines of changes.def, one with
 * each change. evidence scan: limits of bus requests across chips. */
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of changes.def. */
struct change {
  struct variation_setting setting;
  const char *text; /* the mechanism, or the findings decided on the machine */
};

static const struct change off[] = {
#define OFF(name, machine, keys, value) {{machine, keys, value}, name},
#include "validate/evidence/changes.def"
};
static const struct change controls[] = {
#define WRONG(keys, value) {{NULL, keys, value}, NULL},
#include "validate/evidence/changes.def"
};
static const struct change tried[] = {
#define TRIED(keys, value, findings) {{NULL, keys, value}, findings},
#include "validate/evidence/changes.def"
};

/* Run VARIATIONS of the machines: without a change, then with each of N CHANGES. Report each variation with
 * TELL. */
static int run_changes(struct variations variations, const struct change *changes, size_t n,
                       void (*tell)(const struct variations *variations, size_t index), struct err *err) {
  int status = variations_add(&variations, NULL, 0, err);
  for (size_t i = 0; i < n && status == 0; i++) {
    status = variations_add(&variations, &changes[i].setting, 1, err);
  }
  status = status == 0 ? variations_run(&variations, err) : -1;
  for (size_t i = 0; i < variations.n && status == 0; i++) {
    tell(&variations, i);
  }
  variations_fini(&variations);
  return status;
}
#define ALL(changes) changes, VEC_LENGTH(changes)

/* Return the change of row I in percent from the machine as it is to variation INDEX of VARIATIONS. */
static double change_of(const struct variations *variations, size_t index, size_t i) {
  return 100 * (variations->items[index]->rows[i].simulated / variations->items[0]->rows[i].simulated - 1);
}

/* Least change of a row, in percent, that counts as a move; least fall, in percent points, of the share of
 * test rows within 10 % of a noticed wrong machine. */
static const double least_change = 1, least_drop = 20;

/* Return the summary, on variation INDEX of VARIATIONS, of the test rows with a value on the machine as it
 * is. */
static struct published_summary summarize(const struct variations *variations, size_t index) {
  SCOPED struct published_row *rows = xcalloc(published_count(), sizeof *rows);
  for (size_t i = 0; i < published_count(); i++) {
    rows[i] = variations->items[index]->rows[i];
    if (isnan(rows[i].error) && !isnan(variations->items[0]->rows[i].error)) {
      rows[i].error = INFINITY; /* impossible there: not within 10 % */
    }
  }
  struct published_summary summary = published_summarize(rows, published_count(), PUBLISHED_TEST);
  summary.worst = NULL;
  return summary;
}

/* --- ablation --- */

static void tell_without(const struct variations *variations, size_t index) {
  const struct evidence *evidence = variations->evidence;
  if (index == 0) {
    return;
  }
  const char *name = off[index - 1].text;
  struct published_summary summary = summarize(variations, index);
  size_t nmoved = 0;
  for (size_t i = 0; i < published_count(); i++) {
    double change = change_of(variations, index, i);
    if (fabs(change) >= least_change) {
      evidence_take(evidence, name, variations->items[0]->rows[i].id, change, "percent");
      nmoved++;
    }
  }
  evidence_take(evidence, name, "rows-moved", (double)nmoved, "1");
  if (summary.n > 0) {
    evidence_take(evidence, name, "median-test", summary.median, "percent");
  }
}

int evidence_ablation(const struct evidence *evidence, struct err *err) {
  return run_changes((struct variations){.evidence = evidence}, ALL(off), tell_without, err);
}

/* --- controls --- */

static double share(const struct published_summary *summary) {
  return 100 * (double)summary->within_10 / (double)summary->n;
}

/* Report the fall of the share of test rows within 10 % from AS_IS to SUMMARY, on variation INDEX; and the
 * largest possible fall: all moving rows within 10 % might leave. */
static void tell_drop(const struct variations *variations, size_t index,
                      const struct published_summary *as_is, const struct published_summary *summary) {
  const struct evidence *evidence = variations->evidence;
  const struct variation *wrong = variations->items[index];
  double drop = share(as_is) - share(summary), nmoved = 0;
  char left[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < published_count(); i++) {
    const struct published_row *before = &variations->items[0]->rows[i], *after = &wrong->rows[i];
    if (before->role != PUBLISHED_TEST || !(fabs(before->error) <= 10)) {
      continue;
    }
    nmoved += !(fabs(change_of(variations, index, i)) < least_change);
    if (!(fabs(after->error) <= 10) && used < sizeof left) {
      used += (size_t)snprintf(left + used, sizeof left - used, "%s%s", used ? " " : "", before->id);
    }
  }
  double most = 100 * nmoved / (double)as_is->n;
  evidence_take(evidence, wrong->label, "drop", drop, "points");
  evidence_take(evidence, wrong->label, "most-drop", most, "points");
  evidence_say(evidence, "%s: %.0f points fewer test rows within 10 %% (%s), of %.0f that move: %s",
               wrong->label, drop, used ? left : "none", most,
               drop >= least_drop ? "noticed" : "not noticed");
}

static void tell_control(const struct variations *variations, size_t index) {
  const struct evidence *evidence = variations->evidence;
  struct published_summary as_is = summarize(variations, 0), summary = summarize(variations, index);
  const char *name = index ? variations->items[index]->label : "as it is";
  if (as_is.n == 0) {
    if (index == 0) {
      evidence_say(evidence, "no row of role test was measured on this machine");
    }
    return;
  }
  evidence_take(evidence, name, "median-test", summary.median, "percent");
  evidence_take(evidence, name, "mean-test", variation_mean_error(variations->items[index], true), "percent");
  evidence_take(evidence, name, "within-10-test", share(&summary), "percent");
  if (index) {
    tell_drop(variations, index, &as_is, &summary);
  }
}

static bool is_test(const struct published_row *row) {
  return row->role == PUBLISHED_TEST;
}

int evidence_controls(const struct evidence *evidence, struct err *err) {
  return run_changes((struct variations){.evidence = evidence, .wanted = is_test}, ALL(controls),
                     tell_control, err);
}

/* --- tried --- */

static bool is_decided(size_t index, const char *finding) {
  return fitted_has_row(tried[index - 1].text, finding);
}

/* Report the verdicts on variation INDEX beside the verdicts on the machine as it is, and the cost of the
 * change: the mean error of the rows of all roles but test. */
static void tell_tried(const struct variations *variations, size_t index) {
  const struct evidence *evidence = variations->evidence;
  const struct variation *variation = variations->items[index];
  const char *name = index ? variation->label : "as it is";
  double mean = variation_mean_error(variation, false);
  for (size_t j = 0; j < findings_count() && index; j++) {
    const struct finding_row *before = &variations->items[0]->findings[j], *row = &variation->findings[j];
    if (before->complete && row->complete && row->verdict != FINDING_ELSEWHERE) {
      evidence_take(evidence, name, row->finding->name, row->verdict == FINDING_HOLDS, "holds");
      evidence_say(evidence, "%u %s: %s as it is, %s with %s", row->finding->id, row->finding->name,
                   findings_verdict_name(before->verdict), findings_verdict_name(row->verdict), name);
    }
  }
  if (!isnan(mean)) {
    evidence_take(evidence, name, "mean-not-test", mean, "percent");
  }
}

int evidence_tried(const struct evidence *evidence, struct err *err) {
  return run_changes((struct variations){.evidence = evidence, .decided = is_decided}, ALL(tried), tell_tried,
                     err);
}

/* --- scan: the row bif-congestion-max chooses bif.overhead for each limit bif.mfc-requests; the broadcasts
 * of Gaona et al. choose the limit --- */

/* Limits tried; overheads simulated, in bytes. Rows are interpolated between overheads. */
enum { FIRST = 8, LIMITS = 5, LEAST = 60, STEP = 20, OVERHEADS = 8, ROWS = 3 };

/* The row to choose the overhead, then the rows to choose the limit. */
static const char *const ids[ROWS] = {"bif-congestion-max", "bcast-ttopt-16k-16", "bcast-atoopt-16k-16"};

static bool is_scanned(const struct published_row *row) {
  return VEC_FIND(ids, ROWS, strcmp(*item, row->id) == 0) != NULL;
}

/* Report the errors with limit INDEX at the overhead with the published congestion. */
static void tell_limit(const struct variations *variations, unsigned index) {
  const struct evidence *evidence = variations->evidence;
  struct variation *const *items = &variations->items[(size_t)index * OVERHEADS];
  const struct published_row *rows = items[0]->rows;
  size_t of[ROWS];
  unsigned k = 0;
  for (unsigned j = 0; j < ROWS; j++) {
    of[j] = VEC_INDEX(rows, published_count(), strcmp(item->id, ids[j]) == 0);
  }
  while (k + 2 < OVERHEADS && items[k + 1]->rows[of[0]].error < 0) {
    k++;
  }
  double before = items[k]->rows[of[0]].error, after = items[k + 1]->rows[of[0]].error;
  double part = -before / (after - before), largest = 0;
  const char *name = text_brief("bif.mfc-requests=%u", FIRST + index);
  evidence_take(evidence, name, "bif.overhead", LEAST + STEP * (k + part), "bytes");
  for (unsigned j = 1; j < ROWS; j++) {
    before = items[k]->rows[of[j]].error;
    double error = before + part * (items[k + 1]->rows[of[j]].error - before);
    evidence_take(evidence, name, ids[j], error, "percent");
    largest = fmax(largest, fabs(error));
  }
  evidence_say(evidence, "%s: both broadcasts within %.1f %%", name, largest);
}

int evidence_scan(const struct evidence *evidence, struct err *err) {
  struct variations variations = {.evidence = evidence, .wanted = is_scanned};
  int status = 0;
  for (unsigned i = 0; i < LIMITS * OVERHEADS && status == 0; i++) {
    const struct variation_setting settings[] = {
      {"qs20", "bif.mfc-requests", text_brief("%u", FIRST + i / OVERHEADS)},
      {"qs20", "bif.overhead", text_brief("%u", LEAST + STEP * (i % OVERHEADS))}};
    status = variations_add(&variations, settings, 2, err);
  }
  status = status == 0 ? variations_run(&variations, err) : -1;
  for (unsigned i = 0; i < LIMITS && status == 0; i++) {
    tell_limit(&variations, i);
  }
  variations_fini(&variations);
  return status;
}
