/* SPDX-License-Identifier: BSD-3-Clause
 * A way of run: the picture of one call, or of two calls of one collective one below the other. */
#include "cli/run/run_ways.h"

#include "cli/exit_codes.h"
#include "cli/output/provenance.h"
#include "cli/output/terminal.h"
#include "cli/run/call_timeline.h"
#include "cli/run/run_points.h"
#include "cli/session.h"
#include "draw/picture.h"
#include "draw/timeline/timeline.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/units.h"
#include "validate/lab/ledger/ledger_call.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int run_timeline_check(struct session *session, size_t nruns) {
  bool aloud = strcmp(session->opts.timeline, "-") == 0;
  int code = run_pair(session, "--timeline draws one run, or two algorithms of one collective", nruns);
  if (code == CLI_DONE && aloud && !session->opts.output && session->opts.format != TABLE_TEXT) {
    return session_refuse(
      session, CLI_USAGE,
      "--timeline - and --format=csv or json both on standard output, expected a file for one");
  }
  return code;
}

/* Return the number of columns of standard output, or of $COLUMNS if there is no terminal. */
static unsigned count_columns(void) {
  const char *text = getenv("COLUMNS");
  uint64_t columns = terminal_columns();
  struct err err = {""};
  return columns < UINT_MAX ? (unsigned)columns
         : text && units_parse_count(text, &columns, &err) == 0 && columns > 0 &&
             columns <= TIMELINE_COLUMNS_MOST
           ? (unsigned)columns
           : TIMELINE_COLUMNS_USUAL;
}

/* A picture of lanes, and where it goes. */
struct drawing {
  const struct session *session;
  struct timeline_picture lanes;
};

static void draw_svg(const void *context, FILE *stream) {
  const struct drawing *drawing = context;
  timeline_svg_write(&drawing->lanes, stream);
}

static void draw_text(const void *context, FILE *stream) {
  const struct drawing *drawing = context;
  const struct session *session = drawing->session;
  bool aloud = strcmp(session->opts.timeline, "-") == 0;
  if (session->opts.provenance && !aloud) {
    const struct provenance from = session_provenance(session);
    provenance_write(&from, "# ", stream);
  }
  timeline_text_write(drawing->lanes.calls, drawing->lanes.ncalls,
                      aloud ? count_columns() : TIMELINE_COLUMNS_USUAL, stream);
  fputs(aloud ? "\n" : "", stream);
}

/* Write DRAWING to where SESSION says. */
static int write_picture(struct session *session, const struct drawing *drawing) {
  const char *path = session->opts.timeline;
  bool aloud = strcmp(path, "-") == 0, is_text = aloud || strcmp(strrchr(path, '.'), ".txt") == 0;
  const struct picture picture = {is_text ? draw_text : draw_svg, drawing, NULL};
  int status = is_text ? picture_write(&picture, aloud ? NULL : path, session->err)
                       : session_picture(session, picture, path);
  return status == 0 ? CLI_DONE : CLI_INPUT;
}

int run_timeline_write(struct session *session, const struct points *points) {
  struct timeline *timeline[TIMELINE_CALLS_MAX] = {NULL};
  struct drawing drawing = {.session = session, .lanes = {.ncalls = points->n, .id = "timeline"}};
  int code = CLI_DONE;
  for (size_t i = 0; i < points->n && code == CLI_DONE; i++) {
    drawing.lanes.calls[i] = timeline[i] =
      call_timeline(points->items[i].machine, &points->items[i].call, LANES_MAX, session->err);
    code = timeline[i] ? CLI_DONE : CLI_INPUT;
  }
  if (code == CLI_DONE) {
    sweep_clear_progress();
    code = write_picture(session, &drawing);
  }
  for (size_t i = 0; i < points->n; i++) {
    timeline_free(timeline[i]);
  }
  return code;
}
