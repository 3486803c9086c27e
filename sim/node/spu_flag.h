/* SPDX-License-Identifier: BSD-3-Clause
 * A flag that a program polls in the program's own memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A condition on the local store, or the memory of a process: in real code a loop that polls a flag. */
struct spu_flag {
  const volatile uint32_t *word; /* counts up, wrapping round */
  uint32_t value;                /* the flag is up when the word has reached this value */
  int peer;                      /* rank expected to write the flag, for messages; -1 unknown */
  const char *what;              /* for messages */
};

static inline bool spu_flag_is_up(const struct spu_flag *flag) {
  return (int32_t)(*flag->word - flag->value) >= 0;
}
