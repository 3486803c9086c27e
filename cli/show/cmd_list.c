/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll list: what there is. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/bench/bench.h"

#include <string.h>

/* Append the values of PARAM: `first|second|...`, `least..most`, `least..most by multiple`, or the collective
 * of algorithms. */
static void append_values(char **list, const struct coll_param *param) {
  if (param->algorithm) {
    xappend(list, "%s", collective_name(param->of));
  } else if (!param->choices[0].word) {
    xappend(list, param->multiple ? "%u..%u by %u" : "%u..%u", param->least, param->most, param->multiple);
  }
  for (unsigned j = 0; !param->algorithm && j < COLL_CHOICES_MAX && param->choices[j].word; j++) {
    xappend(list, "%s%s", j ? "|" : "", param->choices[j].word);
  }
}

/* Add a row for ALGO to TABLE; parameters are listed as `name=values`. */
static void add_algorithm(struct table *table, const struct algo *algo) {
  struct algorithm algorithm = catalogue_call(algo);
  SCOPED char *needs = NULL, *params = NULL;
  for (unsigned all = needs_of_algo(algo), bit = 1; bit <= all; bit *= 2) {
    if (all & bit) {
      xappend(&needs, "%s%s", needs ? ";" : "", needs_name((enum coll_need)bit));
    }
  }
  for (unsigned i = 0; i < algo_nparams(algo); i++) {
    xappend(&params, "%s%s=", i ? ";" : "", algo->params[i].name);
    append_values(&params, &algo->params[i]);
  }
  table_add(table, "%s %s %s %s %s %s %s %s %s", catalogue_name(&algorithm),
            collective_name(algo->collective), algo->source, needs ? needs : "", params ? params : "",
            algo->needs & NEED_HOSTS ? "no" : "yes", algo->idea,
            !collective_combines(algo->collective) ? ""
            : algo->in_order                       ? "ranks"
                                                   : "any",
            algo->words ? algo->words : "");
}

/* List the algorithms with the names in the words of SESSION, without words all algorithms.
 * returns: NULL if no algorithm fits a word. */
static struct table *list_algorithms(struct session *session) {
  const struct opts *opts = &session->opts;
  struct table *table = table_new("name,collective,source,needs,parameters,has_model,idea,order,words");
  table_hide(table, "collective,has_model,order,words");
  SCOPED const struct algo **found = xcalloc(catalogue_size, sizeof *found);
  SCOPED bool *wanted = xcalloc(catalogue_size, sizeof *wanted);
  bool good = true;
  for (size_t word = 1; word < opts->nrest && good; word++) {
    size_t n = catalogue_match(opts->rest[word], found, session->err);
    good = n > 0;
    for (size_t i = 0, k = 0; i < catalogue_size; i++) {
      bool fits = k < n && found[k] == catalogue[i];
      k += fits;
      wanted[i] |= fits;
    }
  }
  for (size_t i = 0; i < catalogue_size; i++) {
    if (wanted[i] || opts->nrest == 1) {
      add_algorithm(table, catalogue[i]);
    }
  }
  if (!good) {
    table_free(table);
    table = NULL;
  }
  return table;
}

int cmd_list(struct session *session) {
  const struct opts *opts = &session->opts;
  const char *word = opts->rest[0];
  bool collectives = strcmp(word, "collectives") == 0, platforms = strcmp(word, "platforms") == 0,
       benchmarks = strcmp(word, "benchmarks") == 0;
  if (strcmp(word, "algorithms") == 0) {
    session->table = list_algorithms(session);
    return session->table ? CLI_DONE : CLI_USAGE;
  }
  if (!collectives && !platforms && !benchmarks) {
    return session_refuse(session, CLI_USAGE,
                          "unknown list '%.60s', expected algorithms, collectives, platforms or benchmarks",
                          word);
  }
  if (opts->nrest > 1) {
    return session_refuse(session, CLI_USAGE, "one argument too many: '%.60s', expected none after %s",
                          opts->rest[1], word);
  }
  session->table = table_new("name,description");
  for (enum collective i = 0; collectives && i < COLL_COUNT; i++) {
    table_add(session->table, "%s %s", collective_name(i), collective_description(i));
  }
  for (size_t i = 0; platforms && platform_builtins[i].name; i++) {
    table_add(session->table, "%s %s", platform_builtins[i].name, platform_builtins[i].description);
  }
  for (size_t i = 0; benchmarks && i < nbenches; i++) {
    table_add(session->table, "%s %s", benches[i]->name, benches[i]->doc);
  }
  return CLI_DONE;
}
