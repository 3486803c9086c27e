/* SPDX-License-Identifier: BSD-3-Clause
 * See call_run.h.
 *
 * Data is compared with the oracle after every call, and every call gets new data. In a barrier no rank may
 * leave a call before the last rank has entered. The timed run checks this; because all ranks enter at once
 * in the timed run, another run has calls in which one rank after the other enters late. */
#include "validate/lab/verify/call_run.h"

#include "algos/schedule/workload/workload_run.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "sim/base/engine/des.h"
#include "sim/base/vec.h"
#include "validate/lab/verify/monitor.h"
#include "validate/lab/verify/oracle.h"
#include "validate/lab/verify/ownership.h"

#include <math.h>
#include <stdlib.h>

/* The maximum number of calls with a late rank. */
enum { LATE_CALLS = 16 };

/* With more than LATE_RANKS ranks only the last rank is late, in one call. */
enum { LATE_RANKS = 4096 };

/* 31 ms of a Cell, longer than the patience of a barrier with a limit of its wait. */
enum { VERY_LATE = 100000000 };

/* Data shared by the ranks of a run outside of simulated time. */
struct inspection {
  const struct rig *rig;
  uint64_t seed;
  struct monitor *monitor; /* NULL: nobody watches */
  struct oracle_known *known;
  char *detail; /* the first thing wrong */
};

void outcome_fini(struct outcome *outcome) {
  free(outcome->detail);
  free(outcome->entered);
  free(outcome->parts);
  free(outcome->spent);
  outcome->detail = outcome->parts = NULL;
  outcome->spent = NULL;
  outcome->entered = outcome->left = NULL;
}

/* Return the cycle at which the first rank of RIG entered CALL. */
static uint64_t first_entry(const struct rig *rig, unsigned call) {
  uint64_t earliest = UINT64_MAX;
  VEC_EACH(rank, rig->ranks, rig->group.nranks) {
    uint64_t at = driver_entered(rank->c, call);
    LOWER(earliest, at);
  }
  return earliest;
}

/* Return the cycle at which the last rank of RIG entered CALL or, if LEFT, left CALL. */
static uint64_t last(const struct rig *rig, unsigned call, bool left) {
  uint64_t latest = 0;
  VEC_EACH(rank, rig->ranks, rig->group.nranks) {
    const struct coll *c = rank->c;
    uint64_t at = left ? driver_left(c, call) : driver_entered(c, call);
    RAISE(latest, at);
  }
  return latest;
}

/* Return the mean cycles of a call of RIG from cycle BEGIN on; the first of several calls does not count. */
static double per_call(const struct rig *rig, uint64_t begin) {
  unsigned n = rig->group.nrepeats;
  return (double)(last(rig, n - 1, true) - begin) / (n > 1 ? n - 1 : 1);
}

/* Note in OUTCOME the numbers of the calls of RIG, which have ENDED, or have stopped. */
static void measure_call(const struct rig *rig, bool ended, struct outcome *outcome) {
  const struct machine_traffic traffic = machine_traffic(rig->machine);
  bool several = rig->group.nrepeats > 1;
#define RESULT(type, name, value) outcome->name = value;
#include "validate/lab/call/outcome.def"
}

/* Return the current call of C for the oracle; on one node with the root of this call. */
static struct oracle_call call_of(const struct inspection *inspection, const struct coll *c) {
  const struct rig *rig = inspection->rig;
  struct oracle_call call = {.group = c->group, .rank = c->rank, .known = inspection->known};
  if (c->group->turn) { /* in a program */
    const struct blade *blade = rig->parts[0].blade;
    uint8_t *in = c->buffer ? c->in : blade_memory(blade, c->in_ea);
    call.seed = inspection->seed + c->group->turn->number;
    call.buffer = c->buffer ? c->buffer : blade_memory(blade, c->buffer_ea);
    call.in = layout_in_bytes(c->group) ? in : NULL;
  } else {
    call.group = rig->layout ? &rig->group : c->group;
    call.rank = group_name(c->group, c->rank);
    call.seed = inspection->seed + c->ncalls;
    call.buffer = rig_bytes(rig, call.rank, false);
    call.in = layout_in_bytes(c->group) ? rig_bytes(rig, call.rank, true) : NULL;
  }
  return call;
}

/* Return the owners of bytes in the part of the call of C; NULL: nobody watches the ranks. */
static struct ownership *ownership_of(const struct inspection *inspection, const struct coll *c) {
  if (!inspection->monitor || (c->group->on_hosts && !c->group->turn)) {
    return NULL;
  }
  const struct rig_part *part = rig_part_of(inspection->rig, group_name(c->group, c->rank));
  return &monitor_at(inspection->monitor, part)->ownership;
}

static void put_data(struct coll *c, void *owner) {
  const struct inspection *inspection = owner;
  const struct oracle_call call = call_of(inspection, c);
  oracle_fill(&call);
  struct ownership *ownership = ownership_of(inspection, c);
  if (ownership) {
    ownership_enter(ownership, c);
  }
}

static void check_data(struct coll *c, void *owner) {
  struct inspection *inspection = owner;
  struct ownership *ownership = ownership_of(inspection, c);
  if (ownership) {
    ownership_leave(ownership, c, spu_cycles());
  }
  if (!inspection->detail) {
    const struct oracle_call call = call_of(inspection, c);
    inspection->detail = oracle_check(&call);
    if (inspection->detail && c->group->turn) {
      SCOPED char *detail = inspection->detail,
                  *name =
                    workload_call_name(inspection->rig->group.workload->workload, c->group->turn->number);
      inspection->detail = xasprintf("%s: %s", name, detail);
    }
  }
}

/* Check that no rank left a call before the last rank had entered.
 * returns: NULL, or the defect, which the caller frees. */
static char *check_barrier(const struct rig *rig) {
  if (rig->group.workload) {
    return workload_run_left_early(rig->group.workload);
  }
  for (unsigned call = 0; call < rig->group.nrepeats; call++) {
    uint64_t entered = last(rig, call, false);
    const struct algo *algo = group_of_call(&rig->group, call).call.algo;
    bool is_barrier = algo->collective == COLL_BARRIER && !algo->is_open;
    for (unsigned r = 0; r < rig->group.nranks && is_barrier; r++) {
      uint64_t left = driver_left(rig->ranks[r].c, call);
      if (left < entered) {
        return xasprintf("rank %u left call %u at cycle %llu, the last rank entered at cycle %llu", r, call,
                         (unsigned long long)left, (unsigned long long)entered);
      }
    }
  }
  return NULL;
}

/* Note in OUTCOME the defects of the calls of RIG, which ended as RESULT says, except for the data in
 * INSPECTION. */
static void judge(const struct rig *rig, const struct blade_result *result, struct inspection *inspection,
                  struct outcome *outcome) {
  enum failure failure = FAILURE_DATA;
  if (result->faults || result->stuck) {
    free(inspection->detail);
    SCOPED char *deadlock = result->stuck ? deadlock_tell(result->stuck, rig->group.workload) : NULL;
    inspection->detail = xasprintf("%s%s%s", result->faults ? result->faults : "",
                                   deadlock ? "deadlock:\n" : "", deadlock ? deadlock : "");
    const struct algo *algo = rig->group.call.algo;
    char advice[80];
    if (deadlock && algo->advise) {
      xappend(&inspection->detail, "\n%s", algo->advise(&rig->group, advice, sizeof advice));
    }
    failure = result->faults ? FAILURE_FAULT : FAILURE_DEADLOCK;
  } else if (!des_interrupted() && !inspection->detail && !result->cut) {
    inspection->detail = check_barrier(rig);
    failure = inspection->detail ? FAILURE_LEFT : FAILURE_MOVED;
    if (!inspection->detail && inspection->monitor) {
      inspection->detail = monitor_missing(inspection->monitor, rig);
    }
  }
  outcome->detail = inspection->detail;
  outcome->failure = inspection->detail ? failure : FAILURE_NONE;
}

/* Run the calls of RIG, described by CALL, and check the effects; OUTCOME gets the defects.
 * returns: the end of the run, texts released. */
static struct blade_result run_and_check(struct rig *rig, const struct call *call, struct outcome *outcome) {
  struct oracle_known known = {.bytes = NULL};
  struct inspection inspection = {.rig = rig, .seed = call->seed, .known = &known, .monitor = call->monitor};
  struct call_hooks hooks = {.before = put_data, .after = check_data, .owner = &inspection};
  for (unsigned r = 0; !call->lengths_only && r < rig->group.nranks; r++) {
    driver_attach(rig->ranks[r].c, &hooks);
  }
  rig_set_calls(rig);
  if (call->monitor) {
    monitor_begin(call->monitor, rig, call->seed);
  }
  struct blade_result result = rig_run(rig);
  judge(rig, &result, &inspection, outcome);
  if (call->monitor) {
    monitor_end(call->monitor, rig);
  }
  oracle_forget(&known);
  return result;
}

/* Run CALL, a barrier with the duration in OUTCOME, with late ranks: one rank in the first call, one rank
 * further on in each next call. One more call shows the state that the last late rank has left. The delay is
 * longer than the barrier takes. Two ranks are VERY_LATE, and ranks on several nodes, but not after a timed
 * run with delays: a loop instead of a wait takes 0.4 s of a processor. OUTCOME gets the defects. */
static void run_late(struct machine *machine, const struct call *call, struct outcome *outcome) {
  unsigned n = call->nranks, stride = n <= LATE_RANKS ? (n + LATE_CALLS - 1) / LATE_CALLS : n;
  unsigned first = n <= LATE_RANKS ? 0 : n - 1;
  uint64_t delay = 2 * (uint64_t)outcome->cycles + 1000;
  bool very = call->skew == 0 && call->delay.n == 0 && (n == 2 || call->algorithm.algo->spans_nodes);
  delay = very && delay < VERY_LATE ? VERY_LATE : delay;
  struct rig rig;
  struct call late = *call;
  late.repeat = (n - first + stride - 1) / stride + 1;
  rig_init_known(&rig, machine, &late); /* the timed run has made the same rig */
  for (unsigned i = 0; i + 1 < late.repeat; i++) {
    driver_delay(rig.ranks[first + i * stride].c, i, delay);
  }
  struct blade_result result = run_and_check(&rig, &late, outcome);
  blade_result_fini(&result);
  rig_fini(&rig);
  if (outcome->detail) {
    char *longer = xasprintf("with late ranks (rank %u in call 0; then the one %u further on): %s", first,
                             stride, outcome->detail);
    free(outcome->detail);
    outcome->detail = longer;
  }
}

/* Attach or detach the observers of CALL on MACHINE: with WHOLE the observers of all runs, otherwise the
 * observers of the timed run. */
static void watch(struct machine *machine, const struct call *call, bool whole, bool on) {
  for (struct observer *observer = call->observers; observer; observer = observer->next) {
    if (observer->whole == whole) {
      (on ? machine_attach : machine_detach)(machine, observer);
    }
  }
}

/* --- running --- */

/* The timed run of CALL.
 * errors: as rig_init. */
static int run_timed(struct machine *machine, const struct call *call, struct outcome *outcome,
                     struct err *err) {
  struct rig rig;
  if (rig_init(&rig, machine, call, err) != 0) {
    rig_fini(&rig);
    return -1;
  }
  watch(machine, call, false, true);
  if (call->limit) {
    blade_limit(rig.parts[0].blade, call->limit);
  }
  struct blade_result result = run_and_check(&rig, call, outcome);
  watch(machine, call, false, false);
  outcome->end = result.faults ? CALL_FAULT : result.stuck ? CALL_DEADLOCK : CALL_OK;
  bool ended = outcome->end == CALL_OK && !des_interrupted();
  measure_call(&rig, ended, outcome);
  if (result.cut) {
    outcome->cycles = outcome->from_first = INFINITY;
  } else if (ended) {
    unsigned last_call = call->repeat - 1, n = call->nranks;
    outcome->entered = xcalloc(2 * (size_t)n, sizeof *outcome->entered);
    outcome->left = outcome->entered + n;
    for (unsigned r = 0; r < n; r++) {
      outcome->entered[r] = driver_entered(rig.ranks[r].c, last_call);
      outcome->left[r] = driver_left(rig.ranks[r].c, last_call);
    }
    outcome->spent =
      rig.group.workload ? workload_run_spent(rig.group.workload, outcome->entered, outcome->left) : NULL;
    outcome->parts = rig.layout ? rig_tell_parts(&rig) : NULL;
  }
  blade_result_fini(&result);
  rig_fini(&rig);
  return 0;
}

int call_run(struct machine *machine, const struct call *call, struct outcome *outcome, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  *outcome = (struct outcome){.ghz = platform->clock.spu, .end = CALL_WRONG, .nodes = 1};
  int status = machine_begin(err) == 0 ? rig_check(platform, call, err) : -1;
  struct machine *used = status == 0 ? rig_machine(machine, call, err) : NULL;
  if (!used) {
    return status ? status : -1;
  }
  watch(used, call, true, true);
  if (call->monitor) {
    monitor_spread(call->monitor, used);
  }
  status = run_timed(used, call, outcome, err);
  if (status == 0 && call->algorithm.algo->collective == COLL_BARRIER && !call->algorithm.algo->is_open &&
      !call->lengths_only && !outcome->detail && !isinf(outcome->cycles) && !des_interrupted()) {
    run_late(used, call, outcome);
  }
  watch(used, call, true, false);
  if (call->monitor) {
    monitor_gather(call->monitor);
  }
  if (used != machine) {
    machine_free(used);
  }
  if (status == 0) {
    outcome->interrupted = des_interrupted();
    outcome->end =
      outcome->end == CALL_OK && (outcome->detail || outcome->interrupted) ? CALL_WRONG : outcome->end;
  }
  return status;
}
