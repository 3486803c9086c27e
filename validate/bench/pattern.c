/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/bench/pattern.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read a rank of at most 6 digits at *TEXT, or `mem` if MEMORY allows, and move *TEXT behind the rank. */
static bool read_end(const char **text, bool memory, unsigned *end) {
  if (memory && strncmp(*text, "mem", 3) == 0) {
    *end = PATTERN_MEMORY;
    *text += 3;
    return true;
  }
  return text_take_number(text, 6, end);
}

static int read_stream(const char *text, struct pattern_stream *stream, struct err *err) {
  const char *rest = text;
  *stream = (struct pattern_stream){0};
  bool good = read_end(&rest, false, &stream->rank);
  stream->put = good && strncmp(rest, "->", 2) == 0;
  good = good && (stream->put || strncmp(rest, "<-", 2) == 0);
  rest += good ? 2 : 0;
  if (!good || !read_end(&rest, true, &stream->other) || *rest != '\0') {
    return err_set(err, "'%.40s' is no stream, expected such as 0<-1, 0->1, 0<-mem or 0->mem", text);
  }
  if (stream->rank == stream->other) {
    return err_set(err, "'%.40s' is a stream of a rank to itself, expected two different ranks", text);
  }
  return 0;
}

void pattern_add(struct pattern *pattern, struct pattern_stream stream) {
  const char *way = stream.put ? "->" : "<-";
  const char *other = stream.other == PATTERN_MEMORY ? "mem" : text_brief("%u", stream.other);
  snprintf(stream.label, sizeof stream.label, "%u%s%s", stream.rank, way, other);
  VEC_ADD(pattern->streams, pattern->n) = stream;
}

int pattern_parse(const char *text, struct pattern *pattern, struct err *err) {
  SCOPED char *copy = xstrdup(text);
  int status = 0;
  *pattern = (struct pattern){0};
  for (char *rest = copy; rest && status == 0;) {
    struct pattern_stream stream;
    status = read_stream(strsep(&rest, ","), &stream, err);
    if (status == 0) {
      pattern_add(pattern, stream);
    }
  }
  if (status != 0) {
    pattern_fini(pattern);
  }
  return status;
}

void pattern_fini(struct pattern *pattern) {
  free(pattern->streams);
  *pattern = (struct pattern){0};
}
