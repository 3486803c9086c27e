/* SPDX-License-Identifier: BSD-3-Clause
 * Names of algorithms: what is printed back is the same call. */
#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

void fuzz_algorithm(const char *text, size_t nbytes) {
  struct algorithm algorithm, again;
  struct err err = {""};
  char name[128], second[128];
  const struct algo **found = xcalloc(catalogue_size, sizeof *found);
  (void)nbytes;
  FUZZ_REQUIRE((catalogue_match(text, found, &err) == 0) == (err.text[0] != '\0'));
  free(found);
  err = (struct err){""};
  if (catalogue_find(text, &algorithm, &err) != 0) {
    FUZZ_REQUIRE(err.text[0] != '\0');
    return;
  }
  catalogue_format(&algorithm, name, sizeof name);
  FUZZ_REQUIRE(catalogue_find(name, &again, &err) == 0);
  FUZZ_REQUIRE(again.algo == algorithm.algo &&
               memcmp(again.values, algorithm.values, sizeof algorithm.values) == 0);
  catalogue_format(&again, second, sizeof second);
  FUZZ_REQUIRE(strcmp(name, second) == 0);
}
