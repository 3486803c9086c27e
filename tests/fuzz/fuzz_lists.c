/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, sizes and lists of them: written again, they are the same. */
#include "sim/base/err.h"
#include "sim/base/units.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Check that the values of LIST, written with commas between them, are read as LIST by PARSE. */
static void read_again(const struct units_list *list,
                       int (*parse)(const char *, struct units_list *, struct err *)) {
  struct units_list again;
  struct err err = {""};
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  for (size_t i = 0; i < list->n; i++) {
    if (parse == units_parse_ranks_list && list->values[i] == UNITS_ALL) {
      fprintf(stream, "%sall", i ? "," : "");
    } else {
      fprintf(stream, "%s%llu", i ? "," : "", (unsigned long long)list->values[i]);
    }
  }
  fclose(stream);
  FUZZ_REQUIRE(list->n > 0 && parse(text, &again, &err) == 0);
  FUZZ_REQUIRE(again.n == list->n && memcmp(again.values, list->values, list->n * sizeof *list->values) == 0);
  units_list_fini(&again);
  free(text);
}

void fuzz_lists(const char *text, size_t nbytes) {
  uint64_t count, size, again;
  struct units_list list;
  struct err err = {""};
  (void)nbytes;
  if (units_parse_bytes(text, &size, &err) == 0) {
    FUZZ_REQUIRE(units_parse_bytes(units_format_bytes(size), &again, &err) == 0 && again == size);
  }
  if (units_parse_count(text, &count, &err) == 0) {
    FUZZ_REQUIRE(units_parse_bytes(text, &again, &err) == 0 && again == count);
  }
  if (units_parse_count_list(text, &list, &err) == 0) {
    read_again(&list, units_parse_count_list);
  }
  units_list_fini(&list);
  if (units_parse_ranks_list(text, &list, &err) == 0) {
    read_again(&list, units_parse_ranks_list);
  }
  units_list_fini(&list);
  if (units_parse_bytes_list(text, &list, &err) == 0) {
    read_again(&list, units_parse_bytes_list);
  }
  units_list_fini(&list);
}
