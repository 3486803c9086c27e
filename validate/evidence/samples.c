/* SPDX-License-Identifier: BSD-3-Clause
 * Published rows and findings on sampled machines. Values not determined by the fit are
 * normal variates around the values in use, within the bounds of the platform files. No source tells the
 * place of data in main memory: every second sample has buffers in the memory of each rank's chip. */
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/random.h"
#include "sim/base/reals.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"
#include "validate/papers/findings.h"

#include <math.h>
#include <string.h>

/* Shares of samples at the ends of a bar; number of tries to find values within bounds. */
static const double low_share = 0.05, high_share = 0.95;
enum { TRIES = 1000 };

/* Each value is sampled, but for a value fitted as one for several parts the parts are sampled. */
static bool is_sampled(const struct fitted_value *value) {
  bool is_whole = strncmp(value->keys, "profile.", 8) == 0 && strchr(value->keys, ' ');
  return !is_whole;
}

/* Return a number between 0 and 1, neither included. */
static double uniform(uint64_t *state) {
  return ((double)(random_next(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Tell whether all of X are within the bounds of FITTING. */
static bool is_within(const struct fitting *fitting, const double *x) {
  bool within = true;
  for (size_t k = 0; k < fitting->problem.nparams; k++) {
    within &= x[k] >= fitting->problem.least[k] && x[k] <= fitting->problem.most[k];
  }
  return within;
}

/* Sample values X around the values in use. After TRIES samples, values out of bounds are moved to the
 * bound. */
static void sample_values(const struct slopes *slopes, const struct fitting *fitting, uint64_t *state,
                          double *x) {
  size_t n = fitting->problem.nparams;
  SCOPED double *normal = xcalloc(n, sizeof *normal);
  for (unsigned i = 0; i < TRIES && (i == 0 || !is_within(fitting, x)); i++) {
    for (size_t k = 0; k < n; k++) { /* standard normal numbers */
      normal[k] = sqrt(-2 * log(uniform(state))) * cos(2 * acos(-1) * uniform(state));
    }
    least_squares_sample(fitting->result.covariance, n, normal, x);
    for (size_t k = 0; k < n; k++) {
      x[k] += slopes->values[fitting->values[k]].now;
    }
  }
  for (size_t k = 0; k < n; k++) {
    x[k] = fmin(fmax(x[k], fitting->problem.least[k]), fitting->problem.most[k]);
  }
}

/* Platforms with other mechanisms behind rows of role fit: the last samples. */
static const char *const others[] = {"qs20-chip-limit", "qs20-ring-bound"};
enum { OTHERS = VEC_LENGTH(others) };

/* Add the machine of the built-in platform NAME: the differences from qs20. */
static int add_platform(struct variations *samples, const char *name, struct err *err) {
  struct platform *other = platform_read(name, err), *qs20 = platform_read("qs20", err);
  size_t nentries = other && qs20 ? platform_nentries(other) : 0, n = 0;
  SCOPED struct platform_entry *entries = xcalloc(nentries + 1, sizeof *entries);
  SCOPED struct variation_setting *settings = xcalloc(nentries + 1, sizeof *settings);
  for (size_t i = 0; i < nentries; i++) {
    struct platform_entry own;
    platform_entry(qs20, i, &own);
    platform_entry(other, i, &entries[n]);
    if (strcmp(own.value, entries[n].value) != 0) {
      settings[n] = (struct variation_setting){"qs20", entries[n].key, entries[n].value};
      n++;
    }
  }
  int status = n > 0 ? variations_add(samples, settings, n, err) : -1;
  platform_free(qs20);
  platform_free(other);
  return status;
}

/* Add the machine as it is and all sampled machines. */
static int add_samples(struct variations *samples, struct err *err) {
  struct slopes slopes = {.wanted = fitted_is_row};
  int status = slopes_measure(&slopes, samples->evidence, is_sampled, err);
  status = status == 0 ? variations_add(samples, NULL, 0, err) : -1;
  if (status == 0) {
    struct fitting fitting;
    fitting_init(&fitting, &slopes, fitted_is_row);
    fitting_solve(&fitting);
    SCOPED double *x = xcalloc(fitting.problem.nparams, sizeof *x);
    uint64_t state = samples->evidence->seed;
    const struct variation_setting own = {"qs20", "memory.placement", "own"};
    for (unsigned i = 1; i + OTHERS <= samples->evidence->nsamples && status == 0; i++) {
      sample_values(&slopes, &fitting, &state, x);
      status = fitting_add(&fitting, samples, x, i % 2 ? NULL : &own, err);
    }
    for (unsigned i = 0; i < OTHERS && samples->n <= samples->evidence->nsamples && status == 0; i++) {
      status = add_platform(samples, others[i], err);
    }
    fitting_fini(&fitting);
  }
  slopes_fini(&slopes);
  return status;
}

double samples_end(const struct variations *samples, const char *id, bool is_high) {
  SCOPED double *values = xcalloc(samples->n, sizeof *values);
  size_t n = 0, i = VEC_INDEX(published_rows, published_count(), strcmp(item->id, id) == 0);
  for (size_t k = 1; k < samples->n && i < published_count(); k++) {
    double value = samples->items[k]->rows[i].simulated;
    if (!isnan(value)) {
      values[n++] = value;
    }
  }
  reals_sort(values, n);
  return n > 0 ? values[(size_t)((is_high ? high_share : low_share) * (double)(n - 1) + 0.5)] : NAN;
}

/* Return the percentage of SAMPLES on which finding I holds; NaN: no sampled machine decides the finding. */
static double finding_share(const struct variations *samples, size_t i) {
  size_t nholds = 0, n = 0;
  for (size_t k = 1; k < samples->n; k++) {
    const struct finding_row *row = &samples->items[k]->findings[i];
    nholds += row->complete && row->verdict == FINDING_HOLDS;
    n += row->complete && (row->verdict == FINDING_HOLDS || row->verdict == FINDING_FAILS);
  }
  return n > 0 ? 100 * (double)nholds / (double)n : NAN;
}

int samples_run(struct variations *samples, struct err *err) {
  return add_samples(samples, err) == 0 ? variations_run(samples, err) : -1;
}

int samples_findings(const struct evidence *evidence, double *shares, struct err *err) {
  struct variations samples = {
    .evidence = evidence, .wanted = variations_no_row, .decided = variations_all_findings};
  int status = samples_run(&samples, err);
  for (size_t i = 0; i < findings_count() && status == 0; i++) {
    shares[i] = finding_share(&samples, i);
  }
  variations_fini(&samples);
  return status;
}

int samples_visit(const struct evidence *evidence,
                  int (*visit)(void *context, struct machine *machine, struct err *err), void *context,
                  struct err *err) {
  struct variations samples = {.evidence = evidence};
  int status = add_samples(&samples, err);
  for (size_t k = 1; k < samples.n && status == 0; k++) {
    status = visit(context, samples.items[k]->machines[0], err);
  }
  variations_fini(&samples);
  return status;
}

/* Report the bars of all rows, and how many of role test are around the published value. */
static void tell_bars(const struct variations *samples) {
  const struct evidence *evidence = samples->evidence;
  unsigned ntests = 0, ncovered = 0;
  VEC_EACH(row, samples->items[0]->rows, published_count()) {
    double low = samples_end(samples, row->id, false), high = samples_end(samples, row->id, true);
    if (!isnan(low)) {
      evidence_take(evidence, row->id, "published", row->published, row->unit);
      evidence_take(evidence, row->id, "simulated", row->simulated, row->unit);
      evidence_take(evidence, row->id, "low", low, row->unit);
      evidence_take(evidence, row->id, "high", high, row->unit);
      ntests += row->role == PUBLISHED_TEST;
      ncovered += row->role == PUBLISHED_TEST && low <= row->published && row->published <= high;
    }
  }
  evidence_say(evidence, "bars hold %.0f %% of %u samples, and %u of %u tests lie within theirs",
               100 * (high_share - low_share), evidence->nsamples, ncovered, ntests);
}

int evidence_samples(const struct evidence *evidence, struct err *err) {
  struct variations samples = {.evidence = evidence, .decided = variations_all_findings};
  int status = samples_run(&samples, err);
  if (status == 0) {
    tell_bars(&samples);
  }
  for (size_t i = 0; i < findings_count() && status == 0; i++) {
    double share = finding_share(&samples, i);
    if (!isnan(share)) {
      evidence_take(evidence, findings_table[i].name, "holds", share, "percent");
    }
  }
  variations_fini(&samples);
  return status;
}
