/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/call_timeline.h"

#include "algos/catalogue.h"
#include "draw/timeline/timeline.h"
#include "draw/view/view.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "traces/path/path.h"
#include "traces/pictures/record_pictures.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/verify/call_run.h"

#include <stdlib.h>
#include <string.h>

/* --- words --- */

/* Write name and title of TIMELINE, of CALL on PLATFORM; the title begins with the name. */
static void write_title(struct timeline *timeline, const struct platform *platform, const struct call *call) {
  const char *name = catalogue_name(&call->algorithm);
  enum collective collective = call->algorithm.algo->collective;
  bool has_data = collective_has_data(collective);
  unsigned all = timeline->nlanes ? timeline->lanes[timeline->nlanes - 1].chip + 1 : 0,
           nodes = timeline->names.first_host;
  const char *ranks = timeline->names.processes ? text_brief("%u\u00a0processes", call->nranks)
                      : timeline->spans_nodes
                        ? text_brief("%u\u00a0SPEs of %u\u00a0nodes", call->nranks, nodes ? nodes : all)
                        : text_brief("%u\u00a0SPEs", call->nranks);
  timeline->name = xstrdup(name);
  timeline->title = xasprintf(
    "%s%s%s%s on %s: %s\u00a0cycles (%.1f\u00a0\u00b5s)", name, has_data ? ", " : "",
    has_data ? timeline_bytes(call->nbytes) : "", collective_has_blocks(collective) ? " blocks" : "", ranks,
    timeline_number(timeline->cycles), (double)timeline->cycles / platform->clock.spu / 1000);
}

/* Return how CALL on PLATFORM was made, and whether the result is RIGHT.
 * owner: the caller. */
static char *describe_conditions(const struct platform *platform, const struct call *call, bool right) {
  bool has_result = strcmp(call->algorithm.algo->kind ? call->algorithm.algo->kind : "", "goal") != 0;
  enum collective collective = call->algorithm.algo->collective;
  char *text = NULL;
  xappend(&text, "%s, %s%s%s",
          !right       ? "the result is wrong"
          : has_result ? "verified"
                       : "no result to verify",
          platform->name, *platform->overrides ? " with " : "", platform->overrides);
  xappend(&text, collective_has_root(collective) ? ", root %u" : "", call->root);
  xappend(&text, collective_combines(collective) ? ", %s of %s" : "", combine_op_name(call->op),
          combine_type_name(call->type));
  xappend(&text, ", profile %s", call->profile->name);
  call_fields_append_words(&text, call);
  xappend(&text, call->repeat > 1 ? ", the last of %u calls" : "", call->repeat);
  return text;
}

/* --- the call --- */

/* Return the lanes, MOST of SPEs, of what RECORDS have kept of CALL on PLATFORM, and whether the
 * result is RIGHT. */
static struct timeline *draw(const struct path_records *records, const struct platform *platform,
                             const struct call *call, unsigned most, bool right) {
  struct path path;
  path_find(&path, records);
  struct timeline *timeline = record_timeline(records, &path);
  SCOPED char *way = path_timeline_say(records, &path);
  if (timeline->nlanes > most) {
    timeline_fold(timeline);
  }
  SCOPED char *conditions = describe_conditions(platform, call, right);
  write_title(timeline, platform, call);
  timeline->subtitle = xasprintf("%s%s%s%s", conditions, *way ? "; the path waits " : "", way,
                                 !timeline->folded       ? ""
                                 : timeline->spans_nodes ? "; one lane shows the mean of the SPEs of a node"
                                                         : "; one lane shows the mean of the SPEs of a chip");
  path_fini(&path);
  return timeline;
}

/* Make CALL on MACHINE; the list of observers ends with the observer of RECORDS.
 * returns: whether the call has ended, and RECORDS has everything.
 * owner: the caller of RECORDS and OUTCOME, with call_records_fini and outcome_fini. */
static bool record(struct machine *machine, const struct call *call, struct call_records *records,
                   struct outcome *outcome, struct err *err) {
  call_records_init(records);
  if (call_run(machine, call, outcome, err) != 0 || outcome->interrupted) {
    return false;
  }
  if (outcome->end >= CALL_FAULT) {
    err_set(err, "a call that does not end cannot be drawn: %s", outcome->detail);
  } else if (records->share.full) {
    err_set(err, "the call is too long to be drawn: its records take more than %llu MiB",
            (unsigned long long)(RECORD_BYTES_MAX >> 20));
  }
  return !*err->text;
}

struct timeline *call_timeline(struct machine *machine, const struct call *wanted, unsigned most,
                               struct err *err) {
  struct call_records records;
  struct outcome outcome;
  struct call call = *wanted;
  struct timeline *timeline = NULL;
  call.observers = &records.observer;
  if (!record(machine, &call, &records, &outcome, err)) {
    /* there is nothing to be drawn */
  } else if (outcome.nodes > CALL_TIMELINE_NODES) {
    err_set(err, "a call on %u nodes cannot be drawn, expected at most %d", (unsigned)outcome.nodes,
            CALL_TIMELINE_NODES);
  } else {
    timeline = draw(&records.all, machine_platform(machine), &call, most, outcome.end == CALL_OK);
  }
  outcome_fini(&outcome);
  call_records_fini(&records);
  return timeline;
}

/* --- views --- */

/* A view_watch in the list of observers. */
struct watcher {
  struct observer observer;
  struct view_watch watch;
};

struct view_call *call_view(struct machine *machine, const struct call *wanted, enum call_end *end,
                            struct err *err) {
  struct call_records records;
  struct watcher watcher = {.observer = {.probe = &watcher.watch.probe, .next = &records.observer}};
  struct outcome outcome;
  struct call call = *wanted;
  struct view_call *view = NULL;
  *end = CALL_OK;
  if (call.algorithm.algo->spans_nodes) {
    err_set(err, "%s runs on several nodes, expected an algorithm of one blade",
            catalogue_name(&call.algorithm));
    return NULL;
  }
  view_watch_init(&watcher.watch);
  call.observers = &watcher.observer;
  if (record(machine, &call, &records, &outcome, err)) {
    struct path path;
    path_find(&path, &records.all);
    view = record_view(records.all.nodes[0], &watcher.watch, &path);
    path_fini(&path);
    struct timeline words = {.cycles = view->cycles};
    write_title(&words, machine_platform(machine), &call);
    free(words.name);
    view->title = words.title;
    view->note = describe_conditions(machine_platform(machine), &call, outcome.end == CALL_OK);
  }
  *end = outcome.end;
  outcome_fini(&outcome);
  call_records_fini(&records);
  view_watch_fini(&watcher.watch);
  return view;
}
