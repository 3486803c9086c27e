/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules in GOAL: a file is judged, or refused with a line. */
#include "algos/schedule/goal/goal.h"
#include "sim/base/err.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

void fuzz_goal(const char *text, size_t nbytes) {
  struct err err = {""};
  struct loaded *loaded = goal_read("f", text, nbytes, &err);
  if (!loaded) {
    FUZZ_REQUIRE(strncmp(err.text, "f:", 2) == 0 && strstr(err.text, "expected"));
    return;
  }
  const struct judgement *judgement = &loaded->judgement;
  FUZZ_REQUIRE(judgement->ends == (judgement->found[FOUND_STUCK].n == 0));
  FUZZ_REQUIRE(judgement->least <= judgement->most && judgement->most <= goal_of(loaded)->nranks);
  loaded_free(loaded);
}
