/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, lists and units in texts.
 *
 * A list is items separated by commas; an item is a number or a range A..B. What a number may look like and
 * how a range goes on is a struct grammar. */
#include "sim/base/units.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_VALUES = 65536 };

static const struct {
  const char *suffix;
  unsigned shift;
} scales[] = {{"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"G", 30}, {"M", 20}, {"K", 10}, {"k", 10}};

enum { NSCALES = VEC_LENGTH(scales) };

struct grammar {
  int (*parse)(const char *text, uint64_t *value, struct err *err);
  bool doubles; /* ranges double; else they count by one */
  bool has_all; /* `all` is a value */
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
  const char *range = end > text && strchr("-:", *end) ? "; a list can have a range such as 2..16" : "";
  return err_set(err, "'%.60s' is not a count, expected a whole number such as 8%s", text, range);
}

/* Suggest sizes in place of TEXT, a NUMBER and a UNIT such as kB or kb.
 * returns: false if UNIT is another unit. */
static bool refuse_decimal(const char *text, uint64_t number, const char *unit, struct err *err) {
  static const char letters[] = "KMG";
  uint64_t bytes = number;
  char letter = (char)toupper((unsigned char)unit[0]);
  const char *place = letter ? strchr(letters, letter) : NULL;
  if (!place || (strcasecmp(unit + 1, "b") != 0 && strcasecmp(unit + 1, "ib") != 0 && unit[1])) {
    return false;
  }
  for (const char *each = letters; each <= place; each++) {
    if (__builtin_mul_overflow(bytes, (uint64_t)1000, &bytes)) {
      return false;
    }
  }
  err_set(err, "'%.60s' is not a size, expected %" PRIu64 "%c (%" PRIu64 "%ciB) or %" PRIu64, text, number,
          letter, number, letter, bytes);
  return true;
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
    if (refuse_decimal(text, *value, end, err)) {
      return -1;
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
  VEC_ADD(list->values, list->n) = value;
  return 0;
}

static int refuse_falling(const char *first, const char *last, struct err *err) {
  return err_set(err, "range %s..%s falls, expected the smaller end first", first, last);
}

static int refuse_zero(const char *last, struct err *err) {
  return err_set(err, "range 0..%s never grows by doubling, expected a start above 0", last);
}

/* Refuse the range FIRST..LAST; FIRST..NEXT ends on a doubling. */
static int refuse_last(const char *first, const char *last, const char *next, struct err *err) {
  return err_set(err, "a range doubles, and %s is not %s times a power of two, expected %s..%s or %s,%s",
                 last, first, first, next, first, last);
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

/* Check that the range FIRST..LAST, in numbers ENDS, ends on a doubling. */
static int check_doubling(const uint64_t ends[2], const char *first, const char *last, struct err *err) {
  uint64_t value = ends[0];
  if (value == 0) {
    return refuse_zero(last, err);
  }
  while (value < ends[1] && value <= UINT64_MAX / 2) {
    value *= 2;
  }
  return value == ends[1] ? 0 : refuse_last(first, last, units_format_bytes(value), err);
}

/* Add ITEM, a number or a range, to LIST. */
static int add_item(struct units_list *list, char *item, const struct grammar *grammar, struct err *err) {
  uint64_t ends[2];
  if (grammar->has_all && strcmp(item, "all") == 0) {
    VEC_ADD(list->values, list->n) = UNITS_ALL;
    return 0;
  }
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
    return refuse_falling(item, dots + 2, err);
  }
  if (grammar->doubles && check_doubling(ends, item, dots + 2, err) != 0) {
    return -1;
  }
  return add_range(list, ends, grammar, err);
}

static int parse_list(const char *text, struct units_list *list, const struct grammar *grammar,
                      struct err *err) {
  char *copy = xstrdup(text), *rest = copy;
  int status = 0;
  *list = (struct units_list){0};
  while (rest && status == 0) {
    status = add_item(list, strsep(&rest, ","), grammar, err);
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

int units_parse_ranks_list(const char *text, struct units_list *list, struct err *err) {
  static const struct grammar ranks = {.parse = units_parse_count, .has_all = true, .largest = UINT32_MAX};
  return parse_list(text, list, &ranks, err);
}

int units_parse_bytes_list(const char *text, struct units_list *list, struct err *err) {
  static const struct grammar sizes = {.parse = units_parse_bytes, .doubles = true, .largest = UINT64_MAX};
  return parse_list(text, list, &sizes, err);
}

/* --- values of parameters --- */

/* Read TEXT, digits and perhaps a decimal point. */
static bool read_decimal(const char *text, double *number) {
  char *end;
  *number = strtod(text, &end);
  return *text && *end == '\0' && text[strspn(text, "0123456789.")] == '\0';
}

/* Append the values of the range FIRST..LAST, in numbers ENDS, to LIST, doubling. Doubling is exact, and 15
 * digits are enough for the decimal numbers of a command line. */
static int append_doubles(char **list, const double ends[2], const char *first, const char *last,
                          struct err *err) {
  char next[UNITS_TEXT_SIZE];
  double value = ends[0];
  if (value > ends[1]) {
    return refuse_falling(first, last, err);
  }
  if (value == 0) {
    return refuse_zero(last, err);
  }
  xappend(list, "%s", first);
  while (value < ends[1]) {
    value *= 2;
    snprintf(next, sizeof next, "%.15g", value);
    xappend(list, ",%s", next);
  }
  return value > ends[1] ? refuse_last(first, last, next, err) : 0;
}

char *units_expand_ranges(const char *text, struct err *err) {
  SCOPED char *copy = xstrdup(text);
  char *rest = copy, *expanded = xstrdup("");
  int status = 0;
  for (char *item; status == 0 && (item = strsep(&rest, ","));) {
    char *dots = strstr(item, "..");
    SCOPED char *first = xasprintf("%.*s", (int)(dots ? dots - item : 0), item);
    double ends[2];
    if (dots && read_decimal(first, &ends[0]) && read_decimal(dots + 2, &ends[1])) {
      status = append_doubles(&expanded, ends, first, dots + 2, err);
    } else {
      xappend(&expanded, "%s", item);
    }
    xappend(&expanded, rest ? "," : "");
  }
  if (status != 0) {
    free(expanded);
    expanded = NULL;
  }
  return expanded;
}

void units_list_fini(struct units_list *list) {
  free(list->values);
  *list = (struct units_list){0};
}

const char *units_format_bytes(uint64_t nbytes) {
  size_t scale = VEC_INDEX(scales, NSCALES, nbytes > 0 && nbytes % (UINT64_C(1) << item->shift) == 0);
  return scale < NSCALES ? text_brief("%" PRIu64 "%s", nbytes >> scales[scale].shift, scales[scale].suffix)
                         : text_brief("%" PRIu64, nbytes);
}
