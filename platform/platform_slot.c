/* SPDX-License-Identifier: BSD-3-Clause
 * How one value is written, read and traced to a source.
 *
 * Invariant: a written value that is read again is the same value, bit for bit. */
#include "platform/platform_slot.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

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

/* Of each kind: the allowed characters, and the words around the bounds in messages. A number is a decimal
 * number: no hexadecimal number, infinity or the like. */
static const struct {
  const char *allowed, *before, *behind;
} kinds[] = {
  [PLATFORM_COUNT] = {DIGITS, "a whole number from ", ""},
  [PLATFORM_REAL] = {DIGITS "+-.eE", "a number from ", ""},
  [PLATFORM_TEXT] = {LETTERS DIGITS " _.+-", "", " letters, digits, blanks and any of _ . + -"},
  [PLATFORM_PATH] = {LETTERS DIGITS " _.+-/", "", " letters, digits, blanks and any of _ . + - /"},
  [PLATFORM_NAMES] = {LETTERS DIGITS " _.+-/:{}*'", "",
                      " letters, digits, blanks and any of _ . + - / : { } * '"},
};

/* Store the number that TEXT is, or for a text the length, in *NUMBER.
 * returns: whether TEXT is a value of KIND within the bounds of PARAM. */
static bool measure(const struct platform_param *param, enum platform_kind kind, const char *text,
                    double *number) {
  size_t length = strlen(text);
  const char *end = text + length;
  char *stop = NULL;
  bool is_text = kind >= PLATFORM_TEXT;
  *number = is_text ? (double)length : strtod(text, &stop);
  return strspn(text, kinds[kind].allowed) == length && (is_text || (length && stop == end)) &&
         *number >= param->min && *number <= param->max;
}

int platform_slot_parse(const struct platform_slot *slot, const char *text, const char *lead,
                        struct err *err) {
  const struct platform_param *param = slot->param;
  char *tidy = text_tidy(text);
  double number;
  int status = 0;
  if (!measure(param, param->kind, tidy, &number)) {
    bool has_unit = param->kind == PLATFORM_REAL && strcmp(param->unit, "count") != 0;
    status = err_set(err, "%s '%.60s', expected %s%.15g to %.15g%s%s%s", lead, tidy,
                     kinds[param->kind].before, param->min, param->max, kinds[param->kind].behind,
                     has_unit ? " " : "", has_unit ? param->unit : "");
  } else if (param->kind == PLATFORM_COUNT) {
    *(unsigned *)slot->field = (unsigned)number;
  } else if (param->kind == PLATFORM_REAL) {
    *(double *)slot->field = number + 0.0; /* -0 becomes 0 */
  } else {
    *(const char **)slot->field = text_keep(tidy);
  }
  free(tidy);
  return status;
}

void platform_slot_format(const struct platform_slot *slot, char *text, size_t size) {
  if (slot->param->kind == PLATFORM_COUNT) {
    snprintf(text, size, "%u", *(const unsigned *)slot->field);
  } else if (slot->param->kind == PLATFORM_REAL) {
    double number = *(const double *)slot->field, back;
    int digits = 15;
    do { /* the fewest digits of this number */
      snprintf(text, size, "%.*g", digits, number);
      back = strtod(text, NULL);
    } while (memcmp(&back, &number, sizeof number) != 0 && digits++ < 17);
  } else {
    const char *value = *(const char *const *)slot->field;
    snprintf(text, size, "%s", value ? value : "");
  }
}

void platform_follow_units(struct platform *platform, int line) {
  platform->eib.max_hops = (unsigned)platform_names_split(platform->chip.units).n / 2;
  *platform_origin(platform, PLATFORM_HOPS) =
    (struct platform_origin){.source = "derived: half of the units of the ring", .line = line};
}

void platform_slot_trace(const struct platform_slot *slot, const char *source, int line) {
  *slot->origin = (struct platform_origin){.source = text_keep(source), .line = line, .own = true};
}

int platform_slot_bound(const struct platform_slot *slot, const char *const ends[2], const char *lead,
                        struct err *err) {
  const struct platform_param *param = slot->param;
  struct platform_origin *origin = slot->origin;
  if (!ends[0] && !ends[1]) {
    return 0;
  }
  double value = NAN;
  if (param->kind == PLATFORM_COUNT) {
    value = *(const unsigned *)slot->field;
  } else if (param->kind == PLATFORM_REAL) {
    value = *(const double *)slot->field;
  }
  /* an end may lie between whole numbers */
  origin->bounded = ends[0] && ends[1] && measure(param, PLATFORM_REAL, ends[0], &origin->least) &&
                    measure(param, PLATFORM_REAL, ends[1], &origin->most) && origin->least <= value &&
                    value <= origin->most;
  if (!origin->bounded) {
    char text[PLATFORM_VALUE_SIZE];
    platform_slot_format(slot, text, sizeof text);
    return err_set(err, "%s '%.60s', expected it between two numbers, but least is '%.20s' and most '%.20s'",
                   lead, text, ends[0] ? ends[0] : "", ends[1] ? ends[1] : "");
  }
  return 0;
}

/* --- names --- */

struct platform_names platform_names_split(const char *list) {
  struct platform_names names = {.n = 0};
  SCOPED char *copy = xstrdup(list);
  for (char *from = copy; *(from += strspn(from, " "));) {
    char *name = from, *to = from;
    for (bool quoted = false; *from && (quoted || *from != ' '); from++) {
      quoted ^= *from == '\'';
      *to = *from;
      to += *from != '\'';
    }
    from += *from != '\0';
    *to = '\0';
    platform_names_add(&names, text_keep(name));
  }
  return names;
}

size_t platform_names_find(const struct platform_names *names, const char *name) {
  return VEC_INDEX(names->names, names->n, strcmp(*item, name) == 0);
}

void platform_names_add(struct platform_names *names, const char *name) {
  if (names->n < PLATFORM_NAMES_MAX) {
    names->names[names->n++] = name;
  }
}

const char *platform_names_instead(const char *word) {
  if (strcmp(word, "put-hold") == 0) {
    return "mfc-requests";
  }
  return strcmp(word, "bif.put-hold") == 0 ? "bif.mfc-requests" : NULL;
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
