/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_names.h. */
#include "platform/platform_names.h"

#include "sim/base/suggest.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

void platform_names_add(struct platform_names *names, const char *name) {
  if (names->n < PLATFORM_NAMES_MAX) {
    names->names[names->n++] = name;
  }
}

const char *platform_names_instead(const char *word) {
  return strcmp(word, "put-hold") == 0       ? "mfc-requests"
         : strcmp(word, "bif.put-hold") == 0 ? "bif.mfc-requests"
                                             : NULL;
}

char *platform_names_expected(const char *word, const struct platform_names *names) {
  const char *instead = platform_names_instead(word);
  const char *nearest = instead ? instead : suggest_nearest(word, names->names, names->n);
  if (nearest || names->n == 0) {
    return xstrdup(nearest ? nearest : "none");
  }
  char *list = xstrdup(names->n > 1 ? "one of" : "");
  for (size_t i = 0; i < names->n; i++) {
    char *longer = xasprintf("%s%s%s", list, *list ? " " : "", names->names[i]);
    free(list);
    list = longer;
  }
  return list;
}
