/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/answers.h"

#include "cli/commands.h"
#include "cli/opts.h"
#include "cli/session.h"
#include "cli/table.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/lab/rig/rig.h"
#include "validate/lab/call/usual_ranks.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words in braces --- */

/* Write the ranks of REPORT: the given ranks, or all SPEs of a chip and of a blade; for barriers the usual
 * ranks. */
static void add_ranks(const struct report *report, char **text) {
  const struct units_list *asked = &report->session->opts.ranks;
  uint64_t usual[USUAL_RANKS_MAX] = {report->chip, report->all};
  size_t n = report->chip < report->all ? 2 : 1;
  if (report->collective == COLL_BARRIER) {
    n = usual_ranks(report->all, true, usual);
  }
  for (size_t i = 0; i < (asked->n ? asked->n : n); i++) {
    uint64_t ranks = asked->n ? asked->values[i] : usual[i];
    xappend(text, ranks == UNITS_ALL ? "%sall" : "%s%" PRIu64, i ? "," : "", ranks);
  }
}

/* Write the fastest algorithm of the collective for the call of a picture, 2 KiB on the chip as in
 * sections.def, by `tune`, and if TWO the next one; the collective where there is nothing to choose from. The
 * report may have other ranks and sizes. */
static void add_best(struct report *report, bool two, char **text) {
  static const char where[] = "collective={c},ranks={lanes},bytes=2048;0,best_of_all=*:*";
  static const struct section asks[] = {
    {.command = "tune --columns " REPORT_CHOICES ",candidates_of_all", .grid = true, .where = where},
    {COLLECTIVE, .command = "tune {c} -n {lanes} -s 2KiB --columns " REPORT_CHOICES ",candidates_of_all",
     .where = where}};
  const struct table *table;
  size_t n = 0, *rows = NULL;
  for (size_t i = 0; i < 2 && n == 0; i++) {
    free(rows);
    rows = report_rows(report, &asks[i], &table, &n);
  }
  const char *first = n ? table_cell(table, rows[0], "best_of_all") : collective_name(report->collective);
  const char *second = n && two ? table_cell(table, rows[0], "runner_up") : "";
  size_t length = strcspn(first, ";");
  second = strcmp(second, "tie") == 0 ? first + length + 1 : second;
  xappend(text, "%.*s%s%.*s", (int)length, first, *second ? " " : "", (int)strcspn(second, ";"), second);
  free(rows);
}

/* Write what stands for WORD of LENGTH letters. */
static void add_word(struct report *report, const char *word, int length, char **text) {
  const char *names[] = {"c", "p", "profile"},
             *values[] = {collective_name(report->collective), report->session->opts.platforms.names[0],
                          platform_has_spes(report->platform)
                            ? rig_comparison(report->platform, report->session->opts.profile)
                            : "hosts"};
  enum { NAMES = VEC_LENGTH(names) };
  size_t known = VEC_INDEX(names, NAMES, strcmp(text_brief("%.*s", length, word), *item) == 0);
  if (known < NAMES) {
    xappend(text, "%s", values[known]);
  } else if (*word == 'n') {
    add_ranks(report, text);
  } else if (*word == 'b' || *word == 'w') {
    add_best(report, *word == 'b', text);
  } else {
    xappend(text, "%u", *word == 'l' ? report->lanes : length == 4 ? report->chip : report->all);
  }
}

char *report_expand(struct report *report, const char *text) {
  char *expanded = xstrdup("");
  for (; *text; text++) {
    const char *end = *text == '{' ? strchr(text, '}') : NULL;
    if (end) {
      add_word(report, text + 1, (int)(end - text) - 1, &expanded);
      text = end;
    } else {
      xappend(&expanded, "%c", *text);
    }
  }
  return expanded;
}

/* --- command lines --- */

/* Add the options of REPORT that COMMAND and SECTION use. */
static void add_options(struct opts_names *words, const struct report *report, const struct section *section,
                        const struct command *command) {
  const struct opts *opts = &report->session->opts;
  enum collective collective = report->collective;
  bool one = section->page == COLLECTIVE;
  opts_set set = opts->given & (OPT_PLATFORM | OPT_SET | OPT_PROFILE | OPT_SAMPLES |
                                (section->grid ? OPT_RANKS | OPT_BYTES | OPT_ROOT | OPT_SEED : 0));
  set &= command_options(command) & ~(one && !collective_has_data(collective) ? OPT_BYTES : (opts_set)0) &
         ~(one && !collective_has_root(collective) ? OPT_ROOT : (opts_set)0) &
         ~(strstr(section->command, " -n ") ? OPT_RANKS : (opts_set)0);
  set |= strcmp(command->name, "published") == 0 ? OPT_PLATFORM : 0;
  struct opts own = *opts;
  set &= ~(strstr(section->command, "{p}") ? OPT_PLATFORM : (opts_set)0);
  if (section->compared && platform_has_spes(report->platform)) {
    set |= OPT_PROFILE;
    own.profile = opts->profile ? opts->profile : rig_comparison(report->platform, NULL);
  }
  opts_words(words, &own, set);
}

/* Return the words of the command of SECTION; the platform is one word, whatever is in its name. */
static struct opts_names words_of(struct report *report, const struct section *section) {
  struct opts_names words = {0};
  SCOPED char *copy = xstrdup(section->command);
  for (char *rest = copy, *word; (word = strsep(&rest, " "));) {
    if (strcmp(word, "-s") == 0 && section->page == COLLECTIVE && !collective_has_data(report->collective)) {
      strsep(&rest, " "); /* there are no sizes */
      continue;
    }
    char *own = report_expand(report, strcmp(word, "{file}") == 0 ? section->file : word), *left = own;
    if (strcmp(word, "{best}") == 0) {
      while (left) {
        VEC_ADD(words.names, words.n) = xstrdup(strsep(&left, " "));
      }
      free(own);
    } else {
      VEC_ADD(words.names, words.n) = own;
    }
  }
  add_options(&words, report, section, command_find(words.names[0], NULL));
  return words;
}

/* --- answers --- */

struct answer *report_ask(struct report *report, const struct section *section) {
  struct opts_names words = words_of(report, section);
  SCOPED char *line = opts_line(&words),
              *file = section->file ? report_expand(report, section->file) : xstrdup("");
  struct err none = {""};
  struct answer **known = VEC_FIND(report->answers, report->n, strcmp((*item)->words, line) == 0),
                *answer = known ? *known : NULL;
  if (!answer) {
    answer = VEC_ADD(report->answers, report->n) = xcalloc(1, sizeof *answer);
    answer->words = xstrdup(line);
    VEC_EACH(word, words.names, words.n) {
      if (strcmp(*word, file) == 0) {
        free(*word);
        *word = xasprintf("%s/%s", report->folder, file);
      }
    }
    answer->code = session_ask(report->session, &words, &answer->table, &none);
    snprintf(answer->message, sizeof answer->message, "%.199s", none.text);
  }
  opts_words_free(&words);
  return answer;
}

static bool meets(const struct table *table, size_t row, const char *condition) {
  size_t length = strcspn(condition, "=>");
  SCOPED char *column = strndup(condition, length);
  const char *text = table_cell(table, row, column), *value = condition + length + 1;
  bool met = false;
  if (!text) {
    return false;
  }
  if (condition[length] == '>') {
    return *text && fabs(strtod(text, NULL)) > strtod(value, NULL);
  }
  for (; !met && *value; value += strcspn(value, ";"), value += *value == ';') {
    SCOPED char *pattern = strndup(value, strcspn(value, ";"));
    bool is_not = *pattern == '!';
    met = (fnmatch(pattern + is_not, text, 0) == 0) != is_not;
  }
  return met;
}

size_t *report_rows(struct report *report, const struct section *section, const struct table **table,
                    size_t *n) {
  const struct answer *answer = report_ask(report, section);
  *table = answer->table && section->second ? table_second(answer->table) : answer->table;
  size_t most = *table ? table_nrows(*table) : 0, *rows = xcalloc(most + 1, sizeof *rows);
  SCOPED char *where = section->where ? report_expand(report, section->where) : NULL;
  *n = 0;
  for (size_t row = 0; row < most; row++) {
    SCOPED char *copy = xstrdup(where ? where : "");
    bool met = true;
    for (char *rest = where ? copy : NULL, *condition; met && (condition = strsep(&rest, ","));) {
      bool is_void =
        section->each && !collective_has_data(report->collective) && strncmp(condition, "ranks=", 6) == 0;
      met = is_void || meets(*table, row, condition);
    }
    if (met) {
      rows[(*n)++] = row;
    }
  }
  return rows;
}

void report_fini(struct report *report) {
  VEC_EACH(answer, report->answers, report->n) {
    table_free((*answer)->table);
    free((*answer)->words);
    free((*answer)->data);
    free(*answer);
  }
  free(report->answers);
  chart_looks_fini(&report->looks);
}
