/* SPDX-License-Identifier: BSD-3-Clause
 * evidence tried: failing findings on machines with a possible reason of the failure changed, and the effect
 * of the change on published rows. */
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"
#include "validate/papers/findings.h"

#include <math.h>

/* The changes, and the findings decided on each changed machine. */
static const struct variation_setting suspects[] = {
#define TRIED(keys, value, findings) {NULL, keys, value},
#include "validate/evidence/tried.def"
};
static const char *const findings[] = {
#define TRIED(keys, value, findings) findings,
#include "validate/evidence/tried.def"
};
static bool is_decided(size_t index, const char *finding) {
  return fitted_has_row(findings[index - 1], finding);
}

/* Report the mean error, on VARIATION, of the rows of all roles but test: the cost of the change. */
static void tell_cost(const struct evidence *evidence, const char *subject,
                      const struct variation *variation) {
  double mean = variation_mean_error(variation, false);
  if (!isnan(mean)) {
    evidence_take(evidence, subject, "mean-not-test", mean, "percent");
  }
}

/* Report the verdicts of the findings on VARIATION beside the verdicts on the machine AS_IS. */
static void tell(const struct evidence *evidence, const struct variation *as_is,
                 const struct variation *variation) {
  for (size_t j = 0; j < findings_count(); j++) {
    const struct finding_row *before = &as_is->findings[j], *row = &variation->findings[j];
    if (before->complete && row->complete && row->verdict != FINDING_ELSEWHERE) {
      evidence_take(evidence, variation->label, row->name, row->verdict == FINDING_HOLDS, "holds");
      evidence_say(evidence, "%u %s: %s as it is, %s with %s", row->id, row->name,
                   findings_verdict_name(before->verdict), findings_verdict_name(row->verdict),
                   variation->label);
    }
  }
  tell_cost(evidence, variation->label, variation);
}

int evidence_tried(const struct evidence *evidence, struct err *err) {
  struct variations tried = {.evidence = evidence, .decided = is_decided};
  int status = variations_run_each(&tried, suspects, sizeof suspects / sizeof *suspects, err);
  if (status == 0) {
    tell_cost(evidence, "as it is", tried.items[0]);
  }
  for (size_t i = 1; i < tried.n && status == 0; i++) {
    tell(evidence, tried.items[0], tried.items[i]);
  }
  variations_fini(&tried);
  return status;
}
