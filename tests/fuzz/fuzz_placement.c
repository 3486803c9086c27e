/* SPDX-License-Identifier: BSD-3-Clause
 * Placements: what is printed back is the same one. */
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"
#include "validate/lab/call/placement.h"

void fuzz_placement(const char *text, size_t nbytes) {
  struct placement placement, again;
  struct err err = {""};
  (void)nbytes;
  if (placement_parse(text, &placement, &err) != 0) {
    FUZZ_REQUIRE(err.text[0] != '\0');
    units_list_fini(&placement.list);
    return;
  }
  SCOPED char *written = NULL;
  placement_append(&written, &placement, (unsigned)placement.list.n, ",");
  FUZZ_REQUIRE(placement_parse(written, &again, &err) == 0 && again.kind == placement.kind);
  FUZZ_REQUIRE(again.list.n == placement.list.n);
  for (size_t i = 0; i < again.list.n; i++) {
    FUZZ_REQUIRE(again.list.values[i] == placement.list.values[i]);
  }
  units_list_fini(&again.list);
  units_list_fini(&placement.list);
}
