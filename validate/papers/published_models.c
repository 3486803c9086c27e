/* SPDX-License-Identifier: BSD-3-Clause
 * See published_models.h. */
#include "validate/papers/published_models.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/compare.h"

#include <math.h>

/* Return the correlation coefficient of the times that MODEL gives in COMPARISON and the simulated ones. */
static double correlation_of(const struct comparison *comparison, enum model model) {
  struct comparison part = compare_of_model(comparison, model);
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < part.npoints; i++) {
    double predicted = part.points[i].predicted.middle, simulated = part.points[i].simulated;
    n++;
    x += predicted;
    y += simulated;
    xx += predicted * predicted;
    yy += simulated * simulated;
    xy += predicted * simulated;
  }
  return (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
}

bool model_error_value(const struct model_error *error, const struct streams_asked *asked, double *value) {
  struct ledger *ledger = asked->ledger;
  struct comparison comparison = {0};
  struct algo_call call;
  size_t nmissing = ledger->nmissing;
  struct compare_grid grid = {.ledger = ledger, .unrefined = error->model != MODEL_REFINED, .seed = 1};
  int status = error->algorithm ? catalogue_find(error->algorithm, &call, asked->why) : 0;
  if (error->algorithm) {
    grid.calls = &call;
    grid.ncalls = 1;
  }
  status = status == 0 ? compare_run(&comparison, asked->blade, &grid, asked->why) : status;
  bool known = !ledger->asking || ledger->nmissing == nmissing; /* else the round has still to be made */
  *value = NAN;
  if (status == 0 && known) {
    struct compare_summary summary = compare_summarize(&comparison, error->model, false);
    size_t nstopped = compare_of_model(&comparison, error->model).npoints - summary.npoints;
    if (nstopped) {
      err_set(asked->why, "%zu calls of compare have stopped", nstopped);
    } else if (summary.npoints) {
      *value = error->algorithm ? summary.most : correlation_of(&comparison, error->model);
    } else {
      err_set(asked->why, "%s: no prediction on platform %s",
              error->algorithm ? error->algorithm : predict_model_name(error->model),
              blade_platform(asked->blade)->name);
    }
  }
  comparison_fini(&comparison);
  return known;
}
