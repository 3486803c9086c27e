/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll model: the analytic prediction, from parameters measured on the platform. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/run/run_points.h"
#include "sim/base/text.h"
#include "platform/platform.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/call/placement.h"
#include "validate/model/evaluation.h"

#include <math.h>
#include <stdlib.h>

/* Nodes of the predictions for calls on several nodes, unless ranks are asked for. */
enum { MODEL_NODES = 4 };

/* Predictions on one machine. */
struct predicting {
  struct session *session;
  struct machine *machine;
  struct points points;
  bool on_hosts; /* some machines of the session are: a column says where a model has nothing to say */
};

/* Add a row for each prediction of a model. */
static void take(void *context, size_t index, const struct evaluation *evaluation) {
  const struct predicting *predicting = context;
  const struct call *call = evaluation->call;
  struct table *table = predicting->session->table;
  (void)index;
  if (evaluation->refused) {
    sweep_skip_call(call->algorithm.algo, evaluation->refused);
    return;
  }
  const char *name = catalogue_name(&call->algorithm);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    double cycles = evaluation->predicted[model].middle;
    const char *nothing = evaluation->predicted[model].nothing;
    if (nothing && !predicting->on_hosts) {
      sweep_skip(text_brief("%s: no prediction by %s: %s", name, predict_model_name(model), nothing));
    } else if (!isnan(cycles) || nothing) {
      table_add(table, "%s %p %u %zu %s %.1f", name, machine_platform(predicting->machine), call->nranks,
                call->nbytes, predict_model_name(model),
                cycles / machine_platform(predicting->machine)->clock.spu);
      if (predicting->on_hosts) {
        table_add_text(table, nothing ? nothing : "");
      }
    }
  }
}

static int predict_on(struct session *session, struct machine *machine, bool on_hosts) {
  struct predicting predicting = {.session = session, .machine = machine, .on_hosts = on_hosts};
  const struct platform *platform = machine_platform(machine);
  int code = CLI_DONE;
  for (size_t i = 0; i < session->calls.n && code == CLI_DONE; i++) {
    const struct algorithm *algorithm = &session->calls.items[i];
    unsigned nodes = algorithm->algo->spans_nodes ? placement_machine_nodes(platform) : 1;
    code = run_points_add(session, &predicting.points, machine, algorithm,
                          nodes > MODEL_NODES ? MODEL_NODES * platform->nspes : 0);
  }
  if (code == CLI_DONE) {
    struct evaluations evaluations = {.ledger = &session->ledger,
                                      .machine = machine,
                                      .points = &predicting.points,
                                      .unsimulated = true,
                                      .take = take,
                                      .complain = sweep_complain,
                                      .context = &predicting};
    code = evaluations_run(&evaluations, session->err) == 0 ? CLI_DONE : sweep_lost(&session->ledger);
  }
  free(predicting.points.items);
  return code;
}

int cmd_model(struct session *session) {
  bool on_hosts =
    VEC_FIND(session->machines.platforms, session->machines.n, !platform_has_spes(*item)) != NULL;
  struct table *table = table_new(text_brief(
    "algorithm,platform,ranks,bytes,model,ns,%sversion,platform_checksum", on_hosts ? "note," : ""));
  int code = session_table(session, table);
  struct machine *machine;
  for (size_t i = 0; code == CLI_DONE && (machine = session_machine(session, i)); i++) {
    code = predict_on(session, machine, on_hosts);
  }
  code = code == CLI_DONE ? sweep_outcome(&session->ledger) : code;
  return code == CLI_DONE && table_nrows(session->table) == 0 && !session_is_partial(session)
           ? session_refuse(session, CLI_INPUT, "nothing that was asked for can be predicted%s",
                            sweep_reason())
           : code;
}
