/* SPDX-License-Identifier: BSD-3-Clause
 * Calls on one blade as a page that plays the calls, and as a picture of one moment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The contents of a view: tables of whole numbers, one row for each event of a call. The first
 * column is a cycle since the begin of the call; "end" is a number of cycles later. -1: nobody, main
 * memory. Calls with names of steps have a column for the number of the name; -1: none. */
enum view_table {
  VIEW_GRANTS,     /* cycle, chip, ring, unit from, unit to */
  VIEW_CROSSINGS,  /* cycle, chip from, chip to */
  VIEW_DELIVERIES, /* cycle, receiving SPE, SPE of the command, command, bytes */
  VIEW_MEMORY,     /* cycle at which the service begins, chip, 1: a write */
  VIEW_ATOMICS,    /* cycle, SPE, end, 1: a load, SPE that kept the line */
  VIEW_COMMANDS,   /* cycle, SPE, command, end, bytes, enum view_way, SPE at the other end, step */
  VIEW_PROGRAMS,   /* cycle, SPE (of a PPE: -1 - chip), end, enum view_state */
  VIEW_PATH,  /* cycle, end, SPE (PPE as above), kind, number of command, cause, other SPE, bytes, step */
  VIEW_STAYS, /* cycle, SPE, end, step: in calls of an application */
  VIEW_TABLES
};

enum view_way { VIEW_GETS, VIEW_PUTS, VIEW_NOTIFIES };

/* States of a program, which is done from its exit to the end of the call; an application computes between
 * calls. */
enum view_state { VIEW_WORKS, VIEW_WAITS, VIEW_DMA, VIEW_ATOMIC, VIEW_DONE, VIEW_COMPUTES, VIEW_STATES };

struct view_rows {
  int64_t *cells; /* row by row */
  size_t n, room; /* rows */
};

struct view_call {
  char *title; /* the call */
  char *note;  /* conditions and result */
  uint64_t cycles;
  struct view_rows rows[VIEW_TABLES];
  const char **steps; /* names, which outlive the call */
  size_t nsteps;
  bool joined; /* see view_join */
};

enum { VIEW_CALLS_MAX = 2, VIEW_COLUMNS_MAX = 9 };

/* One call, or several on the same machine. */
struct view {
  const struct platform *platform; /* one blade */
  struct view_call *calls[VIEW_CALLS_MAX];
  size_t ncalls;
  const char *const *kinds, *const *causes; /* words for both columns of VIEW_PATH; NULL behind the last */
  const char *const *meanings;              /* of the causes */
};

/* Return the number of chips up to the last chip with a rank or a transfer in the calls of VIEW. */
unsigned view_count_chips(const struct view *view);

/* Return the number of columns of TABLE of CALL. */
unsigned view_columns(const struct view_call *call, enum view_table table);

/* Add ROW, of as many numbers as TABLE has columns, to CALL. */
void view_add(struct view_call *call, enum view_table table, const int64_t *row);

/* Join rows of grants, crossings and services of the memory with the same columns but the cycle, if rows
 * follow one another within 64 cycles to one row each; also deliveries of one command, within 256 cycles,
 * with the sum of the bytes. There are two columns more: the number of rows, and the cycles from the first to
 * the last row. */
void view_join(struct view_call *call);

/* Release CALL; NULL is allowed. */
void view_call_free(struct view_call *call);

/* Write VIEW as one page of HTML, or the first call at one moment as a file of SVG, on STREAM, and leave
 * errors to the owner of STREAM. */
void view_write_page(const struct view *view, FILE *stream);
void view_write_still(const struct view *view, FILE *stream);
