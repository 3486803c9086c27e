/* SPDX-License-Identifier: BSD-3-Clause
 * See run_what_if.h. Beside what an experiment brings stands what the critical path of the call says: which share of it the
 * parameter is behind. To the first order a factor of 2 saves half of that; where an experiment brings more, or much less, the
 * row says so. */
#include "cli/run/run_what_if.h"

#include "algos/catalogue.h"
#include "cli/exit_codes.h"
#include "cli/session.h"
#include "cli/table.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/call_path.h"
#include "validate/lab/ledger_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum direction { MORE, LESS };

static const struct parameter {
  const char *name;
  enum direction direction;
  const char *keys;
  uint64_t causes; /* of the critical path, a bit for each */
} parameters[] = {
#define WHAT_IF(name, direction, keys, causes) {name, direction, keys, causes},
#include "cli/run/run_what_if.def"
};
static const double factors[] = {1.1, 2};
enum {
  NPARAMETERS = sizeof parameters / sizeof *parameters,
  NFACTORS = sizeof factors / sizeof *factors,
  /* From how many points of a percentage on an experiment contradicts the path. */
  CONTRADICTION = 2,
};

/* A better machine; blade NULL: there is none, because no value of it would differ. */
struct better {
  struct platform *platform;
  struct blade *blade;
};

/* A machine, and the better ones. */
struct machine {
  const struct blade *blade;
  struct better better[NPARAMETERS][NFACTORS];
};

struct what_if {
  struct session *session;
  const struct run_what_if_call *calls;
  size_t n;
  struct machine *machines; /* room for one for each call; calls on one blade share the first of them */
};

/* --- better machines --- */

/* Tell whether KEY is one of KEYS, see run_what_if.def. */
static bool
is_one_of(const char *keys, const char *key)
{
  for (const char *at = keys; *at;) {
    size_t length = strcspn(at, " ");
    if (strncmp(key, at, length) == 0 && (at[length - 1] == '.' || key[length] == '\0')) {
      return true;
    }
    at += length + strspn(at + length, " ");
  }
  return false;
}

/* Tell whether the value of KEY is a whole number. */
static bool
is_whole(const char *key)
{
  for (size_t i = 0; i < platform_nparams; i++) {
    if (strcmp(platform_params[i].key, key) == 0) {
      return platform_params[i].kind == PLATFORM_COUNT;
    }
  }
  return false;
}

/* Tell whether the nodes of PLATFORM, hosts or others, have KEY. */
static bool
has(const struct platform *platform, const char *key)
{
  bool of_hosts = is_one_of("host.", key);
  return platform_has_spes(platform) ? !of_hosts : of_hosts || is_one_of("network. nic.", key);
}

/* Write the value of ENTRY, better by FACTOR, into VALUE.
 * returns: whether it differs. */
static bool
improve(const struct platform_entry *entry, enum direction direction, double factor, char value[32])
{
  double old = strtod(entry->value, NULL), now = direction == MORE ? old * factor : old / factor;
  snprintf(value, 32, "%.9g", is_whole(entry->key) ? round(now) : now);
  return strtod(value, NULL) != old;
}

/* Make the machine BETTER than PLATFORM: PARAMETER by FACTOR.
 * errors: as platform_set_all. */
static int
make_better(struct better *better, const struct platform *platform, const struct parameter *parameter,
            double factor)
{
  size_t n = platform_nentries(platform), nsettings = 0;
  struct err ignored = {""};
  struct platform_entry *entries = xcalloc(n, sizeof *entries);
  char(*values)[32] = xcalloc(n, sizeof *values);
  struct platform_setting *settings = xcalloc(n, sizeof *settings);
  for (size_t i = 0; i < n; i++) {
    platform_entry(platform, i, &entries[i]);
    if (is_one_of(parameter->keys, entries[i].key) && has(platform, entries[i].key) &&
        improve(&entries[i], parameter->direction, factor, values[i])) {
      settings[nsettings++] = (struct platform_setting){entries[i].key, values[i]};
    }
  }
  if (nsettings > 0) {
    better->platform = platform_copy(platform);
    if (platform_set_all(better->platform, settings, nsettings, &ignored) == 0) {
      better->blade = blade_new(better->platform, &ignored);
    }
  }
  free(settings);
  free(values);
  free(entries);
  return better->blade || nsettings == 0 ? 0 : -1;
}

static void
make_machine(struct machine *machine, const struct blade *blade)
{
  machine->blade = blade;
  for (size_t i = 0; i < NPARAMETERS; i++) {
    for (size_t j = 0; j < NFACTORS; j++) {
      if (make_better(&machine->better[i][j], blade_platform(blade), &parameters[i], factors[j]) != 0) {
        char why[128];
        snprintf(why, sizeof why, "%s of %s cannot be %g times as good", parameters[i].name,
                 blade_platform(blade)->name, factors[j]);
        sweep_skip(why);
      }
    }
  }
}

/* Return the machine of BLADE, which is made when it is asked for first. */
static struct machine *
machine_of(const struct what_if *what_if, const struct blade *blade)
{
  struct machine *machine = what_if->machines;
  while (machine->blade && machine->blade != blade) {
    machine++;
  }
  if (!machine->blade) {
    make_machine(machine, blade);
  }
  return machine;
}

/* --- runs --- */

/* Ask for call NUMBER on BETTER.
 * returns: whether it is known and was right; CYCLES are then set. */
static bool
ask_better(const struct what_if *what_if, size_t number, const struct better *better, double *cycles)
{
  struct call_result result;
  struct err ignored = {""};
  struct rig_spec spec = *what_if->calls[number].spec;
  if (!better->blade) {
    return false;
  }
  spec.profile = rig_profile(better->platform, NULL, catalogue_source(&spec.call), &ignored);
  if (!ledger_call(&what_if->session->ledger, better->blade, &spec, 0, &result) || result.end != CALL_OK) {
    return false;
  }
  *cycles = result.cycles;
  return true;
}

static void
ask(void *context)
{
  const struct what_if *what_if = context;
  for (size_t i = 0; i < what_if->n; i++) {
    const struct run_what_if_call *call = &what_if->calls[i];
    const struct machine *machine = machine_of(what_if, call->blade);
    struct call_result result;
    double cycles;
    ledger_call(&what_if->session->ledger, call->blade, call->spec, CALL_PATH, &result);
    for (size_t j = 0; j < NPARAMETERS * NFACTORS; j++) {
      ask_better(what_if, i, &machine->better[j / NFACTORS][j % NFACTORS], &cycles);
    }
  }
}

/* --- the table --- */

/* What came of one parameter. */
struct finding {
  const struct parameter *parameter;
  bool known[NFACTORS];
  double change[NFACTORS], cycles[NFACTORS]; /* percent */
  double share;                              /* of the critical path, percent */
};

/* Those that bring most come first. */
static int
compare(const void *a, const void *b)
{
  const struct finding *x = a, *y = b;
  double difference = x->change[NFACTORS - 1] - y->change[NFACTORS - 1];
  return difference < 0 ? -1 : difference > 0 ? 1 : x->parameter < y->parameter ? -1 : 1;
}

/* Return what the critical path says against a change of PERCENT by FACTOR, where it has a SHARE of what is improved. */
static const char *
contradiction(double share, double factor, double percent)
{
  double expected = share * (1 - 1 / factor), gained = -percent;
  return gained < -CONTRADICTION                                      ? "slower"
         : gained > expected + CONTRADICTION                          ? "more than its share of the path"
         : gained < expected / 2 && gained < expected - CONTRADICTION ? "less than its share of the path"
                                                                      : "";
}

static void
add_finding(struct table *table, const struct run_what_if_call *call, const struct finding *finding)
{
  char name[128];
  catalogue_format(&call->spec->call, name, sizeof name);
  for (size_t j = 0; j < NFACTORS; j++) {
    if (finding->known[j]) {
      table_add_text(table, name);
      table_add_platform(table, blade_platform(call->blade));
      table_add_count(table, call->spec->nranks);
      table_add_count(table, call->spec->nbytes);
      table_add_text(table, finding->parameter->name);
      table_add_real(table, factors[j], 1);
      table_add_mean(table, finding->cycles[j]);
      table_add_real(table, finding->change[j], 2);
      table_add_real(table, finding->share, 1);
      table_add_text(table, contradiction(finding->share, factors[j], finding->change[j]));
    }
  }
}

/* Add what is known of call NUMBER, which took RESULT. */
static void
add_call(const struct what_if *what_if, size_t number, const struct call_result *result)
{
  const struct run_what_if_call *call = &what_if->calls[number];
  const struct machine *machine = machine_of(what_if, call->blade);
  struct finding findings[NPARAMETERS];
  struct pack pack = result->path;
  struct call_path found = call_unpack_path(&pack);
  double length = (double)(found.path.end - found.path.begin);
  for (size_t i = 0; i < NPARAMETERS; i++) {
    uint64_t behind = 0;
    findings[i] = (struct finding){.parameter = &parameters[i]};
    for (unsigned cause = 0; cause < PATH_CAUSES; cause++) {
      behind += parameters[i].causes >> cause & 1 ? found.path.totals[cause] : 0;
    }
    findings[i].share = length > 0 ? 100 * (double)behind / length : NAN;
    for (size_t j = 0; j < NFACTORS; j++) {
      double *cycles = &findings[i].cycles[j];
      findings[i].known[j] = ask_better(what_if, number, &machine->better[i][j], cycles);
      findings[i].change[j] = findings[i].known[j] ? 100 * (*cycles / result->cycles - 1) : 0;
    }
  }
  qsort(findings, NPARAMETERS, sizeof *findings, compare);
  for (size_t i = 0; i < NPARAMETERS; i++) {
    add_finding(what_if->session->table, call, &findings[i]);
  }
  call_path_fini(&found);
}

/* Make the table of all that is known.
 * returns: an exit code. */
static int
add_all(const struct what_if *what_if)
{
  struct session *session = what_if->session;
  for (size_t i = 0; i < what_if->n; i++) {
    const struct run_what_if_call *call = &what_if->calls[i];
    struct call_result result;
    if (!ledger_call(&session->ledger, call->blade, call->spec, CALL_PATH, &result)) {
      continue;
    }
    if (*result.refused && what_if->n == 1) {
      return session_refuse(session, CLI_INPUT, "%s", result.refused);
    }
    if (*result.refused || result.end != CALL_OK) {
      sweep_skip(*result.refused ? result.refused : result.wrong);
    } else {
      add_call(what_if, i, &result);
    }
  }
  return CLI_DONE;
}

int
run_what_if_check(struct session *session)
{
  const struct opts *opts = &session->opts;
  const char *other = opts->counters        ? "counters"
                      : opts->critical_path ? "critical-path"
                      : opts->timeline      ? "timeline"
                      : opts->trace         ? "trace"
                      : opts->baseline      ? "baseline"
                      : opts->hazards       ? "hazards"
                                            : NULL;
  return other ? session_refuse(session, CLI_USAGE, "--what-if with --%s, expected one of them", other)
               : CLI_DONE;
}

int
run_what_if(struct session *session, const struct run_what_if_call calls[], size_t n)
{
  struct what_if what_if = {session, calls, n, xcalloc(n, sizeof *what_if.machines)};
  session->table = table_new("algorithm,platform,ranks,bytes,parameter,factor,cycles,change_percent,"
                             "path_percent,note,version,platform_checksum");
  int status = ledger_settle(&session->ledger, &(struct ledger_round){ask, &what_if}, session->err);
  int code = add_all(&what_if);
  code = status != 0        ? sweep_lost(&session->ledger)
         : code == CLI_DONE ? sweep_outcome(&session->ledger)
                            : code;
  for (size_t i = 0; i < n * NPARAMETERS * NFACTORS; i++) {
    struct better *better =
      &what_if.machines[i / (NPARAMETERS * NFACTORS)].better[i / NFACTORS % NPARAMETERS][i % NFACTORS];
    blade_free(better->blade);
    platform_free(better->platform);
  }
  free(what_if.machines);
  return code;
}
