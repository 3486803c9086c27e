/* SPDX-License-Identifier: BSD-3-Clause
 * See ledger_call.h. Numbers come first in a result, so that they can be read of any build
 * (STORE_VERSION). */
#include "validate/lab/ledger_call.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "traces/hazard.h"
#include "validate/lab/call_nodes.h"
#include "validate/lab/call_path.h"
#include "validate/lab/rig_hosts.h"
#include "validate/lab/runner.h"

#include <stdlib.h>

static const char *const observer_names[] = {
  "",
  [CALL_HAZARDS] = "hazards",
  [CALL_UTILISATION] = "utilisation",
  [CALL_HAZARDS | CALL_UTILISATION] = "hazards utilisation",
  [CALL_PATH] = "path",
  [CALL_HAZARDS | CALL_PATH] = "hazards path",
  [CALL_PATH | CALL_CHAIN] = "path chain",
  [CALL_HAZARDS | CALL_PATH | CALL_CHAIN] = "hazards path chain",
};

/* --- counters --- */

static void pack_row(void *context, const struct utilisation_row *row) {
  struct pack *pack = context;
  pack_add_count(pack, true); /* there is one more row */
  pack_add_text(pack, row->where);
  pack_add_text(pack, row->counter);
  pack_add_real(pack, row->value);
  pack_add_count(pack, (uint64_t)row->decimals);
  pack_add_text(pack, row->unit);
}

void call_pack_utilisation(struct pack *pack, const struct utilisation *utilisation) {
  pack_add_real(pack, utilisation_cycles(utilisation));
  utilisation_list(utilisation, pack_row, pack);
  pack_add_count(pack, false);
}

void call_pack_counters(struct pack *pack, struct call_counters *counters) {
  pack_add_real(pack, call_counters_cycles(counters));
  call_counters_list(counters, pack_row, pack);
  pack_add_count(pack, false);
}

double call_list_utilisation(struct pack *pack,
                             void (*show)(void *context, const struct utilisation_row *row), void *context) {
  double cycles = pack_take_real(pack);
  while (pack_take_count(pack)) {
    struct utilisation_row row;
    row.where = pack_take_text(pack);
    row.counter = pack_take_text(pack);
    row.value = pack_take_real(pack);
    row.decimals = (int)pack_take_count(pack);
    row.unit = pack_take_text(pack);
    show(context, &row);
  }
  return cycles;
}

/* --- results --- */

const char *call_end_name(enum call_end end) {
  static const char *const names[] = {[CALL_OK] = "ok",       [CALL_WRONG] = "wrong",
                                      [CALL_FAULT] = "fault", [CALL_DEADLOCK] = "deadlock",
                                      [CALL_CRASH] = "crash", [CALL_UNPREDICTED] = "unpredicted"};
  return names[end];
}

bool call_stopped(const struct call_result *result) {
  return result->end >= CALL_FAULT;
}

static enum call_end end_of(const struct outcome *outcome) {
  return outcome->verified   ? CALL_OK
         : !outcome->stopped ? CALL_WRONG
         : outcome->faulted  ? CALL_FAULT
                             : CALL_DEADLOCK;
}

static void pack_outcome(struct pack *pack, double ghz, const struct outcome *outcome, enum call_end end) {
  pack_add_real(pack, ghz);
  pack_add_count(pack, end);
  pack_add_real(pack, outcome->cycles);
  pack_add_real(pack, outcome->from_first);
  pack_add_count(pack, outcome->bus.bus_requests);
  pack_add_count(pack, outcome->bus.eib_bytes);
  pack_add_count(pack, outcome->bus.bif_bytes);
  pack_add_count(pack, outcome->nodes);
  pack_add_count(pack, outcome->traffic.messages);
  pack_add_count(pack, outcome->traffic.bytes);
  pack_add_count(pack, outcome->traffic.retransmissions);
}

struct call_result call_unpack(struct pack *pack) {
  struct call_result result = {.ghz = pack_take_real(pack)};
  result.end = (enum call_end)pack_take_count(pack);
  result.cycles = pack_take_real(pack);
  result.from_first = pack_take_real(pack);
  result.bus_requests = pack_take_count(pack);
  result.eib_bytes = pack_take_count(pack);
  result.bif_bytes = pack_take_count(pack);
  result.nodes = pack_take_count(pack);
  result.net_messages = pack_take_count(pack);
  result.net_bytes = pack_take_count(pack);
  result.net_retransmissions = pack_take_count(pack);
  result.refused = pack_take_text(pack);
  result.wrong = pack_take_text(pack);
  result.nhazards = pack_take_count(pack);
  result.hazards = result.utilisation = *pack;
  for (uint64_t i = 0; i < result.nhazards && i < HAZARD_LINES_MAX; i++) {
    pack_take_text(&result.utilisation);
  }
  result.path = result.utilisation;
  return result;
}

/* --- the experiment --- */

/* Who watches a call besides the runner. */
struct watch {
  bool hazards_wanted, utilisation_wanted, path_wanted, chain_wanted;
  bool on_nodes; /* then the second ones watch */
  struct hazard hazards;
  struct call_hazards node_hazards;
  struct utilisation utilisation;
  struct call_counters counters;
  struct record record;
  struct call_records records;
};

/* Let NODE_WATCH watch the call of SPEC as well. */
static void add_watch(struct rig_spec *spec, struct node_watch *node_watch) {
  node_watch->next = spec->nodes;
  spec->nodes = node_watch;
}

/* Let WATCH, all of whose wishes are known, see the call of SPEC on several nodes. */
static void begin_nodes(struct watch *watch, struct rig_spec *spec) {
  if (watch->hazards_wanted) {
    call_hazards_init(&watch->node_hazards);
    add_watch(spec, &watch->node_hazards.watch);
  }
  if (watch->utilisation_wanted) {
    call_counters_init(&watch->counters);
    add_watch(spec, &watch->counters.watch);
  }
  if (watch->path_wanted) {
    call_records_init(&watch->records, RECORD_BYTES_MAX);
    add_watch(spec, &watch->records.watch);
  }
}

static void begin_watch(struct watch *watch, unsigned observers, struct blade *blade, struct rig_spec *spec) {
  *watch =
    (struct watch){.hazards_wanted = observers & CALL_HAZARDS,
                   .utilisation_wanted = observers & CALL_UTILISATION,
                   .path_wanted = observers & CALL_PATH,
                   .chain_wanted = observers & CALL_CHAIN,
                   .on_nodes = rig_is_on_hosts(blade) || (spec->call.algo && spec->call.algo->on_nodes)};
  if (watch->on_nodes) {
    begin_nodes(watch, spec);
    return;
  }
  if (watch->hazards_wanted) {
    hazard_init(&watch->hazards, blade_nspes(blade));
    blade_attach(blade, &watch->hazards.probe);
  }
  if (watch->utilisation_wanted) {
    utilisation_init(&watch->utilisation, blade_platform(blade));
    spec->observers[0] = &watch->utilisation.probe;
  }
  if (watch->path_wanted) {
    record_init(&watch->record, blade_platform(blade), RECORD_BYTES_MAX);
    spec->observers[0] = &watch->record.probe;
  }
}

/* Check that WATCH can tell what was asked for of the call of SPEC.
 * errors: the critical path of a call for whose records there was no room. */
static int check_watch(const struct watch *watch, const struct rig_spec *spec, struct err *err) {
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  if (watch->path_wanted && (watch->on_nodes ? watch->records.share.full : watch->record.full)) {
    return err_set(
      err,
      "%s: the critical path of %u ranks with %zu bytes needs records of more than %llu MiB, expected less",
      name, spec->nranks, spec->nbytes, (unsigned long long)(RECORD_BYTES_MAX >> 20));
  }
  return 0;
}

/* The same as end_watch for a call on several nodes. */
static void end_nodes(struct watch *watch, bool made, struct pack *result) {
  pack_add_count(result, watch->node_hazards.count);
  for (unsigned i = 0; i < HAZARD_LINES_MAX && watch->node_hazards.lines[i]; i++) {
    pack_add_text(result, watch->node_hazards.lines[i]);
  }
  call_hazards_fini(&watch->node_hazards);
  if (watch->utilisation_wanted) {
    if (made) {
      call_pack_counters(result, &watch->counters);
    }
    call_counters_fini(&watch->counters);
  }
  if (watch->path_wanted) {
    if (made) {
      call_pack_path(result, &watch->records.all, watch->chain_wanted);
    }
    call_records_fini(&watch->records);
  }
}

/* End WATCH and append what was seen to RESULT; of a call that was MADE only is there something to see. */
static void end_watch(struct watch *watch, struct blade *blade, bool made, struct pack *result) {
  if (watch->on_nodes) {
    end_nodes(watch, made, result);
    return;
  }
  pack_add_count(result, watch->hazards.count);
  if (watch->hazards_wanted) {
    blade_detach(blade, &watch->hazards.probe);
    for (unsigned i = 0; i < HAZARD_LINES_MAX && watch->hazards.lines[i]; i++) {
      pack_add_text(result, watch->hazards.lines[i]);
    }
    hazard_fini(&watch->hazards);
  }
  if (watch->utilisation_wanted) {
    if (made) {
      call_pack_utilisation(result, &watch->utilisation);
    }
    utilisation_fini(&watch->utilisation);
  }
  if (watch->path_wanted) {
    if (made) {
      const struct record *record = &watch->record;
      call_pack_path(result, &(struct path_records){.nodes = &record, .n = 1}, watch->chain_wanted);
    }
    record_fini(&watch->record);
  }
}

int call_make(struct blade *blade, const struct rig_spec *wanted, unsigned observers, struct pack *result) {
  struct rig_spec spec = *wanted;
  struct watch watch;
  struct outcome outcome;
  struct err refused = {""};
  begin_watch(&watch, observers, blade, &spec);
  bool made = runner_run(blade, &spec, &outcome, &refused) == 0 && check_watch(&watch, &spec, &refused) == 0;
  pack_outcome(result, blade_ghz(blade), &outcome, end_of(&outcome));
  pack_add_text(result, refused.text);
  pack_add_text(result, outcome.detail ? outcome.detail : "");
  end_watch(&watch, blade, made && !outcome.stopped && !outcome.interrupted, result);
  int status = outcome.interrupted ? -1 : 0;
  outcome_fini(&outcome);
  return status;
}

static int run_call(const struct experiment *experiment, struct pack *result) {
  return call_make(experiment->blade, &experiment->spec, (unsigned)experiment->numbers[0], result);
}

static void pack_stopped_call(const struct experiment *experiment, const char *how, struct pack *result) {
  pack_outcome(result, blade_ghz(experiment->blade), &(struct outcome){.nodes = 1}, CALL_CRASH);
  pack_add_text(result, "");
  pack_add_text(result, how);
  pack_add_count(result, 0);
}

static const struct experiment_kind call_kind = {
  .name = CALL_KIND, .run = run_call, .stopped = pack_stopped_call};

bool ledger_call(struct ledger *ledger, struct blade *blade, const struct rig_spec *spec, unsigned observers,
                 struct call_result *result) {
  struct experiment experiment = {.kind = &call_kind,
                                  .blade = blade,
                                  .spec = *spec,
                                  .observers = observer_names[observers],
                                  .numbers = {observers}};
  struct pack pack;
  bool known = ledger_ask(ledger, &experiment, &pack);
  if (known) {
    *result = call_unpack(&pack);
    ledger->nstopped += result->end == CALL_FAULT || result->end == CALL_DEADLOCK; /* of a crash it knows */
    ledger->nwrong += result->end == CALL_WRONG && !*result->refused;
  }
  return known;
}
