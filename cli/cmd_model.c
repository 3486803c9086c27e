/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll model: the analytic prediction, from parameters measured on the platform. */
#include "algos/catalogue.h"
#include "cli/commands.h"
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
  char name[128];
  bool some = false;
  catalogue_format(&spec->call, name, sizeof name);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct prediction p = predict(plogp, model, spec);
    if (!isnan(p.middle) && !sweep_interrupted()) {
      table_add_text(table, name);
      table_add_platform(table, blade_platform(plogp->blade));
      table_add_count(table, spec->nranks);
      table_add_count(table, spec->nbytes);
      table_add_text(table, predict_model_name(model));
      table_add_real(table, p.middle / blade_ghz(plogp->blade), 1);
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
  sweep_label(blade_platform(plogp->blade), label);
  snprintf(why, sizeof why, "%s on %u ranks of %s with %zu bytes: no prediction", name, spec->nranks, label,
           spec->nbytes);
  sweep_skip(why);
}

/* Predict CALL on the blade of PLOGP with all ranks and sizes; *NONE counts those without a prediction. */
static void
predict_call(struct table *table, struct plogp *plogp, const struct algo_call *call, const struct opts *opts,
             size_t *none)
{
  const struct units_list all = {.values = (uint64_t[]){blade_nspes(plogp->blade)}, .n = 1};
  const struct units_list *ranks = opts->ranks.n ? &opts->ranks : &all;
  const struct units_list *bytes = !collective_has_data(call->algo->collective) ? &no_bytes
                                   : opts->bytes.n                              ? &opts->bytes
                                                                                : &default_bytes;
  for (size_t i = 0; i < ranks->n; i++) {
    for (size_t j = 0; j < bytes->n && !sweep_interrupted(); j++) {
      struct rig_spec spec = {.call = *call,
                              .nranks = (unsigned)ranks->values[i],
                              .root = opts->root,
                              .nbytes = bytes->values[j],
                              .nrepeats = 1};
      if (!add_rows(table, plogp, &spec) && !sweep_interrupted()) {
        skip(plogp, &spec);
        ++*none;
      }
    }
  }
}

static int
predict_on(void *context, struct blade *blade, struct err *err)
{
  struct session *session = context;
  size_t none = 0;
  for (size_t i = 0; i < session->calls.n; i++) {
    const struct algo_call *call = &session->calls.items[i];
    const struct profile *profile = rig_profile(blade_platform(blade), NULL, catalogue_source(call), err);
    if (!profile) {
      return CLI_INPUT;
    }
    struct plogp plogp;
    plogp_init(&plogp, blade, profile);
    predict_call(session->table, &plogp, call, &session->opts, &none);
    plogp_fini(&plogp);
  }
  return none && table_nrows(session->table) == 0
           ? session_refuse(session, CLI_INPUT, "nothing that was asked for can be predicted")
           : CLI_DONE;
}

int
cmd_model(struct session *session)
{
  session->table = table_new("algorithm,platform,ranks,bytes,model,ns,version,platform_checksum");
  return session_blades(session, predict_on, session);
}
