/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of the possible names at a place, for messages about another name; used inside this folder only. */
#pragma once

#include <stddef.h>

enum { PLATFORM_NAMES_MAX = 64 };

struct platform_names {
  const char *names[PLATFORM_NAMES_MAX];
  size_t n;
};

/* Add NAME, unless NAMES is full. */
void platform_names_add(struct platform_names *names, const char *name);

/* Return the name in place of WORD, a name of earlier versions; NULL: WORD was no name. */
const char *platform_names_instead(const char *word);

/* Return a text for messages: the nearest of NAMES to WORD, otherwise all NAMES.
 * owner: the caller. */
char *platform_names_expected(const char *word, const struct platform_names *names);
