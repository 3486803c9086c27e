/* SPDX-License-Identifier: BSD-3-Clause
 * Text written fast: a fixed buffer gathers lines, and numbers are formatted here. A line is put together at
 * its place in the buffer: `at` is the place of the next character.
 *
 *   char *at = trace_text_line(text);
 *   at = trace_put_count(at, cycle);
 *   trace_text_end(text, at); */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The longest line, and the size of the buffer. */
enum { TRACE_LINE_MAX = 2048, TRACE_TEXT_SIZE = 65536 };

/* Text for a stream; starts as zero but for the stream. */
struct trace_text {
  FILE *stream;
  struct cycle_lines *lines; /* NULL, or the lines on the way to the stream, in the order of cycles */
  uint64_t at;               /* cycle of the gathered text; trace_text_reach */
  size_t used;
  char bytes[TRACE_TEXT_SIZE];
};

/* Write the gathered text of TEXT. An error is seen at the stream (ferror); nothing more is written after an
 * error. */
void trace_text_flush(struct trace_text *text);

/* Let the text gathered from now on belong to cycle AT. */
static inline void trace_text_reach(struct trace_text *text, uint64_t at) {
  if (text->lines && text->used && text->at != at) {
    trace_text_flush(text);
  }
  text->at = at;
}

/* Begin a line of TEXT, of at most TRACE_LINE_MAX characters.
 * returns: where the line begins. */
static inline char *trace_text_line(struct trace_text *text) {
  if (text->used > TRACE_TEXT_SIZE - TRACE_LINE_MAX) {
    trace_text_flush(text);
  }
  return text->bytes + text->used;
}

/* End the line of TEXT before AT. */
static inline void trace_text_end(struct trace_text *text, const char *at) {
  text->used = (size_t)(at - text->bytes);
}

/* Put WORD into a line or a quoted text: quotes, backslashes and control characters become blanks, with
 * COMMAS also commas. Each trace_put function returns the place of the next character. */
char *trace_put_word(char *at, const char *word, bool commas);

/* Put VALUE, thousandths of something, as a decimal fraction without zeros at the end. */
char *trace_put_fraction(char *at, uint64_t value);

/* Put CHARACTER. */
static inline char *trace_put_char(char *at, char character) {
  *at = character;
  return at + 1;
}

/* Put WORD unchanged. */
static inline char *trace_put(char *at, const char *word) {
  size_t length = strlen(word);
  memcpy(at, word, length);
  return at + length;
}

/* Add the whole line, or lines, WORD to TEXT. */
static inline void trace_text_add(struct trace_text *text, const char *word) {
  trace_text_end(text, trace_put(trace_text_line(text), word));
}

/* The digits of 000 to 999, with zeros behind. */
extern const char trace_threes[1000][6];

/* Put VALUE, less than 1000, in three digits. */
static inline char *trace_put_three(char *at, unsigned value) {
  memcpy(at, trace_threes[value], 3);
  return at + 3;
}

/* Put VALUE in decimal digits. */
static inline char *trace_put_count(char *at, uint64_t value) {
  unsigned threes[7], n = 0;
  for (; value > 999; value /= 1000) {
    threes[n++] = (unsigned)(value % 1000);
  }
  unsigned zeros = value < 10 ? 2 : value < 100;
  memcpy(at, &trace_threes[value][zeros], 3);
  at += 3 - zeros;
  while (n > 0) {
    at = trace_put_three(at, threes[--n]);
  }
  return at;
}

/* Put WORD, and behind it VALUE. */
static inline char *trace_put_field(char *at, const char *word, uint64_t value) {
  return trace_put_count(trace_put(at, word), value);
}

/* Put WORD, and behind it VALUE, thousandths of something, with three decimals. */
static inline char *trace_put_thousandths(char *at, const char *word, uint64_t value) {
  at = trace_put_char(trace_put_field(at, word, value / 1000), '.');
  return trace_put_three(at, (unsigned)(value % 1000));
}
