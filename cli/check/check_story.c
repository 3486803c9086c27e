/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/check/check_story.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "cli/opts.h"
#include "cli/sweep.h"
#include "sim/base/err.h"
#include "sim/base/jobs/jobs.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/check/check_shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct check_grid check_asked(const struct algorithm *algorithm, const struct profile *profile,
                              const struct opts *opts) {
  struct check_grid grid = {.algorithm = *algorithm,
                            .profile = profile,
                            .ranks = opts->ranks,
                            .bytes = opts->bytes,
                            .root = opts->given & OPT_ROOT ? (int)opts->root : -1,
                            .seed = opts->seed,
                            .placement = opts->given & OPT_PLACEMENT ? &opts->placement : NULL,
                            .given = {.root_step = opts->root_step, .byte_step = opts->byte_step},
                            .has_root_step = opts->given & OPT_ROOT_STEP,
                            .has_byte_step = opts->given & OPT_BYTE_STEP};
  grid.fixed = opts_call_fields(opts, &grid.given);
  return grid;
}

/* --- the bugs --- */

void check_stories_find(struct check_stories *stories, const struct check_report *report,
                        const struct check *checks, const struct opts *opts) {
  const struct algo *untold = NULL;
  *stories = (struct check_stories){.n = 0};
  VEC_EACH(failed, report->items, report->n) {
    const struct algo *algo = failed->call.algorithm.algo;
    bool fails = failed->result.verdict == CHECK_FAIL;
    struct check_story *story =
      VEC_FIND(stories->items, stories->n, item->first->call.algorithm.algo == algo);
    if (fails && story) {
      story->failures++;
    } else if (fails && stories->n < CHECK_STORIES_MAX) {
      size_t machine = (size_t)(failed->check - checks) / opts_ncombinations(opts);
      stories->items[stories->n++] = (struct check_story){
        .first = failed,
        .platform = opts->platforms.names[machine],
        .call = failed->call,
        .result = {CHECK_FAIL, failed->result.failure, xstrdup(failed->result.detail), 0, 0},
        .failures = 1};
    } else if (fails && algo != untold) {
      stories->untold++;
      untold = algo;
    }
  }
}

void check_stories_fini(struct check_stories *stories) {
  for (size_t i = 0; i < stories->n; i++) {
    check_result_fini(&stories->items[i].result);
  }
  stories->n = 0;
}

/* --- smaller ones --- */

struct shrinking {
  struct check_stories *stories;
  const struct opts *opts;
};

static int work(void *context, size_t index, struct pack *result) {
  const struct shrinking *shrinking = context;
  const struct check_story *story = &shrinking->stories->items[index];
  struct check_grid asked = check_asked(&story->call.algorithm, story->call.profile, shrinking->opts);
  struct check_shrink shrink = {
    .check = story->first->check,
    .asked = &asked,
    .call = story->call,
    .result = {CHECK_FAIL, story->result.failure, xstrdup(story->result.detail), 0, 0}};
  check_shrink(&shrink);
  check_pack(&shrink.result, result);
  pack_add_count(result, shrink.runs);
  pack_add_bytes(result, &shrink.call, sizeof shrink.call);
  check_result_fini(&shrink.result);
  return 0;
}

static int deliver(void *context, size_t index, struct pack *result) {
  struct check_story *story = &((struct shrinking *)context)->stories->items[index];
  check_result_fini(&story->result);
  story->result = check_unpack(result);
  story->runs = (unsigned)pack_take_count(result);
  pack_take_bytes(result, &story->call, sizeof story->call); /* the list of places stays where it was */
  return 0;
}

static void describe(const void *context, size_t index, char *text, size_t size) {
  SCOPED char *what = check_report_describe(((const struct shrinking *)context)->stories->items[index].first);
  snprintf(text, size, "%s", what);
}

void check_stories_shrink(struct check_stories *stories, const struct opts *opts, struct err *err) {
  struct shrinking shrinking = {stories, opts};
  struct jobs jobs = {.count = stories->n,
                      .nworkers = opts->jobs,
                      .apart = true,
                      .context = &shrinking,
                      .work = work,
                      .deliver = deliver,
                      .describe = describe,
                      .interrupted = sweep_interrupted};
  if (stories->n && machine_begin(err) == 0) {
    jobs_run(&jobs, err);
  }
}

/* --- telling --- */

/* Append LEAD and WORD to *TEXT, quoted for the shell if it must be. */
static void append_word(char **text, const char *lead, const char *word) {
  xappend(text, "%s", lead);
  opts_quote(text, word);
}

/* Append the options that choose machine and plugins for STORY. */
static void append_machine(char **text, const struct check_story *story, const struct opts *opts) {
  SCOPED char *overrides = xstrdup(machine_platform(story->first->check->machine)->overrides);
  char *rest = overrides;
  append_word(text, " -p ", story->platform);
  for (char *word; (word = strsep(&rest, ";"));) {
    if (*word) {
      append_word(text, " --set ", word);
    }
  }
  if (opts->profile) {
    append_word(text, " --profile ", opts->profile);
  }
  for (size_t i = 0; i < opts->plugins.n; i++) {
    append_word(text, i == 0 ? " --plugin " : ",", opts->plugins.names[i]);
  }
}

/* Append the option for PLACEMENT of NRANKS ranks. */
static void append_placement(char **text, const struct placement *placement, unsigned nranks) {
  xappend(text, " --placement %s",
          placement->kind == PLACEMENT_PACKED        ? "packed"
          : placement->kind == PLACEMENT_ROUND_ROBIN ? "round-robin"
                                                     : "");
  for (unsigned r = 0; placement->kind == PLACEMENT_LIST && r < nranks; r++) {
    char element[PLACEMENT_ELEMENT_SIZE];
    placement_format_element(placement->list.values[r], element);
    xappend(text, r == 0 ? "%s" : ",%s", element);
  }
}

/* Return the command that repeats the point of STORY.
 * owner: the caller. */
static char *command_of(const struct check_story *story, const struct opts *opts) {
  const struct call *call = &story->call;
  enum collective collective = call->algorithm.algo->collective;
  char *text = xstrdup("cellcoll check");
  append_word(&text, " ", catalogue_name(&call->algorithm));
  append_machine(&text, story, opts);
  xappend(&text, " -n %u", call->nranks);
  xappend(&text, collective_has_data(collective) ? " -s %zu" : "", call->nbytes);
  xappend(&text, collective_has_root(collective) ? " --root %u" : "", call->root);
  xappend(&text, call->root_step ? " --root-step %" PRIu64 : "", call->root_step);
  xappend(&text, call->byte_step ? " --byte-step %zu" : "", call->byte_step);
  if (call->with.algo) {
    append_word(&text, " --with ", catalogue_name(&call->with));
  }
  call_fields_append_options(&text, call);
  append_placement(&text, &call->placement, call->nranks);
  xappend(&text, " --seed %" PRIu64, call->seed);
  return text;
}

/* Note TEXT below TABLE in lines behind two blanks. */
static void note_wrapped(struct table *table, const char *text) {
  SCOPED char *line = xasprintf("  %s", text);
  table_note_filled(table, line, 2);
}

/* Return how many points fail with the algorithm of STORY, and in which way.
 * owner: the caller. */
static char *count_failures(const struct check_story *story, const struct check_report *report) {
  size_t count[FAILURE_COUNT] = {0}, untried = 0;
  VEC_EACH(item, report->items, report->n) {
    bool same = item->call.algorithm.algo == story->first->call.algorithm.algo;
    count[item->result.failure] += same && item->result.verdict == CHECK_FAIL;
    untried += same && item->result.verdict == CHECK_NOT_TRIED;
  }
  char *text =
    xasprintf("%zu point%s of this algorithm fail:", story->failures, text_plural(story->failures));
  const char *separator = "";
  for (unsigned kind = 0; kind < FAILURE_COUNT; kind++) {
    if (count[kind] > 0) {
      xappend(&text, "%s %zu %s", separator, count[kind], check_failure_name(kind));
      separator = ",";
    }
  }
  if (untried > 0) {
    xappend(&text, "; %zu were not tried", untried);
  }
  return text;
}

static void tell_story(const struct check_story *story, const struct check_report *report,
                       const struct opts *opts, struct table *table) {
  struct check_item smallest = {.check = story->first->check, .call = story->call};
  SCOPED char *what = check_report_describe(&smallest), *found = check_report_describe(story->first),
              *counts = count_failures(story, report), *command = command_of(story, opts);
  table_note(table, "FAIL %s", what);
  note_wrapped(table, story->result.detail);
  table_note(table, "  again: %s", command);
  if (story->runs > 1 && strcmp(what, found) != 0) {
    const char *detail = story->first->result.detail;
    bool same = strcmp(detail, story->result.detail) == 0, is_long = strlen(detail) > TABLE_TEXT_COLUMNS;
    SCOPED char *first =
      xasprintf("found at %s%s%.*s%s; the smallest of %u points tried", found, same ? "" : ": ",
                same ? 0 : TABLE_TEXT_COLUMNS, detail, !same && is_long ? " ..." : "", story->runs);
    note_wrapped(table, first);
  }
  note_wrapped(table, counts);
}

void check_stories_tell(const struct check_stories *stories, const struct check_report *report,
                        const struct opts *opts, struct table *table) {
  for (size_t i = 0; i < stories->n; i++) {
    tell_story(&stories->items[i], report, opts, table);
  }
  if (stories->untold > 0) {
    table_note(table, "FAIL %zu more algorithms, see the table", stories->untold);
  }
}
