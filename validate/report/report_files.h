/* SPDX-License-Identifier: BSD-3-Clause
 * Files beside a page, which it links: large pictures. They appear with the page or not at all. */
#pragma once

#include "sim/base/outfile.h"

#include <stddef.h>

struct err;

/* Files that are being written. Starts as zero but for the path of the page, beside which they are. */
struct report_files {
  const char *page;
  struct outfile *items;
  size_t n;
};

/* Begin the file NAME, which must not be there yet among FILES.
 * returns: where to write it, until there is another one; NULL after an error.
 * errors: as outfile_open.
 * owner: the caller, with report_files_close or report_files_abandon. */
FILE *report_files_add(struct report_files *files, const char *name, struct err *err);

/* End all FILES: they are there now under their names.
 * errors: as outfile_close; the first of them. Some files may be there then. */
int report_files_close(struct report_files *files, struct err *err);

/* Give up FILES and leave nothing behind. */
void report_files_abandon(struct report_files *files);
