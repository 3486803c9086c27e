/* SPDX-License-Identifier: BSD-3-Clause
 * The window of an MFC on the bus of rates: when its entries are free, and the turns of jobs for entries.
 * A job is a transfer under way; an entry carries a line of a job. Pure arithmetic: nothing here takes
 * time. */
#pragma once

#include "sim/base/engine/wheel.h"
#include "sim/base/minmax.h"
#include "sim/hw/bus/credits.h"

#include <stdint.h>

struct bus_transfer;
struct rates_mfc;

/* A piece ends before a line with an entry that is free later after the entry of the line before than so many
 * lines take at a place on a ring: a transfer that begins in the meantime has its turn then. */
enum { RATES_GAP_LINES = 4 };

/* Limits of lines to other chips: of an MFC, and of all MFCs of its chip. */
enum { RATES_MFC, RATES_CHIP, RATES_LIMITS };

struct rates_job {
  struct event event;     /* all bytes can be seen */
  struct rates_job *next; /* has its turn after this one */
  struct bus_transfer *transfer;
  struct rates_mfc *mfc;
  struct credits *credits[RATES_LIMITS]; /* each line takes one of each as well; NULL: takes none */
  unsigned piece_max;                    /* lines of a piece */
  unsigned left, underway;               /* lines to issue, and lines issued and not arrived */
  uint64_t visible_at;                   /* cycle at which all lines arrived so far can be seen */
};

struct rates_window {
  struct credits entries;
  uint64_t gap_max;         /* cycles of RATES_GAP_LINES */
  struct rates_job *turn;   /* jobs with lines to issue, in the order of turns */
  struct rates_job *issued; /* the latest job to issue, if lines of the job are left; else NULL */
};

/* Return the cycle from which on JOB can issue a line from WINDOW; UINT64_MAX: that is not known. */
static inline uint64_t rates_job_from(const struct rates_window *window, const struct rates_job *job) {
  uint64_t from = window->entries.from;
  for (unsigned i = 0; i < RATES_LIMITS && job->credits[i]; i++) {
    uint64_t credits = job->credits[i]->from;
    RAISE(from, credits);
  }
  return from;
}

/* Let JOB have its turn at WINDOW after the others. */
static inline void rates_window_add(struct rates_window *window, struct rates_job *job) {
  struct rates_job **place = &window->turn;
  while (*place) {
    place = &(*place)->next;
  }
  *place = job;
  job->next = NULL;
}

/* The next issue at a window. */
struct rates_next {
  struct rates_job **place; /* of the job to issue; NULL: there is no job, or no entry */
  uint64_t from;            /* the cycle from which on that is possible; UINT64_MAX: unknown */
};

/* Return the earlier one of NEXT and the issue of the job at PLACE of WINDOW. */
static inline struct rates_next rates_earlier(const struct rates_window *window, struct rates_next next,
                                              struct rates_job **place) {
  uint64_t from = rates_job_from(window, *place);
  return from < next.from ? (struct rates_next){place, from} : next;
}

/* Return the next issue at WINDOW: of several jobs that are possible first, the job in turn. No job is
 * possible before WINDOW has an entry. */
static inline struct rates_next rates_window_next(struct rates_window *window) {
  struct rates_next next = {NULL, UINT64_MAX};
  uint64_t least = window->entries.from;
  for (struct rates_job **place = &window->turn; *place && next.from > least; place = &(*place)->next) {
    next = rates_earlier(window, next, place);
  }
  return window->issued && next.from > least ? rates_earlier(window, next, &window->issued) : next;
}

/* Take the job at PLACE, of rates_window_next, out of WINDOW. */
static inline struct rates_job *rates_window_leave(struct rates_window *window, struct rates_job **place) {
  struct rates_job *job = *place;
  *place = place == &window->issued ? NULL : job->next;
  return job;
}

/* JOB, taken from WINDOW, has issued a piece. Jobs added before the next issue of WINDOW have their turn
 * before JOB. */
static inline void rates_window_end_turn(struct rates_window *window, struct rates_job *job) {
  if (window->issued) {
    rates_window_add(window, window->issued);
  }
  job->next = NULL;
  window->issued = job->left ? job : NULL;
}

/* Take up to N entries of WINDOW for a piece of JOB issued at cycle *AT. *AT becomes the cycle at which the
 * last of these entries is free.
 * returns: how many. */
static inline unsigned rates_window_take(struct rates_window *window, struct rates_job *job, unsigned n,
                                         uint64_t *at) {
  unsigned taken = 0;
  for (; taken < n; taken++) {
    uint64_t from = rates_job_from(window, job);
    if (from > *at + window->gap_max) {
      break;
    }
    RAISE(*at, from);
    credits_take(&window->entries);
    for (unsigned i = 0; i < RATES_LIMITS && job->credits[i]; i++) {
      credits_take(job->credits[i]);
    }
  }
  return taken;
}
