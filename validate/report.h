/* SPDX-License-Identifier: BSD-3-Clause
 * The whole comparison as one HTML page that needs nothing but itself. */
#pragma once

#include <stddef.h>

struct blade;
struct comparison;
struct err;
struct plogp;
struct published_row;

/* What a page shows. The same contents make the same page, byte for byte. */
struct report {
  const char *program; /* name and version */
  /* Words of the command line that choose the machine, each with a blank before it. */
  const char *options; /* may be "" */
  const char *machine; /* for commands whose argument is the name of the machine */
  const struct blade *blade;
  const struct comparison *all;        /* points on that blade, under all models */
  const struct comparison *comparison; /* those under the published one */
  struct plogp *plogp;                 /* of that blade; measures what it does not know yet */
  const struct published_row *published;
  size_t npublished;
  const char *unpublished; /* why published rows are missing; NULL: none are */
};

/* Write REPORT as the page PATH.
 * errors: as gnuplot_svg; PATH cannot be written. Nothing is left behind then. */
int report_write(const struct report *report, const char *path, struct err *err);
