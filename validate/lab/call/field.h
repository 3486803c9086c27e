/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of a call in call.def: one table for everything that enumerates the fields. The word of a field
 * is the value as typed behind the option. */
#pragma once

#include "algos/step/combine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct call;

/* Upper limits of calls back to back, and of cycles of skew, that a user can ask for: far beyond any loop,
 * and safe from overflow. */
enum { CALL_REPEATS_MAX = 1000000, CALL_SKEW_MAX = 1000000000 };

/* Ranks in ascending order, and the delays with which these ranks enter each call, as "0:5000,3:200". */
struct delay_list {
  struct delay {
    unsigned rank, cycles;
  } * items;
  size_t n;
};

/* The types of the kinds of call.def. */
typedef uint64_t field_COUNT; /* up to 2^63 - 1 */
typedef unsigned field_REPEAT;
typedef uint64_t field_SKEW; /* cycles; the next member is the seed */
typedef uint64_t field_SEED; /* of SKEW */
typedef enum coll_op field_OP;
typedef enum coll_type field_TYPE;
typedef struct delay_list field_DELAYS;
typedef const char *field_MAP; /* rows as of workload_choose, separated by commas; NULL: none */

enum call_field_number {
#define PART(option, member, kind, meaning) FIELD_##member,
#include "validate/lab/call/call.def"
  CALL_FIELDS
};

/* Read TEXT, an argument of an option, into FIELD, whose type the reader knows.
 * errors: a malformed text. */
typedef int field_reader(void *field, const char *text, struct err *err);

field_reader field_read_COUNT, field_read_OP, field_read_TYPE, field_read_REPEAT, field_read_MAP;

/* The same of RANK:CYCLES, separated by commas: add the delays to a list.
 * errors: anything else, a number of more than nine digits, a rank twice.
 * owner: the caller frees the items, also after an error. */
field_reader field_read_DELAYS;

/* Read TEXT, a number from LEAST to MOST, into FIELD.
 * errors: another text. */
int field_read_bounded(unsigned *field, const char *text, unsigned least, unsigned most, struct err *err);

/* Find TEXT among the COUNT words of NAME, and let FIELD, an enumeration, become the index.
 * errors: no such word; the message lists the words. */
int field_read_word(void *field, const char *text, unsigned count, const char *(*name)(unsigned),
                    struct err *err);

/* A kind of fields. */
struct field_kind {
  size_t size;
  const char *usual; /* the word of the usual value; "": no word */
  bool is_random;    /* chosen by check in every point: a command that repeats the point needs the option */
  bool is_plain;     /* people are told in other words */
  bool is_part;      /* of the option of the member before */
  bool combines;     /* means something to reductions only */
  bool is_number;    /* an unsigned or a uint64_t; else the field is a text */
  field_reader *read;
  void (*append)(char **text, const void *field); /* the word; NULL: the number */
};

struct call_field {
  const char *name;
  size_t offset; /* in struct call */
  const struct field_kind *kind;
};

extern const struct call_field call_fields[CALL_FIELDS];

/* Tell whether FIELD means something to the algorithm of CALL. */
bool call_field_means(const struct call_field *field, const struct call *call);

/* Return the word of FIELD of CALL.
 * owner: the caller. */
char *call_field_word(const struct call_field *field, const struct call *call);

/* Return FIELD of CALL, of a kind with a number. */
uint64_t call_field_number(const struct call_field *field, const struct call *call);

/* Tell whether FIELD of CALL has the usual value. */
bool call_field_is_usual(const struct call_field *field, const struct call *call);

/* Give FIELD of CALL, and all parts of the same option, the usual value. */
void call_field_reset(const struct call_field *field, struct call *call);

bool call_field_equal(const struct call_field *field, const struct call *one, const struct call *other);

/* Copy FIELD; FROM still owns the memory of FIELD. */
void call_field_copy(const struct call_field *field, struct call *to, const struct call *from);

/* Let FIELD of CALL, with the usual value, be the word TEXT, or VALUE; NULL and 0 are the usual value.
 * errors: no such value; the message begins with the name of the field. */
int call_field_take_text(const struct call_field *field, struct call *call, const char *text,
                         struct err *err);
int call_field_take_number(const struct call_field *field, struct call *call, uint64_t value,
                           struct err *err);

/* Append the fields of CALL to TEXT as options, " --repeat 2 --skew 100:5", or for people, ", skew 100:5". */
void call_fields_append_options(char **text, const struct call *call);
void call_fields_append_words(char **text, const struct call *call);

/* Release the memory of the fields of CALL. */
void call_fields_fini(struct call *call);

/* Check that the ranks of LIST are among NRANKS. */
int delay_list_check(const struct delay_list *list, unsigned nranks, struct err *err);
