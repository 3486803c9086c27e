/* SPDX-License-Identifier: BSD-3-Clause
 * See flag_wait.h. */
#include "sim/spu/flag_wait.h"

#include <stdio.h>

static bool flag_is_up(const struct des_wait *wait) {
  const struct spu_flag *flag = ((const struct flag_wait *)wait)->flag;
  return (int32_t)(*flag->word - flag->value) >= 0;
}

static void describe_flag(const struct des_wait *wait, char *text, size_t size) {
  const struct spu_flag *flag = ((const struct flag_wait *)wait)->flag;
  snprintf(text, size, "waits for %s %u from rank %d", flag->what, (unsigned)flag->value, flag->peer);
}

struct flag_wait flag_wait(const struct spu_flag *flag, unsigned kinds) {
  return (struct flag_wait){.wait = {.kinds = kinds, .ready = flag_is_up, .describe = describe_flag},
                            .flag = flag};
}
