/* SPDX-License-Identifier: BSD-3-Clause
 * A flag that a program polls in its own memory. */
#pragma once

#include <stdint.h>

/* A condition on the own local store, or memory of a host: a loop that polls a flag, in real code. */
struct spu_flag {
  const volatile uint32_t *word; /* counts up, wrapping round */
  uint32_t value;                /* the flag is up when the word has reached this value */
  int peer;                      /* rank that is expected to write it, for messages; -1 unknown */
  const char *what;              /* for messages */
};
