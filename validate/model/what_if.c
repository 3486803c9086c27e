/* SPDX-License-Identifier: BSD-3-Clause
 * See what_if.h. To the first order a factor of 2 saves half of a parameter's share of the critical path; a
 * finding notes a run that saves more, or much less. */
#include "validate/model/what_if.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/node/machine.h"
#include "sim/base/vec.h"
#include "validate/lab/call/call_watch.h"

#include <math.h>
#include <stdint.h>
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
#include "validate/model/what_if.def"
};
const double what_if_factors[WHAT_IF_FACTORS] = {1.1, 2};
enum {
  NPARAMETERS = VEC_LENGTH(parameters),
  NFACTORS = WHAT_IF_FACTORS,
  /* From how many points of a percentage on an experiment contradicts the path. */
  CONTRADICTION = 2,
};

/* A machine, and the better ones. */
struct studied {
  const struct machine *machine;
  /* NULL: no such machine, because no value would differ */
  struct machine *better[NPARAMETERS][NFACTORS];
};

struct what_if {
  struct ledger *ledger;
  struct points *calls;
  void (*skip)(const char *why);
  struct studied *machines; /* all different, with room for one per call */
};

/* --- better machines --- */

/* Tell whether KEY is one of KEYS, see what_if.def. */
static bool is_one_of(const char *keys, const char *key) {
  for (const char *at = keys; *at;) {
    size_t length = strcspn(at, " ");
    if (strncmp(key, at, length) == 0 && (at[length - 1] == '.' || key[length] == '\0')) {
      return true;
    }
    at += length + strspn(at + length, " ");
  }
  return false;
}

/* Tell whether the nodes of PLATFORM, hosts or others, have KEY. */
static bool has(const struct platform *platform, const char *key) {
  bool of_hosts = is_one_of("host.", key);
  return platform_has_spes(platform) ? !of_hosts : of_hosts || is_one_of("network. nic.", key);
}

/* Write the value of ENTRY, improved by FACTOR, into VALUE.
 * returns: whether VALUE differs from the old value. */
static bool improve(const struct platform_entry *entry, enum direction direction, double factor,
                    char value[32]) {
  double old = strtod(entry->value, NULL), now = direction == MORE ? old * factor : old / factor;
  snprintf(value, 32, "%.9g", platform_is_count(entry->key) ? round(now) : now);
  return strtod(value, NULL) != old;
}

int what_if_platform(const struct platform *platform, size_t index, double factor, struct platform **changed,
                     struct err *err) {
  const struct parameter *parameter = &parameters[index];
  size_t n = platform_nentries(platform), nsettings = 0;
  int status = 0;
  SCOPED struct platform_entry *entries = xcalloc(n, sizeof *entries);
  SCOPED char(*values)[32] = xcalloc(n, sizeof *values);
  SCOPED struct platform_setting *settings = xcalloc(n, sizeof *settings);
  for (size_t i = 0; i < n; i++) {
    platform_entry(platform, i, &entries[i]);
    if (is_one_of(parameter->keys, entries[i].key) && has(platform, entries[i].key) &&
        improve(&entries[i], parameter->direction, factor, values[i])) {
      settings[nsettings++] = (struct platform_setting){entries[i].key, values[i]};
    }
  }
  *changed = nsettings > 0 ? platform_copy(platform) : NULL;
  if (*changed && (status = platform_set_all(*changed, settings, nsettings, err)) != 0) {
    platform_free(*changed);
    *changed = NULL;
  }
  return status;
}

static void make_machines(const struct what_if *what_if, struct studied *studied,
                          const struct machine *machine) {
  const struct platform *platform = machine_platform(machine);
  studied->machine = machine;
  for (size_t i = 0; i < NPARAMETERS; i++) {
    for (size_t j = 0; j < NFACTORS; j++) {
      struct platform *better;
      struct err ignored = {""};
      if (what_if_platform(platform, i, what_if_factors[j], &better, &ignored) != 0 && what_if->skip) {
        what_if->skip(text_brief("%s of %s cannot be %g times as good", parameters[i].name, platform->name,
                                 what_if_factors[j]));
      }
      studied->better[i][j] = machine_owning(better);
    }
  }
}

/* Return MACHINE and the better machines, made on first use. */
static struct studied *study(const struct what_if *what_if, const struct machine *machine) {
  struct studied *studied = what_if->machines;
  while (studied->machine && studied->machine != machine) {
    studied++;
  }
  if (!studied->machine) {
    make_machines(what_if, studied, machine);
  }
  return studied;
}

/* --- runs --- */

/* Ask for call NUMBER on BETTER.
 * returns: whether the result is known and correct; CYCLES is then set. */
static bool ask_better(const struct what_if *what_if, size_t number, struct machine *better, double *cycles) {
  struct call_result result;
  struct point point = {.machine = better, .call = what_if->calls->items[number].call};
  if (!better) {
    return false;
  }
  point.call.profile =
    rig_profile(machine_platform(better), NULL, catalogue_source(&point.call.algorithm), NULL);
  if (!ledger_call(what_if->ledger, &point, &result) || result.end != CALL_OK) {
    return false;
  }
  *cycles = result.cycles;
  return true;
}

void what_if_ask(void *context) {
  const struct what_if *what_if = context;
  for (size_t i = 0; i < what_if->calls->n; i++) {
    struct point *call = &what_if->calls->items[i];
    const struct studied *studied = study(what_if, call->machine);
    struct call_result result;
    double cycles;
    ledger_call(what_if->ledger, call, &result);
    for (size_t j = 0; j < NPARAMETERS * NFACTORS; j++) {
      ask_better(what_if, i, studied->better[j / NFACTORS][j % NFACTORS], &cycles);
    }
  }
}

/* --- findings --- */

/* Order findings by decreasing gain, equal gains by place. */
static int compare(const void *a, const void *b) {
  const struct what_if_gain *x = a, *y = b;
  double difference = x->change[NFACTORS - 1] - y->change[NFACTORS - 1];
  return difference < 0 ? -1 : difference > 0 ? 1 : x->place < y->place ? -1 : 1;
}

/* Return the contradiction between the critical path, of which a parameter has the SHARE, and a measured
 * change of PERCENT for FACTOR; empty: no contradiction. */
static const char *contradiction(double share, double factor, double percent) {
  double expected = share * (1 - 1 / factor), gained = -percent;
  const struct {
    bool holds;
    const char *text;
  } cases[] = {
    {gained < -CONTRADICTION, "slower"},
    {gained > expected + CONTRADICTION, "more than its share of the path"},
    {gained < expected / 2 && gained < expected - CONTRADICTION, "less than its share of the path"},
    {true, ""}};
  return VEC_FIND(cases, VEC_LENGTH(cases), item->holds)->text;
}

/* Return the share of parameter INDEX in the critical path FOUND, in percent. */
static double share_of(const struct call_path *found, size_t index) {
  double length = (double)(found->path.end - found->path.begin);
  uint64_t behind = 0;
  for (unsigned cause = 0; cause < PATH_CAUSES; cause++) {
    behind += parameters[index].causes >> cause & 1 ? found->path.totals[cause] : 0;
  }
  return length > 0 ? 100 * (double)behind / length : NAN;
}

size_t what_if_count(void) {
  return NPARAMETERS;
}

const char *what_if_name(size_t index) {
  return parameters[index].name;
}

bool what_if_find(const struct what_if *what_if, size_t number, struct call_result *result,
                  struct what_if_gain *findings) {
  struct point *call = &what_if->calls->items[number];
  if (!ledger_call(what_if->ledger, call, result)) {
    return false;
  }
  if (*result->refused || result->end != CALL_OK) {
    return true;
  }
  const struct studied *studied = study(what_if, call->machine);
  struct pack pack = result->path;
  struct call_path found = call_unpack_path(&pack);
  for (size_t i = 0; i < NPARAMETERS; i++) {
    struct what_if_gain *finding = &findings[i];
    *finding =
      (struct what_if_gain){.name = parameters[i].name, .place = (unsigned)i, .share = share_of(&found, i)};
    for (size_t j = 0; j < NFACTORS; j++) {
      finding->known[j] = ask_better(what_if, number, studied->better[i][j], &finding->cycles[j]);
      finding->change[j] = finding->known[j] ? 100 * (finding->cycles[j] / result->cycles - 1) : 0;
      finding->note[j] = contradiction(finding->share, what_if_factors[j], finding->change[j]);
    }
  }
  qsort(findings, NPARAMETERS, sizeof *findings, compare);
  call_path_fini(&found);
  return true;
}

/* --- the study --- */

struct what_if *what_if_open(struct ledger *ledger, struct points *calls, void (*skip)(const char *why)) {
  struct what_if *what_if = xcalloc(1, sizeof *what_if);
  VEC_EACH(point, calls->items, calls->n) {
    point->observers = CALL_PATH;
  }
  *what_if = (struct what_if){ledger, calls, skip, xcalloc(calls->n, sizeof *what_if->machines)};
  return what_if;
}

void what_if_close(struct what_if *what_if) {
  for (size_t i = 0; i < what_if->calls->n * NPARAMETERS * NFACTORS; i++) {
    machine_free(
      what_if->machines[i / (NPARAMETERS * NFACTORS)].better[i / NFACTORS % NPARAMETERS][i % NFACTORS]);
  }
  free(what_if->machines);
  free(what_if);
}
