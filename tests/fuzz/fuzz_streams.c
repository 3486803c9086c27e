/* SPDX-License-Identifier: BSD-3-Clause
 * Patterns of streams: their labels are the same pattern. */
#include "sim/base/err.h"
#include "tests/fuzz/fuzz.h"
#include "validate/bench/pattern.h"

#include <string.h>

void fuzz_streams(const char *text, size_t nbytes) {
  struct pattern pattern, again;
  struct err err = {""};
  char *labels;
  size_t size;
  (void)nbytes;
  if (pattern_parse(text, &pattern, &err) != 0) {
    FUZZ_REQUIRE(err.text[0] != '\0' && pattern.n == 0);
    return;
  }
  FILE *stream = open_memstream(&labels, &size);
  for (size_t i = 0; i < pattern.n; i++) {
    fprintf(stream, "%s%s", i ? "," : "", pattern.streams[i].label);
  }
  fclose(stream);
  FUZZ_REQUIRE(pattern_parse(labels, &again, &err) == 0 && again.n == pattern.n);
  for (size_t i = 0; i < again.n; i++) {
    const struct pattern_stream *a = &pattern.streams[i], *b = &again.streams[i];
    FUZZ_REQUIRE(a->rank == b->rank && a->other == b->other && a->put == b->put && a->rank != a->other);
  }
  pattern_fini(&again);
  pattern_fini(&pattern);
  free(labels);
}
