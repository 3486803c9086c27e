/* SPDX-License-Identifier: BSD-3-Clause
 * The whole comparison as one HTML page, which needs nothing but itself, with large pictures in files beside
 * it. */
#pragma once

#include "algos/step/collective.h"

#include <stddef.h>

struct blade;
struct claim_row;
struct comparison;
struct curves;
struct err;
struct timeline;
struct plogp;
struct published_row;
struct report_what_if;
struct tuning;

/* Kinds of parts of which a run's busiest is shown: rings, links, memories, ramps of units. */
enum { REPORT_KINDS = 4, REPORT_WHERE_SIZE = 40 };

/* A part of the machine in a run. */
struct report_busy {
  char where[REPORT_WHERE_SIZE]; /* "": none of this kind was used */
  double percent;                /* of the time */
};

/* How busy the machine was in a run. */
struct report_usage {
  const char *name; /* of the algorithm */
  unsigned ranks;
  size_t bytes;
  double ns;
  struct report_busy busiest[REPORT_KINDS];
};

/* A picture of a call over time, or of two. */
struct report_timeline {
  char *caption;
  struct timeline *calls[2];
  size_t ncalls;
  unsigned ranks;
  size_t bytes;
};

enum { REPORT_LANES_MAX = 16 }; /* of SPEs in a picture of a page */

/* The options that a report was given, as words of the commands that it shows, each with a blank before it:
 * of a command those that its figures depend on. May be "". */
struct report_options {
  char *machine;           /* for calls that are always the same, and benchmarks */
  char *argument;          /* for commands whose argument is the name of the machine */
  char *published;         /* for `published`, which takes several machines unless one is named */
  char *claims;            /* for `claims`: findings have the software costs of their sources */
  char *grid;              /* for `compare`, and for the page itself */
  char *tune[COLL_COUNT];  /* for `tune` of a collective */
  char *curve[COLL_COUNT]; /* for `run` with ranks and sizes of its own, but for the software costs */
  char *profile;           /* these */
  char *compared; /* behind `machine`, for `run` of compared algorithms: the profile of comparisons */
};

/* What a page shows. The same contents make the same page, byte for byte. */
struct report {
  const char *program; /* name and version */
  const struct report_options *options;
  const struct blade *blade;
  const struct comparison
    *all; /* points on that blade, under all models; none: the page has no such section */
  const struct comparison *comparison; /* those under the published one; the same */
  const char *stopped;            /* calls that should be among them but did not do their work; NULL: none */
  const struct curves *curves;    /* on that blade */
  const struct tuning *tuning;    /* decisions on that blade; none: the page has no such section */
  const struct claim_row *claims; /* none: the page has no such section */
  size_t nclaims;
  const struct report_usage *usage;
  size_t nusage;
  const struct report_timeline *timelines;
  size_t ntimelines;
  const struct report_what_if *what_if; /* none: the page has no such section */
  size_t nwhat_if;
  struct plogp *plogp; /* of that blade, after report_measure_parameters */
  const struct published_row *published;
  size_t npublished;
  const char *unpublished; /* why published rows are missing; NULL: none are */
  /* lines of published_nothing and claims_nothing, or NULL */
  const char *unmeasured, *unfound;
};

/* Let the ledger of PLOGP find out all parameters that a page shows.
 * errors: as ledger_settle. */
int report_measure_parameters(struct plogp *plogp, struct err *err);

/* Write REPORT as the page PATH, and pictures of calls as timeline-COLLECTIVE.svg beside it.
 * errors: as gnuplot_batch_draw; one of the files cannot be written. Nothing is left behind then. */
int report_write(const struct report *report, const char *path, struct err *err);
