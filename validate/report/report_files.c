/* SPDX-License-Identifier: BSD-3-Clause
 * See report_files.h. */
#include "validate/report/report_files.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

FILE *report_files_add(struct report_files *files, const char *name, struct err *err) {
  const char *slash = strrchr(files->page, '/');
  char *path = xasprintf("%.*s%s", slash ? (int)(slash + 1 - files->page) : 0, files->page, name);
  files->items = xrealloc(files->items, files->n + 1, sizeof *files->items);
  int status = outfile_open(&files->items[files->n], path, err);
  free(path);
  return status == 0 ? files->items[files->n++].stream : NULL;
}

int report_files_close(struct report_files *files, struct err *err) {
  int status = 0;
  for (size_t i = 0; i < files->n; i++) {
    if (status != 0) {
      outfile_abandon(&files->items[i]);
    } else {
      status = outfile_close(&files->items[i], err);
    }
  }
  free(files->items);
  files->n = 0;
  return status;
}

void report_files_abandon(struct report_files *files) {
  for (size_t i = 0; i < files->n; i++) {
    outfile_abandon(&files->items[i]);
  }
  free(files->items);
  files->n = 0;
}
