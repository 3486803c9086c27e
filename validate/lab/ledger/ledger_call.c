/* SPDX-License-Identifier: BSD-3-Clause
 * See ledger_call.h. Numbers come first in a result, so that every build can read the numbers
 * (STORE_VERSION). */
#include "validate/lab/ledger/ledger_call.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/verify/call_run.h"

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

static void pack_outcome(struct pack *pack, const struct outcome *outcome) {
  pack_add_real(pack, outcome->ghz);
  pack_add_count(pack, outcome->end);
#define add_REAL pack_add_real
#define add_COUNT pack_add_count
#define RESULT(type, name, value) add_##type(pack, outcome->name);
#include "validate/lab/call/outcome.def"
}

struct call_result call_unpack(struct pack *pack) {
  struct call_result result = {.ghz = pack_take_real(pack)};
  result.end = (enum call_end)pack_take_count(pack);
#define take_REAL pack_take_real
#define take_COUNT pack_take_count
#define RESULT(type, name, value) result.name = take_##type(pack);
#include "validate/lab/call/outcome.def"
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

/* The observers of a call besides call_run, as far as wanted. */
struct watch {
  unsigned wanted; /* enum call_observers */
  bool made;       /* the call; a call that was not made has no counters and no path */
#define OBSERVER(name, bit, word, member) struct call_##member member;
#include "validate/lab/ledger/call_observers.def"
};

/* Let OBSERVER watch CALL as well. */
static void add(struct call *call, struct observer *observer) {
  observer->next = call->observers;
  call->observers = observer;
}

static void begin_watch(struct watch *watch, unsigned wanted, struct call *call) {
  *watch = (struct watch){.wanted = wanted};
#define OBSERVER(name, bit, word, member) \
  if (wanted & (bit)) { \
    call_##member##_init(&watch->member); \
    add(call, &watch->member.observer); \
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
  char name[CATALOGUE_NAME_SIZE];
  catalogue_format(&call->algorithm, name, sizeof name);
  if (watch->records.share.full) {
    return err_set(
      err,
      "%s: the critical path of %u ranks with %zu bytes needs records of more than %llu MiB, expected less",
      name, call->nranks, call->nbytes, (unsigned long long)(RECORD_BYTES_MAX >> 20));
  }
  return 0;
}

/* --- the observations, as parts of the result --- */

static void pack_hazards(struct pack *result, struct watch *watch) {
  const struct hazard_list *hazards = &watch->hazards.hazards;
  pack_add_count(result, hazards->count);
  for (unsigned i = 0; i < HAZARD_LINES_MAX && hazards->lines[i]; i++) {
    pack_add_text(result, hazards->lines[i]);
  }
}

static void pack_counters(struct pack *result, struct watch *watch) {
  if (watch->wanted & CALL_UTILISATION && watch->made) {
    call_pack_counters(result, &watch->counters);
  }
}

static void pack_records(struct pack *result, struct watch *watch) {
  if (watch->wanted & CALL_PATH && watch->made) {
    call_pack_path(result, &watch->records.all, watch->wanted & CALL_CHAIN);
  }
}

/* End WATCH and append the observations to RESULT. */
static void end_watch(struct watch *watch, struct pack *result) {
#define OBSERVER(name, bit, word, member) \
  pack_##member(result, watch); \
  if (watch->wanted & (bit)) { \
    call_##member##_fini(&watch->member); \
  }
#include "validate/lab/ledger/call_observers.def"
}

int call_make(const struct point *point, struct call_made *made) {
  struct call call = point->call;
  struct watch watch;
  struct outcome *outcome = &made->outcome;
  struct err refused = {""};
  *made = (struct call_made){.outcome.end = CALL_WRONG};
  begin_watch(&watch, point->observers, &call);
  bool whole = check_observers(point, &refused) == 0 &&
               call_run(point->machine, &call, outcome, &refused) == 0 &&
               check_watch(&watch, &call, &refused) == 0;
  pack_outcome(&made->pack, outcome);
  pack_add_text(&made->pack, refused.text);
  pack_add_text(&made->pack, outcome->detail ? outcome->detail : "");
  watch.made = whole && outcome->end < CALL_FAULT && !outcome->interrupted;
  end_watch(&watch, &made->pack);
  struct pack rest = made->pack;
  made->result = call_unpack(&rest);
  return outcome->interrupted ? -1 : 0;
}

void call_made_fini(struct call_made *made) {
  outcome_fini(&made->outcome);
  pack_fini(&made->pack);
}

static int run_call(const struct experiment *experiment, struct pack *result) {
  const struct point point = {
    .machine = experiment->machine, .call = experiment->call, .observers = experiment->observers};
  struct call_made made;
  int status = call_make(&point, &made);
  pack_add_bytes(result, made.pack.bytes, made.pack.nbytes);
  call_made_fini(&made);
  return status;
}

static void pack_stopped_call(const struct experiment *experiment, const char *how, struct pack *result) {
  const struct outcome crash = {
    .ghz = machine_platform(experiment->machine)->clock.spu, .end = CALL_CRASH, .nodes = 1};
  pack_outcome(result, &crash);
  pack_add_text(result, "");
  pack_add_text(result, how);
  pack_add_count(result, 0);
}

static const struct experiment_kind call_kind = {
  .name = CALL_KIND, .run = run_call, .stopped = pack_stopped_call};

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
  struct pack pack;
  experiment.entry = &point->entry;
  bool known = ledger_ask(ledger, &experiment, &pack);
  if (known) {
    *result = call_unpack(&pack);
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
  for (size_t i = 0; i < ranks->n; i++) {
    own.call.nranks = placement_ranks(ranks->values[i], machine_platform(own.machine));
    for (size_t j = 0; j < bytes->n; j++) {
      own.call.nbytes = bytes->values[j];
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
  for (size_t i = 0; i < asked->points->n; i++) {
    ledger_call(asked->ledger, &asked->points->items[i], &result);
  }
}

int ledger_calls(struct ledger *ledger, struct points *points, struct err *err) {
  struct asked asked = {ledger, points};
  return ledger_settle(ledger, ask_all, &asked, err);
}
