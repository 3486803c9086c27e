/* SPDX-License-Identifier: BSD-3-Clause
 * See runner.h.
 *
 * Data is compared with the oracle after every call, and every call gets new data. In a barrier nobody may
 * leave a call before the last one has entered it: that is checked in the timed run, and, since all enter at
 * once there, in runs of their own in which one rank after the other enters late. */
#include "validate/lab/runner.h"

#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/node/cluster.h"
#include "sim/node/hosts.h"
#include "validate/lab/monitors.h"
#include "validate/lab/node_watch.h"
#include "validate/lab/oracle.h"
#include "validate/lab/rig_hosts.h"
#include "validate/lab/rigs.h"

#include <stdlib.h>
#include <string.h>

/* Calls back to back that are enough to see one disturb the next, and runs with a late rank that are
 * enough. */
enum { LATE_CALLS = 3, LATE_RUNS = 16 };

/* More ranks than these have only one late one, the last. */
enum { LATE_RANKS = 4096 };

/* What the ranks of a run share outside of simulated time. */
struct inspection {
  const struct rigs *rigs;
  uint64_t seed;
  const struct monitors *monitors;
  struct oracle_known *known;
  char *detail; /* the first thing wrong */
};

void outcome_fini(struct outcome *outcome) {
  free(outcome->detail);
  outcome->detail = NULL;
}

static uint64_t first_entry(const struct rigs *rigs, unsigned call) {
  uint64_t earliest = UINT64_MAX;
  for (unsigned r = 0; r < rigs->group->nranks; r++) {
    uint64_t at = driver_entered(rigs_rank(rigs, r), call);
    earliest = at < earliest ? at : earliest;
  }
  return earliest;
}

static uint64_t last(const struct rigs *rigs, unsigned call, bool left) {
  uint64_t latest = 0;
  for (unsigned r = 0; r < rigs->group->nranks; r++) {
    const struct coll *c = rigs_rank(rigs, r);
    uint64_t at = left ? driver_left(c, call) : driver_entered(c, call);
    latest = at > latest ? at : latest;
  }
  return latest;
}

/* Note when the ranks of RIGS entered their last call and left it, if SPEC wants to know. */
static void note_ranks(const struct rigs *rigs, const struct rig_spec *spec) {
  unsigned call = rigs->group->nrepeats - 1;
  for (unsigned r = 0; spec->entered && r < rigs->group->nranks; r++) {
    spec->entered[r] = driver_entered(rigs_rank(rigs, r), call);
    spec->left[r] = driver_left(rigs_rank(rigs, r), call);
  }
}

/* Note in OUTCOME how long the calls of RIGS took. */
static void measure(const struct rigs *rigs, struct outcome *outcome) {
  unsigned n = rigs->group->nrepeats;
  uint64_t end = last(rigs, n - 1, true);
  if (n == 1) {
    outcome->cycles = (double)(end - last(rigs, 0, false));
    outcome->from_first = (double)(end - first_entry(rigs, 0));
  } else {
    outcome->cycles = (double)(end - last(rigs, 0, true)) / (n - 1);
    outcome->from_first = (double)(end - first_entry(rigs, 1)) / (n - 1);
  }
}

static struct oracle_view view_of(const struct inspection *inspection, unsigned rank) {
  return (struct oracle_view){rigs_buffer(inspection->rigs, rank), rigs_in(inspection->rigs, rank),
                              inspection->known};
}

/* Return the rank of C in the whole call. */
static unsigned rank_of(const struct coll *c) {
  return group_name(c->group, c->rank);
}

static void put_data(struct coll *c, void *owner) {
  const struct inspection *inspection = owner;
  unsigned rank = rank_of(c);
  oracle_fill(inspection->rigs->group, rank, inspection->seed + c->ncalls, view_of(inspection, rank));
  struct monitor *monitor = monitors_of(inspection->monitors, inspection->rigs, rank);
  if (monitor) {
    monitor_enter(monitor, c);
  }
}

static void check_data(struct coll *c, void *owner) {
  struct inspection *inspection = owner;
  unsigned rank = rank_of(c);
  struct monitor *monitor = monitors_of(inspection->monitors, inspection->rigs, rank);
  if (monitor) {
    monitor_leave(monitor, c);
  }
  if (!inspection->detail) {
    inspection->detail =
      oracle_check(inspection->rigs->group, rank, inspection->seed + c->ncalls, view_of(inspection, rank));
  }
}

/* Check that nobody left a call before the last one had entered it.
 * returns: NULL, or what is wrong, which the caller frees. */
static char *check_barrier(const struct rigs *rigs) {
  for (unsigned call = 0; call < rigs->group->nrepeats; call++) {
    uint64_t entered = last(rigs, call, false);
    for (unsigned r = 0; r < rigs->group->nranks; r++) {
      uint64_t left = driver_left(rigs_rank(rigs, r), call);
      if (left < entered) {
        return xasprintf("rank %u left call %u at cycle %llu, the last rank entered at cycle %llu", r, call,
                         (unsigned long long)left, (unsigned long long)entered);
      }
    }
  }
  return NULL;
}

/* Run the calls of RIGS on MACHINE, which SPEC describes, and check what they did; *DETAIL becomes what is
 * wrong, which the caller frees.
 * returns: how the run ended, its texts released. */
static struct blade_result run_and_check(const struct rigs_machine *machine, struct rigs *rigs,
                                         const struct rig_spec *spec, char **detail) {
  struct oracle_known known = {.bytes = NULL};
  struct inspection inspection = {
    .rigs = rigs, .seed = spec->seed, .known = &known, .monitors = machine->monitors};
  struct call_hooks hooks = {.before = put_data, .after = check_data, .owner = &inspection};
  for (unsigned r = 0; !spec->lengths_only && r < rigs->group->nranks; r++) {
    driver_attach(rigs_rank(rigs, r), &hooks);
  }
  monitors_begin(machine->monitors, rigs, spec->seed);
  struct blade_result result = rigs_run(rigs);
  monitors_end(machine->monitors, rigs);
  oracle_forget(&known);
  if (result.faults || result.stuck) {
    free(inspection.detail);
    inspection.detail = xasprintf("%s%s%s", result.faults ? result.faults : "",
                                  result.stuck ? "deadlock:\n" : "", result.stuck ? result.stuck : "");
  } else if (!result.interrupted && !inspection.detail &&
             rigs->group->call.algo->collective == COLL_BARRIER) {
    inspection.detail = check_barrier(rigs);
  }
  *detail = inspection.detail;
  return result;
}

/* Run SPEC on MACHINE with rank LATE entering every call DELAY cycles late.
 * returns: NULL, or what is wrong, which the caller frees. */
static char *check_with_late_rank(const struct rigs_machine *machine, const struct rig_spec *spec,
                                  unsigned late, uint64_t delay) {
  struct rigs rigs;
  struct rig_spec few = *spec;
  struct err err = {""};
  char *detail;
  few.nrepeats = spec->nrepeats < LATE_CALLS ? spec->nrepeats : LATE_CALLS;
  if (rigs_init(&rigs, machine, &few, &err) != 0) {
    abort(); /* it was possible in time */
  }
  for (unsigned i = 0; i < few.nrepeats; i++) {
    driver_delay(rigs_rank(&rigs, late), i, delay);
  }
  struct blade_result result = run_and_check(machine, &rigs, &few, &detail);
  blade_result_fini(&result);
  rigs_fini(&rigs);
  if (detail) {
    char *longer = xasprintf("with rank %u late: %s", late, detail);
    free(detail);
    detail = longer;
  }
  return detail;
}

/* --- who watches --- */

/* Let the observers of SPEC watch MACHINE, if it is a blade that runs alone, and what watches nodes the
 * others. */
static void begin_watch(const struct rigs_machine *machine, const struct rig_spec *spec) {
  for (unsigned i = 0; i < RIG_OBSERVERS; i++) {
    if (spec->observers[i] && !machine->cluster && !machine->hosts) {
      blade_attach(machine->blade, spec->observers[i]);
    }
  }
  node_watch_begin(spec->nodes, machine, false);
}

static void end_watch(const struct rigs_machine *machine, const struct rig_spec *spec) {
  for (unsigned i = 0; i < RIG_OBSERVERS; i++) {
    if (spec->observers[i] && !machine->cluster && !machine->hosts) {
      blade_detach(machine->blade, spec->observers[i]);
    }
  }
  node_watch_end(spec->nodes, machine, false);
}

/* Add to OUTCOME what has passed through MACHINE in this run. */
static void note_traffic(const struct rigs_machine *machine, struct outcome *outcome) {
  unsigned n = machine->cluster ? cluster_nnodes(machine->cluster) : 1;
  for (unsigned i = 0; i < n; i++) {
    const struct blade *node = machine->cluster ? cluster_machine(machine->cluster, i) : machine->blade;
    struct bus_traffic bus = blade_bus_traffic(node);
    outcome->bus.dma_commands += bus.dma_commands;
    outcome->bus.bus_requests += bus.bus_requests;
    outcome->bus.eib_bytes += bus.eib_bytes;
    outcome->bus.bif_bytes += bus.bif_bytes;
  }
  if (machine->cluster) {
    outcome->traffic = cluster_traffic(machine->cluster);
  } else if (machine->hosts) {
    outcome->traffic = hosts_traffic(machine->hosts).network;
  }
}

/* --- running --- */

/* The timed run of SPEC.
 * errors: as rigs_init. */
static int run_timed(const struct rigs_machine *machine, const struct rig_spec *spec, struct outcome *outcome,
                     struct err *err) {
  struct rigs rigs;
  if (rigs_init(&rigs, machine, spec, err) != 0) {
    rigs_fini(&rigs);
    return -1;
  }
  begin_watch(machine, spec);
  struct blade_result result = run_and_check(machine, &rigs, spec, &outcome->detail);
  end_watch(machine, spec);
  note_traffic(machine, outcome);
  outcome->stopped = result.faults || result.stuck;
  outcome->faulted = result.faults != NULL;
  outcome->interrupted = result.interrupted;
  outcome->nodes = rigs.cluster ? rigs.n : 1;
  if (machine->hosts) {
    outcome->nodes = rig_hosts_count(&rigs.nodes[0]);
  }
  if (!outcome->stopped && !outcome->interrupted) {
    measure(&rigs, outcome);
    note_ranks(&rigs, spec);
    if (spec->parts && rigs.cluster) {
      *spec->parts = rigs_tell_parts(&rigs);
    }
  }
  blade_result_fini(&result);
  rigs_fini(&rigs);
  return 0;
}

/* Run SPEC, a barrier that has taken as long as OUTCOME says, with late ranks. */
static void run_late(const struct rigs_machine *machine, const struct rig_spec *spec,
                     struct outcome *outcome) {
  unsigned n = spec->nranks, stride = n <= LATE_RANKS ? (n + LATE_RUNS - 1) / LATE_RUNS : n;
  uint64_t delay = 2 * (uint64_t)outcome->cycles + 1000; /* longer than the barrier takes */
  for (unsigned r = n <= LATE_RANKS ? 0 : n - 1; r < n && !outcome->detail && !des_interrupted();
       r += stride) {
    outcome->detail = check_with_late_rank(machine, spec, r, delay);
  }
}

int runner_run(struct blade *blade, const struct rig_spec *spec, struct outcome *outcome, struct err *err) {
  struct rigs_machine machine;
  struct monitors monitors;
  *outcome = (struct outcome){.nodes = 1};
  if (rigs_check(blade, spec, err) != 0 || rigs_machine_init(&machine, blade, spec, err) != 0) {
    return -1;
  }
  node_watch_begin(spec->nodes, &machine, true);
  monitors_init(&monitors, machine.hosts ? NULL : spec->monitor, &machine);
  machine.monitors = &monitors;
  int status = run_timed(&machine, spec, outcome, err);
  if (status == 0 && spec->call.algo->collective == COLL_BARRIER && !spec->lengths_only) {
    run_late(&machine, spec, outcome);
  }
  node_watch_end(spec->nodes, &machine, true);
  monitors_fini(&monitors);
  rigs_machine_fini(&machine);
  if (status == 0) {
    outcome->interrupted |= des_interrupted();
    outcome->verified = !outcome->detail && !outcome->interrupted;
  }
  return status;
}
