/* SPDX-License-Identifier: BSD-3-Clause
 * evidence tried: failing findings on machines with a possible reason of the failure changed, and the effect
 * of the change on published rows. */
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"
#include "validate/papers/claims.h"

#include <math.h>
#include <stdlib.h>

/* A changed machine, and the findings decided on the machine. */
struct suspect {
  struct variation_setting setting;
  const char *findings;
};

static const struct suspect suspects[] = {
#define TRIED(keys, value, findings) {{NULL, keys, value}, findings},
#include "validate/evidence/tried.def"
};
enum { NSUSPECTS = sizeof suspects / sizeof *suspects };

struct tried {
  struct variations
    variations;           /* variation 0 is the machine as it is; then one variation for each of SUSPECTS */
  struct claim_row *rows; /* claims_count() rows of each variation; a row without a name was not asked for */
};

static struct claim_row *rows_of(const struct tried *tried, size_t variation) {
  return &tried->rows[variation * claims_count()];
}

static void decide(void *context, size_t index, const struct variation *variation) {
  struct tried *tried = context;
  for (size_t i = 0; i < claims_count(); i++) {
    const struct claim_row *as_is = &rows_of(tried, 0)[i];
    if (index == 0 || fitted_has_row(suspects[index - 1].findings, as_is->name)) {
      claims_ask(variation->blades[0], tried->variations.evidence->ledger, i, &rows_of(tried, index)[i]);
    }
  }
}

/* Report the mean error, on VARIATION, of the rows of all roles but test: the cost of the change. */
static void tell_cost(const struct evidence *evidence, const char *subject,
                      const struct variation *variation) {
  double mean = variation_mean_error(variation, false);
  if (!isnan(mean)) {
    evidence_take(evidence, (struct evidence_row){subject, "mean-not-test", mean, "percent"});
  }
}

/* Report the verdicts of the findings on the machine of suspect I. */
static void tell(const struct evidence *evidence, const struct tried *tried, size_t i) {
  const struct variation *variation = tried->variations.items[i + 1];
  for (size_t j = 0; j < claims_count(); j++) {
    const struct claim_row *as_is = &rows_of(tried, 0)[j], *row = &rows_of(tried, i + 1)[j];
    if (as_is->complete && row->complete && row->verdict != CLAIM_ELSEWHERE) {
      evidence_take(evidence,
                    (struct evidence_row){variation->label, row->name, row->verdict == CLAIM_HOLDS, "holds"});
      evidence_say(evidence, "%u %s: %s as it is, %s with %s", row->id, row->name,
                   claims_verdict_name(as_is->verdict), claims_verdict_name(row->verdict), variation->label);
    }
  }
  tell_cost(evidence, variation->label, variation);
}

int evidence_tried(const struct evidence *evidence, struct err *err) {
  struct tried tried = {.variations = {.evidence = evidence, .also = decide, .context = &tried},
                        .rows = xcalloc((NSUSPECTS + 1) * claims_count(), sizeof *tried.rows)};
  int status = variations_add(&tried.variations, NULL, 0, err);
  for (size_t i = 0; i < NSUSPECTS && status == 0; i++) {
    status = variations_add(&tried.variations, &suspects[i].setting, 1, err);
  }
  status = status == 0 ? variations_run(&tried.variations, err) : -1;
  if (status == 0) {
    tell_cost(evidence, "as it is", tried.variations.items[0]);
  }
  for (size_t i = 0; i < NSUSPECTS && status == 0; i++) {
    tell(evidence, &tried, i);
  }
  variations_fini(&tried.variations);
  free(tried.rows);
  return status;
}
