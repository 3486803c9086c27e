/* SPDX-License-Identifier: BSD-3-Clause
 * Packed values: whatever is added, in any order, is taken again bit by bit. The first byte of each value is
 * its kind. */
#include "sim/base/pack.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>

/* Add the values that TEXT stands for to PACK, or with TAKE take them again.
 * returns: how many there are. */
static size_t pass(struct pack *pack, const char *text, size_t nbytes, bool take) {
  size_t n = 0;
  for (const char *end = text + nbytes; text < end; n++) {
    char kind = *text++;
    size_t left = (size_t)(end - text), length = left < sizeof(double) ? left : sizeof(double);
    if (kind % 3 == 0) { /* up to its NUL, of which there is one after the end */
      FUZZ_REQUIRE(!take || strcmp(pack_take_text(pack), text) == 0);
      if (!take) {
        pack_add_text(pack, text);
      }
      text += strnlen(text, left) + 1;
      continue;
    }
    uint64_t bits = 0, found;
    double number;
    memcpy(&bits, text, length);
    memcpy(&number, &bits, sizeof number);
    if (take) {
      double real = kind % 3 == 1 ? 0 : pack_take_real(pack);
      found = kind % 3 == 1 ? pack_take_count(pack) : 0;
      FUZZ_REQUIRE(kind % 3 == 1 ? found == bits : memcmp(&real, &number, sizeof real) == 0);
    } else if (kind % 3 == 1) {
      pack_add_count(pack, bits);
    } else {
      pack_add_real(pack, number);
    }
    text += length;
  }
  return n;
}

void fuzz_pack(const char *text, size_t nbytes) {
  struct pack pack = {0};
  for (int round = 0; round < 2; round++) {
    size_t n = pass(&pack, text, nbytes, false);
    FUZZ_REQUIRE(pass(&pack, text, nbytes, true) == n && pack.taken == pack.nbytes);
    pack_clear(&pack);
  }
  pack_fini(&pack);
}
