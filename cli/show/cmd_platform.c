/* SPDX-License-Identifier: BSD-3-Clause
 * The command platform: what a machine consists of. */
#include "cli/commands.h"
#include "cli/opts.h"
#include "draw/picture.h"
#include "draw/platform/platform_drawing.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/minmax.h"
#include "sim/base/text.h"
#include "validate/model/measured/network_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* List the keys, values and units of PLATFORM and the names of the nodes; with SOURCES also what can be
 * believed of the values, sources and meanings.
 * owner: the caller, with table_free. */
static struct table *list_entries(const struct platform *platform, bool sources) {
  struct table *table = table_new(sources ? "key,value,unit,least,most,source,doc,version,platform_checksum"
                                          : "key,value,unit,version,platform_checksum");
  table_set_platform(table, platform);
  if (sources) {
    table_hide(table, "doc");
  }
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_entry entry;
    platform_entry(platform, i, &entry);
    table_add(table, "%s %s %s", entry.key, entry.value, entry.unit);
    if (sources) {
      const char *least = isnan(entry.least) ? "" : text_brief("%.15g", entry.least),
                 *most = isnan(entry.most) ? "" : text_brief("%.15g", entry.most);
      table_add(table, "%s %s %s %s", least, most, entry.source, entry.doc);
    }
  }
  for (unsigned i = 0; platform->host_names && i < platform->node.count; i++) {
    table_add(table, "%s %s", text_brief("node.%u", i), platform->host_names[i]);
    table_add(table, sources ? "%s %s %s %s %s" : "%s", "name", "", "", "network.file",
              "host that is this node");
  }
  return table;
}

static int load(const struct session *session, char *name, struct machines *machines, struct err *err) {
  struct opts one = session->opts;
  one.platforms = (struct opts_names){.names = &name, .n = 1};
  return machines_load(machines, &one, err);
}

static void draw(const void *context, FILE *stream) {
  const struct platform *platform = context;
  (platform->has_nodes ? cluster_drawing_write : platform_drawing_write)(platform, stream);
}

static void draw_text(const void *context, FILE *stream) {
  const struct platform *platform = context;
  fprintf(stream, "%s: %s%s%s\n\n", platform->name, platform->description,
          *platform->overrides ? "; changed: " : "", platform->overrides);
  (platform->has_nodes ? cluster_drawing_write_text : platform_drawing_write_text)(platform, stream);
}

/* Draw PLATFORM where SESSION says.
 * returns: an exit code. */
static int draw_platform(const struct session *session, const struct platform *platform) {
  const struct opts *opts = &session->opts;
  struct err *err = session->err;
  bool is_text = opts->given & OPT_FORMAT && opts->format == TABLE_TEXT;
  const char *ending = opts->output ? strrchr(opts->output, '.') : NULL;
  if (opts->given & OPT_FORMAT && (!is_text || (ending && strcmp(ending, ".txt") != 0))) {
    err_set(err, "platform draw: --format is for tables, expected --format=text for a drawing in the "
                 "terminal or a .txt file, or none for SVG");
    return CLI_USAGE;
  }
  if (opts->given & (OPT_VERBOSE | OPT_COLUMNS)) {
    err_set(err, "platform draw: --%s is for tables, expected none: a drawing shows all",
            opts->given & OPT_VERBOSE ? "verbose" : "columns");
    return CLI_USAGE;
  }
  return session_picture(session, (struct picture){is_text ? draw_text : draw, platform, NULL},
                         opts->output) == 0
           ? CLI_DONE
           : CLI_INPUT;
}

/* Show or draw the one platform in NAMES, whichever WORD says. */
static int treat_one(struct session *session, const char *word, const struct opts_names *names) {
  const struct opts *opts = &session->opts;
  if (names->n > 1) {
    err_set(session->err, "platform %s: one argument too many: '%.60s', expected one platform", word,
            names->names[1]);
    return CLI_USAGE;
  }
  if (opts_ncombinations(opts) > 1) {
    err_set(session->err, "platform %s: --set with several values, expected one for each key", word);
    return CLI_USAGE;
  }
  int code = load(session, names->names[0], &session->machines, session->err);
  if (code != CLI_DONE) {
    return code;
  }
  const struct platform *platform = session->machines.platforms[0];
  if (strcmp(word, "draw") == 0) {
    return draw_platform(session, platform);
  }
  session->table = list_entries(platform, strcmp(word, "sources") == 0);
  return CLI_DONE;
}

/* Check all platforms in NAMES; each bad one has its message, and the worst exit code counts. */
static int check(struct session *session, const struct opts_names *names) {
  const struct opts *opts = &session->opts;
  bool lines = opts->format == TABLE_TEXT && !opts->output;
  struct table *table = table_new("platform,result");
  int worst = CLI_DONE;
  for (size_t i = 0; i < names->n; i++) {
    struct machines machines;
    struct err why = {0};
    int code = load(session, names->names[i], &machines, &why);
    for (size_t k = 0; code == CLI_DONE && k < machines.n; k++) {
      code = network_values_check_file(machines.platforms[k], &why) == 0 ? CLI_DONE : CLI_INPUT;
    }
    machines_fini(&machines);
    if (code == CLI_DONE && lines && !opts->quiet) {
      printf("%s: ok\n", names->names[i]);
    } else if (code != CLI_DONE) {
      fprintf(stderr, "cellcoll: %s\n", why.text);
    }
    table_add(table, "%s %s", names->names[i], code == CLI_DONE ? "ok" : "bad");
    RAISE(worst, code);
  }
  if (lines) {
    table_free(table);
  } else {
    session->table = table;
  }
  return worst;
}

int cmd_platform(struct session *session) {
  const struct opts *opts = &session->opts;
  const char *word = opts->rest[0];
  struct opts_names names = {.names = opts->rest + 1, .n = opts->nrest - 1};
  if (opts->given & OPT_PLATFORM && names.n) {
    return session_refuse(session, CLI_USAGE, "--platform and '%.60s', expected one of them", names.names[0]);
  }
  names = opts->given & OPT_PLATFORM ? opts->platforms : names;
  if (names.n == 0) {
    return session_refuse(session, CLI_USAGE, "too few arguments, expected %s", session->command->arguments);
  }
  if (strcmp(word, "show") == 0 || strcmp(word, "draw") == 0 || strcmp(word, "sources") == 0) {
    return treat_one(session, word, &names);
  }
  if (strcmp(word, "check") == 0) {
    return check(session, &names);
  }
  return session_refuse(session, CLI_USAGE, "unknown action '%.60s', expected show, check, draw or sources",
                        word);
}
