/* SPDX-License-Identifier: BSD-3-Clause
 * evidence sensitivity: the logarithmic derivative of each published row with respect to each value of
 * fitted.def. */
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"

#include <math.h>

/* Derivatives below this limit are left out: 10 % more of the value moves the row by less than 0.1 %. */
static const double least_sensitivity = 0.01;

static bool is_any(const struct fitted_value *value) {
  (void)value;
  return true;
}

int evidence_sensitivity(const struct evidence *evidence, struct err *err) {
  struct slopes slopes;
  int status = slopes_measure(&slopes, evidence, is_any, err);
  for (size_t j = 0; j < fitted_nvalues && status == 0; j++) {
    for (size_t i = 0; i < published_count(); i++) {
      struct published_row row = published_describe(i);
      double value = slopes.slope[i * fitted_nvalues + j] * slopes.now[j];
      if (fabs(value) >= least_sensitivity) {
        evidence_take(evidence,
                      (struct evidence_row){fitted_values[j].keys, row.id, value, "percent/percent"});
      }
    }
  }
  slopes_fini(&slopes);
  return status;
}
