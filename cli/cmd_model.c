/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll model: the analytic prediction, from parameters measured on the platform. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/lab/rig.h"
#include "validate/model/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct units_list default_bytes = {.values = (uint64_t[]){1024}, .n = 1};
static const struct units_list no_bytes = {.values = (uint64_t[]){0}, .n = 1};

/* Add the predictions of all models for SPEC, on the blade of PLOGP, to TABLE.
 * returns: whether there is one. */
static bool
add_rows(struct table *table, struct plogp *plogp, const struct rig_spec *spec)
{
  char name[128], label[SWEEP_LABEL_SIZE];
  bool some = false;
  catalogue_format(&spec->call, name, sizeof name);
  sweep_label(plogp->blade->platform, label);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct prediction p = predict(plogp, model, spec);
    if (!isnan(p.middle) && !sweep_interrupted()) {
      table_add_text(table, name);
      table_add_text(table, label);
      table_add_count(table, spec->nranks);
      table_add_count(table, spec->nbytes);
      table_add_text(table, predict_model_name(model));
      table_add_real(table, p.middle / plogp->blade->parameters.ghz, 1);
      some = true;
    }
  }
  return some;
}

/* Say that SPEC has no prediction. */
static void
skip(const struct plogp *plogp, const struct rig_spec *spec)
{
  char name[128], label[SWEEP_LABEL_SIZE], why[640];
  catalogue_format(&spec->call, name, sizeof name);
  sweep_label(plogp->blade->platform, label);
  snprintf(why, sizeof why, "%s on %u ranks of %s with %zu bytes: no prediction", name, spec->nranks, label,
           spec->nbytes);
  sweep_skip(why);
}

/* Predict CALL on the blade of PLOGP with all ranks and sizes; *NONE counts those without a prediction. */
static void
predict_call(struct table *table, struct plogp *plogp, const struct algo_call *call, const struct opts *opts,
             size_t *none)
{
  const struct units_list all = {.values = (uint64_t[]){plogp->blade->nspes}, .n = 1};
  const struct units_list *ranks = opts->ranks.n ? &opts->ranks : &all;
  const struct units_list *bytes = !coll_has_data(call->algo->collective) ? &no_bytes
                                   : opts->bytes.n                        ? &opts->bytes
                                                                          : &default_bytes;
  for (size_t i = 0; i < ranks->n; i++) {
    for (size_t j = 0; j < bytes->n && !sweep_interrupted(); j++) {
      struct rig_spec spec = {
        .call = *call, .nranks = (unsigned)ranks->values[i], .nbytes = bytes->values[j], .nrepeats = 1};
      if (!add_rows(table, plogp, &spec) && !sweep_interrupted()) {
        skip(plogp, &spec);
        ++*none;
      }
    }
  }
}

static int
predict_on(struct table *table, const struct platform *platform, const struct sweep_calls *calls,
           const struct opts *opts, struct err *err)
{
  size_t none = 0;
  int code = CLI_DONE;
  struct blade *blade = blade_new(platform, err);
  for (size_t i = 0; blade && i < calls->n && code == CLI_DONE; i++) {
    const struct profile *profile = rig_profile(platform, NULL, catalogue_source(&calls->items[i]), err);
    if (!profile) {
      code = CLI_INPUT;
      break;
    }
    struct plogp plogp;
    plogp_init(&plogp, blade, profile);
    predict_call(table, &plogp, &calls->items[i], opts, &none);
    plogp_fini(&plogp);
  }
  blade_free(blade);
  return !blade || code != CLI_DONE || (none && table_nrows(table) == 0) ? CLI_INPUT : CLI_DONE;
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
