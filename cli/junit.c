/* SPDX-License-Identifier: BSD-3-Clause
 * See junit.h. */
#include "cli/junit.h"

#include "sim/base/markup.h"
#include "sim/base/outfile.h"

#include <stdio.h>
#include <string.h>

/* Write attribute NAME with VALUE. */
static void
write_attribute(const char *name, const char *value, FILE *stream)
{
  fprintf(stream, " %s=\"", name);
  markup_escape(value, stream);
  fputc('"', stream);
}

/* Write a test case that has gone wrong with WHY, as an element KIND. */
static void
write_trouble(const char *kind, const char *why, FILE *stream)
{
  fprintf(stream, ">\n      <%s", kind);
  write_attribute("message", why, stream);
  fprintf(stream, "/>\n    </testcase>\n");
}

static void
write_case(const struct junit_case *one, FILE *stream)
{
  fputs("    <testcase", stream);
  write_attribute("classname", one->class, stream);
  write_attribute("name", one->name, stream);
  if (one->failure) {
    write_trouble("failure", one->failure, stream);
  } else {
    fputs("/>\n", stream);
  }
}

static size_t
count_failures(const struct junit_case *cases, size_t n)
{
  size_t failures = 0;
  for (size_t i = 0; i < n; i++) {
    failures += cases[i].failure != NULL;
  }
  return failures;
}

/* Write the suite that CASES, N of them, begin with.
 * returns: how many cases it has. */
static size_t
write_suite(const struct junit_case *cases, size_t n, FILE *stream)
{
  size_t size = 1;
  while (size < n && strcmp(cases[size].suite, cases[0].suite) == 0) {
    size++;
  }
  fputs("  <testsuite", stream);
  write_attribute("name", cases[0].suite, stream);
  fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", size, count_failures(cases, size));
  for (size_t i = 0; i < size; i++) {
    write_case(&cases[i], stream);
  }
  fputs("  </testsuite>\n", stream);
  return size;
}

int
junit_write(const struct junit *junit, const char *path, struct err *err)
{
  struct outfile file;
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  FILE *stream = file.stream;
  unsigned errors = junit->broken != NULL;
  fprintf(stream,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuites name=\"cellcoll check\" tests=\"%zu\" failures=\"%zu\" errors=\"%u\">\n",
          junit->n + errors, count_failures(junit->cases, junit->n), errors);
  for (size_t i = 0; i < junit->n;) {
    i += write_suite(junit->cases + i, junit->n - i, stream);
  }
  if (junit->broken) {
    fputs("  <testsuite name=\"cellcoll\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
          "    <testcase classname=\"cellcoll\" name=\"all points are checked\"",
          stream);
    write_trouble("error", junit->broken, stream);
    fputs("  </testsuite>\n", stream);
  }
  fputs("</testsuites>\n", stream);
  return outfile_close(&file, err);
}
