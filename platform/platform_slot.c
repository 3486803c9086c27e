/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_slot.h: how one value is written, read and traced to a source.
 *
 * Invariant: a written value that is read again is the same value, bit for bit. */
#include "platform/platform_slot.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

enum { LONGEST_NAME = 40 };

bool platform_is_name(const char *text) {
  size_t length = strlen(text);
  return length > 0 && length <= LONGEST_NAME && strspn(text, LETTERS DIGITS "-_") == length;
}

/* Read TEXT, a plain decimal number (no hexadecimal, infinity or the like) within the bounds of SLOT. */
static bool parse_number(const struct platform_slot *slot, const char *text, double *number) {
  const char *allowed = slot->kind == PLATFORM_COUNT ? DIGITS : DIGITS "+-.eE";
  char *end = NULL;
  if (*text == '\0' || text[strspn(text, allowed)] != '\0') {
    return false;
  }
  *number = strtod(text, &end);
  return end != text && *end == '\0' && *number >= slot->min && *number <= slot->max;
}

static bool is_text(const struct platform_slot *slot) {
  return slot->kind >= PLATFORM_TEXT;
}

static bool is_text_value(const struct platform_slot *slot, const char *text) {
  size_t length = strlen(text);
  const char *allowed = slot->kind == PLATFORM_PATH    ? LETTERS DIGITS " _.+-/"
                        : slot->kind == PLATFORM_NAMES ? LETTERS DIGITS " _.+-/:{}*"
                                                       : LETTERS DIGITS " _.+-";
  return (double)length >= slot->min && (double)length <= slot->max && strspn(text, allowed) == length;
}

static int expected(const struct platform_slot *slot, const char *text, const char *lead, struct err *err) {
  switch (slot->kind) {
  case PLATFORM_COUNT:
    return err_set(err, "%s '%.60s', expected a whole number from %.15g to %.15g", lead, text, slot->min,
                   slot->max);
  case PLATFORM_REAL:
    return err_set(err, "%s '%.60s', expected a number from %.15g to %.15g", lead, text, slot->min,
                   slot->max);
  default:
    return err_set(err, "%s '%.60s', expected %.15g to %.15g letters, digits, blanks and any of _ . + -%s",
                   lead, text, slot->min, slot->max,
                   slot->kind == PLATFORM_PATH    ? " /"
                   : slot->kind == PLATFORM_NAMES ? " / : { } *"
                                                  : "");
  }
}

int platform_slot_parse(const struct platform_slot *slot, const char *text, const char *lead,
                        struct err *err) {
  char *tidy = text_tidy(text);
  double number = 0;
  bool good = is_text(slot) ? is_text_value(slot, tidy) : parse_number(slot, tidy, &number);
  if (!good) {
    expected(slot, tidy, lead, err);
    free(tidy);
    return -1;
  }
  if (is_text(slot)) {
    *(const char **)slot->field = text_keep(tidy);
  } else if (slot->kind == PLATFORM_COUNT) {
    *(unsigned *)slot->field = (unsigned)number;
  } else {
    *(double *)slot->field = number + 0.0; /* -0 becomes 0 */
  }
  free(tidy);
  return 0;
}

void platform_slot_format(const struct platform_slot *slot, char *text, size_t size) {
  if (slot->kind == PLATFORM_COUNT) {
    snprintf(text, size, "%u", *(const unsigned *)slot->field);
  } else if (is_text(slot)) {
    const char *value = *(const char *const *)slot->field;
    snprintf(text, size, "%s", value ? value : "");
  } else {
    char shortest[40]; /* the fewest digits that give the same number back */
    double number = *(const double *)slot->field, back = 0;
    for (int digits = 15; digits <= 17; digits++) {
      snprintf(shortest, sizeof shortest, "%.*g", digits, number);
      back = strtod(shortest, NULL);
      if (memcmp(&back, &number, sizeof number) == 0) {
        break;
      }
    }
    snprintf(text, size, "%s", shortest);
  }
}

void platform_slot_trace(const struct platform_slot *slot, const char *source, int line) {
  *slot->origin = (struct platform_origin){.source = text_keep(source), .line = line, .own = true};
}

int platform_slot_bound(const struct platform_slot *slot, const char *const ends[2], const char *lead,
                        struct err *err) {
  struct platform_slot end = *slot;
  double numbers[2];
  end.kind = PLATFORM_REAL; /* an end may lie between whole numbers */
  if (!ends[0] && !ends[1]) {
    return 0;
  }
  double value = slot->kind == PLATFORM_COUNT  ? *(const unsigned *)slot->field
                 : slot->kind == PLATFORM_REAL ? *(const double *)slot->field
                                               : NAN;
  bool good = ends[0] && ends[1] && parse_number(&end, ends[0], &numbers[0]) &&
              parse_number(&end, ends[1], &numbers[1]) && numbers[0] <= value && value <= numbers[1];
  if (!good) {
    char text[PLATFORM_VALUE_SIZE];
    platform_slot_format(slot, text, sizeof text);
    return err_set(err, "%s '%.60s', expected it between two numbers, but least is '%.20s' and most '%.20s'",
                   lead, text, ends[0] ? ends[0] : "", ends[1] ? ends[1] : "");
  }
  slot->origin->bounded = true;
  slot->origin->least = numbers[0];
  slot->origin->most = numbers[1];
  return 0;
}

/* --- names --- */

void platform_names_add(struct platform_names *names, const char *name) {
  if (names->n < PLATFORM_NAMES_MAX) {
    names->names[names->n++] = name;
  }
}

const char *platform_names_instead(const char *word) {
  return strcmp(word, "put-hold") == 0       ? "mfc-requests"
         : strcmp(word, "bif.put-hold") == 0 ? "bif.mfc-requests"
                                             : NULL;
}

char *platform_names_expected(const char *word, const struct platform_names *names) {
  const char *instead = platform_names_instead(word);
  const char *nearest = instead ? instead : suggest_nearest(word, names->names, names->n);
  if (nearest || names->n == 0) {
    return xstrdup(nearest ? nearest : "none");
  }
  char *list = xstrdup(names->n > 1 ? "one of" : "");
  for (size_t i = 0; i < names->n; i++) {
    xappend(&list, "%s%s", *list ? " " : "", names->names[i]);
  }
  return list;
}
