/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll model: the analytic prediction, from parameters measured on the platform. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/rig.h"
#include "validate/lab/usual_ranks.h"
#include "validate/model/trial.h"

#include <math.h>
#include <stdlib.h>

static const struct units_list default_bytes = {.values = (uint64_t[]){1024}, .n = 1};
/* Nodes of the predictions for calls on several nodes, unless ranks are asked for. */
enum { MODEL_NODES = 4 };

/* Predictions on one machine. */
struct predicting {
  struct session *session;
  struct blade *blade;
  struct call_points points;
  bool on_hosts; /* some machines of the session are: a column says where a model has nothing to say */
};

/* List CALL with all ranks and sizes.
 * errors: the platform does not have its profile. */
static int list_call(struct predicting *predicting, const struct algo_call *call) {
  const struct opts *opts = &predicting->session->opts;
  const struct blade *blade = predicting->blade;
  unsigned nodes = call->algo->spans_nodes ? placement_machine_nodes(blade) : 1;
  if (nodes > MODEL_NODES) {
    nodes = MODEL_NODES;
  }
  const struct units_list all = {.values = (uint64_t[]){platform_has_spes(blade_platform(blade))
                                                          ? nodes * blade_nspes(blade)
                                                          : placement_most(call, blade)},
                                 .n = 1};
  const struct units_list *ranks = opts->ranks.n ? &opts->ranks : &all;
  const struct units_list *bytes = usual_sizes(call->algo->collective, &opts->bytes, &default_bytes);
  const struct profile *profile = sweep_profile(blade_platform(blade), call, predicting->session->err);
  if (!profile) {
    return *predicting->session->err->text ? -1 : 0;
  }
  const struct call_point point = {.blade = predicting->blade,
                                   .spec = {.call = *call,
                                            .root = usual_root(call->algo->collective, opts->root),
                                            .nrepeats = 1,
                                            .profile = profile}};
  call_points_add_grid(&predicting->points, &point, ranks, bytes);
  return 0;
}

/* Add a row for each prediction of a model. */
static void take(void *context, size_t index, const struct trial *trial) {
  const struct predicting *predicting = context;
  const struct rig_spec *spec = trial->spec;
  struct table *table = predicting->session->table;
  char name[CATALOGUE_NAME_SIZE];
  (void)index;
  if (trial->refused) {
    sweep_skip_call(spec->call.algo, trial->refused);
    return;
  }
  catalogue_format(&spec->call, name, sizeof name);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    double cycles = trial->predicted[model].middle;
    const char *nothing = trial->predicted[model].nothing;
    if (nothing && !predicting->on_hosts) {
      char why[CATALOGUE_NAME_SIZE + 128];
      snprintf(why, sizeof why, "%s: no prediction by %s: %s", name, predict_model_name(model), nothing);
      sweep_skip(why);
    } else if (!isnan(cycles) || nothing) {
      table_add(table, "%s %p %u %zu %s %.1f", name, blade_platform(predicting->blade), spec->nranks,
                spec->nbytes, predict_model_name(model), cycles / blade_ghz(predicting->blade));
      if (predicting->on_hosts) {
        table_add_text(table, nothing ? nothing : "");
      }
    }
  }
}

/* Tell whether a machine of SESSION is one of hosts. */
static bool has_hosts(const struct session *session) {
  bool some = false;
  for (size_t i = 0; i < session->machines.n; i++) {
    some |= !platform_has_spes(session->machines.platforms[i]);
  }
  return some;
}

static int predict_on(void *context, struct blade *blade, struct err *err) {
  struct session *session = context;
  struct predicting predicting = {.session = session, .blade = blade, .on_hosts = has_hosts(session)};
  int code = CLI_DONE;
  for (size_t i = 0; i < session->calls.n && code == CLI_DONE; i++) {
    code = list_call(&predicting, &session->calls.items[i]) == 0 ? CLI_DONE : CLI_INPUT;
  }
  if (code == CLI_DONE) {
    struct trials trials = {.ledger = &session->ledger,
                            .blade = blade,
                            .points = &predicting.points,
                            .unsimulated = true,
                            .take = take,
                            .complain = sweep_complain,
                            .context = &predicting};
    code = trials_run(&trials, err) == 0 ? CLI_DONE : sweep_lost(&session->ledger);
  }
  free(predicting.points.items);
  return code;
}

int cmd_model(struct session *session) {
  session->table =
    table_new(has_hosts(session) ? "algorithm,platform,ranks,bytes,model,ns,note,version,platform_checksum"
                                 : "algorithm,platform,ranks,bytes,model,ns,version,platform_checksum");
  int code = session_blades(session, predict_on, session);
  code = code == CLI_DONE ? sweep_outcome(&session->ledger) : code;
  return code == CLI_DONE && table_nrows(session->table) == 0 && !session_is_partial(session)
           ? session_refuse(session, CLI_INPUT, "nothing that was asked for can be predicted%s",
                            sweep_reason())
           : code;
}
