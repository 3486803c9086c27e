/* SPDX-License-Identifier: BSD-3-Clause
 * See same_platform.h. */
#include "tests/fuzz/same_platform.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

void same_platform(const struct platform *platform) {
  size_t n = platform_nentries(platform);
  struct platform_entry *entries = xcalloc(n, sizeof *entries);
  struct platform_setting *settings = xcalloc(n, sizeof *settings);
  for (size_t i = 0; i < n; i++) {
    platform_entry(platform, i, &entries[i]);
    settings[i] = (struct platform_setting){.key = entries[i].key, .value = entries[i].value};
  }
  struct err err = {""};
  struct platform *copy = platform_copy(platform);
  FUZZ_REQUIRE(platform_set_all(copy, settings, n, &err) == 0);
  FUZZ_REQUIRE(copy->checksum == platform->checksum);
  for (size_t i = 0; i < PLATFORM_NPARAMS; i++) {
    const char *before = (const char *)platform + platform_params[i].offset,
               *after = (const char *)copy + platform_params[i].offset;
    FUZZ_REQUIRE(platform_params[i].kind != PLATFORM_REAL || memcmp(before, after, sizeof(double)) == 0);
  }
  platform_free(copy);
  free(settings);
  free(entries);
}
