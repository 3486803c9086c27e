/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers in a text: whole numbers, names, + - ^, binding more * % & >>, (). For this folder only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAMES_MAX = 16, NAME_SIZE = 16 };

/* The value of a name without a value in this call: chips have different numbers of ranks. */
#define NAME_UNEVEN INT64_MIN

/* Names with values. */
struct names {
  char names[NAMES_MAX][NAME_SIZE];
  int64_t values[NAMES_MAX];
  size_t n;
};

/* The rest of a line. */
struct line {
  const char *at, *end;
  const struct names *names;
  char wrong[320]; /* the first mistake, "what, expected what"; empty: none */
  bool is_limit;   /* no mistake, but ranks or chips that the text does not serve, or a limit of texts */
};

/* Pass over blanks, and tell whether the line is over, but for a comment. */
bool line_is_over(struct line *line);

/* Take WORD, a whole word or a sign, from the front of LINE.
 * returns: whether WORD was there. */
bool line_takes(struct line *line, const char *word);

/* Take a name from the front of LINE into NAME; note a mistake if there is none. */
void line_name(struct line *line, char name[NAME_SIZE]);

/* Take an expression from the front of LINE and return the value; after a mistake note the mistake and return
 * 0. */
int64_t line_number(struct line *line);

/* Note a mistake, unless there is one: the word found at the front of LINE, and EXPECTED. */
void line_wrong(struct line *line, const char *expected);

/* As line_wrong, of the expression from START to the front of LINE, with VALUE. */
void line_wrong_value(struct line *line, const char *start, int64_t value, const char *expected);

/* As line_wrong, of a limit. */
void line_limit(struct line *line, const char *expected);
