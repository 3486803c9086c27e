/* SPDX-License-Identifier: BSD-3-Clause
 * The hazards that an observer has found: how many, and the text of the first ones. */
#pragma once

#include <stdint.h>

enum {
  HAZARD_LINES_MAX = 20,
  HAZARD_PLACE_SIZE = 64,  /* of the text of a place or of a program */
  HAZARD_PARTY_SIZE = 320, /* of the text of an access */
};

struct hazard_list {
  uint64_t count;
  char *lines[HAZARD_LINES_MAX];
};

/* Add a hazard. */
void hazard_list_add(struct hazard_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Forget all hazards of LIST. */
void hazard_list_clear(struct hazard_list *list);
