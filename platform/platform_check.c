/* SPDX-License-Identifier: BSD-3-Clause
 * Consistency of a platform's values: see platform_check in platform.h.
 *
 * Each value is already within the bounds of platform.def. A check that fails complains at the value to be
 * changed. */
#include "platform/platform.h"
#include "platform/platform_slot.h"
#include "platform/topology.h"
#include "sim/base/err.h"
#include "sim/base/suggest.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS = 32, LINE_BYTES = 128, NOT_AN_SPE = -1, BAD_SPE = -2 };

/* The units of a chip as separate names. */
struct units {
  char *text;
  const char *names[MOST_UNITS];
  unsigned n; /* may exceed MOST_UNITS; later names are not kept */
};

static void units_split(struct units *units, const char *list) {
  char *rest = NULL;
  units->n = 0;
  units->text = xstrdup(list);
  for (char *name = strtok_r(units->text, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
    if (units->n < MOST_UNITS) {
      units->names[units->n] = name;
    }
    units->n++;
  }
}

static bool units_have(const struct units *units, const char *name, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(units->names[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* The number of the SPE called NAME, NOT_AN_SPE for any other unit, BAD_SPE for SPE without a proper
 * number. */
static int spe_number(const char *name) {
  if (strncmp(name, "SPE", 3) != 0) {
    return NOT_AN_SPE;
  }
  const char *digits = name + 3;
  size_t length = strlen(digits);
  bool zero_ahead = digits[0] == '0' && length > 1;
  if (length == 0 || length > 4 || strspn(digits, "0123456789") != length || zero_ahead) {
    return BAD_SPE;
  }
  return atoi(digits);
}

/* Check the SPEs: at least one, numbered from 0 without gaps; the names are unique already. */
static int check_spes(const struct platform *platform, const struct units *units, struct err *err) {
  int nspes = 0;
  for (unsigned i = 0; i < units->n; i++) {
    int number = spe_number(units->names[i]);
    if (number == BAD_SPE) {
      return platform_err_set(platform, "chip.units", err,
                              "unit '%.60s' in chip.units, expected SPE0, SPE1 and so on", units->names[i]);
    }
    nspes += number != NOT_AN_SPE;
  }
  if (nspes == 0) {
    return platform_err_set(platform, "chip.units", err, "no SPE in chip.units, expected at least SPE0");
  }
  for (int number = 0; number < nspes; number++) {
    char name[16];
    snprintf(name, sizeof name, "SPE%d", number);
    if (!units_have(units, name, units->n)) {
      return platform_err_set(platform, "chip.units", err,
                              "no %s among the %d SPEs in chip.units, expected SPE0 to SPE%d, each once",
                              name, nspes, nspes - 1);
    }
  }
  return 0;
}

static int check_units(const struct platform *platform, const struct units *units, struct err *err) {
  if (units->n < 2 || units->n > MOST_UNITS) {
    return platform_err_set(platform, "chip.units", err,
                            "number of units in chip.units is %u, expected 2 to %d", units->n, MOST_UNITS);
  }
  for (unsigned i = 0; i < units->n; i++) {
    if (!platform_is_name(units->names[i])) {
      return platform_err_set(platform, "chip.units", err,
                              "unit '%.60s' in chip.units, expected at most 40 letters, digits, - and _",
                              units->names[i]);
    }
    if (units_have(units, units->names[i], i)) {
      return platform_err_set(platform, "chip.units", err,
                              "unit %s in chip.units given again, expected each unit once", units->names[i]);
    }
  }
  return check_spes(platform, units, err);
}

/* Check the list of usable SPEs: "all", or each SPE named once. */
static int check_usable(const struct platform *platform, const struct units *units, struct err *err) {
  struct units usable;
  int status = 0;
  if (strcmp(platform->chip.usable_spes, "all") == 0) {
    return 0;
  }
  units_split(&usable, platform->chip.usable_spes);
  for (unsigned i = 0; i < usable.n && status == 0; i++) {
    const char *name = i < MOST_UNITS ? usable.names[i] : usable.names[0];
    if (spe_number(name) < 0 || !units_have(units, name, units->n)) {
      status = platform_err_set(platform, "chip.usable-spes", err,
                                "'%.60s' in chip.usable-spes, expected all or SPEs in chip.units", name);
    } else if (i >= MOST_UNITS || units_have(&usable, name, i)) {
      status = platform_err_set(platform, "chip.usable-spes", err,
                                "%s in chip.usable-spes given again, expected each SPE once", name);
    }
  }
  free(usable.text);
  return status;
}

/* Check that the value of KEY names one of UNITS, and no SPE. */
static int check_place(const struct platform *platform, const struct units *units, const char *key,
                       struct err *err) {
  const char *name = strcmp(key, "chip.bif") == 0 ? platform->chip.bif : platform->chip.memory;
  if (!units_have(units, name, units->n)) {
    const char *nearest = suggest_nearest(name, units->names, units->n);
    return platform_err_set(platform, key, err, "%s is '%.60s', expected %s", key, name,
                            nearest ? nearest : "one of the units in chip.units");
  }
  if (spe_number(name) != NOT_AN_SPE) {
    return platform_err_set(platform, key, err, "%s is %s, expected a unit that is no SPE", key, name);
  }
  return 0;
}

/* Check that eib.max-hops is half of the number of units: each unit then reaches every other unit by the
 * shorter way, and only by the shorter way. */
static int check_hops(const struct platform *platform, const struct units *units, struct err *err) {
  unsigned hops = platform->eib.max_hops, half = units->n / 2;
  if (hops < half) {
    return platform_err_set(
      platform, "eib.max-hops", err,
      "eib.max-hops is %u, expected %u: with less than half the %u units some cannot be reached", hops, half,
      units->n);
  }
  if (hops > half) {
    return platform_err_set(platform, "eib.max-hops", err,
                            "eib.max-hops is %u, expected %u: half of the %u units is the longest way", hops,
                            half, units->n);
  }
  return 0;
}

static int check_ring(const struct platform *platform, struct err *err) {
  struct units units;
  units_split(&units, platform->chip.units);
  int status = check_units(platform, &units, err);
  if (status == 0) {
    status = check_usable(platform, &units, err);
  }
  if (status == 0) {
    status = check_place(platform, &units, "chip.memory", err);
  }
  if (status == 0 && platform->blade.chips > 1) {
    status = check_place(platform, &units, "chip.bif", err);
  }
  if (status == 0) {
    status = check_hops(platform, &units, err);
  }
  free(units.text);
  return status;
}

static int check_sizes(const struct platform *platform, struct err *err) {
  unsigned request = platform->eib.request_bytes, beat = platform->eib.beat_bytes;
  if ((request & (request - 1)) != 0) {
    return platform_err_set(platform, "eib.request-bytes", err,
                            "eib.request-bytes is %u, expected a power of two up to %d", request, LINE_BYTES);
  }
  if (request % beat != 0) {
    return platform_err_set(platform, "eib.beat-bytes", err,
                            "eib.beat-bytes is %u, expected a divisor of eib.request-bytes, %u", beat,
                            request);
  }
  if (platform->ls.size % LINE_BYTES != 0) {
    return platform_err_set(platform, "ls.size", err, "ls.size is %u, expected a multiple of %d",
                            platform->ls.size, LINE_BYTES);
  }
  if (platform->ls.reserve >= platform->ls.size) {
    return platform_err_set(platform, "ls.reserve", err, "ls.reserve is %u, expected less than ls.size, %u",
                            platform->ls.reserve, platform->ls.size);
  }
  return 0;
}

/* Check that data becomes visible in the target before the issuer sees the completion. */
static int check_instants(const struct platform *platform, struct err *err) {
  if (platform->mfc.retire < platform->mfc.visible) {
    return platform_err_set(platform, "mfc.retire", err,
                            "mfc.retire is %g, expected at least mfc.visible, %g", platform->mfc.retire,
                            platform->mfc.visible);
  }
  if (platform->mfc.complete < platform->mfc.visible) {
    return platform_err_set(platform, "mfc.complete", err,
                            "mfc.complete is %g, expected at least mfc.visible, %g", platform->mfc.complete,
                            platform->mfc.visible);
  }
  return 0;
}

static int check_placement(const struct platform *platform, struct err *err) {
  const char *placement = platform->memory.placement;
  if (strcmp(placement, "first") != 0 && strcmp(placement, "own") != 0) {
    return platform_err_set(platform, "memory.placement", err,
                            "memory.placement is '%.60s', expected first or own", placement);
  }
  return 0;
}

/* Check that the profiles named in PLATFORM exist. */
static int check_profiles(const struct platform *platform, struct err *err) {
  const char **names = xcalloc(platform->nprofiles + 1, sizeof *names);
  for (size_t i = 0; i < platform->nprofiles; i++) {
    names[i] = platform->profiles[i].name;
  }
  names[platform->nprofiles] = "source";
  const struct {
    const char *key, *name, *expected;
    size_t n; /* possible names */
  } named[] = {{"software.profile", platform->software.profile,
                "source or the name of a profile in this platform", platform->nprofiles + 1},
               {PLATFORM_COMPARISON, platform->software.comparison, "the name of a profile in this platform",
                platform->nprofiles}};
  int status = 0;
  for (size_t k = 0; k < sizeof named / sizeof *named && status == 0; k++) {
    size_t i = 0;
    while (i < named[k].n && strcmp(names[i], named[k].name) != 0) {
      i++;
    }
    if (i == named[k].n) {
      const char *nearest = suggest_nearest(named[k].name, names, named[k].n);
      status = platform_err_set(platform, named[k].key, err, "%s is '%.60s', expected %s", named[k].key,
                                named[k].name, nearest ? nearest : named[k].expected);
    }
  }
  free(names);
  return status;
}

int platform_check(const struct platform *platform, struct err *err) {
  if (check_ring(platform, err) || check_sizes(platform, err) || check_instants(platform, err) ||
      check_placement(platform, err) || check_profiles(platform, err) ||
      (platform->has_nodes && platform_check_nodes(platform, err))) {
    return -1;
  }
  unsigned(*links)[2] = NULL;
  size_t nlinks = 0;
  if (topology_links(platform, &links, &nlinks, err)) {
    return -1;
  }
  free(links);
  return 0;
}
