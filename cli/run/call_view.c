/* SPDX-License-Identifier: BSD-3-Clause
 * See call_view.h. */
#include "cli/run/call_view.h"

#include "algos/catalogue.h"
#include "draw/timeline.h"
#include "draw/view/view.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "traces/path.h"
#include "traces/viewers/record_view.h"
#include "validate/lab/call_watch.h"
#include "validate/lab/outcome.h"
#include "cli/run/call_timeline.h"

#include <stdlib.h>

/* A view_watch in the list of observers. */
struct watcher {
  struct observer observer;
  struct view_watch watch;
};

/* Write title and note of CALL, made as SPEC says; RIGHT: the result is. */
static void describe(struct view_call *call, const struct blade *blade, const struct rig_spec *spec,
                     bool right) {
  struct timeline timeline = {.cycles = call->cycles};
  size_t size;
  call_timeline_title(&timeline, blade, spec);
  call->title = timeline.title;
  free(timeline.name);
  FILE *note = open_memstream(&call->note, &size);
  fputs(right ? "verified, " : "the result is wrong, ", note);
  call_timeline_conditions(note, blade_platform(blade), spec);
  fclose(note);
}

struct view_call *call_view(struct blade *blade, const struct rig_spec *wanted, bool *stopped,
                            struct err *err) {
  struct call_records records;
  struct watcher watcher = {.observer = {.probe = &watcher.watch.probe, .next = &records.observer}};
  struct outcome outcome;
  struct rig_spec spec = *wanted;
  struct view_call *call = NULL;
  *stopped = false;
  if (spec.call.algo->spans_nodes) {
    char name[CATALOGUE_NAME_SIZE];
    catalogue_format(&spec.call, name, sizeof name);
    err_set(err, "%s runs on several nodes, expected an algorithm of one blade", name);
    return NULL;
  }
  view_watch_init(&watcher.watch);
  spec.observers = &watcher.observer;
  if (call_timeline_record(blade, &spec, &records, &outcome, err)) {
    struct path path;
    path_find(&path, &records.all);
    call = record_view(records.all.nodes[0], &watcher.watch, &path);
    describe(call, blade, &spec, outcome.end == CALL_OK);
    path_fini(&path);
  }
  *stopped = outcome.end >= CALL_FAULT;
  outcome_fini(&outcome);
  call_records_fini(&records);
  view_watch_fini(&watcher.watch);
  return call;
}

char *call_view_page(struct view *view) {
  view->kinds = record_view_kinds();
  view->causes = record_view_causes();
  for (int joined = 0; joined < 2; joined++) {
    char *page;
    size_t size;
    for (size_t i = 0; i < view->ncalls && joined; i++) {
      view_join(view->calls[i]);
    }
    FILE *stream = open_memstream(&page, &size);
    view_write_page(view, stream);
    fclose(stream);
    if (size <= CALL_VIEW_BYTES_MAX) {
      return page;
    }
    free(page);
  }
  return NULL;
}
