/* SPDX-License-Identifier: BSD-3-Clause
 * The list of all algorithms, and their names on the command line. */
#pragma once

#include "algos/step/algo.h"

#include <stdint.h>

struct err;

enum {
  CATALOGUE_ADDED_MAX = 1024,
  CATALOGUE_NUMBERS = 3, /* number of smallest values of a parameter that catalogue_next counts through */
};

extern const struct algo *const *const catalogue;
extern size_t catalogue_size;

/* Bytes forbidden in a word of a name. */
#define CATALOGUE_NO_WORD ":=+|; ,\"\r\n"

/* Bytes of the longest word of a name; room for the name of a call and the final 0. */
enum { CATALOGUE_WORD_MAX = 63, CATALOGUE_NAME_SIZE = 512 };

/* Add ALGO, which must live as long as the program; PLUGIN is the checksum of the plugin's file.
 * errors: ALGO is not complete; the name is taken; the catalogue has CATALOGUE_ADDED_MAX added entries
 * already. */
int catalogue_add(const struct algo *algo, uint64_t plugin, struct err *err);

/* The algorithms of the catalogue by origin. */
enum catalogue_origin { CATALOGUE_ALL, CATALOGUE_PAPERS, CATALOGUE_ORIGINS };
const char *catalogue_origin_name(enum catalogue_origin origin);

/* Leave out the algorithms without a paper, before the first algorithm is added. */
void catalogue_keep_papers(void);

/* Return the checksum of the plugin's file of ALGO; 0: ALGO was not added. */
uint64_t catalogue_plugin(const struct algo *algo);

/* Return the call of ALGO with all parameters at their defaults. */
struct algorithm catalogue_call(const struct algo *algo);

/* Turn ALGORITHM into the next variant of its algorithm, starting from catalogue_call: all combinations of
 * every word, and of numbers of the default and the CATALOGUE_NUMBERS smallest values. A variant of an
 * algorithm of several nodes differs from the first variant in one parameter; a parameter that is an
 * algorithm takes every possible algorithm, with default parameters.
 * returns: false after the last variant; ALGORITHM is then the first variant again. */
bool catalogue_next(struct algorithm *algorithm);

/* Find the call with the name NAME, `collective:algorithm[:parameter=value]...`.
 * errors: no such collective, algorithm, parameter or value; the nearest is suggested. */
int catalogue_find(const char *name, struct algorithm *algorithm, struct err *err);

/* Tell whether NAME may mean several algorithms: a collective, or a shell pattern with * or ?. */
bool catalogue_is_pattern(const char *name);

/* Write the algorithms with a `collective:algorithm`, or a collective, that fits PATTERN into FOUND, with
 * room for catalogue_size. `collective-mm` fits the algorithms of the collective on data in main memory.
 * returns: the number of these algorithms.
 * errors: 0: none fits; the nearest name is suggested. */
size_t catalogue_match(const char *pattern, const struct algo *found[], struct err *err);

/* Tell whether A and B are the same call. */
bool catalogue_is_same(const struct algorithm *a, const struct algorithm *b);

/* Return the call of parameter INDEX of ALGORITHM, which is an algorithm. */
struct algorithm catalogue_inner(const struct algorithm *algorithm, unsigned index);

/* Format the name of ALGORITHM, with the parameters that differ from their defaults, into TEXT. */
void catalogue_format(const struct algorithm *algorithm, char *text, size_t size);

/* Return the name of ALGORITHM as of catalogue_format; the text lives until the next catalogue_name. */
const char *catalogue_name(const struct algorithm *algorithm);

/* Return the part of that name behind the collective. */
const char *catalogue_short_name(const struct algorithm *algorithm);

/* Return the code base (profile name) of ALGORITHM: of a parameter word with a source, else of the
 * algorithm. No paper has measured a text. */
const char *catalogue_source(const struct algorithm *algorithm);
