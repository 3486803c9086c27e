/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/ledger/ledger_key.h"

#include "algos/schedule/workload/workload_run.h"
#include "sim/base/checksum.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[KEY_FIELDS] = {
#define KEY(name) #name,
#include "validate/lab/ledger/ledger_key.def"
};

static void add_text(struct pack *key, const char *text) {
  pack_add_bytes(key, text, strlen(text) + 1);
}

/* Digits of a 64-bit number to base 10 or 16, and the byte that ends them. */
enum { DIGITS = 21 };

/* Write NUMBER to base BASE, with WIDTH digits or more, to the end of TEXT. Every result asked for needs a
 * key, and snprintf takes ten times as long.
 * returns: the start of the number. */
static const char *format_number(char text[DIGITS], uint64_t number, unsigned base, unsigned width) {
  char *at = text + DIGITS - 1, *last = at - width;
  *at = '\0';
  do {
    *--at = "0123456789abcdef"[number % base];
    number /= base;
  } while (number || at > last);
  return at;
}

static void add_count(struct pack *key, uint64_t count) {
  char text[DIGITS];
  add_text(key, format_number(text, count, 10, 1));
}

static void add_checksum(struct pack *key, uint64_t checksum) {
  char text[DIGITS];
  add_text(key, format_number(text, checksum, 16, 16));
}

/* Add the bytes of CALL, and how many fewer every second call has. */
static void add_bytes(struct pack *key, const struct call *call) {
  char text[64];
  snprintf(text, sizeof text, call->byte_step ? "%zu-%zu" : "%zu", call->nbytes, call->byte_step);
  add_text(key, text);
}

/* Add the root of CALL, and the step to the roots of the next calls. */
static void add_root(struct pack *key, const struct call *call) {
  char text[DIGITS];
  if (call->root_step) {
    const char *root = format_number(text, call->root, 10, 1);
    pack_add_bytes(key, root, strlen(root));
    pack_add_bytes(key, "+", 1);
  }
  add_count(key, call->root_step ? call->root_step : call->root);
}

/* Add COUNTS, separated by blanks. */
static void add_counts(struct pack *key, const uint64_t *counts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char text[DIGITS];
    const char *number = format_number(text, counts[i], 10, 1);
    pack_add_bytes(key, " ", i ? 1 : 0);
    pack_add_bytes(key, number, strlen(number));
  }
  add_text(key, "");
}

static void add_platform(struct pack *key, const struct platform *platform) {
  const char *overrides = platform->overrides;
  pack_add_bytes(key, platform->name, strlen(platform->name));
  if (*overrides) {
    pack_add_bytes(key, "[", 1);
    pack_add_bytes(key, overrides, strlen(overrides));
    pack_add_bytes(key, "]", 1);
  }
  add_text(key, "");
  add_checksum(key, platform->checksum);
}

/* Return the checksum of the plugins of ALGORITHM and of the algorithms among the parameters of ALGORITHM;
 * 0: no plugins. */
static uint64_t plugins_of(const struct algorithm *algorithm) {
  uint64_t sum = catalogue_plugin(algorithm->algo);
  for (unsigned i = 0; i < COLL_PARAMS_MAX && algorithm->algo->params[i].name; i++) {
    struct algorithm part = {0};
    if (algorithm->algo->params[i].algorithm) {
      part = catalogue_inner(algorithm, i);
    }
    uint64_t own = part.algo ? plugins_of(&part) : 0;
    sum = own ? checksum_add(sum, &own, sizeof own) : sum;
  }
  return sum;
}

/* Add the algorithms of CALL; the plugins are also those of the calls of a workload. */
static void add_algorithms(struct pack *key, const struct call *call) {
  const struct algorithm *algorithm = &call->algorithm;
  char name[CATALOGUE_NAME_SIZE] = "";
  if (!algorithm->algo) {
    add_text(key, "");
    add_text(key, "");
    return;
  }
  uint64_t plugin = plugins_of(algorithm);
  catalogue_format(algorithm, name, sizeof name);
  add_text(key, name);
  const struct workload *workload = workload_of_algo(algorithm->algo);
  for (size_t i = 0; workload && i < workload->ncalls; i++) {
    struct algorithm inner;
    if (workload_choose(workload, &workload->calls[i], call->map, &inner, NULL) == 0) {
      uint64_t own = plugins_of(&inner);
      plugin = own ? checksum_add(plugin, &own, sizeof own) : plugin;
    }
  }
  if (plugin) {
    add_checksum(key, plugin);
  } else {
    add_text(key, "");
  }
}

/* Add the placement of CALL; for a list the SPEs of the ranks, or all SPEs if the number of ranks is
 * unknown. */
static void add_placement(struct pack *key, const struct call *call) {
  const struct units_list *list = &call->placement.list;
  size_t n = call->nranks && call->nranks < list->n ? call->nranks : list->n;
  char text[PLACEMENT_TEXT_SIZE] = "";
  if (call->placement.kind != PLACEMENT_LIST) {
    placement_format(&call->placement, 0, text);
    n = 0;
  }
  for (size_t i = 0; i < n; i++) {
    placement_format_element(list->values[i], text);
    pack_add_bytes(key, " ", i ? 1 : 0);
    pack_add_bytes(key, text, strlen(text));
    *text = '\0';
  }
  add_text(key, text);
}

/* Add the words of OBSERVERS, separated by blanks. */
static void add_observers(struct pack *key, unsigned observers) {
  static const struct {
    unsigned bit;
    const char *word;
  } words[] = {
#define OBSERVER(name, bit, word, member) {bit, word},
#define FURTHER(name, bit, word) {bit, word},
#include "validate/lab/ledger/call_observers.def"
  };
  bool any = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (observers & words[i].bit) {
      pack_add_bytes(key, " ", any);
      pack_add_bytes(key, words[i].word, strlen(words[i].word));
      any = true;
    }
  }
  add_text(key, "");
}

void ledger_key(const struct experiment *experiment, struct pack *key) {
  const struct call *call = &experiment->call;
  add_text(key, experiment->kind->name);
  add_platform(key, machine_platform(experiment->machine));
  add_algorithms(key, call);
  add_text(key, call->profile ? call->profile->name : "");
  add_count(key, call->nranks);
  add_bytes(key, call);
  add_root(key, call);
  add_placement(key, call);
  for (const struct call_field *field = call_fields; field < call_fields + CALL_FIELDS; field++) {
    SCOPED char *word = field->kind->is_number ? NULL : call_field_word(field, call);
    if (word) {
      add_text(key, word);
    } else {
      add_count(key, call_field_number(field, call));
    }
  }
  add_count(key, call->seed);
  pack_add_bytes(key, "lengths only ", call->lengths_only ? strlen("lengths only ") : 0);
  if (call->limit) {
    char text[DIGITS];
    const char *limit = format_number(text, call->limit, 10, 1);
    pack_add_bytes(key, "limit ", strlen("limit "));
    pack_add_bytes(key, limit, strlen(limit));
    pack_add_bytes(key, " ", 1);
  }
  add_observers(key, experiment->observers);
  add_text(key, experiment->subject ? experiment->subject : "");
  add_counts(key, experiment->numbers, EXPERIMENT_NUMBERS);
}

bool ledger_key_split(const char *key, size_t nbytes, const char *texts[KEY_FIELDS]) {
  const char *end = key + nbytes;
  for (size_t i = 0; i < KEY_FIELDS; i++) {
    const char *nul = memchr(key, '\0', (size_t)(end - key));
    if (!nul) {
      return false;
    }
    texts[i] = key;
    key = nul + 1;
  }
  return key == end;
}

char *ledger_key_describe(const char *const texts[KEY_FIELDS]) {
  char *text = xstrdup("");
  for (unsigned i = 0; i < KEY_FIELDS; i++) {
    if (*texts[i]) {
      xappend(&text, "%s%s %s", i ? ", " : "", names[i], texts[i]);
    }
  }
  return text;
}

uint64_t ledger_key_point(const struct pack *key) {
  static const bool of_call[KEY_FIELDS] = {
    [KEY_checksum] = true, [KEY_algorithm] = true, [KEY_plugin] = true, [KEY_ranks] = true,
    [KEY_bytes] = true,    [KEY_root] = true,      [KEY_op] = true,     [KEY_type] = true,
    [KEY_repeat] = true,   [KEY_placement] = true};
  const char *texts[KEY_FIELDS];
  uint64_t point = CHECKSUM_START;
  ledger_key_split((const char *)key->bytes, key->nbytes, texts);
  bool is_call = *texts[KEY_algorithm];
  for (size_t i = 0; i < KEY_FIELDS; i++) {
    point = of_call[i] || !is_call ? checksum_add(point, texts[i], strlen(texts[i]) + 1) : point;
  }
  return point;
}

void call_describe(const struct call *call, char *text, size_t size) {
  char name[CATALOGUE_NAME_SIZE];
  catalogue_format(&call->algorithm, name, sizeof name);
  snprintf(text, size, "%s on %u ranks with %zu bytes", name, call->nranks, call->nbytes);
}

/* --- results --- */

void result_add(struct pack *result, const struct result_row *row) {
  pack_add_count(result, true); /* one more row */
  pack_add_text(result, row->parameter);
  pack_add_count(result, row->ranks);
  pack_add_count(result, row->bytes);
  pack_add_real(result, isnan(row->value) ? NAN : row->value + 0.0); /* a store has one NaN, and one zero */
  pack_add_text(result, row->unit);
  pack_add_text(result, row->part ? row->part : "");
}

void result_add_value(struct pack *result, const char *parameter, double value, const char *unit) {
  if (!isnan(value)) {
    result_add(result, &(struct result_row){.parameter = parameter, .value = value, .unit = unit});
  }
}

void result_end(struct pack *result, const char *why) {
  pack_add_count(result, false);
  pack_add_text(result, why);
}

bool result_take(struct pack *rows, struct result_row *row) {
  if (!pack_take_count(rows)) {
    return false;
  }
  row->parameter = pack_take_text(rows);
  row->ranks = (unsigned)pack_take_count(rows);
  row->bytes = pack_take_count(rows);
  row->value = pack_take_real(rows);
  row->unit = pack_take_text(rows);
  row->part = pack_take_text(rows);
  return true;
}

struct result result_of(struct pack pack) {
  struct result result = {.rows = pack, .number = NAN};
  struct result_row row;
  for (bool first = true; result_take(&pack, &row); first = false) {
    result.number = first ? row.value : result.number;
  }
  result.why = pack_take_text(&pack);
  result.observed = pack;
  return result;
}
