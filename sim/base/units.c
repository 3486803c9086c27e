/* SPDX-License-Identifier: BSD-3-Clause
 * See units.h.
 *
 * A list is items separated by commas; an item is a number or a range A..B. What a number may look like and
 * how a range goes on is a struct grammar. */
#include "sim/base/units.h"

#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 65536 };

static const struct {
  const char *suffix;
  unsigned shift;
} scales[] = {{"GiB", 30}, {"MiB", 20}, {"KiB", 10}};

enum { NSCALES = sizeof scales / sizeof *scales };

struct grammar {
  int (*parse)(const char *text, uint64_t *value, struct err *err);
  bool doubles; /* ranges double; else they count by one */
  uint64_t largest;
};

/* Read the decimal digits at the start of TEXT; END is where they stop.
 * returns: whether there are any and their number fits. */
static bool read_digits(const char *text, uint64_t *value, const char **end) {
  const char *at = text;
  for (*value = 0; *at >= '0' && *at <= '9'; at++) {
    if (__builtin_mul_overflow(*value, (uint64_t)10, value) ||
        __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value)) {
      return false;
    }
  }
  *end = at;
  return at > text;
}

int units_parse_count(const char *text, uint64_t *value, struct err *err) {
  const char *end = text;
  if (read_digits(text, value, &end) && *end == '\0') {
    return 0;
  }
  return err_set(err, "'%.60s' is not a count, expected a whole number such as 8", text);
}

int units_parse_bytes(const char *text, uint64_t *value, struct err *err) {
  const char *end = text;
  if (read_digits(text, value, &end)) {
    if (*end == '\0') {
      return 0;
    }
    for (size_t i = 0; i < NSCALES; i++) {
      if (strcmp(end, scales[i].suffix) == 0 && *value <= UINT64_MAX >> scales[i].shift) {
        *value <<= scales[i].shift;
        return 0;
      }
    }
  }
  return err_set(err, "'%.60s' is not a size, expected bytes such as 64, 4KiB or 1MiB", text);
}

static int add_value(struct units_list *list, uint64_t value, const struct grammar *grammar,
                     struct err *err) {
  if (value > grammar->largest) {
    return err_set(err, "%" PRIu64 " is too large, expected at most %" PRIu64, value, grammar->largest);
  }
  if (list->n == MOST_VALUES) {
    return err_set(err, "more than %d values, expected fewer", MOST_VALUES);
  }
  if ((list->n & (list->n - 1)) == 0) {
    list->values = xrealloc(list->values, list->n ? 2 * list->n : 1, sizeof *list->values);
  }
  list->values[list->n++] = value;
  return 0;
}

static int add_range(struct units_list *list, const uint64_t ends[2], const struct grammar *grammar,
                     struct err *err) {
  uint64_t value = ends[0];
  for (;;) {
    if (add_value(list, value, grammar, err)) {
      return -1;
    }
    uint64_t step = grammar->doubles ? value : 1;
    if (step > ends[1] - value) {
      return 0;
    }
    value += step;
  }
}

/* Add ITEM, a number or a range, to LIST. */
static int add_item(struct units_list *list, char *item, const struct grammar *grammar, struct err *err) {
  uint64_t ends[2];
  char *dots = strstr(item, "..");
  if (dots) {
    *dots = '\0';
  }
  if (grammar->parse(item, &ends[0], err)) {
    return -1;
  }
  if (!dots) {
    return add_value(list, ends[0], grammar, err);
  }
  if (grammar->parse(dots + 2, &ends[1], err)) {
    return -1;
  }
  if (ends[0] > ends[1]) {
    return err_set(err, "range %s..%s falls, expected the smaller end first", item, dots + 2);
  }
  if (grammar->doubles && ends[0] == 0) {
    return err_set(err, "range 0..%s never grows by doubling, expected a start above 0", dots + 2);
  }
  return add_range(list, ends, grammar, err);
}

static int parse_list(const char *text, struct units_list *list, const struct grammar *grammar,
                      struct err *err) {
  char *copy = xstrdup(text), *rest = copy;
  int status = 0;
  *list = (struct units_list){0};
  while (rest && status == 0) {
    char *item = strsep(&rest, ",");
    status = add_item(list, item, grammar, err);
  }
  free(copy);
  if (status) {
    units_list_fini(list);
  }
  return status;
}

int units_parse_count_list(const char *text, struct units_list *list, struct err *err) {
  static const struct grammar counts = {.parse = units_parse_count, .largest = UINT32_MAX};
  return parse_list(text, list, &counts, err);
}

int units_parse_bytes_list(const char *text, struct units_list *list, struct err *err) {
  static const struct grammar sizes = {.parse = units_parse_bytes, .doubles = true, .largest = UINT64_MAX};
  return parse_list(text, list, &sizes, err);
}

void units_list_fini(struct units_list *list) {
  free(list->values);
  *list = (struct units_list){0};
}

void units_format_bytes(uint64_t nbytes, char text[UNITS_TEXT_SIZE]) {
  for (size_t i = 0; i < NSCALES; i++) {
    if (nbytes > 0 && nbytes % (UINT64_C(1) << scales[i].shift) == 0) {
      snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 "%s", nbytes >> scales[i].shift, scales[i].suffix);
      return;
    }
  }
  snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64, nbytes);
}
