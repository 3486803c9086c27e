/* SPDX-License-Identifier: BSD-3-Clause
 * Names of several algorithms: see catalogue_match in catalogue.h. */
#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <fnmatch.h>
#include <string.h>

/* Return the name nearest to PATTERN without *, ? and a last colon: a collective, or one of the full NAMES,
 * also compared without its collective, which several may share; NULL: no name is near.
 * owner: the caller. */
static char *nearest_name(const char *pattern, const char *const names[]) {
  size_t length = 0, n = COLL_COUNT + catalogue_size;
  SCOPED const char **known = xcalloc(n + catalogue_size, sizeof *known);
  SCOPED char *bare = xstrdup(pattern);
  for (const char *c = pattern; *c; c++) {
    bare[length] = *c;
    length += *c != '*' && *c != '?';
  }
  length -= length > 0 && bare[length - 1] == ':';
  bare[length] = '\0';
  for (size_t i = 0; i < COLL_COUNT; i++) {
    known[i] = collective_name((enum collective)i);
  }
  for (size_t i = 0; i < catalogue_size; i++) {
    known[COLL_COUNT + i] = names[i];
    known[n + i] = strchr(names[i], ':') + 1;
  }
  const char *nearest = collective_meant(bare);
  nearest = nearest ? nearest : suggest_nearest(bare, known, n + catalogue_size);
  char *all = NULL;
  for (size_t i = 0; i < catalogue_size && nearest; i++) {
    if (strcmp(nearest, known[n + i]) == 0) {
      xappend(&all, "%s%s", all ? "' or '" : "", names[i]);
    }
  }
  return all || !nearest ? all : xstrdup(nearest);
}

bool catalogue_is_pattern(const char *name) {
  return !strchr(name, ':') || strpbrk(name, "*?");
}

size_t catalogue_match(const char *pattern, const struct algo *found[], struct err *err) {
  SCOPED const char **names = xcalloc(catalogue_size, sizeof *names);
  size_t n = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    const char *collective = collective_name(catalogue[i]->collective);
    struct algorithm algorithm = catalogue_call(catalogue[i]);
    names[i] = text_keep(catalogue_name(&algorithm));
    SCOPED char *in_memory = xasprintf("%s-mm", collective);
    if (fnmatch(pattern, names[i], FNM_NOESCAPE) == 0 || fnmatch(pattern, collective, FNM_NOESCAPE) == 0 ||
        (catalogue[i]->in_memory && strcmp(pattern, in_memory) == 0)) {
      found[n++] = catalogue[i];
    }
  }
  if (n == 0) {
    SCOPED char *nearest = nearest_name(pattern, names);
    const char *what = strpbrk(pattern, "*?") ? "no algorithm fits" : "unknown collective or algorithm";
    SCOPED char *collective = xasprintf("%.*s", (int)strcspn(pattern, ":"), pattern);
    const char *meant = collective_meant(collective);
    if (nearest) {
      err_set(err, "%s '%.60s'; did you mean '%s'?", what, pattern, nearest);
    }
    err_set(err, "%s '%.60s', expected one of 'list algorithms%s%s'", what, pattern, meant ? " " : "",
            meant ? meant : "");
  }
  return n;
}
