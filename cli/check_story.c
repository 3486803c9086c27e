/* SPDX-License-Identifier: BSD-3-Clause
 * See check_story.h. */
#include "cli/check_story.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "cli/opts.h"
#include "cli/sweep.h"
#include "sim/base/err.h"
#include "sim/base/jobs.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/check_shrink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Processor time for one bug, in seconds; characters in a line. */
enum { LONGEST_STORY = 600, WIDTH = 118 };

/* --- which bugs --- */

static struct check_story *find_story(struct check_stories *stories, const struct algo *algo) {
  for (size_t i = 0; i < stories->n; i++) {
    if (stories->items[i].first->spec.call.algo == algo) {
      return &stories->items[i];
    }
  }
  return NULL;
}

void check_stories_find(struct check_stories *stories, const struct check_report *report,
                        const struct check *machines, const struct opts *opts) {
  const struct algo *untold = NULL;
  *stories = (struct check_stories){.n = 0};
  for (size_t i = 0; i < report->n; i++) {
    const struct check_item *item = &report->items[i];
    const struct algo *algo = item->spec.call.algo;
    struct check_story *story = item->result.verdict == CHECK_FAIL ? find_story(stories, algo) : NULL;
    if (story) {
      story->failures++;
    } else if (item->result.verdict == CHECK_FAIL && stories->n < CHECK_STORIES_MAX) {
      size_t machine = (size_t)(item->machine - machines) / opts_ncombinations(opts);
      stories->items[stories->n++] =
        (struct check_story){.first = item,
                             .platform = opts->platforms.names[machine],
                             .spec = item->spec,
                             .result = {CHECK_FAIL, xstrdup(item->result.detail)},
                             .failures = 1};
    } else if (item->result.verdict == CHECK_FAIL && algo != untold) {
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

static int work(void *context, size_t index, struct pack *result) {
  const struct check_story *story = &((struct check_stories *)context)->items[index];
  struct rig_spec spec = story->spec;
  unsigned runs;
  struct check_result found = check_shrink(story->first->machine, &spec, &runs);
  pack_add_count(result, found.verdict);
  pack_add_text(result, found.detail ? found.detail : "");
  pack_add_count(result, runs);
  pack_add_count(result, spec.nranks);
  pack_add_count(result, spec.root);
  pack_add_count(result, spec.nbytes);
  pack_add_count(result, spec.op);
  pack_add_count(result, spec.type);
  pack_add_count(result, spec.nrepeats);
  pack_add_count(result, spec.skew);
  pack_add_count(result, spec.skew_seed);
  pack_add_count(result, spec.placement.kind == PLACEMENT_PACKED);
  check_result_fini(&found);
  return 0;
}

static int deliver(void *context, size_t index, struct pack *result) {
  struct check_story *story = &((struct check_stories *)context)->items[index];
  struct rig_spec *spec = &story->spec;
  if (pack_take_count(result) != CHECK_FAIL) {
    return 0; /* it was interrupted or has crashed: the story stays as it was */
  }
  free(story->result.detail);
  story->result.detail = xstrdup(pack_take_text(result));
  story->runs = (unsigned)pack_take_count(result);
  spec->nranks = (unsigned)pack_take_count(result);
  spec->root = (unsigned)pack_take_count(result);
  spec->nbytes = pack_take_count(result);
  spec->op = (enum coll_op)pack_take_count(result);
  spec->type = (enum coll_type)pack_take_count(result);
  spec->nrepeats = (unsigned)pack_take_count(result);
  spec->skew = pack_take_count(result);
  spec->skew_seed = pack_take_count(result);
  if (pack_take_count(result)) {
    spec->placement = (struct placement){.kind = PLACEMENT_PACKED};
  }
  return 0;
}

/* A story whose smaller points crash is told as it was found. */
static bool keep(void *context, size_t index, const char *how, struct pack *result) {
  (void)context, (void)index, (void)how;
  pack_add_count(result, CHECK_PASS);
  return true;
}

static void describe(const void *context, size_t index, char *text, size_t size) {
  char *what = check_report_describe(((const struct check_stories *)context)->items[index].first);
  snprintf(text, size, "%s", what);
  free(what);
}

void check_stories_shrink(struct check_stories *stories, const struct opts *opts, struct err *err) {
  struct jobs jobs = {.count = stories->n,
                      .nworkers = opts->jobs,
                      .apart = true,
                      .seconds = LONGEST_STORY,
                      .context = stories,
                      .work = work,
                      .deliver = deliver,
                      .describe = describe,
                      .crashed = keep,
                      .interrupted = sweep_interrupted};
  jobs_run(&jobs, err);
}

/* --- telling --- */

/* Append FORMAT to *TEXT. */
static void __attribute__((format(printf, 2, 3))) append(char **text, const char *format, ...) {
  va_list arguments;
  char more[4096];
  va_start(arguments, format);
  vsnprintf(more, sizeof more, format, arguments);
  va_end(arguments);
  char *whole = xasprintf("%s%s", *text, more);
  free(*text);
  *text = whole;
}

/* Append WORD to *TEXT, quoted for the shell if it must be. */
static void append_word(char **text, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
  if (*word && strspn(word, plain) == strlen(word)) {
    append(text, " %s", word);
    return;
  }
  append(text, " '");
  for (const char *c = word; *c; c++) {
    append(text, *c == '\'' ? "'\\%c'" : "%c", *c);
  }
  append(text, "'");
}

/* Append the options that choose machine and plugins for STORY. */
static void append_machine(char **text, const struct check_story *story, const struct opts *opts) {
  char *overrides = xstrdup(blade_platform(story->first->machine->blade)->overrides), *rest = overrides;
  append(text, " -p");
  append_word(text, story->platform);
  for (char *word; (word = strsep(&rest, " "));) {
    if (*word) {
      append(text, " --set");
      append_word(text, word);
    }
  }
  free(overrides);
  if (opts->profile) {
    append(text, " --profile");
    append_word(text, opts->profile);
  }
  for (size_t i = 0; i < opts->plugins.n; i++) {
    append(text, i == 0 ? " --plugin" : ",");
    append_word(text, opts->plugins.names[i]);
  }
}

/* Append the option for PLACEMENT of NRANKS ranks. */
static void append_placement(char **text, const struct placement *placement, unsigned nranks) {
  append(text, " --placement %s",
         placement->kind == PLACEMENT_PACKED        ? "packed"
         : placement->kind == PLACEMENT_ROUND_ROBIN ? "round-robin"
                                                    : "");
  for (unsigned r = 0; placement->kind == PLACEMENT_LIST && r < nranks; r++) {
    char element[PLACEMENT_ELEMENT_SIZE];
    placement_format_element(placement->list.values[r], element);
    append(text, r == 0 ? "%s" : ",%s", element);
  }
}

/* Return the command that repeats the point of STORY.
 * owner: the caller. */
static char *command_of(const struct check_story *story, const struct opts *opts) {
  const struct rig_spec *spec = &story->spec;
  enum collective collective = spec->call.algo->collective;
  char name[128], *text = xstrdup("cellcoll check");
  catalogue_format(&spec->call, name, sizeof name);
  append_word(&text, name);
  append_machine(&text, story, opts);
  append(&text, " -n %u", spec->nranks);
  if (collective_has_data(collective)) {
    append(&text, " -s %zu", spec->nbytes);
  }
  if (collective_has_root(collective)) {
    append(&text, " --root %u", spec->root);
  }
  if (collective_combines(collective)) {
    append(&text, " --op %s --type %s", combine_op_name(spec->op), combine_type_name(spec->type));
  }
  append(&text, " --repeat %u --skew %llu:%llu", spec->nrepeats, (unsigned long long)spec->skew,
         (unsigned long long)spec->skew_seed);
  append_placement(&text, &spec->placement, spec->nranks);
  append(&text, " --seed %llu", (unsigned long long)spec->seed);
  return text;
}

/* Note TEXT below TABLE, in lines of at most WIDTH characters. */
static void note_wrapped(struct table *table, const char *text) {
  enum { INDENT = 2 };
  while (*text) {
    size_t n = strlen(text);
    if (n > WIDTH - INDENT) {
      for (n = WIDTH - INDENT; n > 0 && text[n] != ' '; n--) {
      }
      n = n ? n : WIDTH - INDENT;
    }
    char *line = xasprintf("  %.*s", (int)n, text);
    table_note(table, line);
    free(line);
    text += n;
    text += *text == ' ';
  }
}

/* What a failure can be, by a word of its detail; the first one that fits. */
static const struct {
  const char *word, *name;
} kinds[] = {
  {" stopped at cycle ", "fault"}, /* for which others may wait */
  {"deadlock:", "deadlock"},       {" left call ", "left too early"},
  {" expected ", "wrong data"},    {"forbidden: ", "forbidden access"},
  {"hazard: ", "hazard"},          {"", "other"},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

/* Return how many points fail with the algorithm of STORY, and in which way.
 * owner: the caller. */
static char *count_failures(const struct check_story *story, const struct check_report *report) {
  size_t count[NKINDS] = {0};
  for (size_t i = 0; i < report->n; i++) {
    const struct check_item *item = &report->items[i];
    if (item->result.verdict == CHECK_FAIL && item->spec.call.algo == story->first->spec.call.algo) {
      size_t kind = 0;
      while (!strstr(item->result.detail, kinds[kind].word)) {
        kind++;
      }
      count[kind]++;
    }
  }
  char *text = xasprintf("%zu points of this algorithm fail:", story->failures);
  const char *separator = "";
  for (size_t kind = 0; kind < NKINDS; kind++) {
    if (count[kind] > 0) {
      append(&text, "%s %zu %s", separator, count[kind], kinds[kind].name);
      separator = ",";
    }
  }
  return text;
}

static void tell(const struct check_story *story, const struct check_report *report, const struct opts *opts,
                 struct table *table) {
  struct check_item smallest = {.machine = story->first->machine, .spec = story->spec};
  char *what = check_report_describe(&smallest), *found = check_report_describe(story->first);
  char *counts = count_failures(story, report), *command = command_of(story, opts);
  char *head = xasprintf("FAIL %s", what);
  table_note(table, head);
  note_wrapped(table, story->result.detail);
  char *again = xasprintf("  again: %s", command);
  table_note(table, again);
  if (story->runs > 1 && strcmp(what, found) != 0) {
    char *first = xasprintf("found at %s; the smallest of %u points tried", found, story->runs);
    note_wrapped(table, first);
    free(first);
  }
  note_wrapped(table, counts);
  free(what);
  free(found);
  free(counts);
  free(command);
  free(head);
  free(again);
}

void check_stories_tell(const struct check_stories *stories, const struct check_report *report,
                        const struct opts *opts, struct table *table) {
  for (size_t i = 0; i < stories->n; i++) {
    tell(&stories->items[i], report, opts, table);
  }
  if (stories->untold > 0) {
    char *line = xasprintf("FAIL %zu more algorithms, see the table", stories->untold);
    table_note(table, line);
    free(line);
  }
}
