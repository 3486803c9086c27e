/* SPDX-License-Identifier: BSD-3-Clause
 * See lab.h. */
#include "validate/evidence/lab.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fill ENTRY with the parameter KEY of PLATFORM. */
static bool find_entry(const struct platform *platform, const char *key, struct platform_entry *entry) {
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    platform_entry(platform, i, entry);
    if (strcmp(entry->key, key) == 0) {
      return true;
    }
  }
  return false;
}

/* Return the machine of LAB called NAME; the first machine if NAME is NULL or not in LAB. */
static const struct platform *find_machine(const struct lab *lab, const char *name) {
  for (size_t i = 0; name && i < lab->nmachines; i++) {
    if (strcmp(lab->machines[i]->name, name) == 0) {
      return lab->machines[i];
    }
  }
  return lab->machines[0];
}

bool lab_has(const struct lab *lab, const char *name) {
  return strcmp(name, "qs20") == 0 || strcmp(find_machine(lab, name)->name, name) == 0;
}

/* Tell whether SETTING of KEY applies to machine INDEX: SETTING is for all machines, for this machine, or for
 * a machine with the same value. */
static bool is_meant(const struct lab *lab, size_t index, const struct lab_setting *setting,
                     const char *key) {
  const struct platform *machine = lab->machines[index], *own = find_machine(lab, setting->machine);
  struct platform_entry here, there;
  return !setting->machine || machine == own ||
         (find_entry(machine, key, &here) && find_entry(own, key, &there) &&
          strcmp(here.value, there.value) == 0);
}

/* Apply SETTING to PLATFORM, a copy of machine INDEX. */
static int change(const struct lab *lab, size_t index, struct platform *platform,
                  const struct lab_setting *setting, struct err *err) {
  char *keys = xstrdup(setting->keys), *rest = keys;
  int status = 0;
  while (rest && status == 0) {
    char *key = strsep(&rest, " ");
    if (is_meant(lab, index, setting, key)) {
      status = platform_set(platform, key, setting->value, err);
    }
  }
  free(keys);
  return status;
}

static void variation_free(struct variation *variation, size_t nmachines) {
  for (size_t i = 0; variation && i < nmachines; i++) {
    published_close(variation->sets[i]);
    blade_free(variation->blades[i]);
    platform_free(variation->platforms[i]);
  }
  if (variation) {
    free(variation->platforms);
    free(variation->blades);
    free(variation->sets);
    free(variation->values);
    free(variation);
  }
}

/* Build machine INDEX of VARIATION. */
static int build(struct lab *lab, struct variation *variation, size_t index,
                 const struct lab_setting *settings, size_t n, struct err *err) {
  struct platform *platform = variation->platforms[index] = platform_copy(lab->machines[index]);
  for (size_t i = 0; i < n; i++) {
    if (change(lab, index, platform, &settings[i], err) != 0) {
      return -1;
    }
  }
  variation->blades[index] = blade_new(platform, err);
  if (!variation->blades[index]) {
    return -1;
  }
  variation->sets[index] =
    published_open(variation->blades[index], lab->ledger, published_varied(platform->name));
  return 0;
}

int lab_add(struct lab *lab, const struct lab_setting *settings, size_t n, struct err *err) {
  struct variation *variation = xcalloc(1, sizeof *variation);
  size_t used = 0;
  variation->platforms = xcalloc(lab->nmachines, sizeof *variation->platforms);
  variation->blades = xcalloc(lab->nmachines, sizeof *variation->blades);
  variation->sets = xcalloc(lab->nmachines, sizeof *variation->sets);
  variation->values = xcalloc(published_count(), sizeof *variation->values);
  for (size_t i = 0; i < n && used < LAB_TEXT_SIZE; i++) {
    used += (size_t)snprintf(variation->label + used, LAB_TEXT_SIZE - used, "%s%s=%s", i ? " " : "",
                             settings[i].keys, settings[i].value);
  }
  for (size_t i = 0; i < lab->nmachines; i++) {
    if (build(lab, variation, i, settings, n, err) != 0) {
      variation_free(variation, lab->nmachines);
      return -1;
    }
  }
  lab->items = xrealloc(lab->items, lab->n + 1, sizeof *lab->items);
  lab->items[lab->n++] = variation;
  return 0;
}

/* Ask for row INDEX of VARIATION. */
static double ask(const struct lab *lab, const struct variation *variation, size_t index) {
  struct published_row row = {.simulated = NAN};
  for (size_t i = 0; i < lab->nmachines; i++) {
    if (published_has(variation->sets[i], index)) {
      published_ask(variation->sets[i], index, &row);
    }
  }
  return row.simulated;
}

static void ask_all(void *context) {
  struct lab *lab = context;
  for (size_t i = 0; i < lab->n; i++) {
    struct variation *variation = lab->items[i];
    for (size_t j = 0; j < published_count(); j++) {
      variation->values[j] = !lab->wanted || lab->wanted[j] ? ask(lab, variation, j) : NAN;
    }
    if (lab->also) {
      lab->also(lab->context, i, variation);
    }
  }
}

int lab_run(struct lab *lab, struct err *err) {
  return ledger_settle(lab->ledger, &(struct ledger_round){ask_all, lab}, err);
}

void lab_fini(struct lab *lab) {
  for (size_t i = 0; i < lab->n; i++) {
    variation_free(lab->items[i], lab->nmachines);
  }
  free(lab->items);
  lab->items = NULL;
  lab->n = 0;
}

int lab_value(const struct lab *lab, const char *machine, const char *keys, struct lab_number *number,
              struct err *err) {
  struct platform_entry entry;
  char key[PLATFORM_KEY_SIZE];
  char *end = NULL;
  snprintf(key, sizeof key, "%.*s", (int)strcspn(keys, " "), keys);
  const struct platform *platform = find_machine(lab, machine);
  if (!find_entry(platform, key, &entry)) {
    return err_set(err, "platform %s has no parameter %s", platform->name, key);
  }
  *number = (struct lab_number){strtod(entry.value, &end), entry.unit};
  return *entry.value && !*end ? 0 : err_set(err, "%s is '%.60s', expected a number", key, entry.value);
}
