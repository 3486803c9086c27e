/* SPDX-License-Identifier: BSD-3-Clause
 * The targets under libFuzzer, which looks for inputs by itself; the environment says which target. */
#include "tests/fuzz/fuzz.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
  const char *target = getenv("CELLCOLL_FUZZ");
  if (fuzz_run(target ? target : "none", (const char *)data, nbytes) != 0) {
    fprintf(stderr, "CELLCOLL_FUZZ is no target of targets.def\n");
    abort();
  }
  return 0;
}
