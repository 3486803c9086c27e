/* SPDX-License-Identifier: BSD-3-Clause
 * The public library. One engine in a process, entered and left by each function; a call is the experiment of
 * validate/lab, made in this process. */
#include "lib/cellcoll.h"

#include "algos/catalogue.h"
#include "algos/schedule/file.h"
#include "algos/schedule/sched/sched.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/step/collective.h"
#include "config.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network/network_reader.h"
#include "sim/base/pack.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/plugin.h"
#include "validate/model/tune.h"
#include "validate/papers/published.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the engine, and the message of the last refusal --- */

static struct err last;
static bool busy;
static unsigned owner;   /* number of the thread with the engine; 0: none yet */
static locale_t callers; /* locale of the caller of the function under way */

/* Read and write numbers as in the C locale on the calling thread; for functions without use of the engine.
 * returns: the locale before, for uselocale. */
static locale_t engine_plain_locale(void) {
  static locale_t plain;
  if (!plain) {
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  }
  return uselocale(plain);
}

/* Call a function of the user between these two, in the user's locale, while the engine is in use. */
static void engine_caller_begin(void) {
  uselocale(callers);
}

static void engine_caller_end(void) {
  callers = engine_plain_locale();
}

/* Return the number of the calling thread; the number of an ended thread is not used again. */
static unsigned number_of_thread(void) {
  static atomic_uint latest;
  static _Thread_local unsigned number;
  if (!number) {
    number = ++latest;
  }
  return number;
}

/* Keep WHY as the message of this refusal.
 * returns: -1. */
static int engine_refuse(const struct err *why) {
  last = *why;
  return -1;
}

const char *cellcoll_error(void) {
  return last.text;
}

/* Check that no call is under way, and that the calling thread has the engine, if the engine is started.
 * returns: -1, with a message, if not. */
static int engine_check(void) {
  struct err err = {""};
  int status = 0;
  if (busy) {
    status = err_set(&err, "a call is under way, expected no other one before its end");
  } else if (owner && owner != number_of_thread()) {
    status = err_set(&err, "called from a second thread, expected the one of the first machine");
  }
  return status == 0 ? 0 : engine_refuse(&err);
}

/* Begin to use the engine; the engine belongs to the first calling thread. Until engine_leave numbers are
 * read and written as in the C locale, in any locale of the caller.
 * returns: -1, with a message, if another thread has the engine, or a call is under way. */
static int engine_enter(void) {
  if (engine_check() != 0) {
    return -1;
  }
  callers = engine_plain_locale();
  if (!owner) {
    network_reader_prepare();
    owner = number_of_thread();
  }
  busy = true;
  return 0;
}

static void engine_leave(void) {
  uselocale(callers);
  busy = false;
}

/* --- machines and algorithms --- */

struct cellcoll_machine {
  struct platform *platform;
  struct machine *built; /* of the platform */
};

const char *cellcoll_version(void) {
  return PACKAGE_VERSION;
}

/* Let PLATFORM have SETTINGS. */
static int set_all(struct platform *platform, const char *const *settings, struct err *err) {
  size_t n = 0;
  while (settings && settings[n]) {
    n++;
  }
  SCOPED struct platform_setting *pairs = xcalloc(n, sizeof *pairs);
  for (size_t i = 0; i < n; i++) {
    const char *equals = strchr(settings[i], '=');
    if (!equals) {
      return err_set(err, "setting '%.60s', expected KEY=VALUE", settings[i]);
    }
    SCOPED char *key = xasprintf("%.*s", (int)(equals - settings[i]), settings[i]);
    pairs[i] = (struct platform_setting){text_keep(key), equals + 1};
  }
  return platform_set_all(platform, pairs, n, err);
}

struct cellcoll_machine *cellcoll_machine_new(const char *platform, const char *const *settings) {
  struct err err = {""};
  if (engine_enter() != 0) {
    return NULL;
  }
  struct cellcoll_machine *machine = xcalloc(1, sizeof *machine);
  if (platform) {
    machine->platform = platform_read(platform, &err);
  } else {
    err_set(&err, "no platform, expected its name or its file");
  }
  if (machine->platform && set_all(machine->platform, settings, &err) == 0) {
    machine->built = machine_new(machine->platform);
  }
  engine_leave();
  if (!machine->built) {
    cellcoll_machine_free(machine);
    engine_refuse(&err);
    return NULL;
  }
  return machine;
}

void cellcoll_machine_free(struct cellcoll_machine *machine) {
  if (machine) {
    machine_free(machine->built);
    platform_free(machine->platform);
    free(machine);
  }
}

const char *cellcoll_machine_value(const struct cellcoll_machine *machine, const char *key) {
  static struct platform_entry entry;
  locale_t before = engine_plain_locale();
  bool found = machine && key && platform_find_entry(machine->platform, key, &entry);
  uselocale(before);
  return found && strcmp(entry.key, key) == 0 ? entry.value : "";
}

const char *cellcoll_machine_key(const struct cellcoll_machine *machine, size_t index) {
  static struct platform_entry entry;
  if (!machine || index >= platform_nentries(machine->platform)) {
    return NULL;
  }
  locale_t before = engine_plain_locale();
  platform_entry(machine->platform, index, &entry);
  uselocale(before);
  return entry.key;
}

unsigned cellcoll_machine_ranks(const struct cellcoll_machine *machine, const char *algorithm) {
  struct algorithm found;
  struct err err = {""};
  if (engine_check() != 0) {
    return 0;
  }
  if (!machine || !algorithm) {
    err_set(&err, machine ? "no algorithm, expected its name" : "no machine, expected one");
  } else {
    const char *path, *name = file_name(algorithm, &path, &err);
    if (name && catalogue_find(name, &found, &err) == 0) {
      return placement_most(&found, machine->platform);
    }
  }
  engine_refuse(&err);
  return 0;
}

const char *cellcoll_algorithm(size_t index) {
  static char name[CATALOGUE_NAME_SIZE];
  if (index >= catalogue_size) {
    return NULL;
  }
  struct algorithm algorithm = catalogue_call(catalogue[index]);
  catalogue_format(&algorithm, name, sizeof name);
  return name;
}

int cellcoll_load_plugin(const char *path) {
  struct err err = {""};
  Dl_info self;
  if (engine_check() != 0) {
    return -1;
  }
  /* Plugins look for functions among the global symbols; the symbols of this library are global only if the
   * library was opened so. */
  if (dladdr((const void *)cellcoll_error(), &self) && self.dli_fname) {
    dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  }
  if (!path) {
    err_set(&err, "no plugin, expected its file");
  }
  return path && plugin_load(path, &err) == 0 ? 0 : engine_refuse(&err);
}

int cellcoll_load_text(const char *name, const char *text) {
  struct err err = {""};
  if (engine_check() != 0) {
    return -1;
  }
  if (!name || !text) {
    err_set(&err, "no %s of a text, expected one", name ? "lines" : "name");
  }
  locale_t caller = engine_plain_locale();
  int status = name && text ? sched_replace(name, text, &err) : -1;
  uselocale(caller);
  return status == 0 ? 0 : engine_refuse(&err);
}

/* --- calls --- */

/* A result with the texts and arrays behind its pointers. */
struct kept {
  struct cellcoll_result result; /* first */
  char algorithm[128];
  struct call_made made;
  struct cellcoll_share shares[PATH_CAUSES];
  struct cellcoll_times *times;
};

/* Check that the fields of ASKED have a meaning for COLLECTIVE. */
static int check_meaning(const struct cellcoll_call *asked, enum collective collective, struct err *err) {
  const struct {
    bool asked, has_meaning;
    const char *word;
  } fields[] = {{asked->bytes, collective_has_data(collective), "bytes mean"},
                {asked->root, collective_has_root(collective), "a root means"},
                {asked->op || asked->type, collective_combines(collective), "operator and type mean"},
                {true, false, NULL}};
  const char *word = VEC_FIND(fields, VEC_LENGTH(fields), item->asked && !item->has_meaning)->word;
  return word ? err_set(err, "%s: %s nothing to a %s", asked->algorithm, word, collective_name(collective))
              : 0;
}

static int read_fields(const struct cellcoll_call *asked, struct call *call, struct err *err) {
  int status = 0;
#define PART(option, member, kind, meaning) \
  status = status ? status \
                  : _Generic(asked->member, const char *: call_field_take_text, default: call_field_take_number)( \
                      &call_fields[FIELD_##member], call, asked->member, err);
#include "validate/lab/call/call.def"
  return status;
}

/* Turn ASKED, a call on MACHINE, into CALL.
 * owner: the caller frees CALL's placement list and fields, also after an error. */
static int read_call(const struct cellcoll_machine *machine, const struct cellcoll_call *asked,
                     struct call *call, struct err *err) {
  if (!asked->algorithm) {
    return err_set(err, "no algorithm, expected its name");
  }
  uint64_t seed = asked->seed ? asked->seed : 1;
  *call =
    (struct call){.root = asked->root, .nbytes = asked->bytes, .repeat = 1, .seed = seed, .skew_seed = seed};
  if (read_fields(asked, call, err) != 0) {
    return -1;
  }
  if (asked->observer && !platform_has_spes(machine->platform)) {
    return err_set(err, "an observer on the hosts of platform %s, which have no SPEs to watch, expected none",
                   machine->platform->name);
  }
  if (asked->profile && !platform_has_spes(machine->platform)) {
    return err_set(
      err, "a profile on the hosts of platform %s, which have no software costs of SPEs, expected none",
      machine->platform->name);
  }
  const char *path, *name = file_name(asked->algorithm, &path, err);
  if (!name || catalogue_find(name, &call->algorithm, err) != 0 ||
      check_meaning(asked, call->algorithm.algo->collective, err) != 0) {
    return -1;
  }
  struct err why = {""};
  if (placement_parse(asked->placement ? asked->placement : "packed", &call->placement, &why) != 0) {
    return err_set(err, "placement: %s", why.text);
  }
  unsigned most = placement_most(&call->algorithm, machine->platform), own = call->algorithm.algo->ranks;
  call->nranks = asked->ranks ? asked->ranks : own ? own : most;
  if (call->nranks > most) {
    return err_set(err, "%s: %u ranks on platform %s, expected 1 to %u", asked->algorithm, call->nranks,
                   machine->platform->name, most);
  }
  call->profile = rig_profile(machine->platform, asked->profile, catalogue_source(&call->algorithm), err);
  if (!call->profile) {
    return -1;
  }
  struct ledger ledger = {.njobs = 1};
  struct point point = {.machine = machine->built, .call = *call};
  int status = tune_map(&ledger, &point, NULL, err); /* rows in place of a word */
  ledger_fini(&ledger);
  call->map = point.call.map;
  return status;
}

/* --- lines of a trace for the observer of a call --- */

struct lines {
  cellcoll_observer *observer;
  void *context;
  FILE *stream;
  struct call_trace trace;
  char *line; /* the part written so far */
  size_t n;
};

/* Take NBYTES of TEXT, and hand on each completed line. */
static ssize_t write_lines(void *cookie, const char *text, size_t nbytes) {
  struct lines *lines = cookie;
  for (size_t i = 0; i < nbytes; i++) {
    bool ends = text[i] == '\n';
    VEC_ADD(lines->line, lines->n) = ends ? '\0' : text[i];
    if (ends) {
      engine_caller_begin();
      lines->observer(lines->context, lines->line);
      engine_caller_end();
      lines->n = 0;
    }
  }
  return (ssize_t)nbytes;
}

/* Make LINES ready for the observer of ASKED; CALL is ASKED on a machine of PLATFORM. */
static void begin_lines(struct lines *lines, const struct cellcoll_call *asked,
                        const struct platform *platform, struct call *call) {
  *lines = (struct lines){.observer = asked->observer, .context = asked->context};
  if (!asked->observer) {
    return;
  }
  lines->stream = fopencookie(lines, "w", (cookie_io_functions_t){.write = write_lines});
  if (!lines->stream) {
    abort(); /* no memory */
  }
  const struct trace_spec trace = {.stream = lines->stream,
                                   .format = TRACE_CSV,
                                   .level = asked->every_request ? TRACE_BUS : TRACE_DMA,
                                   .platform = platform,
                                   .program = PACKAGE_STRING,
                                   .title = asked->algorithm};
  call_trace_init(&lines->trace, &trace, call);
}

/* --- results --- */

/* Note the shares of the critical path in PACK. */
static void take_path(struct kept *kept, struct pack pack) {
  struct call_path found = call_unpack_path(&pack);
  kept->result.shares = kept->shares;
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    const struct path_cause_words *cause = &path_causes[i];
    if (found.path.totals[i]) {
      kept->shares[kept->result.nshares++] = (struct cellcoll_share){
        cause->name, path_groups[cause->group].text, cause->text, found.path.totals[i]};
    }
  }
  call_path_fini(&found);
}

/* Note the times of calls among ROWS. */
static void take_times(struct kept *kept, struct pack rows) {
  struct workload_spent spent;
  const double *of = spent.cycles;
  for (const char *name; call_take_spent(&rows, &name, &spent);) {
    VEC_ADD(kept->times, kept->result.ntimes) = (struct cellcoll_times){name,
                                                                        of[WORKLOAD_FIRST],
                                                                        of[WORKLOAD_LAST],
                                                                        of[WORKLOAD_END],
                                                                        of[WORKLOAD_CYCLES],
                                                                        of[WORKLOAD_WAITING],
                                                                        of[WORKLOAD_COLLECTIVE],
                                                                        of[WORKLOAD_COMPUTING],
                                                                        of[WORKLOAD_MESSAGES]};
  }
  kept->result.times = kept->times;
}

/* Fill in the result of KEPT, whose CALL on PLATFORM has been made. */
static void take_result(struct kept *kept, const struct platform *platform, const struct call *call) {
  const struct call_result *found = &kept->made.result;
  bool combining = collective_combines(call->algorithm.algo->collective);
  catalogue_format(&call->algorithm, kept->algorithm, sizeof kept->algorithm);
  kept->result = (struct cellcoll_result){.algorithm = kept->algorithm,
                                          .collective = collective_name(call->algorithm.algo->collective),
                                          .end = (enum cellcoll_end)found->end,
                                          .outcome = call_end_name(found->end),
                                          .detail = found->wrong,
                                          .ranks = call->nranks,
                                          .bytes = call->nbytes,
                                          .ns = found->cycles / found->ghz,
                                          .profile = call->profile->name,
                                          .map = call->map ? call->map : "",
                                          .op = combining ? combine_op_name(call->op) : "",
                                          .type = combining ? combine_type_name(call->type) : ""};
  snprintf(kept->result.platform_checksum, sizeof kept->result.platform_checksum, "%016" PRIx64,
           platform->checksum);
#define INNER(type, name, value)
#define RESULT(type, name, value) kept->result.name = (__typeof__(kept->result.name))found->name;
#include "validate/lab/call/outcome.def"
  kept->result.entered = kept->made.outcome.entered;
  kept->result.left = kept->made.outcome.left;
}

/* Make CALL, as ASKED.
 * returns: NULL if the call was refused. */
static struct kept *make(struct cellcoll_machine *machine, const struct cellcoll_call *asked,
                         struct call *call, struct err *err) {
  struct kept *kept = xcalloc(1, sizeof *kept);
  struct lines lines;
  begin_lines(&lines, asked, machine->platform, call);
  bool path = asked->wanted & CELLCOLL_PATH, calls = asked->wanted & CELLCOLL_CALLS;
  const struct point point = {machine->built, *call, (path ? CALL_PATH : 0) | (calls ? CALL_CALLS : 0), 0};
  call_make(&point, &kept->made);
  if (lines.stream) {
    call_trace_fini(&lines.trace, NULL); /* the last line */
    fclose(lines.stream);
  }
  free(lines.line);
  const struct call_result *found = &kept->made.result;
  if (*found->refused) {
    err_set(err, "%s", found->refused);
    cellcoll_result_free(&kept->result);
    return NULL;
  }
  take_result(kept, machine->platform, call);
  if (path && !call_stopped(found)) {
    take_path(kept, found->path);
  }
  take_times(kept, found->utilisation);
  return kept;
}

int cellcoll_read_bytes(const char *text, uint64_t *bytes) {
  struct err err = {""};
  int status = !text    ? err_set(&err, "no size, expected a text")
               : !bytes ? err_set(&err, "no place for a size, expected one")
                        : units_parse_bytes(text, bytes, &err);
  return status == 0 ? 0 : engine_refuse(&err);
}

struct cellcoll_result *cellcoll_run(struct cellcoll_machine *machine, const struct cellcoll_call *wanted) {
  struct cellcoll_call asked = {0}; /* as far as the caller knows the structure */
  struct call call = {.nranks = 0};
  struct err err = {""};
  struct kept *kept = NULL;
  if (engine_enter() != 0) {
    return NULL;
  }
  if (!machine || !wanted) {
    err_set(&err, machine ? "no call, expected one" : "no machine, expected one");
  } else if (wanted->size < offsetof(struct cellcoll_call, every_request)) {
    err_set(&err, "a call of %zu bytes, expected 'size' to be that of struct cellcoll_call", wanted->size);
  } else {
    memcpy(&asked, wanted, MIN(wanted->size, sizeof asked));
    bool good = read_call(machine, &asked, &call, &err) == 0;
    if (good && asked.wanted & CELLCOLL_CALLS && !workload_of_algo(call.algorithm.algo)) {
      good = err_set(&err, "the calls of %s, expected those of a program", asked.algorithm) == 0;
    }
    kept = good ? make(machine, &asked, &call, &err) : NULL;
    units_list_fini(&call.placement.list);
    call_fields_fini(&call);
  }
  engine_leave();
  if (!kept) {
    engine_refuse(&err);
    return NULL;
  }
  return &kept->result;
}

void cellcoll_result_free(struct cellcoll_result *result) {
  struct kept *kept = (struct kept *)result;
  if (kept) {
    call_made_fini(&kept->made);
    free(kept->times);
    free(kept);
  }
}

/* --- published measurements, simulated in this process --- */

/* The receiver of the rows. */
struct taker {
  void (*take)(void *context, const struct cellcoll_published *row);
  void *context;
};

static void take_row(void *context, const struct published_row *row) {
  const struct taker *taker = context;
  const struct cellcoll_published told = {.id = row->id,
                                          .quantity = row->quantity,
                                          .unit = row->unit,
                                          .published = row->published,
                                          .simulated = row->stopped ? (double)NAN : row->simulated,
                                          .error_percent = row->stopped ? (double)NAN : row->error,
                                          .role = published_role_name(row->role),
                                          .source = row->source,
                                          .at_most = row->bound != PUBLISHED_EXACTLY};
  engine_caller_begin();
  taker->take(taker->context, &told);
  engine_caller_end();
}

int cellcoll_published(struct cellcoll_machine *machine,
                       void (*take)(void *context, const struct cellcoll_published *row), void *context) {
  struct err err = {""};
  struct taker taker = {take, context};
  struct ledger ledger = {.njobs = 1};
  struct published_walk walk = {.ledger = &ledger, .context = &taker, .take = take_row};
  if (engine_enter() != 0) {
    return -1;
  }
  if (!machine || !take) {
    engine_leave();
    err_set(&err,
            machine ? "nobody takes what was measured, expected a function" : "no machine, expected one");
    return engine_refuse(&err);
  }
  int status = ledger_open(&ledger, &err) == 0 && published_run(machine->built, &walk, &err) == 0 ? 0 : -1;
  ledger_fini(&ledger);
  engine_leave();
  return status == 0 ? 0 : engine_refuse(&err);
}
