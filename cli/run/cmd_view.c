/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll view: a page that plays one call, or two algorithms side by side. */
#include "cli/commands.h"
#include "cli/run/call_timeline.h"
#include "cli/run/run_points.h"
#include "draw/view/view.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "traces/path/path.h"
#include "traces/pictures/record_pictures.h"
#include "validate/lab/ledger/ledger_call.h"

#include <stdlib.h>
#include <string.h>

/* Tell whether SESSION asks for a page, not for a picture. */
static bool wants_page(const struct session *session) {
  return strcmp(strrchr(session->opts.output, '.'), ".html") == 0;
}

/* Check the options of SESSION before a machine is built.
 * returns: an exit code. */
static int check(struct session *session) {
  const struct platform *platform = session->machines.platforms[0];
  if (!session->opts.output) {
    return session_refuse(session, CLI_USAGE, "no -o, expected -o FILE.html, or -o FILE.svg for a picture");
  }
  if (platform->has_nodes) {
    return session_refuse(session, CLI_INPUT, "%s has several nodes, expected one blade such as qs20",
                          platform->name);
  }
  if (session->calls.n == VIEW_CALLS_MAX && !wants_page(session)) {
    return session_refuse(session, CLI_USAGE,
                          "a picture shows one call, expected one algorithm, or -o FILE.html for two");
  }
  return CLI_DONE;
}

/* Make the calls of POINTS.
 * returns: an exit code; up to CLI_FAILED, a wrong result, the calls are in VIEW. */
static int make(struct session *session, const struct points *points, struct view *view) {
  int code = CLI_DONE;
  for (; view->ncalls < points->n; view->ncalls++) {
    enum call_end end;
    struct point *point = &points->items[view->ncalls];
    struct view_call *call = call_view(point->machine, &point->call, &end, session->err);
    if (!call) {
      return end >= CALL_FAULT ? CLI_FAULT : CLI_INPUT;
    }
    code = end == CALL_OK ? code : CLI_FAILED;
    view->calls[view->ncalls] = call;
  }
  return code;
}

static void free_calls(struct view *view) {
  while (view->ncalls > 0) {
    view_call_free(view->calls[--view->ncalls]);
  }
}

/* The largest page, in bytes, unless an option says otherwise. */
enum { PAGE_BYTES = 2000000 };

/* Write VIEW, with machine and calls, as a page into memory; bus requests are joined (view_join)
 * if the page is too large otherwise.
 * returns: the page; NULL: the page has more than MOST bytes even so. SIZE: the bytes of the page.
 * owner: the caller. */
static char *make_page(struct view *view, size_t most, size_t *size) {
  view->kinds = path_kinds;
  view->causes = record_view_causes();
  view->meanings = record_view_meanings();
  for (int joined = 0; joined < 2; joined++) {
    char *page;
    for (size_t i = 0; i < view->ncalls && joined; i++) {
      view_join(view->calls[i]);
    }
    FILE *stream = open_memstream(&page, size);
    view_write_page(view, stream);
    fclose(stream);
    if (*size <= most) {
      return page;
    }
    free(page);
  }
  return NULL;
}

/* Say that the page of POINTS, of SIZE bytes, is larger than MOST, and find the largest half, quarter and so
 * on of the bytes of a call to fit.
 * returns: an exit code. */
static int refuse_size(struct session *session, const struct points *points, struct view *view, size_t size,
                       size_t most) {
  size_t nbytes = points->items[0].call.nbytes / 2;
  const char *advice = "fewer ranks (-n)";
  for (; nbytes > 0 && !sweep_interrupted(); nbytes /= 2) {
    VEC_EACH(point, points->items, points->n) {
      point->call.nbytes = nbytes;
    }
    free_calls(view);
    int code = make(session, points, view);
    if (code > CLI_FAILED) {
      return code;
    }
    size_t smaller;
    SCOPED char *page = make_page(view, most, &smaller);
    if (page) {
      advice = text_brief("-s %zu", nbytes);
      break;
    }
  }
  return session_refuse(session, CLI_INPUT,
                        "the page of this call would have %zu bytes, expected at most %zu; --page-size "
                        "%zu000000 or %s would fit",
                        size, most, size / 1000000 + 1, advice);
}

/* Write VIEW into the file of SESSION.
 * returns: an exit code. */
static int write(struct session *session, const struct points *points, struct view *view) {
  struct outfile file;
  bool is_page = wants_page(session);
  size_t size, most = session->opts.page_size ? session->opts.page_size : PAGE_BYTES;
  SCOPED char *page = is_page ? make_page(view, most, &size) : NULL;
  if (is_page && !page) {
    return refuse_size(session, points, view, size, most);
  }
  int status = outfile_open(&file, session->opts.output, session->err);
  if (status == 0) {
    if (is_page) {
      fputs(page, file.stream);
    } else {
      view_write_still(view, file.stream);
    }
    status = outfile_close(&file, session->err);
  }
  return status == 0 ? CLI_DONE : CLI_INPUT;
}

/* Return PLATFORM for drawings of the first NCHIPS chips, with the links between these chips.
 * owner: the caller releases the links. */
static struct platform first_chips(const struct platform *platform, unsigned nchips) {
  struct platform first = *platform;
  first.blade.chips = nchips;
  first.nspes = nchips * first.spes_per_chip;
  first.links = xcalloc(platform->nlinks + 1, sizeof *first.links);
  first.nlinks = 0;
  VEC_EACH(link, platform->links, platform->nlinks) {
    const unsigned *pair = *link;
    if (pair[0] < nchips && pair[1] < nchips) {
      memcpy(first.links[first.nlinks++], pair, sizeof *first.links);
    }
  }
  return first;
}

int cmd_view(struct session *session) {
  struct view view = {.platform = session->machines.platforms[0]};
  struct points points = {0};
  int code = check(session);
  code = code == CLI_DONE ? run_points_list(session, &points) : code;
  if (code == CLI_DONE && points.n < session->calls.n) {
    code = session_refuse(session, CLI_INPUT, "nothing that was asked for can be served%s", sweep_reason());
  } else if (code == CLI_DONE) {
    code = run_pair(session, "shows one call, or two algorithms of one collective", points.n);
  }
  code = code == CLI_DONE ? make(session, &points, &view) : code;
  struct platform shown = first_chips(view.platform, view_count_chips(&view));
  view.platform = &shown;
  int written = code <= CLI_FAILED ? write(session, &points, &view) : code;
  if (written == CLI_DONE && code == CLI_FAILED) {
    written = session_refuse(session, CLI_FAILED, "the result is wrong");
  }
  free(shown.links);
  free_calls(&view);
  free(points.items);
  return written;
}
