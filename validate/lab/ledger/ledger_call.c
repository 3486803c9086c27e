/* SPDX-License-Identifier: BSD-3-Clause
 * The rows of a result are counters. The numbers follow the reason, the defect of the result; a store keeps
 * the numbers in columns (store.c). */
#include "validate/lab/ledger/ledger_call.h"

#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/verify/call_run.h"

#include <math.h>
#include <string.h>

/* --- counters --- */

static void add_row(void *context, const struct utilisation_row *row) {
  result_add(context, &(struct result_row){row->counter, 0, 0, row->value, row->unit, row->where});
}

void call_add_counters(struct pack *result, struct call_counters *counters, unsigned ranks, size_t nbytes) {
  double cycles = call_counters_cycles(counters);
  result_add(result, &(struct result_row){"cycles", ranks, nbytes, cycles, "cycles", CALL_COUNTED});
  call_counters_list(counters, add_row, result);
}

/* Append the times of the calls of WORKLOAD in OUTCOME, of a mean rank and of the last rank to leave. */
static void add_calls(struct pack *result, const struct workload *workload, const struct outcome *outcome) {
  unsigned latest = 0;
  for (unsigned r = 1; r < workload->nranks; r++) {
    latest = outcome->left[r] > outcome->left[latest] ? r : latest;
  }
  for (size_t i = 0; i < workload->ncalls + 2; i++) {
    SCOPED char *name = i < workload->ncalls    ? workload_call_name(workload, (unsigned)i)
                        : i == workload->ncalls ? xstrdup("mean rank")
                                                : xasprintf("rank %u", latest);
    for (unsigned j = 0; j < WORKLOAD_TIMES; j++) {
      double cycles = outcome->spent[i].cycles[j];
      if (!isnan(cycles)) {
        result_add(result, &(struct result_row){workload_time_names[j], 0, 0, cycles, "cycles", name});
      }
    }
  }
}

bool call_take_spent(struct pack *rows, const char **part, struct workload_spent *spent) {
  struct result_row row;
  struct pack next = *rows;
  *part = NULL;
  VEC_EACH(cycles, spent->cycles, WORKLOAD_TIMES) {
    *cycles = NAN;
  }
  for (; result_take(&next, &row) && (!*part || strcmp(row.part, *part) == 0); *rows = next) {
    *part = row.part;
    for (unsigned i = 0; i < WORKLOAD_TIMES; i++) {
      spent->cycles[i] = strcmp(row.parameter, workload_time_names[i]) == 0 ? row.value : spent->cycles[i];
    }
  }
  return *part;
}

bool call_take_counter(struct pack *rows, struct utilisation_row *counter, double *cycles) {
  for (struct result_row row; result_take(rows, &row);) {
    bool is_first = strcmp(row.part, CALL_COUNTED) == 0;
    *cycles = is_first ? row.value : *cycles;
    if (!is_first && !isnan(*cycles) && *row.part) {
      *counter = (struct utilisation_row){row.part, row.parameter, row.value, row.unit};
      return true;
    }
  }
  return false;
}

/* --- results --- */

const char *call_end_name(enum call_end end) {
  static const char *const names[] = {[CALL_OK] = "ok",
                                      [CALL_WRONG] = "wrong",
                                      [CALL_FAULT] = "fault",
                                      [CALL_DEADLOCK] = "deadlock",
                                      [CALL_CRASH] = "crash",
                                      [CALL_TIMEOUT] = "timeout",
                                      [CALL_UNPREDICTED] = "unpredicted"};
  return names[end];
}

bool call_stopped(const struct call_result *result) {
  return result->end >= CALL_FAULT;
}

/* Begin the result of a call with OUTCOME; REFUSED and WRONG as in struct call_result. */
static void pack_outcome(struct pack *pack, const struct outcome *outcome, const char *refused,
                         const char *wrong) {
  result_end(pack, wrong ? wrong : "");
  pack_add_real(pack, outcome->ghz);
  pack_add_count(pack, outcome->end);
#define add_REAL pack_add_real
#define add_COUNT pack_add_count
#define RESULT(type, name, value) add_##type(pack, outcome->name);
#include "validate/lab/call/outcome.def"
  pack_add_text(pack, refused);
}

struct call_result call_unpack(const struct result *made) {
  struct pack rest = made->observed, *pack = &rest;
  struct call_result result = {.wrong = made->why, .utilisation = made->rows, .ghz = pack_take_real(pack)};
  result.end = (enum call_end)pack_take_count(pack);
#define take_REAL pack_take_real
#define take_COUNT pack_take_count
#define RESULT(type, name, value) result.name = take_##type(pack);
#include "validate/lab/call/outcome.def"
  result.refused = pack_take_text(pack);
  result.nhazards = pack_take_count(pack);
  result.hazards = rest;
  for (uint64_t i = 0; i < result.nhazards && i < HAZARD_LINES_MAX; i++) {
    pack_take_text(pack);
  }
  result.path = rest;
  return result;
}

/* --- the experiment --- */

/* The observers of a call besides call_run, as far as wanted. */
struct watch {
  unsigned wanted; /* enum call_observers */
  bool made;       /* the call; a call that was not made has no counters and no path */
#define OBSERVER(name, bit, word, member) struct call_##member member;
#include "validate/lab/ledger/call_observers.def"
};

static void begin_watch(struct watch *watch, unsigned wanted, struct call *call) {
  *watch = (struct watch){.wanted = wanted};
#define OBSERVER(name, bit, word, member) \
  if (wanted & (bit)) { \
    call_##member##_init(&watch->member); \
    watch->member.observer.next = call->observers; \
    call->observers = &watch->member.observer; \
  }
#include "validate/lab/ledger/call_observers.def"
}

/* Check that the call of POINT can have the observers of POINT. */
static int check_observers(const struct point *point, struct err *err) {
  bool shuffled = point->call.shuffle != 0, counted = point->observers & CALL_UTILISATION;
  return point->observers & CALL_PATH && (shuffled || counted)
           ? err_set(err, "the critical path %s, expected one of the two",
                     shuffled ? "of a shuffled order" : "and the counters of a call")
           : 0;
}

/* Check that the records of WATCH suffice for the requested observations of CALL.
 * errors: the critical path of a call for whose records there was no room. */
static int check_watch(const struct watch *watch, const struct call *call, struct err *err) {
  static const char format[] =
    "%s: the critical path of %u ranks with %zu bytes needs records of more than %llu MiB, expected less";
  return watch->records.share.full ? err_set(err, format, catalogue_name(&call->algorithm), call->nranks,
                                             call->nbytes, (unsigned long long)(RECORD_BYTES_MAX >> 20))
                                   : 0;
}

/* End WATCH and append the hazards and the path to RESULT. */
static void end_watch(struct watch *watch, struct pack *result) {
  const struct hazard_list *hazards = &watch->hazards.hazards;
  pack_add_count(result, hazards->count);
  for (unsigned i = 0; i < HAZARD_LINES_MAX && hazards->lines[i]; i++) {
    pack_add_text(result, hazards->lines[i]);
  }
  if (watch->made && watch->wanted & CALL_PATH) {
    call_pack_path(result, &watch->records.all, watch->wanted & CALL_CHAIN);
  }
#define OBSERVER(name, bit, word, member) \
  if (watch->wanted & (bit)) { \
    call_##member##_fini(&watch->member); \
  }
#include "validate/lab/ledger/call_observers.def"
}

/* Make the call of POINT, and append its result to RESULT; OUTCOME is for outcome_fini.
 * returns: as call_make. */
static int make(const struct point *point, struct outcome *outcome, struct pack *result) {
  struct call call = point->call;
  struct watch watch;
  struct err refused = {""};
  *outcome = (struct outcome){.end = CALL_WRONG};
  begin_watch(&watch, point->observers, &call);
  bool whole = check_observers(point, &refused) == 0 &&
               call_run(point->machine, &call, outcome, &refused) == 0 &&
               check_watch(&watch, &call, &refused) == 0;
  watch.made = whole && outcome->end < CALL_FAULT && !outcome->interrupted;
  if (watch.made && watch.wanted & CALL_CALLS && outcome->spent) {
    add_calls(result, workload_of_algo(call.algorithm.algo), outcome);
  }
  if (watch.made && watch.wanted & CALL_UTILISATION) {
    call_add_counters(result, &watch.counters, call.nranks, call.nbytes);
  }
  pack_outcome(result, outcome, refused.text, outcome->detail);
  end_watch(&watch, result);
  return outcome->interrupted ? -1 : 0;
}

int call_make(const struct point *point, struct call_made *made) {
  made->pack = (struct pack){0};
  int status = make(point, &made->outcome, &made->pack);
  struct result result = result_of(made->pack);
  made->result = call_unpack(&result);
  return status;
}

void call_made_fini(struct call_made *made) {
  outcome_fini(&made->outcome);
  pack_fini(&made->pack);
}

static int pack_call(const struct experiment *experiment, struct pack *result) {
  const struct point point = {
    .machine = experiment->machine, .call = experiment->call, .observers = experiment->observers};
  struct outcome outcome;
  int status = make(&point, &outcome, result);
  outcome_fini(&outcome);
  return status;
}

/* Return the end named by the first word of HOW. */
static enum call_end end_of(const char *how) {
  enum call_end end = CALL_FAULT;
  while (end < CALL_UNPREDICTED && strncmp(how, call_end_name(end), strlen(call_end_name(end))) != 0) {
    end++;
  }
  return end < CALL_UNPREDICTED ? end : CALL_CRASH;
}

static void pack_stopped_call(const struct experiment *experiment, const char *how, struct pack *result) {
  const struct outcome stopped = {
    .ghz = machine_platform(experiment->machine)->clock.spu, .end = end_of(how), .nodes = 1};
  pack_outcome(result, &stopped, "", how);
  pack_add_count(result, 0); /* hazards */
}

static const struct experiment_kind call_kind = {
  .name = CALL_KIND, .pack = pack_call, .stopped = pack_stopped_call};

/* Return the call of POINT as an experiment. */
static struct experiment experiment_of(const struct point *point) {
  return (struct experiment){
    .kind = &call_kind, .machine = point->machine, .call = point->call, .observers = point->observers};
}

void call_key(const struct point *point, struct pack *key) {
  const struct experiment experiment = experiment_of(point);
  ledger_key(&experiment, key);
}

bool ledger_call(struct ledger *ledger, struct point *point, struct call_result *result) {
  struct experiment experiment = experiment_of(point);
  struct result made;
  experiment.entry = &point->entry;
  bool known = ledger_ask(ledger, &experiment, &made);
  if (known) {
    *result = call_unpack(&made);
    ledger->nstopped += result->end == CALL_FAULT || result->end == CALL_DEADLOCK; /* of a crash it knows */
    ledger->nwrong += result->end == CALL_WRONG && !*result->refused;
  }
  return known;
}

/* --- many calls --- */

void points_add(struct points *points, const struct point *point) {
  VEC_ADD(points->items, points->n) = *point;
}

void points_add_grid(struct points *points, const struct point *point, const struct units_list *ranks,
                     const struct units_list *bytes) {
  struct point own = *point;
  VEC_EACH(asked, ranks->values, ranks->n) {
    own.call.nranks = placement_ranks(*asked, machine_platform(own.machine));
    VEC_EACH(size, bytes->values, bytes->n) {
      own.call.nbytes = *size;
      points_add(points, &own);
    }
  }
}

/* Many calls to ask a ledger for. */
struct asked {
  struct ledger *ledger;
  struct points *points;
};

static void ask_all(void *context) {
  const struct asked *asked = context;
  struct call_result result;
  VEC_EACH(point, asked->points->items, asked->points->n) {
    ledger_call(asked->ledger, point, &result);
  }
}

int ledger_calls(struct ledger *ledger, struct points *points, struct err *err) {
  struct asked asked = {ledger, points};
  return ledger_settle(ledger, ask_all, &asked, err);
}
