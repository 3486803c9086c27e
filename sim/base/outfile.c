/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/outfile.h"

#include "sim/base/err.h"
#include "sim/base/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool outfile_is_same(const char *a, const char *b) {
  struct stat of_a, of_b;
  if (stat(a, &of_a) == 0 && stat(b, &of_b) == 0) {
    return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  }
  return strcmp(a, b) == 0;
}

static char **inputs; /* as long as the process */
static size_t ninputs;

bool outfile_is_input(const char *path) {
  return VEC_FIND(inputs, ninputs, outfile_is_same(path, *item));
}

void outfile_note_input(const char *path) {
  if (!VEC_FIND(inputs, ninputs, strcmp(path, *item) == 0)) {
    VEC_ADD(inputs, ninputs) = xstrdup(path);
  }
}

static LIST_HEAD(, outfile) unfinished; /* files with a temporary name */

/* FILE has no temporary name any more. */
static void note_finished(struct outfile *file) {
  LIST_REMOVE(file, others);
  free(file->temporary);
  file->temporary = NULL;
}

void outfile_remove_unfinished(void) {
  const struct outfile *file;
  LIST_FOREACH(file, &unfinished, others) {
    unlink(file->temporary);
  }
}

/* Forget everything about FILE; whatever is still at its temporary name goes. */
static void forget(struct outfile *file) {
  if (file->temporary) {
    unlink(file->temporary);
    note_finished(file);
  }
  free(file->path);
  *file = (struct outfile){0};
}

/* Open a new file beside FILE's path that will take its place, with the mode of the one that is there. */
static FILE *open_temporary(struct outfile *file, const struct stat *old) {
  file->temporary = xasprintf("%s.XXXXXX", file->path);
  int descriptor = mkstemp(file->temporary);
  if (descriptor < 0) {
    free(file->temporary);
    file->temporary = NULL;
    return NULL;
  }
  LIST_INSERT_HEAD(&unfinished, file, others);
  mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, old ? old->st_mode & 07777 : 0666 & ~mask);
  return fdopen(descriptor, "w");
}

int outfile_open(struct outfile *file, const char *path, struct err *err) {
  *file = (struct outfile){.stream = stdout};
  if (!path) {
    return 0;
  }
  struct stat status;
  bool exists = stat(path, &status) == 0, is_input = outfile_is_input(path);
  if (is_input || (!exists && lstat(path, &status) == 0)) {
    file->stream = NULL;
    return err_set(err, "%s: cannot be written: %s", path,
                   is_input ? "the command reads this file, expected another" : "a link that leads nowhere");
  }
  char *target = exists ? realpath(path, NULL) : NULL; /* a link stays, what it leads to is replaced */
  file->path = target ? target : xstrdup(path);
  file->stream =
    exists && !S_ISREG(status.st_mode) ? fopen(path, "w") : open_temporary(file, exists ? &status : NULL);
  if (!file->stream) {
    err_set(err, "%s: cannot be written: %s", path, strerror(errno));
    forget(file);
    return -1;
  }
  return 0;
}

int outfile_close(struct outfile *file, struct err *err) {
  bool failed = ferror(file->stream) != 0;
  errno = 0;
  if (failed) {
    (void)!write(fileno(file->stream), "\n", 1); /* for the reason in errno; the file is lost already */
  }
  int reason = errno;
  failed |= (file->path ? fclose(file->stream) : fflush(file->stream)) != 0;
  if (!failed && file->temporary) {
    failed = rename(file->temporary, file->path) != 0;
    if (!failed) {
      note_finished(file);
    }
  }
  int status = failed ? err_set(err, "%s: cannot be written: %s", file->path ? file->path : "standard output",
                                strerror(reason ? reason : errno))
                      : 0;
  forget(file);
  return status;
}

void outfile_abandon(struct outfile *file) {
  if (file->path) {
    fclose(file->stream);
  }
  forget(file);
}
