/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/sched/expression.h"

#include "sim/base/vec.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Larger numbers are mistakes; products of such numbers fit into 64 bits. Depth of parentheses. */
static const int64_t number_max = 1000000000;
enum { DEPTH_MAX = 32 };

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

bool line_is_over(struct line *line) {
  while (line->at < line->end && (*line->at == ' ' || *line->at == '\t' || *line->at == '\r')) {
    line->at++;
  }
  return line->at == line->end || *line->at == '#';
}

void line_wrong(struct line *line, const char *expected) {
  char word[24] = "the end of the line";
  if (*line->wrong) {
    return;
  }
  if (!line_is_over(line)) {
    size_t n = 1, most = sizeof word - 3, left = (size_t)(line->end - line->at);
    while (is_letter(line->at[0]) && n < left && n < most && is_letter(line->at[n])) {
      n++;
    }
    bool is_plain = isprint((unsigned char)line->at[0]);
    snprintf(word, sizeof word, "'%.*s'", is_plain ? (int)n : 1, is_plain ? line->at : "?");
  }
  snprintf(line->wrong, sizeof line->wrong, "%s, expected %s", word, expected);
}

/* Tell whether NAME stands as a whole word from START to END. */
static bool has_name(const char *name, const char *start, const char *end) {
  size_t n = strlen(name);
  bool has = false;
  for (const char *at = start; at + n <= end && !has; at++) {
    bool begins = at == start || !is_letter(at[-1]), ends = at + n == end || !is_letter(at[n]);
    has = begins && ends && memcmp(at, name, n) == 0;
  }
  return has;
}

void line_wrong_value(struct line *line, const char *start, int64_t value, const char *expected) {
  struct line from = {.at = start, .end = line->at};
  char values[160] = "", plain[24];
  int used = 0;
  line_is_over(&from);
  while (from.end > from.at && strchr(" \t", from.end[-1])) {
    from.end--;
  }
  int width = (int)(from.end - from.at);
  for (size_t i = line->names->n; i-- > 0;) {
    const char *name = line->names->names[i];
    bool is_part = has_name(name, from.at, from.end) && strlen(name) < (size_t)width;
    if (is_part && used < (int)sizeof values - NAME_SIZE - 30) {
      used += snprintf(values + used, sizeof values - (size_t)used, "%s%s=%" PRId64, used ? ", " : " with ",
                       name, line->names->values[i]);
    }
  }
  int digits = snprintf(plain, sizeof plain, "%" PRId64, value);
  if (digits == width && memcmp(plain, from.at, (size_t)width) == 0) {
    line->at = from.at;
    line_wrong(line, expected);
  } else if (!*line->wrong) {
    snprintf(line->wrong, sizeof line->wrong, "%.*s is %" PRId64 "%s, expected %s", MIN(width, 40), from.at,
             value, values, expected);
  }
}

void line_limit(struct line *line, const char *expected) {
  line->is_limit |= !*line->wrong;
  line_wrong(line, expected);
}

bool line_takes(struct line *line, const char *word) {
  size_t n = strlen(word);
  if (line_is_over(line) || (size_t)(line->end - line->at) < n || memcmp(line->at, word, n) != 0 ||
      (is_letter(word[0]) && line->at + n < line->end && is_letter(line->at[n]))) {
    return false;
  }
  line->at += n;
  return true;
}

void line_name(struct line *line, char name[NAME_SIZE]) {
  size_t n = 0;
  if (line_is_over(line) || !isalpha((unsigned char)*line->at)) {
    line_wrong(line, "a name");
  }
  while (line->at + n < line->end && is_letter(line->at[n])) {
    n++;
  }
  if (n >= NAME_SIZE) {
    line_wrong(line, "a name of at most 15 letters");
    n = 0;
  }
  memcpy(name, line->at, n);
  name[n] = '\0';
  line->at += n;
}

/* Return the value of the name at the front of LINE. */
static int64_t value_of_name(struct line *line) {
  const struct names *names = line->names;
  struct line start = *line;
  char name[NAME_SIZE];
  line_name(line, name);
  size_t i = VEC_INDEX(names->names, names->n, strcmp(*item, name) == 0);
  if (i < names->n && names->values[i] != NAME_UNEVEN) {
    return names->values[i];
  }
  line->at = start.at;
  if (i < names->n) {
    line_limit(line, "as many ranks on each chip");
  } else {
    line_wrong(line, "a number or the name of an 'each' around the line");
  }
  return 0;
}

static int64_t sum(struct line *line, unsigned depth);

static int64_t factor(struct line *line, unsigned depth) {
  int64_t value = 0;
  if (line_takes(line, "(")) {
    value = depth < DEPTH_MAX ? sum(line, depth + 1) : 0;
    if (depth == DEPTH_MAX || !line_takes(line, ")")) {
      line_wrong(line, depth == DEPTH_MAX ? "fewer parentheses" : "')'");
    }
    return value;
  }
  if (line_is_over(line) || !is_letter(*line->at)) {
    line_wrong(line, "a number");
    return 0;
  }
  if (!isdigit((unsigned char)*line->at)) {
    return value_of_name(line);
  }
  const char *start = line->at;
  for (; line->at < line->end && isdigit((unsigned char)*line->at); line->at++) {
    value = value > number_max ? value : 10 * value + (*line->at - '0');
  }
  if (value > number_max) {
    line->at = start;
    line_wrong(line, "a number up to 1000000000");
  }
  return value;
}

/* Return VALUE; if VALUE is too large, note a mistake in LINE. */
static int64_t bounded(struct line *line, int64_t value) {
  if (value > number_max || value < -number_max) {
    line_wrong(line, "numbers up to 1000000000 before it");
    return 0;
  }
  return value;
}

/* Take one of SIGNS, of which '>' stands for ">>", from the front of LINE.
 * returns: the sign; 0: there is none. */
static char take_sign(struct line *line, const char *signs) {
  if (*line->wrong || line_is_over(line) || !strchr(signs, *line->at)) {
    return 0;
  }
  char sign = *line->at;
  return line_takes(line, sign == '>' ? ">>" : (char[]){sign, 0}) ? sign : 0;
}

static int64_t product(struct line *line, unsigned depth) {
  int64_t value = factor(line, depth);
  for (char sign; (sign = take_sign(line, "*%&>"));) {
    int64_t other = factor(line, depth);
    if ((sign == '%' && other <= 0) || (sign == '>' && other < 0)) {
      line_wrong(line, sign == '%' ? "a positive number behind % before it"
                                   : "no negative number behind >> before it");
      return 0;
    }
    switch (sign) {
    case '*':
      value *= other;
      break;
    case '&':
      value &= other;
      break;
    case '>':
      value >>= other < 63 ? other : 63;
      break;
    default:
      value = (value % other + other) % other;
    }
    value = bounded(line, value);
  }
  return value;
}

static int64_t sum(struct line *line, unsigned depth) {
  int64_t value = product(line, depth);
  for (char sign; (sign = take_sign(line, "+-^"));) {
    int64_t other = product(line, depth);
    value = sign == '+' ? value + other : sign == '-' ? value - other : (value ^ other);
    value = bounded(line, value);
  }
  return value;
}

int64_t line_number(struct line *line) {
  int64_t value = sum(line, 0);
  return *line->wrong ? 0 : value;
}
