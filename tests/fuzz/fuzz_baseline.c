/* SPDX-License-Identifier: BSD-3-Clause
 * Baselines: what is accepted has its columns, and nothing in it is slower than itself. A call without
 * cycles, which did not end, counts as missing. */
#include "cli/run/run_ways.h"
#include "cli/table.h"
#include "sim/base/err.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <unistd.h>

enum { ROWS_COMPARED = 64 };

void fuzz_baseline(const char *text, size_t nbytes) {
  struct err err = {""};
  char path[FUZZ_PATH_SIZE];
  int fd = fuzz_file(text, nbytes, path);
  struct table *table = baseline_read(path, &err);
  FUZZ_REQUIRE(table || err.text[0] != '\0');
  if (table) {
    FUZZ_REQUIRE(table_nrows(table) > 0 && table_cell(table, 0, "cycles") &&
                 table_cell(table, 0, "algorithm"));
    if (table_nrows(table) == 1) {
      FUZZ_REQUIRE(baseline_compare(table, table, 0, &err) == (*table_cell(table, 0, "cycles") ? 0 : -1));
    } else if (table_nrows(table) <= ROWS_COMPARED) {
      FUZZ_REQUIRE(baseline_compare(table, table, 1e6, &err) >= 0 || strstr(err.text, "none of the"));
    }
    table_free(table);
  }
  close(fd);
}
