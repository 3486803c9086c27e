/* SPDX-License-Identifier: BSD-3-Clause
 * Answers to questions as text below a table: questions on the left, lines and paragraphs on the right, in 80
 * columns. */
#pragma once

struct table;

struct explain_text {
  struct table *table;
  const char *question; /* stands before the next line */
  char *paragraph;      /* current, by xappend; NULL: none */
};

/* Begin the answer to QUESTION, after an empty line. A long question has a line of its own. */
void explain_text_begin(struct explain_text *text, const char *question);

/* Add a line, never broken. */
void explain_text_line(struct explain_text *text, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

/* End the paragraph, broken into lines. */
void explain_text_end(struct explain_text *text);
