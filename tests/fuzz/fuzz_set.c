/* SPDX-License-Identifier: BSD-3-Clause
 * Values of --set, one option on each line, on the default platform: each combination that is accepted is a
 * machine, which is shown and drawn. */
#include "cli/opts.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/same_platform.h"

#include <stdbool.h>
#include <string.h>

enum { OPTIONS_MAX = 8, COMBINATIONS_MAX = 8 };

/* Set combination INDEX of OPTS. */
static void set(const struct opts *opts, size_t index) {
  struct platform_setting settings[OPTIONS_MAX];
  struct err err = {""};
  static struct platform *qs20;
  qs20 = qs20 ? qs20 : platform_read("qs20", &err);
  struct platform *platform = platform_copy(qs20);
  opts_combination(opts, index, settings);
  if (platform_set_all(platform, settings, opts->sets.n, &err) == 0) {
    same_platform(platform);
  } else { /* "--set KEY: ..." or "--set: ..." with a key further on */
    bool is_named = false;
    for (size_t i = 0; i < opts->sets.n; i++) {
      is_named |= strstr(err.text, text_brief("%.60s", settings[i].key)) != NULL;
    }
    FUZZ_REQUIRE(is_named && (strncmp(err.text, "--set ", 6) == 0 || strncmp(err.text, "--set: ", 7) == 0));
  }
  platform_free(platform);
}

void fuzz_set(const char *text, size_t nbytes) {
  static char command[] = "platform", option[] = "--set";
  char *words = xstrdup(text), *rest = words, *argv[2 * OPTIONS_MAX + 2] = {command};
  struct err err = {""};
  struct opts opts;
  int argc = 1;
  (void)nbytes;
  while (rest && argc < 2 * OPTIONS_MAX) {
    argv[argc++] = option;
    argv[argc++] = strsep(&rest, "\n");
  }
  if (opts_parse(&opts, argc, argv, OPT_SET, &err) == 0) {
    size_t n = opts_ncombinations(&opts);
    FUZZ_REQUIRE(n > 0);
    for (size_t i = 0; i < n && i < COMBINATIONS_MAX; i++) {
      set(&opts, i);
    }
    set(&opts, n - 1);
    opts_fini(&opts);
  } else {
    FUZZ_REQUIRE(err.text[0] != '\0');
  }
  free(words);
}
