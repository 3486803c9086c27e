/* SPDX-License-Identifier: BSD-3-Clause
 * Platform files: what is accepted is shown, checked, drawn and listed with its sources, and its values, as
 * shown, are accepted again and make the same machine. */
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/same_platform.h"

#include <string.h>
#include <unistd.h>

void fuzz_platform(const char *text, size_t nbytes) {
  struct err err = {""};
  char path[FUZZ_PATH_SIZE];
  int fd = fuzz_file(text, nbytes, path);
  struct platform *platform = platform_read(path, &err);
  FUZZ_REQUIRE(platform || strncmp(err.text, path, strlen(path)) == 0 || strchr(err.text, ':'));
  if (platform) {
    static const char *const words[] = {"show", "check", "draw", "sources"};
    same_platform(platform);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      FUZZ_REQUIRE(fuzz_program((const char *[]){"platform", words[i], path, "-o", "/dev/null", NULL}) == 0);
    }
    FUZZ_REQUIRE(fuzz_program((const char *[]){"platform", "sources", path, "--format=json", "-o",
                                               "/dev/null", NULL}) == 0);
  }
  platform_free(platform);
  close(fd);
}
