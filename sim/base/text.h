/* SPDX-License-Identifier: BSD-3-Clause
 * Texts from files and from the command line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/* A kind of file: the maximum number of bytes, the same in words, and the contents. */
struct text_kind {
  size_t most;
  const char *most_in_words, *what;
};

/* Copy TEXT without blanks at its ends and with one blank for each run of white space.
 * owner: the caller. */
char *text_tidy(const char *text);

/* Return a text equal to TEXT that lasts as long as the process; NULL: TEXT is NULL. */
const char *text_keep(const char *text);

/* Return a formatted text, cut after 1,023 bytes, that lasts until 16 further calls. */
const char *text_brief(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Return a stream for *TEXT, which is complete once the stream is closed.
 * owner: the caller, with fclose; of *TEXT with free. */
FILE *text_open(char **text);

/* Return "s", for the end of a word behind N; "" if N is 1. */
static inline const char *text_plural(uint64_t n) {
  return n == 1 ? "" : "s";
}

/* Take NUMBER, of at most DIGITS (1 to 9) decimal digits, from the front of *TEXT.
 * returns: whether there is such a number; otherwise *TEXT stays. */
bool text_take_number(const char **text, size_t digits, unsigned *number);

/* Read the character of UTF-8 at TEXT into CODE.
 * returns: the number of bytes; 0: there is no character. */
size_t text_character(const char *text, uint32_t *code);

/* Count the characters of the N bytes of TEXT, which is UTF-8. */
int text_width(const char *text, size_t n);

/* Copy TEXT so that it is UTF-8: a byte that belongs to no character becomes \xNN.
 * owner: the caller. */
char *text_to_utf8(const char *text);

/* Read file PATH of KIND; NBYTES becomes the length, without the NUL behind the last byte.
 * returns: NULL with a message on failure.
 * owner: the caller. */
char *text_read_file(const char *path, const struct text_kind *kind, size_t *nbytes, struct err *err);

/* Find the one of N NAMES that is nearest to WORD: fewest letters inserted, left out, changed or swapped with
 * their neighbour, upper and lower case alike; the first one when several are equally near.
 * returns: NULL when none is near, that is, when more than about a third of the letters of WORD are wrong. */
const char *suggest_nearest(const char *word, const char *const *names, size_t n);
