/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_text.h. */
#include "traces/viewers/trace_text.h"

#include "sim/base/xalloc.h"
#include "traces/cycle_queue.h"

void trace_text_flush(struct trace_text *text) {
  if (text->lines) {
    char *copy = text->used ? xcalloc(text->used + 1, 1) : NULL;
    if (copy) {
      cycle_queue_add(&text->lines->queue, text->at, memcpy(copy, text->bytes, text->used));
    }
  } else if (!ferror(text->stream)) {
    fwrite(text->bytes, 1, text->used, text->stream);
  }
  text->used = 0;
}

char *trace_put_word(char *at, const char *word, bool commas) {
  for (; *word; word++) {
    bool breaks = (unsigned char)*word < ' ' || *word == '"' || *word == '\\' || (commas && *word == ',');
    *at++ = breaks ? ' ' : *word;
  }
  return at;
}

char *trace_put_fraction(char *at, uint64_t value) {
  at = trace_put_count(at, value / 1000);
  if (value % 1000) {
    *at++ = '.';
  }
  for (unsigned rest = (unsigned)(value % 1000); rest; rest = rest % 100 * 10) {
    *at++ = (char)('0' + rest / 100);
  }
  return at;
}
