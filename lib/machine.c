/* SPDX-License-Identifier: BSD-3-Clause
 * Machines and algorithms of the library, see cellcoll.h. */
#include "algos/catalogue.h"
#include "algos/schedule/file.h"
#include "algos/schedule/sched/sched.h"
#include "config.h"
#include "lib/cellcoll.h"
#include "lib/engine.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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
  SCOPED char **keys = xcalloc(n, sizeof *keys);
  int status = 0;
  for (size_t i = 0; i < n && status == 0; i++) {
    char *equals;
    keys[i] = xstrdup(settings[i]);
    equals = strchr(keys[i], '=');
    if (!equals) {
      status = err_set(err, "setting '%.60s', expected KEY=VALUE", settings[i]);
    } else {
      *equals = '\0';
      pairs[i] = (struct platform_setting){keys[i], equals + 1};
    }
  }
  status = status == 0 ? platform_set_all(platform, pairs, n, err) : status;
  for (size_t i = 0; i < n; i++) {
    free(keys[i]);
  }
  return status;
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
