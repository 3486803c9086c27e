/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/ledger/ledger_key.h"

#include "algos/schedule/workload/workload_run.h"
#include "sim/base/checksum.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"

#include <math.h>
#include <string.h>

static const char *const names[KEY_FIELDS] = {
#define KEY(name) #name,
#include "validate/lab/ledger/ledger_key.def"
};

/* Append TEXT to the present field of KEY. */
static void append(struct pack *key, const char *text) {
  pack_add_bytes(key, text, strlen(text));
}

/* Append NUMBER to base BASE, with WIDTH digits or more. Every result asked for needs a key, and snprintf
 * takes ten times as long. */
static void append_number(struct pack *key, uint64_t number, unsigned base, unsigned width) {
  char digits[20], *end = digits + sizeof digits, *at = end, *last = at - width;
  do {
    *--at = "0123456789abcdef"[number % base];
    number /= base;
  } while (number || at > last);
  pack_add_bytes(key, at, (size_t)(end - at));
}

/* Append TEXT, the end of the present field. */
static void add_text(struct pack *key, const char *text) {
  pack_add_bytes(key, text, strlen(text) + 1);
}

static void add_checksum(struct pack *key, uint64_t checksum) {
  append_number(key, checksum, 16, 16);
  add_text(key, "");
}

/* Add COUNT, and behind SIGN the change STEP in the next call; 0: no change. */
static void add_count(struct pack *key, uint64_t count, const char *sign, uint64_t step) {
  append_number(key, count, 10, 1);
  if (step) {
    append(key, sign);
    append_number(key, step, 10, 1);
  }
  add_text(key, "");
}

static void add_platform(struct pack *key, const struct platform *platform) {
  append(key, platform->name);
  if (*platform->overrides) {
    append(key, "[");
    append(key, platform->overrides);
    append(key, "]");
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
  const struct algo *algo = call->algorithm.algo;
  const struct workload *workload = algo ? workload_of_algo(algo) : NULL;
  uint64_t plugin = algo ? plugins_of(&call->algorithm) : 0;
  add_text(key, algo ? catalogue_name(&call->algorithm) : "");
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
  VEC_EACH(word, words, VEC_LENGTH(words)) {
    if (observers & word->bit) {
      append(key, any ? " " : "");
      append(key, word->word);
      any = true;
    }
  }
  add_text(key, "");
}

void ledger_key(const struct experiment *experiment, struct pack *key) {
  const struct call *call = &experiment->call;
  size_t all = call->placement.list.n; /* which counts if the number of ranks is unknown */
  SCOPED char *placement = NULL;
  placement_append(&placement, &call->placement,
                   (unsigned)(call->nranks && call->nranks < all ? call->nranks : all), " ");
  add_text(key, experiment->kind->name);
  add_platform(key, machine_platform(experiment->machine));
  add_algorithms(key, call);
  add_text(key, call->profile ? call->profile->name : "");
  add_count(key, call->nranks, "", 0);
  add_count(key, call->nbytes, "-", call->byte_step);
  add_count(key, call->root, "+", call->root_step);
  add_text(key, placement);
  VEC_EACH(field, call_fields, CALL_FIELDS) {
    SCOPED char *word = field->kind->is_number ? NULL : call_field_word(field, call);
    if (word) {
      add_text(key, word);
    } else {
      add_count(key, call_field_number(field, call), "", 0);
    }
  }
  add_count(key, call->seed, "", 0);
  append(key, call->lengths_only ? "lengths only " : "");
  if (call->limit) {
    append(key, "limit ");
    append_number(key, call->limit, 10, 1);
    append(key, " ");
  }
  add_observers(key, experiment->observers);
  add_text(key, experiment->subject ? experiment->subject : "");
  for (unsigned i = 0; i < EXPERIMENT_NUMBERS; i++) {
    append(key, i ? " " : "");
    append_number(key, experiment->numbers[i], 10, 1);
  }
  add_text(key, "");
}

bool ledger_key_split(const char *key, size_t nbytes, const char *texts[KEY_FIELDS]) {
  const char *end = key + nbytes;
  VEC_EACH(text, texts, KEY_FIELDS) {
    const char *nul = memchr(key, '\0', (size_t)(end - key));
    if (!nul) {
      return false;
    }
    *text = key;
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

const char *call_words(const struct call *call) {
  return text_brief("%s on %u ranks with %zu bytes", catalogue_name(&call->algorithm), call->nranks,
                    call->nbytes);
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
