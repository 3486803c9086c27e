/* SPDX-License-Identifier: BSD-3-Clause
 * See runner.h.
 *
 * Data is compared with the oracle after every call, and every call gets new data. In a barrier nobody may leave a call
 * before the last one has entered it: that is checked in the timed run, and, since all enter at once there, in runs of
 * their own in which one rank after the other enters late. */
#include "validate/lab/runner.h"

#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "traces/counters.h"
#include "validate/lab/monitor.h"
#include "validate/lab/oracle.h"

#include <stdlib.h>
#include <string.h>

/* Calls back to back that are enough to see one disturb the next, and runs with a late rank that are enough. */
enum { LATE_CALLS = 3, LATE_RUNS = 16 };

/* What the ranks of a run share outside of simulated time. */
struct inspection {
  const struct rig *rig;
  uint64_t seed;
  struct monitor *monitor; /* NULL: none */
  struct oracle_known *known;
  char *detail; /* the first thing wrong */
};

void
outcome_fini(struct outcome *outcome)
{
  free(outcome->detail);
  outcome->detail = NULL;
}

static uint64_t
first_entry(const struct rig *rig, unsigned call)
{
  uint64_t earliest = UINT64_MAX;
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    uint64_t at = driver_entered(rig->ranks[r].c, call);
    earliest = at < earliest ? at : earliest;
  }
  return earliest;
}

static uint64_t
last(const struct rig *rig, unsigned call, bool left)
{
  uint64_t latest = 0;
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    const struct coll *c = rig->ranks[r].c;
    uint64_t at = left ? driver_left(c, call) : driver_entered(c, call);
    latest = at > latest ? at : latest;
  }
  return latest;
}

/* Note in OUTCOME how long the calls of RIG took. */
static void
measure(const struct rig *rig, struct outcome *outcome)
{
  unsigned n = rig->group.nrepeats;
  uint64_t end = last(rig, n - 1, true);
  if (n == 1) {
    outcome->cycles = (double)(end - last(rig, 0, false));
    outcome->from_first = (double)(end - first_entry(rig, 0));
  } else {
    outcome->cycles = (double)(end - last(rig, 0, true)) / (n - 1);
    outcome->from_first = (double)(end - first_entry(rig, 1)) / (n - 1);
  }
}

static struct oracle_view
view_of(const struct inspection *inspection, unsigned rank)
{
  return (struct oracle_view){rig_buffer(inspection->rig, rank), rig_in(inspection->rig, rank),
                              inspection->known};
}

static void
put_data(struct coll *c, void *owner)
{
  const struct inspection *inspection = owner;
  oracle_fill(c->group, c->rank, inspection->seed + c->ncalls, view_of(inspection, c->rank));
  if (inspection->monitor) {
    monitor_enter(inspection->monitor, c);
  }
}

static void
check_data(struct coll *c, void *owner)
{
  struct inspection *inspection = owner;
  if (inspection->monitor) {
    monitor_leave(inspection->monitor, c);
  }
  if (!inspection->detail) {
    inspection->detail =
      oracle_check(c->group, c->rank, inspection->seed + c->ncalls, view_of(inspection, c->rank));
  }
}

/* Check that nobody left a call before the last one had entered it.
 * returns: NULL, or what is wrong, which the caller frees. */
static char *
check_barrier(const struct rig *rig)
{
  for (unsigned call = 0; call < rig->group.nrepeats; call++) {
    uint64_t entered = last(rig, call, false);
    for (unsigned r = 0; r < rig->group.nranks; r++) {
      uint64_t left = driver_left(rig->ranks[r].c, call);
      if (left < entered) {
        return xasprintf("rank %u left call %u at cycle %llu, the last rank entered at cycle %llu", r, call,
                         (unsigned long long)left, (unsigned long long)entered);
      }
    }
  }
  return NULL;
}

/* Run the calls of RIG, which SPEC describes, and check what they did; *DETAIL becomes what is wrong, which the caller frees.
 * returns: how the run ended, its texts released. */
static struct blade_result
run_and_check(struct rig *rig, const struct rig_spec *spec, char **detail)
{
  struct oracle_known known = {.bytes = NULL};
  struct inspection inspection = {.rig = rig, .seed = spec->seed, .monitor = spec->monitor, .known = &known};
  struct call_hooks hooks = {.before = put_data, .after = check_data, .owner = &inspection};
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    driver_attach(rig->ranks[r].c, &hooks);
  }
  rig_set_calls(rig);
  if (spec->monitor) {
    monitor_begin(spec->monitor, rig, spec->seed);
  }
  struct blade_result result = rig_run(rig);
  if (spec->monitor) {
    monitor_end(spec->monitor);
  }
  oracle_forget(&known);
  if (result.faults || result.stuck) {
    free(inspection.detail);
    inspection.detail = xasprintf("%s%s%s", result.faults ? result.faults : "",
                                  result.stuck ? "deadlock:\n" : "", result.stuck ? result.stuck : "");
  } else if (!result.interrupted && !inspection.detail && rig->group.call.algo->collective == COLL_BARRIER) {
    inspection.detail = check_barrier(rig);
  }
  *detail = inspection.detail;
  return result;
}

/* Run SPEC with rank LATE entering every call DELAY cycles late.
 * returns: NULL, or what is wrong, which the caller frees. */
static char *
check_with_late_rank(struct blade *blade, const struct rig_spec *spec, unsigned late, uint64_t delay)
{
  struct rig rig;
  struct rig_spec few = *spec;
  char *detail;
  few.nrepeats = spec->nrepeats < LATE_CALLS ? spec->nrepeats : LATE_CALLS;
  rig_init_known(&rig, blade, &few);
  for (unsigned i = 0; i < few.nrepeats; i++) {
    driver_delay(rig.ranks[late].c, i, delay);
  }
  struct blade_result result = run_and_check(&rig, &few, &detail);
  blade_result_fini(&result);
  rig_fini(&rig);
  if (detail) {
    char *longer = xasprintf("with rank %u late: %s", late, detail);
    free(detail);
    detail = longer;
  }
  return detail;
}

/* The timed run of SPEC.
 * errors: as rig_init. */
static int
run_timed(struct blade *blade, const struct rig_spec *spec, struct outcome *outcome, struct err *err)
{
  struct rig rig;
  if (rig_init(&rig, blade, spec, err) != 0) {
    rig_fini(&rig);
    return -1;
  }
  counters_init(&outcome->counters);
  blade_attach(blade, &outcome->counters.probe);
  for (unsigned i = 0; i < RIG_OBSERVERS; i++) {
    if (spec->observers[i]) {
      blade_attach(blade, spec->observers[i]);
    }
  }
  struct blade_result result = run_and_check(&rig, spec, &outcome->detail);
  for (unsigned i = 0; i < RIG_OBSERVERS; i++) {
    if (spec->observers[i]) {
      blade_detach(blade, spec->observers[i]);
    }
  }
  blade_detach(blade, &outcome->counters.probe);
  outcome->stopped = result.faults || result.stuck;
  outcome->faulted = result.faults != NULL;
  outcome->interrupted = result.interrupted;
  if (!outcome->stopped && !outcome->interrupted) {
    measure(&rig, outcome);
  }
  blade_result_fini(&result);
  rig_fini(&rig);
  return 0;
}

int
runner_run(struct blade *blade, const struct rig_spec *spec, struct outcome *outcome, struct err *err)
{
  *outcome = (struct outcome){0};
  if (rig_check(blade, spec, err) != 0 || run_timed(blade, spec, outcome, err) != 0) {
    return -1;
  }
  if (spec->call.algo->collective == COLL_BARRIER) {
    unsigned n = spec->nranks, stride = (n + LATE_RUNS - 1) / LATE_RUNS;
    uint64_t delay = 2 * (uint64_t)outcome->cycles + 1000; /* longer than the barrier takes */
    for (unsigned r = 0; r < n && !outcome->detail && !des_interrupted(); r += stride) {
      outcome->detail = check_with_late_rank(blade, spec, r, delay);
    }
  }
  outcome->interrupted |= des_interrupted();
  outcome->verified = !outcome->detail && !outcome->interrupted;
  return 0;
}
