/* SPDX-License-Identifier: BSD-3-Clause
 * See measured.h. */
#include "validate/papers/measured.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* most values in a line */

/* Read the built-in platform MACHINE.
 * owner: the caller, with platform_free. */
static struct platform *read_machine(const char *machine) {
  struct err err = {""};
  struct platform *platform = platform_read(machine, &err);
  assert(platform);
  return platform;
}

bool measured_on(const struct platform *platform, const char *machine) {
  struct platform *other = read_machine(machine);
  bool same = platform->checksum == other->checksum;
  platform_free(other);
  return same;
}

/* The differences between two platforms. */
struct difference {
  size_t n;
  char keys[NAMED][PLATFORM_KEY_SIZE]; /* keys of the first differences */
};

/* Add to DIFFERENCE the values of PLATFORM without a counterpart in OTHER, and unless ONLY_MISSING the values
 * different from the counterpart. */
static void add_differences(struct difference *difference, const struct platform *platform,
                            const struct platform *other, bool only_missing) {
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_entry own, theirs;
    platform_entry(platform, i, &own);
    bool differs = platform_find_entry(other, own.key, &theirs)
                     ? !only_missing && strcmp(theirs.value, own.value) != 0
                     : true;
    if (differs && strcmp(own.key, PLATFORM_COMPARISON) != 0) {
      if (difference->n < NAMED) {
        memcpy(difference->keys[difference->n], own.key, sizeof own.key);
      }
      difference->n++;
    }
  }
}

/* Return the differences between PLATFORM and the built-in platform MACHINE. */
static struct difference difference_from(const struct platform *platform, const char *machine) {
  struct platform *other = read_machine(machine);
  struct difference difference = {.n = 0};
  add_differences(&difference, platform, other, false);
  add_differences(&difference, other, platform, true);
  platform_free(other);
  return difference;
}

/* Write the keys of DIFFERENCE into TEXT, behind the number of all differences if DIFFERENCE has more. */
static void list_values(const struct difference *difference, char *text, size_t size) {
  size_t named = difference->n < NAMED ? difference->n : NAMED, used = 0;
  if (difference->n > NAMED) {
    used = (size_t)snprintf(text, size, "%zu values: ", difference->n);
  }
  for (size_t i = 0; i < named; i++) {
    bool is_last = i + 1 == named && difference->n == named;
    used += (size_t)snprintf(text + used, size - used, "%s%s",
                             i == 0    ? ""
                             : is_last ? " and "
                                       : ", ",
                             difference->keys[i]);
  }
  if (difference->n > NAMED) {
    snprintf(text + used, size - used, " and others");
  }
}

char *measured_elsewhere(const char *nothing, const struct platform *platform, const char *const machines[],
                         size_t n) {
  struct difference least = {.n = SIZE_MAX};
  const char *nearest = NULL;
  char values[NAMED * PLATFORM_KEY_SIZE + 64] = "";
  for (size_t i = 0; i < n; i++) {
    struct difference difference = difference_from(platform, machines[i]);
    if (difference.n < least.n) {
      least = difference;
      nearest = machines[i];
    }
  }
  list_values(&least, values, sizeof values);
  bool changed = *platform->overrides;
  return xasprintf("%s on %s%s%s%s; it differs from %s in %s", nothing, platform->name, changed ? "[" : "",
                   platform->overrides, changed ? "]" : "", nearest, values);
}
