/* SPDX-License-Identifier: BSD-3-Clause */
#include "traces/viewers/trace_text.h"

#include "sim/base/xalloc.h"
#include "traces/cycle_queue.h"

#define ONES(tens) \
  tens "0", tens "1", tens "2", tens "3", tens "4", tens "5", tens "6", tens "7", tens "8", tens "9"
#define TENS(n) \
  ONES(n "0"), ONES(n "1"), ONES(n "2"), ONES(n "3"), ONES(n "4"), ONES(n "5"), ONES(n "6"), ONES(n "7"), \
    ONES(n "8"), ONES(n "9")
const char trace_threes[1000][6] = {TENS("0"), TENS("1"), TENS("2"), TENS("3"), TENS("4"),
                                    TENS("5"), TENS("6"), TENS("7"), TENS("8"), TENS("9")};

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
  at = trace_put_thousandths(at, "", value);
  while (at[-1] == '0') {
    at--;
  }
  return at - (at[-1] == '.');
}
