/* SPDX-License-Identifier: BSD-3-Clause
 * Flags that a program polls in the program's own memory, and waits for one of several things. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A condition on the local store, or the memory of a process: in real code a loop that polls a flag. */
struct spu_flag {
  const volatile uint32_t *word; /* counts up, wrapping round */
  uint32_t value;                /* the flag is up when the word has reached this value */
  int peer;                      /* rank expected to write the flag, for messages; -1 unknown */
  const char *what;              /* for messages */
};

/* Flags, and tag groups of the program's own transfers: each alone ends a wait. */
struct spu_any {
  const struct spu_flag *flags;
  unsigned nflags;
  uint32_t tags; /* bit t for tag t */
};

/* Tell whether a flag of ANY is up. */
bool spu_any_flag_is_up(const struct spu_any *any);

/* Write the text of a wait for ANY into TEXT of SIZE bytes. */
void spu_any_describe(const struct spu_any *any, char *text, size_t size);

static inline bool spu_flag_is_up(const struct spu_flag *flag) {
  return (int32_t)(*flag->word - flag->value) >= 0;
}
