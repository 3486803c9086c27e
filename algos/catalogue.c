/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/catalogue.h"

#include "algos/step/collective.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define ALGO(name) extern const struct algo name;
#include "algos/catalogue.def"

enum {
#define ALGO(name) BUILT_IN_##name,
#include "algos/catalogue.def"
  BUILT_IN
};

static const struct algo *entries[BUILT_IN + CATALOGUE_ADDED_MAX] = {
#define ALGO(name) &name,
#include "algos/catalogue.def"
};
const struct algo *const *const catalogue = entries;
size_t catalogue_size = BUILT_IN;
static uint64_t plugins[VEC_LENGTH(entries)]; /* by entry; 0: built in */

/* Tell whether WORD can be part of the name of a call. */
static bool is_word(const char *word) {
  return word && *word && strlen(word) <= CATALOGUE_WORD_MAX && !strpbrk(word, CATALOGUE_NO_WORD);
}

/* Tell whether TEXT can be printed in a table. */
static bool is_line(const char *text) {
  return text && *text && !strpbrk(text, "\r\n");
}

/* Tell whether PARAM obeys algo.h. */
static bool is_param(const struct coll_param *param) {
  unsigned words = 0;
  while (words < COLL_CHOICES_MAX && param->choices[words].word && is_word(param->choices[words].word)) {
    words++;
  }
  bool all = words == COLL_CHOICES_MAX || !param->choices[words].word;
  if (param->algorithm) {
    return is_word(param->name) && is_word(param->algorithm) && words == 0;
  }
  return is_word(param->name) && all &&
         (words ? param->initial == 0 : param->least <= param->initial && param->initial <= param->most);
}

/* Return the missing part of ALGO; NULL: nothing is missing. */
static const char *find_defect(const struct algo *algo) {
  if (!is_word(algo->name)) {
    return "a name without blanks and punctuation of at most 63 bytes";
  }
  for (unsigned i = 0; i < algo_nparams(algo); i++) {
    if (!is_param(&algo->params[i])) {
      return "parameters with words, or least <= initial <= most";
    }
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    if ((algo->needs & 1U << bit) && !*needs_name((enum coll_need)(1U << bit))) {
      return "known needs";
    }
  }
  const struct {
    bool is_there;
    const char *what;
  } parts[] = {{algo->collective < COLL_COUNT, "a collective"},
               {algo->run, "a program"},
               {is_line(algo->source), "a source on one line"},
               {is_line(algo->idea), "an idea on one line"},
               {false, NULL}};
  return VEC_FIND(parts, VEC_LENGTH(parts), !item->is_there)->what;
}

/* Return the first part of the name of ALGO. */
static const char *kind_of(const struct algo *algo) {
  return algo->kind ? algo->kind : collective_name(algo->collective);
}

/* Return the algorithm NAME with the N bytes of KIND before the colon; NULL: there is none. Messages alone
 * make full names, a tenth of the work of a short call. */
static const struct algo *find_entry(const char *kind, size_t n, const char *name) {
  for (size_t i = 0; i < catalogue_size; i++) {
    const char *own = kind_of(entries[i]);
    if (strncmp(own, kind, n) == 0 && !own[n] && strcmp(entries[i]->name, name) == 0) {
      return entries[i];
    }
  }
  return NULL;
}

int catalogue_add(const struct algo *algo, uint64_t plugin, struct err *err) {
  const char *defect = find_defect(algo);
  if (defect) {
    return err_set(err, "algorithm '%.60s' has no proper entry, expected %s", algo->name ? algo->name : "",
                   defect);
  }
  if (find_entry(kind_of(algo), strlen(kind_of(algo)), algo->name)) {
    return err_set(err, "algorithm %s:%s is there already", kind_of(algo), algo->name);
  }
  if (catalogue_size == VEC_LENGTH(entries)) {
    return err_set(err, "more than %d algorithms added", CATALOGUE_ADDED_MAX);
  }
  plugins[catalogue_size] = plugin;
  entries[catalogue_size++] = algo;
  return 0;
}

uint64_t catalogue_plugin(const struct algo *algo) {
  size_t i = VEC_INDEX(entries, catalogue_size, *item == algo);
  return i < catalogue_size ? plugins[i] : 0;
}

const char *catalogue_origin_name(enum catalogue_origin origin) {
  static const char *const names[] = {[CATALOGUE_ALL] = "all", [CATALOGUE_PAPERS] = "papers"};
  return names[origin];
}

void catalogue_keep_papers(void) {
  size_t n = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    if (strcmp(entries[i]->source, ALGO_SOURCE_OWN) != 0) {
      entries[n++] = entries[i];
    }
  }
  catalogue_size = n;
}

/* Set ERR: WORD is no WHAT. The message has the nearest of the COUNT names, or all names if they are few. */
static int unknown(struct err *err, const char *what, const char *word, const char *const names[],
                   size_t count) {
  const char *nearest = suggest_nearest(word, names, count);
  SCOPED char *all = NULL;
  if (nearest) {
    return err_set(err, "unknown %s '%s'; did you mean '%s'?", what, word, nearest);
  }
  for (size_t i = 0; i < count && count <= COLL_CHOICES_MAX; i++) {
    xappend(&all, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
  }
  return err_set(err, "unknown %s '%s', expected %s", what, word,
                 all ? all : "one of 'list algorithms', or --plugin FILE.so with the algorithm");
}

/* Return the full names of all algorithms.
 * owner: the caller, of the list. */
static const char **full_names(void) {
  const char **names = xcalloc(catalogue_size, sizeof *names);
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algorithm algorithm = catalogue_call(entries[i]);
    names[i] = text_keep(catalogue_name(&algorithm));
  }
  return names;
}

/* Set ERR: no algorithm is called NAME. The message suggests the nearest algorithm, also for a NAME without a
 * collective. */
static int unknown_algo(struct err *err, const char *name) {
  SCOPED const char **names = full_names();
  if (strchr(name, ':')) {
    const char *nearest = suggest_nearest(name, names, catalogue_size);
    return nearest && !VEC_FIND(plugins, catalogue_size, *item)
             ? err_set(err, "unknown algorithm '%s'; did you mean '%s'? --plugin FILE.so adds others", name,
                       nearest)
             : unknown(err, "algorithm", name, names, catalogue_size);
  }
  for (size_t i = 0; i < catalogue_size; i++) {
    names[i] = entries[i]->name;
  }
  const char *nearest = suggest_nearest(name, names, catalogue_size);
  if (nearest) {
    err_set(err, "unknown algorithm '%s', expected COLLECTIVE:ALGORITHM; did you mean '%s:%s'?", name,
            collective_name(entries[VEC_INDEX(names, catalogue_size, *item == nearest)]->collective),
            nearest);
  }
  return err_set(err, "unknown algorithm '%s', expected COLLECTIVE:ALGORITHM as in 'list algorithms'", name);
}

static int set_number(struct algorithm *algorithm, unsigned index, const char *word, struct err *err) {
  const struct coll_param *param = &algorithm->algo->params[index];
  uint64_t value;
  struct err why = {0};
  unsigned multiple = param->multiple ? param->multiple : 1;
  const char *of = multiple > 1 ? text_brief(" that is a multiple of %u", multiple) : "";
  if (units_parse_bytes(word, &value, &why) != 0 || value < param->least || value > param->most ||
      value % multiple != 0) {
    return err_set(err, "'%s' for parameter '%s', expected a whole number%s from %u to %u", word, param->name,
                   of, param->least, param->most);
  }
  algorithm->values[index] = (unsigned)value;
  return 0;
}

/* --- algorithms as parameters --- */

/* Calls that are values of parameters, from number 1 on; 0 is the default of the parameter. */
static struct {
  struct algorithm *calls;
  unsigned n;
} inner;

/* Return the default of PARAM; the catalogue has the defaults of all parameters. */
static const struct algo *standard_inner(const struct coll_param *param) {
  const char *collective = collective_name(param->of);
  return find_entry(collective, strlen(collective), param->algorithm);
}

struct algorithm catalogue_inner(const struct algorithm *algorithm, unsigned index) {
  unsigned number = algorithm->values[index];
  return number ? inner.calls[number - 1] : catalogue_call(standard_inner(&algorithm->algo->params[index]));
}

bool catalogue_is_same(const struct algorithm *a, const struct algorithm *b) {
  return a->algo == b->algo && memcmp(a->values, b->values, sizeof a->values) == 0;
}

/* Return the number of FOUND for PARAM. */
static unsigned number_inner(const struct coll_param *param, const struct algorithm *found) {
  const struct algorithm standard = catalogue_call(standard_inner(param));
  if (catalogue_is_same(found, &standard)) {
    return 0;
  }
  size_t i = VEC_INDEX(inner.calls, inner.n, catalogue_is_same(found, item));
  if (i == inner.n) {
    VEC_ADD(inner.calls, inner.n) = *found;
  }
  return (unsigned)i + 1;
}

/* Return the reason why ALGO cannot be a part of a call on several nodes; NULL: ALGO can. */
static const char *refuse_inner(const struct algo *algo) {
  const struct {
    bool holds;
    const char *why;
  } reasons[] = {{algo->spans_nodes, "is one of several nodes itself"},
                 {algo->ppe, "needs the PPE, which talks to the other nodes"},
                 {algo->is_open, "has no result, so that nothing says what it is"},
                 {algo->in_memory, "has its data in main memory, not in local stores"},
                 {algo->shared, "needs main memory that all ranks share"},
                 {true, NULL}};
  return VEC_FIND(reasons, VEC_LENGTH(reasons), item->holds)->why;
}

/* Let parameter INDEX of ALGORITHM be the algorithm WORD; a '+' precedes each parameter of the algorithm. */
static int set_inner(struct algorithm *algorithm, unsigned index, const char *word, struct err *err) {
  const struct coll_param *param = &algorithm->algo->params[index];
  struct algorithm found;
  SCOPED char *name = xasprintf("%s:%s", collective_name(param->of), word);
  for (char *plus = name; (plus = strchr(plus, '+'));) {
    *plus = ':';
  }
  struct err why = {""};
  if (catalogue_find(name, &found, &why) != 0) {
    return err_set(err, "%s=%s in an algorithm name: %s", param->name, word, why.text);
  }
  const char *refusal = refuse_inner(found.algo);
  if (refusal) {
    return err_set(err, "%s=%s in an algorithm name: %s:%s %s", param->name, word, collective_name(param->of),
                   found.algo->name, refusal);
  }
  algorithm->values[index] = number_inner(param, &found);
  return 0;
}

static int set_value(struct algorithm *algorithm, unsigned index, const char *word, struct err *err) {
  const struct coll_param *param = &algorithm->algo->params[index];
  if (param->algorithm) {
    return set_inner(algorithm, index, word, err);
  }
  if (!param->choices[0].word) {
    return set_number(algorithm, index, word, err);
  }
  const char *words[COLL_CHOICES_MAX];
  size_t count = 0;
  for (; count < COLL_CHOICES_MAX && param->choices[count].word; count++) {
    words[count] = param->choices[count].word;
    if (strcmp(words[count], word) == 0) {
      algorithm->values[index] = (unsigned)count;
      return 0;
    }
  }
  return unknown(err, text_brief("value of parameter '%s'", param->name), word, words, count);
}

/* Apply SETTING, "parameter=value", of a parameter that is not yet in GIVEN. */
static int set_param(struct algorithm *algorithm, char *setting, bool given[COLL_PARAMS_MAX],
                     struct err *err) {
  char *value = strchr(setting, '=');
  const char *names[COLL_PARAMS_MAX];
  unsigned count = 0;
  if (!value) {
    return err_set(err, "'%s' in an algorithm name, expected parameter=value", setting);
  }
  *value++ = '\0';
  for (; count < algo_nparams(algorithm->algo); count++) {
    names[count] = algorithm->algo->params[count].name;
    if (strcmp(names[count], setting) == 0) {
      if (given[count]) {
        return err_set(err, "parameter '%s' in an algorithm name given again, expected it once", setting);
      }
      given[count] = true;
      return set_value(algorithm, count, value, err);
    }
  }
  if (count == 0) {
    return err_set(err, "parameter '%s' of %s:%s, expected none", setting, kind_of(algorithm->algo),
                   algorithm->algo->name);
  }
  return unknown(err, "parameter", setting, names, count);
}

struct algorithm catalogue_call(const struct algo *algo) {
  struct algorithm algorithm = {.algo = algo};
  for (unsigned i = 0; i < algo_nparams(algo); i++) {
    algorithm.values[i] = algo->params[i].initial;
  }
  return algorithm;
}

/* Let parameter INDEX of ALGORITHM, which is an algorithm, be the next algorithm of the catalogue that can
 * be a part, with default parameters; the first such algorithm if the parameter has its default.
 * returns: false after the last algorithm. */
static bool next_inner(struct algorithm *algorithm, unsigned index) {
  const struct coll_param *param = &algorithm->algo->params[index];
  const struct algo *now = algorithm->values[index] ? catalogue_inner(algorithm, index).algo : NULL,
                    *standard = standard_inner(param);
  bool is_behind = !now;
  for (size_t i = 0; i < catalogue_size; i++) {
    if (is_behind && entries[i]->collective == param->of && entries[i] != standard &&
        !refuse_inner(entries[i])) {
      struct algorithm next = catalogue_call(entries[i]);
      algorithm->values[index] = number_inner(param, &next);
      return true;
    }
    is_behind |= entries[i] == now;
  }
  return false;
}

/* Let parameter INDEX of ALGORITHM have its next value.
 * returns: false after the last value; the parameter then has its default. */
static bool next_value(struct algorithm *algorithm, unsigned index) {
  const struct coll_param *param = &algorithm->algo->params[index];
  unsigned *value = &algorithm->values[index];
  bool words = param->choices[0].word != NULL;
  if (param->algorithm && next_inner(algorithm, index)) {
    return true;
  }
  unsigned step = !words && param->multiple ? param->multiple : 1;
  unsigned next = !words && *value == param->initial ? param->least : *value + step;
  next += !words && next == param->initial ? step : 0;
  if (!param->algorithm && !param->is_asked &&
      (words ? next < COLL_CHOICES_MAX && param->choices[next].word
             : next <= param->most && next < param->least + CATALOGUE_NUMBERS * step)) {
    *value = next;
    return true;
  }
  *value = param->initial;
  return false;
}

bool catalogue_next(struct algorithm *algorithm) {
  bool one_at_a_time = algorithm->algo->spans_nodes;
  unsigned first = 0;
  while (one_at_a_time && first < COLL_PARAMS_MAX &&
         algorithm->values[first] == algorithm->algo->params[first].initial) {
    first++;
  }
  first = first < COLL_PARAMS_MAX ? first : 0;
  for (unsigned i = first; i < algo_nparams(algorithm->algo); i++) {
    if (next_value(algorithm, i)) {
      return true;
    }
  }
  return false;
}

int catalogue_find(const char *name, struct algorithm *algorithm, struct err *err) {
  SCOPED char *copy = xstrdup(name);
  char *colon = strchr(copy, ':'), *settings = colon ? strchr(colon + 1, ':') : NULL;
  if (settings) {
    *settings++ = '\0';
  }
  const struct algo *algo = colon ? find_entry(copy, (size_t)(colon - copy), colon + 1) : NULL;
  int status = algo ? 0 : unknown_algo(err, copy);
  *algorithm = status == 0 ? catalogue_call(algo) : (struct algorithm){0};
  bool given[COLL_PARAMS_MAX] = {false};
  for (char *setting; status == 0 && (setting = strsep(&settings, ":"));) {
    status = set_param(algorithm, setting, given, err);
  }
  if (status != 0) {
    return -1;
  }
  char whole[CATALOGUE_NAME_SIZE]; /* a part of keys */
  catalogue_format(algorithm, whole, sizeof whole);
  return strlen(whole) + 1 < sizeof whole
           ? 0
           : err_set(err, "%.60s...: a name of more than %d bytes, expected a shorter one", whole,
                     CATALOGUE_NAME_SIZE - 2);
}

/* Format the name of the algorithm that is parameter INDEX of ALGORITHM into TEXT. */
static void format_inner(const struct algorithm *algorithm, unsigned index, char *text, size_t size) {
  char name[CATALOGUE_NAME_SIZE];
  struct algorithm own = catalogue_inner(algorithm, index);
  catalogue_format(&own, name, sizeof name);
  snprintf(text, size, "%s", strchr(name, ':') + 1);
  for (char *colon = text; (colon = strchr(colon, ':'));) {
    *colon = '+';
  }
}

/* Write WORD behind the first USED of the SIZE bytes of TEXT, cut to the room; names are parts of keys of
 * results, and snprintf takes several times as long.
 * returns: the new number of used bytes. */
static size_t append(char *text, size_t size, size_t used, const char *word) {
  while (*word && used + 1 < size) {
    text[used++] = *word++;
  }
  text[used] = '\0';
  return used;
}

void catalogue_format(const struct algorithm *algorithm, char *text, size_t size) {
  size_t used = append(text, size, 0, kind_of(algorithm->algo));
  used = append(text, size, used, ":");
  used = append(text, size, used, algorithm->algo->name);
  for (unsigned i = 0; i < algo_nparams(algorithm->algo); i++) {
    const struct coll_param *param = &algorithm->algo->params[i];
    if (algorithm->values[i] == param->initial) {
      continue;
    }
    char value[CATALOGUE_NAME_SIZE];
    if (param->algorithm) {
      format_inner(algorithm, i, value, sizeof value);
    } else {
      snprintf(value, sizeof value, "%u", algorithm->values[i]);
    }
    used = append(text, size, used, ":");
    used = append(text, size, used, param->name);
    used = append(text, size, used, "=");
    used =
      append(text, size, used, param->choices[0].word ? param->choices[algorithm->values[i]].word : value);
  }
}

const char *catalogue_name(const struct algorithm *algorithm) {
  static char name[CATALOGUE_NAME_SIZE];
  catalogue_format(algorithm, name, sizeof name);
  return name;
}

const char *catalogue_short_name(const struct algorithm *algorithm) {
  return strchr(catalogue_name(algorithm), ':') + 1;
}

const char *catalogue_source(const struct algorithm *algorithm) {
  for (unsigned i = 0; i < algo_nparams(algorithm->algo); i++) {
    const struct coll_param *param = &algorithm->algo->params[i];
    if (param->choices[0].word && param->choices[algorithm->values[i]].source) {
      return param->choices[algorithm->values[i]].source;
    }
  }
  return algorithm->algo->sched ? ALGO_SOURCE_OWN : algorithm->algo->source;
}

/* --- names of several algorithms --- */

/* Return the name nearest to PATTERN without *, ? and a last colon: a collective, or one of the full NAMES,
 * also compared without its collective, which several may share; NULL: no name is near.
 * owner: the caller. */
static char *nearest_name(const char *pattern, const char *const names[]) {
  size_t length = 0, n = COLL_COUNT + catalogue_size;
  SCOPED const char **known = xcalloc(n + catalogue_size, sizeof *known);
  SCOPED char *bare = xstrdup(pattern);
  for (const char *c = pattern; *c; c++) {
    bare[length] = *c;
    length += *c != '*' && *c != '?';
  }
  length -= length > 0 && bare[length - 1] == ':';
  bare[length] = '\0';
  for (size_t i = 0; i < COLL_COUNT; i++) {
    known[i] = collective_name((enum collective)i);
  }
  for (size_t i = 0; i < catalogue_size; i++) {
    known[COLL_COUNT + i] = names[i];
    known[n + i] = strchr(names[i], ':') + 1;
  }
  const char *nearest = collective_meant(bare);
  nearest = nearest ? nearest : suggest_nearest(bare, known, n + catalogue_size);
  char *all = NULL;
  for (size_t i = 0; i < catalogue_size && nearest; i++) {
    if (strcmp(nearest, known[n + i]) == 0) {
      xappend(&all, "%s%s", all ? "' or '" : "", names[i]);
    }
  }
  return all || !nearest ? all : xstrdup(nearest);
}

bool catalogue_is_pattern(const char *name) {
  return !strchr(name, ':') || strpbrk(name, "*?");
}

size_t catalogue_match(const char *pattern, const struct algo *found[], struct err *err) {
  SCOPED const char **names = full_names();
  size_t n = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    const char *collective = collective_name(catalogue[i]->collective);
    SCOPED char *in_memory = xasprintf("%s-mm", collective);
    if (fnmatch(pattern, names[i], FNM_NOESCAPE) == 0 || fnmatch(pattern, collective, FNM_NOESCAPE) == 0 ||
        (catalogue[i]->in_memory && strcmp(pattern, in_memory) == 0)) {
      found[n++] = catalogue[i];
    }
  }
  if (n == 0) {
    SCOPED char *nearest = nearest_name(pattern, names);
    const char *what = strpbrk(pattern, "*?") ? "no algorithm fits" : "unknown collective or algorithm";
    SCOPED char *collective = xasprintf("%.*s", (int)strcspn(pattern, ":"), pattern);
    const char *meant = collective_meant(collective);
    if (nearest) {
      err_set(err, "%s '%.60s'; did you mean '%s'?", what, pattern, nearest);
    }
    err_set(err, "%s '%.60s', expected one of 'list algorithms%s%s'", what, pattern, meant ? " " : "",
            meant ? meant : "");
  }
  return n;
}
