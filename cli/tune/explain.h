/* SPDX-License-Identifier: BSD-3-Clause
 * The command `explain`: a text of questions and answers, and the explanation of a program. */
#pragma once

struct algorithm;
struct session;
struct table;

/* The text of an explanation. */
struct explain_text {
  struct table *table;
  const char *question; /* stands before the next line */
  char *paragraph;      /* current, by xappend; NULL: none */
};

/* Begin the text and the table of SESSION: WHAT on NRANKS ranks of its machine, with the software costs of
 * PROFILE; "": without. */
struct explain_text explain_text_new(struct session *session, const char *what, unsigned nranks,
                                     const char *profile);

/* Begin the answer to QUESTION, after an empty line. A long question has a line of its own. */
void explain_text_begin(struct explain_text *text, const char *question);

/* Add a line, never broken. */
void explain_text_line(struct explain_text *text, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

/* End the paragraph, broken into lines. */
void explain_text_end(struct explain_text *text);

/* Explain PROGRAM, a program of several calls.
 * returns: an exit code. */
int explain_program(struct session *session, const struct algorithm *program);
