/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll store: what is in a store of results. */
#include "cli/commands.h"
#include "cli/run/run_table.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/vec.h"
#include "validate/lab/ledger/store.h"

#include <stdlib.h>
#include <string.h>

/* One store, and the arguments behind its name. */
struct task {
  struct session *session;
  const char *path;
  char **rest;
  size_t nrest;
};

static void add_cell(void *context, const char *cell, bool is_number) {
  if (is_number) {
    table_add_count(context, strtoull(cell, NULL, 10));
  } else {
    table_add_text(context, cell);
  }
}

static int list(const struct task *task) {
  struct session *session = task->session;
  struct store *store = store_open(task->path, STORE_LOOK, session->err);
  if (!store) {
    return CLI_INPUT;
  }
  struct table *table = table_new_foreign(STORE_COUNTS);
  int status = store_count(store, add_cell, table, session->err);
  store_close(store);
  if (status != 0) {
    table_free(table);
    return CLI_INPUT;
  }
  table_hide(table, "compiler,simgrid");
  session->table = table;
  return CLI_DONE;
}

static int export(const struct task *task) {
  struct session *session = task->session;
  struct store *store = store_open(task->path, STORE_LOOK, session->err);
  const char *build = NULL; /* of all builds */
  if (store && (task->nrest == 0 || (build = store_find_build(store, task->rest[0], session->err)))) {
    session->table = stored_runs(store, build, session->err);
  }
  store_close(store);
  return session->table ? CLI_DONE : CLI_INPUT;
}

/* Check the stores to be added to the store of TASK: at least one, all other files, all readable. */
static int check_others(const struct task *task) {
  struct session *session = task->session;
  if (task->nrest == 0) {
    return session_refuse(session, CLI_USAGE, "merge: one store, expected others to be added to it");
  }
  for (size_t i = 0; i < task->nrest; i++) {
    if (outfile_is_same(task->path, task->rest[i])) {
      return session_refuse(session, CLI_USAGE, "merge: %s is %s itself, expected other stores",
                            task->rest[i], task->path);
    }
    struct store *other = store_open(task->rest[i], STORE_LOOK, session->err);
    if (!other) {
      return CLI_INPUT;
    }
    store_close(other);
  }
  return CLI_DONE;
}

static int merge(const struct task *task) {
  struct session *session = task->session;
  int code = check_others(task);
  if (code != CLI_DONE) {
    return code;
  }
  struct store *store = store_open(task->path, STORE_CREATE, session->err);
  long status = store ? 0 : -1;
  for (size_t i = 0; i < task->nrest && status == 0; i++) {
    SCOPED char *which = NULL;
    struct store *other = store_open(task->rest[i], STORE_LOOK, session->err);
    status = other ? store_merge(store, other, &which, session->err) : -1;
    if (status > 0) {
      err_set(session->err,
              "%s: %ld results differ from those of %s with the same key, expected the same: %s",
              task->rest[i], status, task->path, which);
    }
    store_close(other);
  }
  long missing = status == 0 ? store_missing(store, session->err) : -1;
  if (missing >= 0 && !session->opts.quiet) {
    fprintf(stderr, "cellcoll: %s: %ld results are missing%s\n", task->path, missing,
            missing ? "; the command that asked for them, with this --store, makes them" : "");
  }
  code = status > 0 ? CLI_FAILED : missing >= 0 ? CLI_DONE : CLI_INPUT;
  store_close(store);
  return code;
}

static int prune(const struct task *task) {
  struct err *err = task->session->err;
  const char *build = NULL;                                      /* all but the running program */
  struct store *store = store_open(task->path, STORE_LOOK, err); /* to change nothing but a good store */
  if (store) {
    store_close(store);
    store = store_open(task->path, STORE_USE, err);
  }
  long n = -1;
  if (store && (task->nrest == 0 || (build = store_find_build(store, task->rest[0], err)))) {
    n = store_prune(store, build, err);
  }
  store_close(store);
  if (n < 0) {
    return CLI_INPUT;
  }
  if (!task->session->opts.quiet) {
    fprintf(stderr, "cellcoll: %s: %ld results removed\n", task->path, n);
  }
  return CLI_DONE;
}

int cmd_store(struct session *session) {
  static const struct {
    const char *name;
    int (*run)(const struct task *task);
    size_t most; /* arguments behind the store */
  } verbs[] = {{"list", list, 0}, {"export", export, 1}, {"merge", merge, MANY}, {"prune", prune, 1}};
  enum { VERBS = VEC_LENGTH(verbs) };
  const struct opts *opts = &session->opts;
  struct task task = {session, opts->rest[1], opts->rest + 2, opts->nrest - 2};
  size_t verb = VEC_INDEX(verbs, VERBS, strcmp(opts->rest[0], item->name) == 0);
  if (verb == VERBS) {
    return session_refuse(session, CLI_USAGE, "unknown action '%.60s', expected list, export, merge or prune",
                          opts->rest[0]);
  }
  return task.nrest > verbs[verb].most
           ? session_refuse(session, CLI_USAGE, "%s: one argument too many: '%.60s'", verbs[verb].name,
                            task.rest[verbs[verb].most])
           : verbs[verb].run(&task);
}
