/* SPDX-License-Identifier: BSD-3-Clause
 * The kinds of fields of a call, and the work that is the same for each field. Two values are equal if and
 * only if the words of the values are. */
#include "validate/lab/call/field.h"

#include "algos/schedule/workload/workload_run.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/lab/call/call.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- lists of delays --- */

/* Add DELAY to LIST in the order of ranks. */
static int add(struct delay_list *list, struct delay delay, struct err *err) {
  VEC_ADD(list->items, list->n) = delay;
  struct delay *at = &list->items[list->n - 1];
  for (; at > list->items && at[-1].rank > delay.rank; at--) {
    at[0] = at[-1];
    at[-1] = delay;
  }
  return at == list->items || at[-1].rank != delay.rank
           ? 0
           : err_set(err, "rank %u twice, expected each rank once", delay.rank);
}

int field_read_DELAYS(void *field, const char *text, struct err *err) {
  enum { DIGITS = 9 };
  SCOPED char *copy = xstrdup(text);
  char *rest = copy;
  int status = 0;
  for (const char *word; status == 0 && (word = strsep(&rest, ","));) {
    struct delay delay;
    const char *at = word;
    bool good = text_take_number(&at, DIGITS, &delay.rank) && *at++ == ':' &&
                text_take_number(&at, DIGITS, &delay.cycles) && *at == '\0';
    status = good ? add(field, delay, err)
                  : err_set(err, "'%.60s', expected RANK:CYCLES such as 0:5000, numbers of at most %d digits",
                            word, DIGITS);
  }
  return status;
}

int delay_list_check(const struct delay_list *list, unsigned nranks, struct err *err) {
  unsigned last = list->n ? list->items[list->n - 1].rank : 0;
  return list->n == 0 || last < nranks
           ? 0
           : err_set(err, "--delay: rank %u, expected a rank below %u", last, nranks);
}

/* --- kinds --- */

int field_read_COUNT(void *field, const char *text, struct err *err) {
  if (units_parse_count(text, field, err) != 0) {
    return -1;
  }
  return *(uint64_t *)field <= INT64_MAX ? 0 : err_set(err, "%.60s, expected at most 2^63 - 1", text);
}

int field_read_bounded(unsigned *field, const char *text, unsigned least, unsigned most, struct err *err) {
  uint64_t value;
  if (units_parse_count(text, &value, err) != 0) {
    return -1;
  }
  *field = (unsigned)value;
  return value >= least && value <= most ? 0 : err_set(err, "%.60s, expected %u to %u", text, least, most);
}

int field_read_REPEAT(void *field, const char *text, struct err *err) {
  return field_read_bounded(field, text, 1, CALL_REPEATS_MAX, err);
}

static int read_SKEW(void *field, const char *text, struct err *err) {
  if (units_parse_count(text, field, err) != 0) {
    return -1;
  }
  return *(uint64_t *)field <= CALL_SKEW_MAX
           ? 0
           : err_set(err, "%.60s cycles, expected at most %d", text, CALL_SKEW_MAX);
}

int field_read_MAP(void *field, const char *text, struct err *err) {
  return workload_map_read(text, field, err);
}

int field_read_word(void *field, const char *text, unsigned count, const char *(*name)(unsigned),
                    struct err *err) {
  SCOPED char *list = NULL;
  unsigned i = 0;
  for (; i < count && strcmp(text, name(i)) != 0; i++) {
    xappend(&list, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", name(i));
  }
  *(unsigned *)field = i;
  return i < count ? 0 : err_set(err, "'%.60s', expected %s", text, list);
}

int field_read_OP(void *field, const char *text, struct err *err) {
  return field_read_word(field, text, OP_COUNT, combine_op_name, err);
}

int field_read_TYPE(void *field, const char *text, struct err *err) {
  return field_read_word(field, text, TYPE_COUNT, combine_type_name, err);
}

static void append_OP(char **text, const void *field) {
  xappend(text, "%s", combine_op_name(*(const enum coll_op *)field));
}

static void append_TYPE(char **text, const void *field) {
  xappend(text, "%s", combine_type_name(*(const enum coll_type *)field));
}

static void append_SKEW(char **text, const void *field) {
  const uint64_t *skew = field; /* cycles and seed */
  xappend(text, "%" PRIu64 ":%" PRIu64, skew[0], skew[1]);
}

static void append_DELAYS(char **text, const void *field) {
  const struct delay_list *list = field;
  for (size_t i = 0; i < list->n; i++) {
    xappend(text, "%s%u:%u", i ? "," : "", list->items[i].rank, list->items[i].cycles);
  }
}

static void append_MAP(char **text, const void *field) {
  const field_MAP *map = field;
  xappend(text, "%s", *map ? *map : "");
}

/* The kinds by name; the first three members are size, usual word and reader. */
#define KIND(kind, ...) \
  static const struct field_kind kind_##kind = {.size = sizeof(field_##kind), __VA_ARGS__}
KIND(OP, .usual = "sum", .read = field_read_OP, .append = append_OP, .is_random = true, .is_plain = true,
     .combines = true);
KIND(TYPE, .usual = "int32", .read = field_read_TYPE, .append = append_TYPE, .is_random = true,
     .is_plain = true, .combines = true);
KIND(COUNT, .usual = "0", .read = field_read_COUNT, .is_number = true);
KIND(REPEAT, .usual = "1", .read = field_read_REPEAT, .is_number = true, .is_random = true, .is_plain = true);
KIND(SKEW, .usual = "0:0", .read = read_SKEW, .append = append_SKEW, .is_number = true, .is_random = true);
KIND(SEED, .usual = "1", .read = field_read_COUNT, .is_number = true, .is_part = true);
KIND(MAP, .usual = "", .read = field_read_MAP, .append = append_MAP);
KIND(DELAYS, .usual = "", .read = field_read_DELAYS, .append = append_DELAYS);

const struct call_field call_fields[CALL_FIELDS] = {
#define PART(option, member, kind, meaning) {#member, offsetof(struct call, member), &kind_##kind},
#include "validate/lab/call/call.def"
};

/* --- values --- */

static const void *value_of(const struct call_field *field, const struct call *call) {
  return (const char *)call + field->offset;
}

bool call_field_means(const struct call_field *field, const struct call *call) {
  return !field->kind->combines || collective_combines(call->algorithm.algo->collective);
}

uint64_t call_field_number(const struct call_field *field, const struct call *call) {
  const void *value = value_of(field, call);
  return field->kind->size == sizeof(unsigned) ? *(const unsigned *)value : *(const uint64_t *)value;
}

char *call_field_word(const struct call_field *field, const struct call *call) {
  char *text = xstrdup("");
  if (field->kind->append) {
    field->kind->append(&text, value_of(field, call));
  } else {
    xappend(&text, "%" PRIu64, call_field_number(field, call));
  }
  return text;
}

bool call_field_is_usual(const struct call_field *field, const struct call *call) {
  SCOPED char *word = call_field_word(field, call);
  return strcmp(word, field->kind->usual) == 0;
}

bool call_field_equal(const struct call_field *field, const struct call *one, const struct call *other) {
  SCOPED char *left = call_field_word(field, one), *right = call_field_word(field, other);
  return strcmp(left, right) == 0;
}

void call_field_copy(const struct call_field *field, struct call *to, const struct call *from) {
  memcpy((char *)to + field->offset, value_of(field, from), field->kind->size);
}

void call_field_reset(const struct call_field *field, struct call *call) {
  static const struct call usual = {.repeat = 1};
  do {
    call_field_copy(field, call, &usual);
  } while (++field < call_fields + CALL_FIELDS && field->kind->is_part);
}

int call_field_take_text(const struct call_field *field, struct call *call, const char *text,
                         struct err *err) {
  struct err why = {""};
  return !text || field->kind->read((char *)call + field->offset, text, &why) == 0
           ? 0
           : err_set(err, "%s: %s", field->name, why.text);
}

int call_field_take_number(const struct call_field *field, struct call *call, uint64_t value,
                           struct err *err) {
  SCOPED char *text = value ? xasprintf("%" PRIu64, value) : NULL;
  return call_field_take_text(field, call, text, err);
}

/* --- all fields --- */

void call_fields_append_options(char **text, const struct call *call) {
  VEC_EACH(field, call_fields, CALL_FIELDS) {
    bool is_needed = field->kind->is_random || !call_field_is_usual(field, call);
    if (!field->kind->is_part && is_needed && call_field_means(field, call)) {
      SCOPED char *word = call_field_word(field, call);
      xappend(text, " --%s %s", field->name, word);
    }
  }
}

void call_fields_append_words(char **text, const struct call *call) {
  VEC_EACH(field, call_fields, CALL_FIELDS) {
    bool is_zero =
      field->kind->is_number && call_field_number(field, call) == 0; /* a skew of 0, with a seed */
    if (!field->kind->is_part && !field->kind->is_plain && !is_zero && !call_field_is_usual(field, call)) {
      SCOPED char *word = call_field_word(field, call);
      xappend(text, ", %s %s", field->name, word);
    }
  }
}

void call_fields_fini(struct call *call) {
  free(call->delay.items);
  call->delay = (struct delay_list){0};
}
