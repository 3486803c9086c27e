/* SPDX-License-Identifier: BSD-3-Clause
 * See catalogue.h. */
#include "algos/catalogue.h"

#include "sim/base/err.h"
#include "sim/base/suggest.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALGO(name) extern const struct algo name;
#include "algos/catalogue.def"
#undef ALGO

const struct algo *const catalogue[] = {
#define ALGO(name) &name,
#include "algos/catalogue.def"
#undef ALGO
};
const size_t catalogue_size = sizeof catalogue / sizeof *catalogue;

/* Set ERR to say that WORD is no WHAT, with the nearest of the COUNT names. */
static int
unknown(struct err *err, const char *what, const char *word, const char *const names[], size_t count)
{
  const char *nearest = suggest_nearest(word, names, count);
  return err_set(err, nearest ? "unknown %s '%s'; did you mean '%s'?" : "unknown %s '%s'", what, word,
                 nearest);
}

/* Set ERR to say that there is no algorithm NAME; the nearest of the COUNT full NAMES is suggested, also for a name
 * without its collective. */
static int
unknown_algo(struct err *err, const char *name, char *const names[], size_t count)
{
  if (strchr(name, ':')) {
    return unknown(err, "algorithm", name, (const char *const *)names, count);
  }
  const char **tails = xcalloc(count, sizeof *tails);
  for (size_t i = 0; i < count; i++) {
    tails[i] = strchr(names[i], ':') + 1;
  }
  const char *nearest = suggest_nearest(name, tails, count);
  for (size_t i = 0; i < count; i++) {
    if (nearest == tails[i]) {
      err_set(err, "unknown algorithm '%s', expected COLLECTIVE:ALGORITHM; did you mean '%s'?", name,
              names[i]);
    }
  }
  free(tails);
  return err_set(err, "unknown algorithm '%s', expected COLLECTIVE:ALGORITHM as in 'list algorithms'", name);
}

static int
find_algo(const char *name, const struct algo **found, struct err *err)
{
  char **names = xcalloc(catalogue_size, sizeof *names);
  *found = NULL;
  for (size_t i = 0; i < catalogue_size; i++) {
    names[i] = xasprintf("%s:%s", coll_name(catalogue[i]->collective), catalogue[i]->name);
    if (strcmp(names[i], name) == 0) {
      *found = catalogue[i];
    }
  }
  int status = *found ? 0 : unknown_algo(err, name, names, catalogue_size);
  for (size_t i = 0; i < catalogue_size; i++) {
    free(names[i]);
  }
  free(names);
  return status;
}

static int
set_choice(struct algo_call *call, unsigned index, const char *word, struct err *err)
{
  const struct coll_param *param = &call->algo->params[index];
  const char *words[COLL_CHOICES_MAX];
  size_t count = 0;
  for (; count < COLL_CHOICES_MAX && param->choices[count].word; count++) {
    words[count] = param->choices[count].word;
    if (strcmp(words[count], word) == 0) {
      call->choices[index] = (unsigned)count;
      return 0;
    }
  }
  char what[96];
  snprintf(what, sizeof what, "value of parameter '%s'", param->name);
  return unknown(err, what, word, words, count);
}

/* Apply SETTING, "parameter=value". */
static int
set_param(struct algo_call *call, char *setting, struct err *err)
{
  char *value = strchr(setting, '=');
  const char *names[COLL_PARAMS_MAX];
  unsigned count = 0;
  if (!value) {
    return err_set(err, "'%s' in an algorithm name, expected parameter=value", setting);
  }
  *value++ = '\0';
  for (; count < COLL_PARAMS_MAX && call->algo->params[count].name; count++) {
    names[count] = call->algo->params[count].name;
    if (strcmp(names[count], setting) == 0) {
      return set_choice(call, count, value, err);
    }
  }
  if (count == 0) {
    return err_set(err, "parameter '%s' of %s:%s, expected none", setting, coll_name(call->algo->collective),
                   call->algo->name);
  }
  return unknown(err, "parameter", setting, names, count);
}

int
catalogue_find(const char *name, struct algo_call *call, struct err *err)
{
  char *copy = xstrdup(name);
  char *colon = strchr(copy, ':'), *settings = colon ? strchr(colon + 1, ':') : NULL;
  if (settings) {
    *settings++ = '\0';
  }
  *call = (struct algo_call){0};
  int status = find_algo(copy, &call->algo, err);
  for (char *setting; status == 0 && (setting = strsep(&settings, ":"));) {
    status = set_param(call, setting, err);
  }
  free(copy);
  return status;
}

void
catalogue_format(const struct algo_call *call, char *text, size_t size)
{
  int used = snprintf(text, size, "%s:%s", coll_name(call->algo->collective), call->algo->name);
  for (unsigned i = 0; i < COLL_PARAMS_MAX && call->algo->params[i].name; i++) {
    const struct coll_param *param = &call->algo->params[i];
    if (call->choices[i] != 0 && used >= 0 && (size_t)used < size) {
      used += snprintf(text + used, size - (size_t)used, ":%s=%s", param->name,
                       param->choices[call->choices[i]].word);
    }
  }
}

const char *
catalogue_source(const struct algo_call *call)
{
  for (unsigned i = 0; i < COLL_PARAMS_MAX && call->algo->params[i].name; i++) {
    const char *source = call->algo->params[i].choices[call->choices[i]].source;
    if (source) {
      return source;
    }
  }
  return call->algo->source;
}

const char *
catalogue_need_name(enum coll_need need)
{
  switch (need) {
  case NEED_POWER_OF_TWO:
    return "power-of-two-ranks";
  case NEED_SEVERAL_CHIPS:
    return "several-chips";
  case NEED_EVEN_CHIPS:
    return "equal-power-of-two-ranks-per-chip";
  case NEED_SIGNAL_BITS:
    return "at-most-16-ranks";
  }
  return "";
}
