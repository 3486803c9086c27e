/* SPDX-License-Identifier: BSD-3-Clause
 * See published_models.h. */
#include "validate/papers/published_models.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger.h"
#include "validate/model/compare.h"

#include <math.h>

bool model_error_value(const struct model_error *error, const struct streams_asked *asked, double *value) {
  struct ledger *ledger = asked->ledger;
  struct comparison comparison = {0};
  struct algo_call call;
  size_t nmissing = ledger->nmissing;
  struct compare_grid grid = {
    .ledger = ledger, .unrefined = error->model != MODEL_REFINED, .calls = &call, .ncalls = 1, .seed = 1};
  int status = catalogue_find(error->algorithm, &call, asked->why);
  status = status == 0 ? compare_run(&comparison, asked->blade, &grid, asked->why) : status;
  bool known = !ledger->asking || ledger->nmissing == nmissing; /* else the round has still to be made */
  *value = NAN;
  if (status == 0 && known) {
    struct compare_summary summary = compare_summarize(&comparison, error->model, false);
    if (summary.npoints) {
      *value = summary.most;
    } else {
      err_set(asked->why, "%s: no prediction on platform %s", error->algorithm,
              blade_platform(asked->blade)->name);
    }
  }
  comparison_fini(&comparison);
  return known;
}
