/* SPDX-License-Identifier: BSD-3-Clause
 * The command platform: what a machine consists of. */
#include "cli/cmd_platform_draw.h"
#include "cli/commands.h"
#include "cli/machines.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/suggest.h"

#include <stdio.h>
#include <string.h>

/* Print the keys, values and units of PLATFORM; with SOURCES also where they come from and what they mean. */
static int
show(const struct machines *machines, const struct opts *opts, bool sources, struct err *err)
{
  const struct platform *platform = machines->platforms[0];
  struct table *table = table_new(sources ? "key,value,unit,source,doc" : "key,value,unit");
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_entry entry;
    platform_entry(platform, i, &entry);
    table_add_text(table, entry.key);
    table_add_text(table, entry.value);
    table_add_text(table, entry.unit);
    if (sources) {
      table_add_text(table, entry.source);
      table_add_text(table, entry.doc);
    }
  }
  int code = machines_write_table(machines, opts, table, err);
  table_free(table);
  return code;
}

/* Show or draw the one platform named, whichever the first word says. */
static int
treat_one(const struct opts *opts, struct err *err)
{
  const char *word = opts->rest[0];
  if (opts->nrest > 2) {
    err_set(err, "platform %s: one argument too many: '%.60s', expected one platform", word, opts->rest[2]);
    return CLI_USAGE;
  }
  if (opts_ncombinations(opts) > 1) {
    err_set(err, "platform %s: --set with several values, expected one for each key", word);
    return CLI_USAGE;
  }
  struct opts one = *opts;
  one.platforms = (struct opts_names){.names = &opts->rest[1], .n = 1};
  struct machines machines;
  int code = machines_load(&machines, &one, err);
  if (code == CLI_DONE) {
    code = strcmp(word, "draw") == 0 ? cmd_platform_draw(machines.platforms[0], opts, err)
                                     : show(&machines, opts, strcmp(word, "sources") == 0, err);
  }
  machines_fini(&machines);
  return code;
}

/* Check all platforms named; each bad one has its message, and the worst exit code counts. */
static int
check(const struct opts *opts, struct err *err)
{
  struct table *table = table_new("platform,result");
  int worst = CLI_DONE;
  for (size_t i = 1; i < opts->nrest; i++) {
    struct opts one = *opts;
    one.platforms = (struct opts_names){.names = &opts->rest[i], .n = 1};
    struct machines machines;
    struct err why = {0};
    int code = machines_load(&machines, &one, &why);
    machines_fini(&machines);
    if (code == CLI_DONE && opts->format == TABLE_TEXT && !opts->output) {
      printf("%s: ok\n", opts->rest[i]);
    } else if (code != CLI_DONE) {
      fprintf(stderr, "cellcoll: %s\n", why.text);
    }
    table_add_text(table, opts->rest[i]);
    table_add_text(table, code == CLI_DONE ? "ok" : "bad");
    worst = code > worst ? code : worst;
  }
  if (opts->format != TABLE_TEXT || opts->output) {
    int code = machines_write_table(NULL, opts, table, err);
    worst = code > worst ? code : worst;
  }
  table_free(table);
  return worst;
}

int
cmd_platform(const struct opts *opts, struct err *err)
{
  static const char *const words[] = {"show", "check", "draw", "sources"};
  const char *word = opts->rest[0];
  for (size_t i = 1; i < opts->nrest; i++) {
    if (strpbrk(opts->rest[i], ",\"\n\r")) {
      err_set(err,
              "platform %.60s: '%.60s' contains a comma, a quote or a line end, expected one name without",
              word, opts->rest[i]);
      return CLI_USAGE;
    }
  }
  if (strcmp(word, "show") == 0 || strcmp(word, "draw") == 0 || strcmp(word, "sources") == 0) {
    return treat_one(opts, err);
  }
  if (strcmp(word, "check") == 0) {
    return check(opts, err);
  }
  const char *nearest = suggest_nearest(word, words, sizeof words / sizeof *words);
  err_set(err, "platform: '%.60s' is none of show, check, draw and sources%s%s%s", word,
          nearest ? ", did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
  return CLI_USAGE;
}
