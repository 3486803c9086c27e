/* SPDX-License-Identifier: BSD-3-Clause
 * See report_figures.h. */
#include "validate/report/report_figures.h"

#include "sim/hw/blade.h"
#include "validate/report/plot.h"
#include "validate/report/plot_curves.h"
#include "validate/report/report.h"

#include <stdio.h>
#include <string.h>

void report_figure_id(const struct curves *curves, const struct plot_group *group,
                      char id[REPORT_FIGURE_SIZE]) {
  snprintf(id, REPORT_FIGURE_SIZE, "latency_%zu_%u", (size_t)(group->curves - curves->items), group->ranks);
}

/* Tell how well CURVE fits CALL: 0 not at all. */
static unsigned fit_of(const struct curve *curve, const struct algo_call *call) {
  if (curve->call.algo != call->algo || !curve->usual) {
    return 0;
  }
  return memcmp(curve->call.values, call->values, sizeof call->values) == 0 ? 2 : 1;
}

bool report_figure_of(const struct report *report, const struct algo_call *call, unsigned ranks,
                      char id[REPORT_FIGURE_SIZE]) {
  struct plot_group group = {0};
  unsigned best = 0, chip = blade_spes_per_chip(report->blade), all = blade_nspes(report->blade);
  while (plot_next_group(report->curves, &group)) {
    struct plot_group own = group;
    own.ranks = call->algo->collective == COLL_BARRIER ? 0 : ranks <= chip ? chip : all;
    for (size_t i = 0; i < own.n; i++) {
      unsigned fit = fit_of(&own.curves[i], call);
      if (fit > best && plot_count_points(&own) > 0) {
        best = fit;
        report_figure_id(report->curves, &own, id);
      }
    }
  }
  return best > 0;
}

bool report_row_of(const struct report *report, const struct algo_call *call, char id[REPORT_ROW_SIZE]) {
  struct plot_series series = {0};
  while (plot_next_series(report->comparison, &series)) {
    const struct algo_call *other = &series.points->call;
    if (other->algo == call->algo && memcmp(other->values, call->values, sizeof call->values) == 0) {
      snprintf(id, REPORT_ROW_SIZE, "row-%s", series.name);
      return true;
    }
  }
  return false;
}
