/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/node/spu_flag.h"

#include <stdio.h>

bool spu_any_flag_is_up(const struct spu_any *any) {
  bool up = false;
  for (unsigned i = 0; i < any->nflags && !up; i++) {
    up = spu_flag_is_up(&any->flags[i]);
  }
  return up;
}

void spu_any_describe(const struct spu_any *any, char *text, size_t size) {
  size_t used = 0;
  snprintf(text, size, "waits for no flag and no transfer");
  for (unsigned i = 0; i < any->nflags && used < size; i++) {
    const struct spu_flag *flag = &any->flags[i];
    used += (size_t)snprintf(text + used, size - used, "%s%s %u from rank %d", i ? " or " : "waits for ",
                             flag->what, flag->value, flag->peer);
  }
  if (any->tags && used < size) {
    snprintf(text + used, size - used, "%stransfers with tags 0x%x", any->nflags ? " or " : "waits for ",
             any->tags);
  }
}
