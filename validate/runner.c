/* SPDX-License-Identifier: BSD-3-Clause
 * See runner.h.
 *
 * Data is compared with the oracle after every run. A barrier has no data: it is verified by runs of its own in which one
 * rank after the other enters every call late, and nobody may leave before it has entered. */
#include "validate/runner.h"

#include "algos/catalogue.h"
#include "algos/oracle.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

/* Longer than any barrier takes on machines of this kind. */
enum { LATE_CYCLES = 100000 };

/* Calls back to back that are enough to see one disturb the next. */
enum { LATE_CALLS = 3 };

void
outcome_fini(struct outcome *outcome)
{
  free(outcome->detail);
  outcome->detail = NULL;
}

static uint64_t
last(const struct rig *rig, unsigned call, bool left)
{
  uint64_t latest = 0;
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    const struct coll *c = &rig->ranks[r].c;
    uint64_t at = left ? c->left[call] : c->entered[call];
    latest = at > latest ? at : latest;
  }
  return latest;
}

static double
measured_cycles(const struct rig *rig)
{
  unsigned n = rig->group.nrepeats;
  if (n == 1) {
    return (double)(last(rig, 0, true) - last(rig, 0, false));
  }
  return (double)(last(rig, n - 1, true) - last(rig, 0, true)) / (n - 1);
}

/* Note in OUTCOME how RESULT ended; the texts change hands. */
static void
note_end(struct outcome *outcome, struct blade_result *result)
{
  outcome->interrupted = result->interrupted;
  if (result->faults || result->stuck) {
    outcome->stopped = true;
    outcome->detail = xasprintf("%s%s%s", result->faults ? result->faults : "",
                                result->stuck ? "deadlock:\n" : "", result->stuck ? result->stuck : "");
  }
  blade_result_fini(result);
}

static void
check_data(const struct rig *rig, const struct rig_spec *spec, struct outcome *outcome)
{
  for (unsigned r = 0; r < spec->nranks && !outcome->detail; r++) {
    outcome->detail = oracle_check(&rig->group, r, spec->seed, rig_buffer(rig, r));
  }
}

/* Check that nobody leaves the barrier of SPEC before rank LATE has entered it.
 * returns: NULL, or what is wrong, which the caller frees. */
static char *
check_barrier(struct blade *blade, const struct rig_spec *spec, unsigned late)
{
  struct rig rig;
  struct rig_spec few = *spec;
  char *wrong = NULL;
  few.nrepeats = spec->nrepeats < LATE_CALLS ? spec->nrepeats : LATE_CALLS;
  rig_init_known(&rig, blade, &few);
  for (unsigned r = 0; r < spec->nranks; r++) {
    rig_set(&rig, r, coll_main);
  }
  rig.ranks[late].c.delay = LATE_CYCLES;
  struct blade_result result = rig_run(&rig);
  bool ended = !result.stuck && !result.faults && !result.interrupted;
  for (unsigned i = 0; i < few.nranks * few.nrepeats && !wrong && ended; i++) {
    unsigned r = i % few.nranks, call = i / few.nranks;
    unsigned long long left = rig.ranks[r].c.left[call], entered = rig.ranks[late].c.entered[call];
    if (left < entered) {
      wrong = xasprintf("call %u: rank %u left at cycle %llu, rank %u entered at cycle %llu", call, r, left,
                        late, entered);
    }
  }
  if (result.stuck || result.faults) {
    wrong = xasprintf("with rank %u late: %s%s%s", late, result.faults ? result.faults : "",
                      result.stuck ? "deadlock:\n" : "", result.stuck ? result.stuck : "");
  }
  blade_result_fini(&result);
  rig_fini(&rig);
  return wrong;
}

int
runner_run(struct blade *blade, const struct rig_spec *spec, struct outcome *outcome, struct err *err)
{
  struct rig rig;
  char why[256], name[128];
  *outcome = (struct outcome){0};
  if (rig_init(&rig, blade, spec, err) != 0) {
    return -1;
  }
  if (coll_refuse(&rig.group, why, sizeof why)) {
    catalogue_format(&spec->call, name, sizeof name);
    rig_fini(&rig);
    return err_set(err, "%s: %s", name, why);
  }
  for (unsigned r = 0; r < spec->nranks; r++) {
    rig_set(&rig, r, coll_main);
    oracle_fill(&rig.group, r, spec->seed, rig_buffer(&rig, r));
  }
  counters_init(&outcome->counters);
  blade_attach(blade, &outcome->counters.probe);
  if (spec->observer) {
    blade_attach(blade, spec->observer);
  }
  struct blade_result result = rig_run(&rig);
  if (spec->observer) {
    blade_detach(blade, spec->observer);
  }
  blade_detach(blade, &outcome->counters.probe);
  note_end(outcome, &result);
  if (!outcome->stopped && !outcome->interrupted) {
    outcome->cycles = measured_cycles(&rig);
    check_data(&rig, spec, outcome);
  }
  rig_fini(&rig);
  if (spec->call.algo->collective == COLL_BARRIER) {
    for (unsigned r = 0; r < spec->nranks && !outcome->detail && !outcome->interrupted; r++) {
      outcome->detail = check_barrier(blade, spec, r);
    }
  }
  outcome->verified = !outcome->detail && !outcome->interrupted;
  return 0;
}
