/* SPDX-License-Identifier: BSD-3-Clause
 * See samples.h. */
#include "tests/samples.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

char *sample_path(const char *below) {
  const char *srcdir = getenv("CELLCOLL_SRCDIR");
  return xasprintf("%s/tests/%s", srcdir ? srcdir : ".", below);
}

static const char below_top[] = "/platforms/invalid";

char *samples_of_defects(void) {
  char top[] = "/tmp/cellcoll-samples-XXXXXX";
  if (!mkdtemp(top)) {
    return NULL;
  }
  char *script = sample_path("platforms/broken.sh"), *folder = xasprintf("%s%s", top, below_top);
  char *command = xasprintf("mkdir -p %s && sh '%s' %s", folder, script, folder);
  if (system(command) != 0) {
    samples_remove(folder);
    folder = NULL;
  }
  free(command);
  free(script);
  return folder;
}

void samples_remove(char *folder) {
  char *command = xasprintf("rm -rf %.*s", (int)(strlen(folder) - strlen(below_top)), folder);
  (void)!system(command);
  free(command);
  free(folder);
}
