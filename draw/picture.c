/* SPDX-License-Identifier: BSD-3-Clause
 * See picture.h.
 *
 * The standard input, output and error of rsvg-convert are files in memory: no pipe can fill up or break,
 * and no file is left on disk. */
#include "draw/picture.h"

#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char converter[] = "rsvg-convert";

struct bytes {
  char *at;
  size_t n;
};

/* Return the word for rsvg-convert of the format of PATH; NULL: SVG. */
static char *format_of(const char *path) {
  static char png[] = "png", pdf[] = "pdf";
  const char *dot = path ? strrchr(path, '.') : NULL;
  return dot && strcmp(dot, ".png") == 0 ? png : dot && strcmp(dot, ".pdf") == 0 ? pdf : NULL;
}

/* Return the contents of FILE, with a zero behind the last byte. */
static struct bytes contents(FILE *file) {
  struct bytes bytes = {0};
  fseek(file, 0, SEEK_END);
  long n = ftell(file);
  rewind(file);
  bytes.at = xcalloc((size_t)(n > 0 ? n : 0) + 1, 1);
  bytes.n = fread(bytes.at, 1, (size_t)(n > 0 ? n : 0), file);
  return bytes;
}

/* Run rsvg-convert with ARGUMENTS on FILES: standard input, output and error. */
static int run(char **arguments, FILE *const files[3], struct err *err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; i++) {
    posix_spawn_file_actions_adddup2(&actions, fileno(files[i]), i);
  }
  pid_t child;
  int status, failure = posix_spawnp(&child, converter, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) {
    return err_set(
      err, "%s: cannot be run: %s, expected it in PATH (Debian: package librsvg2-bin); .svg needs none",
      converter, strerror(failure));
  }
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return err_set(err, "%s: cannot be waited for: %s", converter, strerror(errno));
    }
  }
  if (WIFSIGNALED(status)) {
    return err_set(err, "%s: ended by signal %d, expected a picture", converter, WTERMSIG(status));
  }
  SCOPED char *messages = contents(files[2]).at;
  return WEXITSTATUS(status) == 0 ? 0
                                  : err_set(err, "%s: exit code %d, expected 0; it says: %.*s", converter,
                                            WEXITSTATUS(status), (int)strcspn(messages, "\n"), messages);
}

/* Convert SVG to FORMAT.
 * owner: the caller frees the PICTURE. */
static int convert(const struct bytes *svg, char *format, struct bytes *picture, struct err *err) {
  char option[] = "--format";
  char *arguments[] = {converter, option, format, NULL};
  FILE *files[3] = {NULL};
  int status = 0;
  for (int i = 0; i < 3; i++) {
    int fd = memfd_create("cellcoll-picture", MFD_CLOEXEC);
    files[i] = fd < 0 ? NULL : fdopen(fd, "w+");
    status = files[i] ? status : err_set(err, "%s: no room for a picture: %s", converter, strerror(errno));
  }
  if (status == 0) {
    fwrite(svg->at, 1, svg->n, files[0]);
    fflush(files[0]);
    rewind(files[0]);
    status = run(arguments, files, err);
    *picture = status == 0 ? contents(files[1]) : (struct bytes){0};
  }
  for (int i = 0; i < 3; i++) {
    if (files[i]) {
      fclose(files[i]);
    }
  }
  return status == 0 && picture->n == 0 ? err_set(err, "%s: it writes nothing, expected a picture", converter)
                                        : status;
}

int picture_check(const char *path, struct err *err) {
  static char letters[] = "MW", png[] = "png";
  struct bytes pictures[2] = {{0}};
  int status = 0;
  for (int i = 0; i < 2 && status == 0 && format_of(path); i++) {
    SCOPED char *svg =
      xasprintf("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><text y='16'>%c</text></svg>",
                letters[i]);
    status = convert(&(struct bytes){svg, strlen(svg)}, png, &pictures[i], err);
  }
  bool same = status == 0 && pictures[0].n > 0 && pictures[0].n == pictures[1].n &&
              memcmp(pictures[0].at, pictures[1].at, pictures[0].n) == 0;
  free(pictures[0].at);
  free(pictures[1].at);
  return same ? err_set(
                  err,
                  "%s: this machine has no font for its letters, expected one (Debian: fonts-dejavu-core); a "
                  "picture in .svg and the table need none",
                  path)
              : status;
}

/* Write DRAWN to STREAM with ORIGIN: SVG in the first child of the picture, text in lines '# ...' above. */
static void write_with(const char *drawn, const char *origin, FILE *stream) {
  const char *svg = strstr(drawn, "<svg"), *rest = svg ? strchr(svg, '>') + 1 : drawn;
  struct xml_writer *xml = xml_write_new(stream);
  fwrite(drawn, 1, (size_t)(rest - drawn), stream);
  if (svg) {
    xml_write_begin(xml, "metadata");
  }
  for (size_t n; *origin; origin += n + (origin[n] == '\n')) {
    n = strcspn(origin, "\n");
    if (svg) {
      xml_write_text(xml, "%.*s", (int)n, origin);
      xml_write_line(xml);
    } else {
      fprintf(stream, "# %.*s\n", (int)n, origin);
    }
  }
  if (svg) {
    xml_write_end(xml);
  }
  xml_write_free(xml);
  fputs(rest, stream);
}

/* Write BYTES to PATH, with ORIGIN (NULL: none). */
static int write_file(const struct bytes *bytes, const char *origin, const char *path, struct err *err) {
  struct outfile file;
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  if (origin) {
    write_with(bytes->at, origin, file.stream);
  } else {
    fwrite(bytes->at, 1, bytes->n, file.stream);
  }
  return outfile_close(&file, err);
}

int picture_write(const struct picture *picture, const char *path, struct err *err) {
  struct bytes svg, made = {0};
  char *format = format_of(path);
  FILE *stream = open_memstream(&svg.at, &svg.n);
  picture->draw(picture->context, stream);
  fclose(stream);
  int status = format ? convert(&svg, format, &made, err) : write_file(&svg, picture->origin, path, err);
  status = status == 0 && format ? write_file(&made, NULL, path, err) : status;
  free(svg.at);
  free(made.at);
  if (status == 0 && format && picture->origin) {
    SCOPED char *beside = xasprintf("%s.txt", path), *origin = xstrdup(picture->origin);
    status = write_file(&(struct bytes){origin, strlen(origin)}, NULL, beside, err);
  }
  return status;
}
