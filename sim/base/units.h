/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and sizes as people type and read numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct err;

/* In a list of numbers of ranks: one on each SPE of the machine. */
#define UNITS_ALL UINT64_MAX

/* Numbers in the order of the text. */
struct units_list {
  uint64_t *values;
  size_t n;
};

/* The members of a list of given numbers. */
#define UNITS_OF(...) \
  { .values = (uint64_t[]){__VA_ARGS__}, .n = sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t) }

/* Room for any size in UNITS_TEXT_SIZE characters, with the final NUL. */
enum { UNITS_TEXT_SIZE = 32 };

/* Parse TEXT, a whole number in decimal digits.
 * errors: anything else, or a number of more than 64 bits. */
int units_parse_count(const char *text, uint64_t *value, struct err *err);

/* Parse TEXT, a size in bytes: a whole number, alone or followed by KiB, MiB or GiB, or in short K
 * or k, M, G.
 * errors: as units_parse_count. */
int units_parse_bytes(const char *text, uint64_t *value, struct err *err);

/* Parse TEXT, counts separated by commas; A..B are all counts from A to B.
 * errors: malformed or falling, too long a list, or a number of more than 32 bits; LIST is then empty. */
int units_parse_count_list(const char *text, struct units_list *list, struct err *err);
void units_list_fini(struct units_list *list);

/* The same for numbers of ranks, where `all` is UNITS_ALL. */
int units_parse_ranks_list(const char *text, struct units_list *list, struct err *err);

/* Parse TEXT, sizes separated by commas; A..B are A and its doubles up to B.
 * errors: malformed, falling, doubling from 0, not ending on a double, or too long a list; LIST is then
 *   empty.
 * owner: the caller, with units_list_fini. */
int units_parse_bytes_list(const char *text, struct units_list *list, struct err *err);

/* Copy TEXT, values of a parameter separated by commas. In place of a range A..B of decimal numbers the copy
 * has A and its doubles up to B; other text is copied unchanged.
 * errors: NULL: a range falls, doubles from 0, or does not end on a double.
 * owner: the caller. */
char *units_expand_ranges(const char *text, struct err *err);

/* Return NBYTES as units_parse_bytes reads a size, in the largest unit that divides NBYTES; a text_brief. */
const char *units_format_bytes(uint64_t nbytes);
