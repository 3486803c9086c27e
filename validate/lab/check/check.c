/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/check/check.h"

#include "algos/schedule/sched/sched.h"
#include "algos/step/collective.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/jobs/worker_end.h"
#include "sim/base/seconds.h"
#include "sim/base/xalloc.h"
#include "validate/lab/verify/call_run.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The algorithms of the points without an end, in memory shared with the workers. */
enum { ENDLESS_ROOM = 500 };
static struct {
  atomic_size_t n; /* may be more than there is room for */
  const struct algo *_Atomic algos[ENDLESS_ROOM];
} * endless;

static void add_endless(const struct algo *algo) {
  size_t n = atomic_fetch_add(&endless->n, 1);
  if (n < ENDLESS_ROOM) {
    atomic_store(&endless->algos[n], algo);
  }
}

/* Return TEXT on one line, its lines separated by semicolons, fit for csv.
 * owner: the caller. */
static char *one_line(const char *text) {
  size_t n = strlen(text);
  char *line = xcalloc(2 * n + 1, 1), *end = line;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '\n') {
      end = i + 1 == n ? end : stpcpy(end, i > 0 && text[i - 1] == ':' ? " " : "; ");
    } else {
      *end++ = text[i] == ',' ? ';' : text[i] == '"' ? '\'' : text[i];
    }
  }
  return line;
}

/* Return the verdict on a run with OUTCOME in which there were HAZARDS, and in which FORBIDDEN (NULL:
 * nothing) was done. */
static struct check_result judge(const struct outcome *outcome, const char *forbidden,
                                 const struct hazard_list *hazards) {
  if (outcome->interrupted) {
    return (struct check_result){.verdict = CHECK_NOT_FINISHED};
  }
  if (outcome->end == CALL_OK && !forbidden && hazards->count == 0) {
    return (struct check_result){.verdict = CHECK_PASS};
  }
  SCOPED char *whole = xstrdup(outcome->detail ? outcome->detail : "");
  if (forbidden) {
    xappend(&whole, "%sforbidden: %s", *whole ? "\n" : "", forbidden);
  }
  if (hazards->count) {
    xappend(&whole, "%shazard: %s", *whole ? "\n" : "", hazards->lines[0]);
  }
  if (hazards->count > 1) {
    xappend(&whole, " (%llu hazards in all)", (unsigned long long)hazards->count);
  }
  struct check_result result = {.verdict = CHECK_FAIL, .detail = one_line(whole)};
  result.failure = outcome->failure ? outcome->failure : forbidden ? FAILURE_FORBIDDEN : FAILURE_HAZARD;
  return result;
}

void check_open(struct check *check, struct machine *machine) {
  check->machine = machine;
  check->seconds = 0;
  check->at_once = false;
  monitor_init(&check->monitor, machine_blade(machine, 0));
  call_hazards_init(&check->hazards);
  if (!endless) {
    endless = mmap(NULL, sizeof *endless, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(endless != MAP_FAILED);
  }
  memset(endless, 0, sizeof *endless);
}

void check_close(struct check *check) {
  call_hazards_fini(&check->hazards);
  monitor_fini(&check->monitor);
}

struct check_result check_run(struct check *check, const struct call *call) {
  struct call_hazards *hazards = &check->hazards;
  struct call watched = *call;
  struct outcome outcome = {0};
  struct err refused = {""};
  struct check_result result;
  watched.monitor = &check->monitor;
  watched.observers = &hazards->observer;
  int status = call_run(check->machine, &watched, &outcome, &refused);
  SCOPED char *forbidden = monitor_take(&check->monitor);
  if (status == 0) {
    result = judge(&outcome, forbidden, &hazards->hazards);
  } else if (status == RIG_MISTAKE) {
    result = (struct check_result){CHECK_FAIL, FAILURE_MISTAKE, one_line(refused.text), 0, 0};
  } else {
    result = (struct check_result){.verdict = CHECK_NOT_APPLICABLE, .detail = xstrdup(refused.text)};
  }
  if (result.verdict == CHECK_PASS && call->algorithm.algo->sched) {
    struct coll_group group = rig_group(machine_platform(check->machine), call);
    const char *note = sched_note(&group); /* of the proof */
    result.detail = note ? one_line(note) : NULL;
    rig_group_fini(&group);
  }
  result.moved = check->monitor.moved;
  result.needed = check->monitor.needed;
  check->monitor.moved = check->monitor.needed = 0;
  hazard_list_clear(&hazards->hazards);
  outcome_fini(&outcome);
  return result;
}

/* --- in another process --- */

void check_pack(const struct check_result *found, struct pack *pack) {
  const char *name =
    check_failure_name(found->verdict == CHECK_FAIL ? found->failure : FAILURE_COUNT + found->verdict);
  result_add(pack, &(struct result_row){name, 0, found->needed, (double)found->moved, "bytes", NULL});
  result_end(pack, found->detail ? found->detail : "");
}

struct check_result check_unpack(struct result *result) {
  unsigned number = FAILURE_NONE + 1;
  struct result_row row;
  result_take(&result->rows, &row);
  while (strcmp(row.parameter, check_failure_name(number)) != 0) {
    number++;
  }
  struct check_result found = {.verdict = CHECK_FAIL, .failure = number};
  if (number >= FAILURE_COUNT) {
    found = (struct check_result){.verdict = number - FAILURE_COUNT};
  }
  found.moved = (uint64_t)row.value;
  found.needed = row.bytes;
  found.detail = xstrdup(result->why);
  return found;
}

/* Pack FOUND, of which nothing is left, into RESULT.
 * returns: as `pack` of a kind of experiments. */
static int pack_found(struct check_result *found, struct pack *result) {
  check_pack(found, result);
  int status = found->verdict == CHECK_NOT_FINISHED ? -1 : 0;
  check_result_fini(found);
  return status;
}

/* The beginning of the reason of points not tried. */
static const char NOT_TRIED[] = "not tried: ";

/* Run CALL; if brief, first a hundredth of the calls, and the others unless these have a defect or would take
 * long.
 * returns: CHECK_NOT_TRIED: the calls would take long. */
static struct check_result run_if_brief(struct check *check, const struct call *call) {
  enum { PART = 100 };
  const double longest = 2; /* seconds */
  struct call part = *call;
  part.repeat = call->if_brief ? call->repeat / PART : call->repeat;
  double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  struct check_result found = check_run(check, &part);
  if (!call->if_brief || found.verdict != CHECK_PASS) {
    return found;
  }
  check_result_fini(&found);
  bool takes_long = PART * (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start) > longest;
  return takes_long ? (struct check_result){.verdict = CHECK_NOT_TRIED} : check_run(check, call);
}

bool check_is_large(const struct call *call) {
  enum { RANKS = 64, BYTES = 16 << 20 };
  uint64_t blocks = collective_has_blocks(call->algorithm.algo->collective) ? call->nranks : 1;
  return call->nranks > RANKS || call->nranks * blocks * call->nbytes * call->repeat > BYTES;
}

bool check_is_endless(const struct check_result *result) {
  return result->detail && (strstr(result->detail, DES_POLLS) || worker_end_took_too_long(result->detail));
}

/* Check the point EXPERIMENT, see check_ask. */
static int make(const struct experiment *experiment, struct pack *result) {
  const struct call *call = &experiment->call;
  const struct algo *algo = call->algorithm.algo;
  struct check *check = *(struct check *const *)experiment->context;
  if (check->at_once) {
    struct check_result found = check_run(check, call);
    return pack_found(&found, result);
  }
  unsigned nendless = 0; /* points of the algorithm */
  for (size_t i = 0; i < ENDLESS_ROOM; i++) {
    nendless += atomic_load(&endless->algos[i]) == algo;
  }
  unsigned usual = check_is_large(call) ? CHECK_LONGEST : nendless ? CHECK_AGAIN : CHECK_USUAL;
  bool is_endless = nendless >= CHECK_ENDLESS_MAX;
  worker_end_limit(check->seconds ? check->seconds : usual, NULL, 0);
  struct check_result found =
    is_endless ? (struct check_result){.verdict = CHECK_NOT_TRIED} : run_if_brief(check, call);
  if (found.verdict == CHECK_NOT_TRIED) {
    SCOPED char *why =
      xasprintf("%s%s", NOT_TRIED,
                is_endless ? "earlier points of the algorithm have not ended" : "the calls would take long");
    rig_note_stop(why); /* no store keeps the result */
    return 0;
  }
  if (check_is_endless(&found)) {
    add_endless(algo);
  }
  return pack_found(&found, result);
}

static void fail(const struct experiment *experiment, const char *how, struct pack *result) {
  enum failure failure = worker_end_is_faulty(how)       ? FAILURE_FAULT
                         : worker_end_took_too_long(how) ? FAILURE_TIMEOUT
                                                         : FAILURE_CRASH;
  bool tried = strncmp(how, NOT_TRIED, strlen(NOT_TRIED)) != 0;
  struct check_result found = {tried ? CHECK_FAIL : CHECK_NOT_TRIED, failure, one_line(how), 0, 0};
  if (check_is_endless(&found)) {
    add_endless(experiment->call.algorithm.algo);
  }
  pack_found(&found, result);
}

bool check_ask(struct ledger *ledger, struct check *const *check, const struct call *call,
               struct check_result *found) {
  static const struct experiment_kind kind = {.name = "check", .pack = make, .stopped = fail};
  struct experiment experiment = {
    .kind = &kind, .machine = (*check)->machine, .call = *call, .context = check};
  struct result result;
  bool known = ledger_ask(ledger, &experiment, &result);
  if (known) {
    *found = check_unpack(&result);
  }
  return known;
}

/* A point that is run apart. */
struct apart {
  struct ledger ledger;
  struct check *check;
  const struct call *call;
  struct check_result result;
};

static void ask_apart(void *context) {
  struct apart *apart = context;
  check_ask(&apart->ledger, &apart->check, apart->call, &apart->result);
}

struct check_result check_run_apart(struct check *check, const struct call *call, unsigned seconds) {
  struct apart apart = {
    .ledger = {.njobs = 1, .apart = true, .seconds = seconds}, .check = check, .call = call};
  check->at_once = true;
  ledger_settle(&apart.ledger, ask_apart, &apart, NULL);
  check->at_once = false;
  ledger_fini(&apart.ledger);
  return apart.result;
}

const char *check_failure_name(unsigned failure) {
  static const char *const names[FAILURE_COUNT + CHECK_VERDICTS] = {
    [FAILURE_NONE] = "",
    [FAILURE_TIMEOUT] = "timeout",
    [FAILURE_CRASH] = "crash",
    [FAILURE_FAULT] = "fault",
    [FAILURE_DEADLOCK] = "deadlock",
    [FAILURE_LEFT] = "left too early",
    [FAILURE_DATA] = "wrong data",
    [FAILURE_MOVED] = "too little moved",
    [FAILURE_FORBIDDEN] = "forbidden access",
    [FAILURE_HAZARD] = "hazard",
    [FAILURE_MISTAKE] = "wrong text",
    [FAILURE_COUNT + CHECK_NOT_FINISHED] = "not finished",
    [FAILURE_COUNT + CHECK_NOT_APPLICABLE] = "not applicable",
    [FAILURE_COUNT + CHECK_PASS] = "pass",
    [FAILURE_COUNT + CHECK_FAIL] = "fail",
    [FAILURE_COUNT + CHECK_NOT_TRIED] = "not tried",
  };
  return names[failure];
}

void check_result_fini(struct check_result *result) {
  free(result->detail);
  *result = (struct check_result){0};
}
