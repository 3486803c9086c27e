/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms from files: plugins, and texts in place of names. */
#include "algos/catalogue.h"
#include "algos/schedule/file.h"
#include "algos/schedule/text.h"
#include "cli/commands.h"
#include "cli/session.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "validate/lab/plugin.h"

int session_load_plugins(struct session *session) {
  if (session->opts.from == CATALOGUE_PAPERS) {
    catalogue_keep_papers();
  }
  struct opts *opts = &session->opts;
  size_t n = opts->plugins.n;
  for (size_t i = 0; i < opts->with.n && session->command->run != cmd_check; i++) {
    VEC_ADD(opts->plugins.names, opts->plugins.n) = opts->with.names[i];
  }
  for (const struct text_found *found = texts_found; opts->found && found->name; found++) {
    if (text_replace(found->name, found->text, session->err) != 0) {
      return CLI_INPUT;
    }
  }
  for (size_t i = 0; i < opts->plugins.n; i++) {
    struct err why = {""};
    if (plugin_load(opts->plugins.names[i], &why) != 0) {
      err_set(session->err, "%s %s", i < n ? "--plugin" : "--with", why.text);
      return CLI_INPUT;
    }
  }
  return CLI_DONE;
}

/* Note the files with schedules of thread blocks, and the files that cannot be loaded, among the words of
 * SESSION, and leave the latter out of the words: 'check' judges all files. */
static void take_files(struct session *session) {
  struct opts *opts = &session->opts;
  size_t n = 0;
  for (size_t i = 0; i < opts->nrest; i++) {
    const char *path, *name = file_name(opts->rest[i], &path, NULL);
    if (!name || (path && file_is_blocks(path))) {
      VEC_ADD(session->schedules.names, session->schedules.n) = path ? (char *)path : opts->rest[i];
    }
    if (name) {
      opts->rest[n++] = opts->rest[i];
    }
  }
  opts->nrest = n;
}

int session_load_texts(struct session *session) {
  struct opts *opts = &session->opts;
  bool takes_algorithms = session->command->traits & HAS_ALGORITHMS;
  if (session->command->run == cmd_check) {
    take_files(session);
  }
  for (size_t i = 0; takes_algorithms && i < opts->nrest; i++) {
    const char *path, *name = file_name(opts->rest[i], &path, session->err);
    if (!name) {
      return CLI_INPUT;
    }
    if (path) {
      VEC_ADD(opts->plugins.names, opts->plugins.n) = (char *)path;
      opts->rest[i] = (char *)name;
    }
  }
  return CLI_DONE;
}
