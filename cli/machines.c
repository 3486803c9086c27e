/* SPDX-License-Identifier: BSD-3-Clause
 * The machines of a command line; see session.h. */
#include "cli/session.h"

#include "cli/exit_codes.h"
#include "cli/opts.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Let PLATFORM have the software costs of profile NAME. */
static int choose_profile(struct platform *platform, const char *name, struct err *err) {
  if (strcmp(name, "source") == 0 || platform_profile(platform, name)) {
    platform->software.profile = text_keep(name);
    return 0;
  }
  SCOPED char *all = xstrdup("source");
  for (size_t i = 0; i < platform->nprofiles; i++) {
    xappend(&all, ", %s", platform->profiles[i].name);
  }
  err_set(err, "--profile: %s has no profile '%.60s', expected one of %s", platform->name, name, all);
  return -1;
}

/* Let PLATFORM have BUS, not the exact one. */
static int choose_bus(struct platform *platform, enum platform_bus bus, struct err *err) {
  if (!platform_has_spes(platform)) {
    return err_set(err, "--bus=%s on %s, which has no SPEs and no bus, expected a platform with SPEs",
                   platform_bus_name(bus), platform->name);
  }
  platform_choose_bus(platform, bus);
  return 0;
}

/* Turn PLATFORM into combination INDEX of what OPTS sets.
 * returns: an exit code. */
static int adapt(struct platform *platform, const struct opts *opts, size_t index, struct err *err) {
  SCOPED struct platform_setting *settings = xcalloc(opts->sets.n, sizeof *settings);
  opts_combination(opts, index, settings);
  int status = platform_set_all(platform, settings, opts->sets.n, err);
  status = status == 0 && opts->bus != PLATFORM_BUS_EXACT ? choose_bus(platform, opts->bus, err) : status;
  status = status == 0 && opts->profile ? choose_profile(platform, opts->profile, err) : status;
  return status == 0 ? CLI_DONE : status == PLATFORM_BAD_NETWORK ? CLI_INPUT : CLI_USAGE;
}

/* Add all combinations of the platform called NAME. */
static int load_platform(struct machines *machines, const char *name, const struct opts *opts,
                         struct err *err) {
  struct platform *original = platform_read(name, err);
  int code = original ? CLI_DONE : platform_is_builtin_name(name) ? CLI_USAGE : CLI_INPUT;
  size_t ncombinations = opts_ncombinations(opts);
  for (size_t i = 0; code == CLI_DONE && i < ncombinations; i++) {
    struct platform *platform = platform_copy(original);
    VEC_ADD(machines->platforms, machines->n) = platform;
    code = adapt(platform, opts, i, err);
  }
  platform_free(original);
  return code;
}

/* Tell the ignored parts of the network files of MACHINES, once for each file. */
static void tell_ignored(const struct machines *machines) {
  for (size_t i = 0; i < machines->n; i++) {
    const struct platform *platform = machines->platforms[i], *before = i ? machines->platforms[i - 1] : NULL;
    bool told = before && before->ignored_parts && strcmp(before->network.file, platform->network.file) == 0;
    if (platform->ignored_parts && *platform->ignored_parts && !told) {
      fprintf(stderr, "cellcoll: %s: ignored: %s\n", platform->network.file, platform->ignored_parts);
    }
  }
}

int machines_load(struct machines *machines, const struct opts *opts, struct err *err) {
  int code = CLI_DONE;
  *machines = (struct machines){0};
  for (size_t i = 0; code == CLI_DONE && i < opts->platforms.n; i++) {
    code = load_platform(machines, opts->platforms.names[i], opts, err);
  }
  if (code != CLI_DONE) {
    machines_fini(machines);
  } else if (!opts->quiet) {
    tell_ignored(machines);
  }
  return code;
}

struct machine *machines_get(struct machines *machines, size_t index) {
  machines->built = machines->built ? machines->built : xcalloc(machines->n, sizeof *machines->built);
  struct machine **machine = &machines->built[index];
  return *machine = *machine ? *machine : machine_new(machines->platforms[index]);
}

void machines_fini(struct machines *machines) {
  for (size_t i = 0; i < machines->n; i++) {
    machine_free(machines->built ? machines->built[i] : NULL);
    platform_free(machines->platforms[i]);
  }
  free(machines->built);
  free(machines->platforms);
  *machines = (struct machines){0};
}
