/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll search: let the Python module cellcoll.search take the place of this process. */
#include "cli/commands.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return the path of the first existing file among N files NAMES of FOLDER, without the last CUT characters;
 * NULL: none exists.
 * owner: the caller. */
static char *find_file(const char *folder, const char *const *names, size_t n, size_t cut) {
  VEC_EACH(name, names, n) {
    char *path = xasprintf("%s/%s", folder, *name);
    if (access(path, F_OK) == 0) {
      path[strlen(path) - cut] = '\0';
      return path;
    }
    free(path);
  }
  return NULL;
}

int cmd_search(struct session *session) {
  static const char module[] = "/cellcoll/search/__main__.py";
  static const char *const modules[] = {"../python/cellcoll/search/__main__.py",
                                        "python/cellcoll/search/__main__.py",
                                        "../share/cellcoll/python/cellcoll/search/__main__.py"};
  static const char *const libraries[] = {".libs/libcellcoll.so.1", "../lib/libcellcoll.so.1"};
  const struct opts *opts = &session->opts;
  char program[PATH_MAX] = "";
  if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) {
    setenv("CELLCOLL_PROGRAM", program, 0);
    *strrchr(program, '/') = '\0';
    SCOPED char *folder = find_file(program, modules, VEC_LENGTH(modules), strlen(module));
    SCOPED char *library = find_file(program, libraries, VEC_LENGTH(libraries), 0);
    const char *path = getenv("PYTHONPATH");
    SCOPED char *folders = folder && path ? xasprintf("%s:%s", folder, path) : NULL;
    if (folder) {
      setenv("PYTHONPATH", folders ? folders : folder, 1);
    }
    if (library) {
      setenv("CELLCOLL_LIBRARY", library, 0);
    }
  }
  enum { WORDS = 3 };
  SCOPED char **words = xcalloc(WORDS + opts->nrest + 1, sizeof *words);
  memcpy(words, (char *[]){"python3", "-m", "cellcoll.search"}, WORDS * sizeof *words);
  memcpy(words + WORDS, opts->rest, opts->nrest * sizeof *words);
  execvp(*words, words);
  return session_refuse(session, CLI_LOST, "python3: %s, expected Python 3 in PATH", strerror(errno));
}
