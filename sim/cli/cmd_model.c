/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll model: the analytic prediction, from parameters measured on the platform. */
#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/cli/commands.h"
#include "sim/cli/sweep.h"
#include "sim/hw/blade.h"
#include "validate/predict.h"
#include "validate/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct units_list default_bytes = {.values = (uint64_t[]){1024}, .n = 1};
static const struct units_list no_bytes = {.values = (uint64_t[]){0}, .n = 1};

/* Predict CALL on the blade of PLOGP with all ranks and sizes; *NONE counts those without a prediction. */
static void
predict_call(struct table *table, struct plogp *plogp, const struct algo_call *call, const struct opts *opts,
             size_t *none)
{
  bool barrier = call->algo->collective == COLL_BARRIER;
  const struct units_list all = {.values = (uint64_t[]){plogp->blade->nspes}, .n = 1};
  const struct units_list *ranks = opts->ranks.n ? &opts->ranks : &all;
  const struct units_list *bytes = barrier ? &no_bytes : opts->bytes.n ? &opts->bytes : &default_bytes;
  char name[128], label[SWEEP_LABEL_SIZE];
  catalogue_format(call, name, sizeof name);
  sweep_label(plogp->blade->platform, label);
  for (size_t i = 0; i < ranks->n; i++) {
    for (size_t j = 0; j < bytes->n && !sweep_interrupted(); j++) {
      struct prediction p = predict_published(plogp, call, (unsigned)ranks->values[i], bytes->values[j]);
      if (sweep_interrupted()) {
        break;
      }
      if (isnan(p.middle)) {
        char why[640];
        snprintf(why, sizeof why, "%s on %u ranks of %s with %llu bytes: no published prediction", name,
                 (unsigned)ranks->values[i], label, (unsigned long long)bytes->values[j]);
        sweep_skip(why);
        ++*none;
        continue;
      }
      table_add_text(table, name);
      table_add_text(table, label);
      table_add_count(table, ranks->values[i]);
      table_add_count(table, bytes->values[j]);
      table_add_text(table, "published");
      table_add_real(table, p.middle / plogp->blade->figures.ghz, 1);
    }
  }
}

static int
predict_on(struct table *table, const struct platform *platform, const struct sweep_calls *calls,
           const struct opts *opts, struct err *err)
{
  size_t none = 0;
  const struct profile *profile = rig_profile(platform, NULL, "ali2010", err);
  struct blade *blade = profile ? blade_new(platform, err) : NULL;
  if (!blade) {
    return CLI_INPUT;
  }
  struct plogp plogp;
  plogp_init(&plogp, blade, profile);
  for (size_t i = 0; i < calls->n; i++) {
    predict_call(table, &plogp, &calls->items[i], opts, &none);
  }
  plogp_fini(&plogp);
  blade_free(blade);
  return none && table_nrows(table) == 0 ? CLI_INPUT : CLI_DONE;
}

int
cmd_model(const struct opts *opts, struct err *err)
{
  struct sweep_calls calls = {0};
  struct machines machines = {0};
  int code = sweep_find_calls(opts, &calls, err);
  if (code == CLI_DONE) {
    code = machines_load(&machines, opts, err);
  }
  if (code == CLI_DONE) {
    sweep_start(opts);
    struct table *table = table_new("algorithm,platform,ranks,bytes,model,ns");
    for (size_t i = 0; i < machines.n && code == CLI_DONE; i++) {
      code = predict_on(table, machines.platforms[i], &calls, opts, err);
    }
    if (code == CLI_DONE) {
      code = machines_write_table(&machines, opts, table, err);
    }
    table_free(table);
  }
  machines_fini(&machines);
  free(calls.items);
  return code != CLI_DONE ? code : sweep_end(CLI_DONE);
}
