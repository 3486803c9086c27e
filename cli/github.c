/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/github.h"

#include "algos/catalogue.h"
#include "cli/opts.h"
#include "cli/table.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write TEXT, and escape SIGNS for GitHub. */
static void write_escaped(const char *text, const char *signs) {
  for (; *text; text++) {
    printf(strchr(signs, *text) ? "%%%02X" : "%c", (unsigned char)*text);
  }
}

/* Find the first FILE:LINE: with an existing file in TEXT.
 * returns: FILE and *LINE; NULL: there is none.
 * owner: the caller. */
static char *find_place(const char *text, unsigned *line) {
  for (const char *colon = text; (colon = strchr(colon, ':')); colon++) {
    char *end;
    unsigned long number = strtoul(colon + 1, &end, 10);
    const char *first = colon;
    while (first > text && !strchr(" \n", first[-1])) {
      first--;
    }
    char *path = xasprintf("%.*s", (int)(colon - first), first);
    if (end > colon + 1 && *end == ':' && access(path, F_OK) == 0) {
      *line = (unsigned)number;
      return path;
    }
    free(path);
  }
  return NULL;
}

void github_error(const char *path, unsigned line, const char *text) {
  unsigned found_line = line;
  SCOPED char *found = find_place(text, &found_line);
  path = found ? found : path;
  printf("::error ");
  if (path) {
    printf("file=");
    write_escaped(path, "%\r\n:,");
    printf(",line=%u,", found_line > 0 ? found_line : 1);
  }
  printf("title=cellcoll check::");
  write_escaped(text, "%\r\n");
  putchar('\n');
}

/* Return the number of the first line with WORD in file PATH; 0: no such line or file. */
static unsigned line_with(const char *path, const char *word) {
  static const struct text_kind kind = {32 << 20, "33554432 bytes", "a source"};
  size_t nbytes;
  SCOPED char *text = text_read_file(path, &kind, &nbytes, NULL);
  const char *found = text ? strstr(text, word) : NULL;
  unsigned n = found != NULL;
  for (const char *at = text; at < found; at++) {
    n += *at == '\n';
  }
  return n;
}

char *github_source(const struct algorithm *algorithm, const struct opts_names *plugins, unsigned *line) {
  SCOPED char *name = xasprintf("\"%s\"", algorithm->algo->name);
  VEC_EACH(plugin, plugins->names, plugins->n) {
    const char *dot = strrchr(*plugin, '.');
    char *source = xasprintf("%.*s.c", dot ? (int)(dot - *plugin) : 0, *plugin);
    *line = dot && strcmp(dot, ".so") == 0 ? line_with(source, name) : 0;
    if (*line > 0) {
      return source;
    }
    free(source);
  }
  return NULL;
}

void github_summary(const struct table *table) {
  const char *path = getenv("GITHUB_STEP_SUMMARY");
  FILE *stream = path && *path ? fopen(path, "a") : NULL;
  if (stream) {
    fputs("### cellcoll check\n\n", stream);
    table_append_markdown(table, stream);
    fputc('\n', stream);
    fclose(stream);
  }
}
