/* SPDX-License-Identifier: BSD-3-Clause
 * The window of an MFC on the bus of rates: when its entries are free, and the turns of jobs for entries.
 * A job is a transfer under way; an entry carries a line of a job. Pure arithmetic: nothing here takes
 * time. */
#pragma once

#include "sim/base/wheel.h"

#include <stdint.h>

struct bus_transfer;
struct rates_mfc;

/* A piece ends before a line with an entry that is free more than these cycles after the entry of the line
 * before: a transfer that begins in the meantime has its turn then. */
enum { RATES_GAP_MAX = 64 };

struct rates_job {
  struct event event;     /* all bytes can be seen */
  struct rates_job *next; /* has its turn after this one */
  struct bus_transfer *transfer;
  struct rates_mfc *mfc;
  unsigned piece_max;      /* lines of a piece */
  unsigned left, underway; /* lines to issue, and lines issued and not arrived */
  uint64_t visible_at;     /* cycle at which all lines arrived so far can be seen */
};

struct rates_window {
  uint64_t *free_at;         /* of entries without a line: when each is free, ascending */
  unsigned first, end, mask; /* places of these entries, modulo a power of two */
  struct rates_job *turn,
    *latest;                /* jobs with lines to issue, in the order of turns; the next field comes last */
  struct rates_job *issued; /* the latest job to issue, if lines of the job are left; else NULL */
};

/* Let JOB have its turn at WINDOW after the others. */
static inline void rates_window_add(struct rates_window *window, struct rates_job *job) {
  job->next = NULL;
  *(window->turn ? &window->latest->next : &window->turn) = job;
  window->latest = job;
}

/* Take the job in turn at WINDOW. */
static inline struct rates_job *rates_window_next(struct rates_window *window) {
  struct rates_job *job = window->turn ? window->turn : window->issued;
  if (window->turn) {
    window->turn = job->next;
  } else {
    window->issued = NULL;
  }
  return job;
}

/* JOB, taken from WINDOW, has issued a piece. Jobs added before the next issue of WINDOW have their turn
 * before JOB. */
static inline void rates_window_end_turn(struct rates_window *window, struct rates_job *job) {
  if (window->issued) {
    rates_window_add(window, window->issued);
  }
  window->issued = job->left ? job : NULL;
}

/* Return the cycle from which on WINDOW can issue; UINT64_MAX: there is no job, or no entry. */
static inline uint64_t rates_window_from(const struct rates_window *window) {
  bool can = (window->turn || window->issued) && window->first != window->end;
  return can ? window->free_at[window->first & window->mask] : UINT64_MAX;
}

/* Take up to N entries of WINDOW for a piece issued at cycle *AT. *AT becomes the cycle at which the last of
 * these entries is free.
 * returns: how many. */
static inline unsigned rates_window_take(struct rates_window *window, unsigned n, uint64_t *at) {
  unsigned taken = 0;
  for (; taken < n && window->first != window->end; taken++, window->first++) {
    uint64_t free_at = window->free_at[window->first & window->mask];
    if (free_at > *at + RATES_GAP_MAX) {
      break;
    }
    *at = free_at > *at ? free_at : *at;
  }
  return taken;
}

/* Give N entries back to WINDOW; they are free at even intervals from cycle FIRST to cycle LAST. */
static inline void rates_window_give(struct rates_window *window, unsigned n, uint64_t first, uint64_t last) {
  for (unsigned i = 0; i < n; i++) {
    uint64_t at = n > 1 ? first + (last - first) * i / (n - 1) : first;
    unsigned place = window->end++;
    for (; place != window->first && window->free_at[(place - 1) & window->mask] > at; place--) {
      window->free_at[place & window->mask] = window->free_at[(place - 1) & window->mask];
    }
    window->free_at[place & window->mask] = at;
  }
}
