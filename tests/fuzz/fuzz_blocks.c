/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules of thread blocks: a file is judged, or refused with a line. */
#include "algos/schedule/blocks/blocks.h"
#include "sim/base/err.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

void fuzz_blocks(const char *text, size_t nbytes) {
  struct err err = {""};
  struct loaded *loaded = msccl_read("f", text, nbytes, &err);
  if (!loaded) {
    FUZZ_REQUIRE(strncmp(err.text, "f:", 2) == 0 && strstr(err.text, "expected"));
    return;
  }
  const struct judgement *judgement = &loaded->judgement;
  /* More slots never hurt, and fewer chunks in a slot never help. */
  FUZZ_REQUIRE((judgement->depth == 0) == (judgement->depth_narrow == 0));
  FUZZ_REQUIRE(judgement->depth <= judgement->depth_narrow);
  loaded_free(loaded);
}
