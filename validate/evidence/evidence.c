/* SPDX-License-Identifier: BSD-3-Clause
 * The list of experiments, and variations: machines with some values changed. All rows and findings of all
 * variations are asked for together, so that one round of the ledger simulates them. */
#include "validate/evidence/evidence.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct evidence_experiment evidence_experiments[] = {
#define EVIDENCE(id, name, doc) {name, doc, evidence_##id},
#include "validate/evidence/evidence.def"
};
const size_t evidence_nexperiments = VEC_LENGTH(evidence_experiments);

const struct evidence_experiment *evidence_find(const char *name, struct err *err) {
  const char *names[VEC_LENGTH(evidence_experiments)];
  for (size_t i = 0; i < evidence_nexperiments; i++) {
    names[i] = evidence_experiments[i].name;
    bool former =
      strcmp(name, "draws") == 0 && evidence_experiments[i].run == evidence_samples; /* not listed */
    if (former || strcmp(names[i], name) == 0) {
      return &evidence_experiments[i];
    }
  }
  const char *nearest = suggest_nearest(name, names, evidence_nexperiments);
  err_set(err,
          nearest ? "unknown experiment '%s'; did you mean '%s'?"
                  : "unknown experiment '%s', expected one of '%s'",
          name, nearest ? nearest : "evidence --help");
  return NULL;
}

void evidence_say(const struct evidence *evidence, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  evidence->say(evidence->context, line);
}

/* --- variations --- */

/* Return the machine of VARIATIONS called NAME; the first machine if NAME is NULL or not in VARIATIONS. */
static const struct platform *find_machine(const struct variations *variations, const char *name) {
  struct platform *const *machines = variations->evidence->machines;
  struct platform *const *found =
    VEC_FIND(machines, variations->evidence->nmachines, name && strcmp((*item)->name, name) == 0);
  return found ? *found : machines[0];
}

bool variations_has(const struct variations *variations, const char *name) {
  return strcmp(name, "qs20") == 0 || strcmp(find_machine(variations, name)->name, name) == 0;
}

/* Tell whether SETTING of KEY applies to machine INDEX: SETTING is for all machines, for this machine, or for
 * a machine with the same value. */
static bool is_meant(const struct variations *variations, size_t index,
                     const struct variation_setting *setting, const char *key) {
  const struct platform *machine = variations->evidence->machines[index],
                        *own = find_machine(variations, setting->machine);
  struct platform_entry here, there;
  return !setting->machine || machine == own ||
         (platform_find_entry(machine, key, &here) && platform_find_entry(own, key, &there) &&
          strcmp(here.value, there.value) == 0);
}

/* Apply SETTING to PLATFORM, a copy of machine INDEX. */
static int change(const struct variations *variations, size_t index, struct platform *platform,
                  const struct variation_setting *setting, struct err *err) {
  SCOPED char *keys = xstrdup(setting->keys);
  char *rest = keys;
  int status = 0;
  while (rest && status == 0) {
    char *key = strsep(&rest, " ");
    if (is_meant(variations, index, setting, key)) {
      status = platform_set(platform, key, setting->value, err);
    }
  }
  return status;
}

static void variation_free(struct variation *variation, size_t nmachines) {
  VEC_EACH(machine, variation->machines, nmachines) {
    machine_free(*machine);
  }
  free(variation->label);
  free(variation->machines);
  free(variation->asked);
  free(variation->findings);
  free(variation->rows);
  free(variation->profile);
  free(variation);
}

int variations_add(struct variations *variations, const struct variation_setting *settings, size_t n,
                   struct err *err) {
  struct variation *variation = xcalloc(1, sizeof *variation);
  size_t nmachines = variations->evidence->nmachines;
  int status = 0;
  variation->machines = xcalloc(nmachines, sizeof *variation->machines);
  variation->asked = xcalloc(published_count_all(), sizeof *variation->asked);
  variation->findings = xcalloc(findings_count(), sizeof *variation->findings);
  variation->rows = xcalloc(published_count_all(), sizeof *variation->rows);
  for (size_t i = 0; i < n; i++) {
    xappend(&variation->label, "%s%s=%s", i ? " " : "", settings[i].keys, settings[i].value);
  }
  if (variations->n > 0 && n == 1 && strncmp(settings[0].keys, "profile.", 8) == 0) {
    variation->profile = strndup(settings[0].keys + 8, strcspn(settings[0].keys + 8, "."));
  }
  for (size_t i = 0; i < nmachines && status == 0; i++) {
    struct platform *platform = platform_copy(variations->evidence->machines[i]);
    for (size_t j = 0; j < n && status == 0; j++) {
      status = change(variations, i, platform, &settings[j], err);
    }
    if (status != 0) {
      platform_free(platform);
      break;
    }
    variation->machines[i] = machine_owning(platform);
  }
  if (status != 0) {
    variation_free(variation, nmachines);
    return -1;
  }
  VEC_ADD(variations->items, variations->n) = variation;
  return 0;
}

/* Ask for row INDEX of VARIATION, if wanted. Software costs of one paper leave rows of other papers at the
 * value of the first variation. */
static void ask(const struct variations *variations, struct variation *variation, size_t index) {
  struct published_row *row = &variation->rows[index];
  *row = published_rows[index];
  if (variations->wanted && (index >= published_count() || !variations->wanted(row))) {
    return;
  }
  if (variation->profile && strcmp(variation->profile, figure_profile(&row->figure)) != 0) {
    *row = variations->items[0]->rows[index];
    return;
  }
  for (size_t i = 0; i < variations->evidence->nmachines; i++) {
    struct machine *machine = variation->machines[i];
    if (strcmp(published_varied(machine_platform(machine)->name), row->platform) == 0) {
      published_ask(row, &variation->asked[index], variations->evidence->ledger, machine);
    }
  }
}

static void ask_all(void *context) {
  struct variations *variations = context;
  for (size_t i = 0; i < variations->n; i++) {
    struct variation *variation = variations->items[i];
    for (size_t j = 0; j < published_count_all(); j++) {
      ask(variations, variation, j);
    }
    for (size_t j = 0; j < findings_count() && variations->decided; j++) {
      if (i == 0 || variations->decided(i, findings_table[j].name)) {
        findings_ask(variation->machines[0], variations->evidence->ledger, j, &variation->findings[j]);
      }
    }
  }
}

bool variations_no_row(const struct published_row *row) {
  (void)row;
  return false;
}

bool variations_all_findings(size_t index, const char *finding) {
  (void)index;
  (void)finding;
  return true;
}

int variations_run(struct variations *variations, struct err *err) {
  return ledger_settle(variations->evidence->ledger, ask_all, variations, err);
}

/* Tell whether a machine before machine INDEX of VARIATIONS has the value of ENTRY. A setting of the earlier
 * machine changes machine INDEX too. */
static bool is_changed_already(const struct variations *variations, size_t index,
                               const struct platform_entry *entry) {
  struct platform_entry other;
  return VEC_FIND(variations->evidence->machines, index,
                  platform_find_entry(*item, entry->key, &other) && strcmp(other.value, entry->value) == 0);
}

/* Add variations of MACHINE with the least and with the most of ENTRY. */
static int add_ends(struct variations *variations, const struct platform *machine,
                    const struct platform_entry *entry, struct err *err) {
  double ends[] = {entry->least, entry->most};
  int status = 0;
  for (size_t i = 0; i < VEC_LENGTH(ends) && status == 0; i++) {
    const char *text = text_brief("%g", ends[i]);
    struct variation_setting setting = {machine->name, entry->key, text};
    if (strcmp(text, entry->value) != 0) {
      status = variations_add(variations, &setting, 1, err);
    }
  }
  return status;
}

int variations_run_bounds(struct variations *variations, struct err *err) {
  int status = variations_add(variations, NULL, 0, err);
  for (size_t i = 0; i < variations->evidence->nmachines; i++) {
    const struct platform *machine = variations->evidence->machines[i];
    for (size_t j = 0; j < platform_nentries(machine) && status == 0; j++) {
      struct platform_entry entry;
      platform_entry(machine, j, &entry);
      if (!isnan(entry.least) && !is_changed_already(variations, i, &entry)) {
        status = add_ends(variations, machine, &entry, err);
      }
    }
  }
  return status == 0 ? variations_run(variations, err) : -1;
}

double variation_mean_error(const struct variation *variation, bool test) {
  double sum = 0, n = 0;
  VEC_EACH(row, variation->rows, published_count()) {
    if ((row->role == PUBLISHED_TEST) == test && !isnan(row->error)) {
      sum += fabs(row->error);
      n++;
    }
  }
  return sum / n;
}

void variations_fini(struct variations *variations) {
  VEC_EACH(variation, variations->items, variations->n) {
    variation_free(*variation, variations->evidence->nmachines);
  }
  free(variations->items);
  variations->items = NULL;
  variations->n = 0;
}

int variations_value(const struct variations *variations, const char *machine, const char *keys,
                     struct variation_number *number, struct err *err) {
  struct platform_entry entry;
  char *end = NULL;
  const struct platform *platform = find_machine(variations, machine);
  if (!platform_find_entry(platform, keys, &entry)) {
    return err_set(err, "platform %s has no parameter %.*s", platform->name, (int)strcspn(keys, " "), keys);
  }
  *number = (struct variation_number){strtod(entry.value, &end), entry.unit};
  return *entry.value && !*end ? 0 : err_set(err, "%s is '%.60s', expected a number", entry.key, entry.value);
}
