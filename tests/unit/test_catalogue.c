/* SPDX-License-Identifier: BSD-3-Clause
 * The catalogue: names of calls, and the completeness of every entry. */
#include "algos/catalogue.h"
#include "algos/schedule/sched/sched.h"
#include "platform/platform.h"
#include "tests/suite.h"

static struct platform *platform;

static void start(void) {
  platform = platform_read("qs20", &failure);
  ck_assert_msg(platform != NULL, "%s", failure.text);
}

static void stop(void) {
  platform_free(platform);
}

static unsigned choices_of(const struct coll_param *param) {
  unsigned n = 0;
  while (n < COLL_CHOICES_MAX && param->choices[n].word) {
    n++;
  }
  return n;
}

TESTS(catalogue, .start = start, .stop = stop);

TEST(a_text_says_of_itself_the_same_as_the_entry) {
  unsigned ntexts = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    const struct algo *algo = catalogue[i];
    struct err err = {""};
    struct algo head = {.words = NULL};
    if (algo->sched) {
      ntexts++;
      ck_assert_int_eq(sched_head(algo->sched, strlen(algo->sched), algo->name, &head, &err), 0);
      ck_assert_uint_eq(head.collective, algo->collective);
      ck_assert_uint_eq(head.needs, algo->needs);
      ck_assert_uint_eq(head.ranks, 0);
      ck_assert_pstr_eq(head.words, algo->words);
      ck_assert_str_eq(catalogue_source(&(struct algorithm){.algo = algo}), ALGO_SOURCE_OWN);
    }
  }
  ck_assert_uint_ge(ntexts, 10);
}

TEST(every_entry_is_complete) {
  for (size_t i = 0; i < catalogue_size; i++) {
    const struct algo *algo = catalogue[i];
    ck_assert(algo->collective < COLL_COUNT);
    ck_assert_msg(algo->name && *algo->name && !strpbrk(algo->name, ":= "), "entry %zu has no fit name", i);
    ck_assert_msg(algo->run != NULL, "%s has no program", algo->name);
    ck_assert_msg(algo->idea && *algo->idea && !strpbrk(algo->idea, "\n,\""), "%s: idea", algo->name);
    ck_assert_msg(algo->source && (algo->sched || platform_profile(platform, algo->source)),
                  "%s: no profile of its source", algo->name);
    for (size_t j = 0; j < i; j++) {
      ck_assert(algo->collective != catalogue[j]->collective || strcmp(algo->name, catalogue[j]->name) != 0);
    }
  }
}

/* Check that PATTERN fits N algorithms, the first of them FIRST. */
static void expect_match(const char *pattern, size_t n, const char *first) {
  struct err err = {""};
  const struct algo *found[128];
  char name[128];
  ck_assert_uint_le(catalogue_size, sizeof found / sizeof *found);
  ck_assert_msg(catalogue_match(pattern, found, &err) == n, "%s: %s", pattern, err.text);
  struct algorithm algorithm = catalogue_call(found[0]);
  catalogue_format(&algorithm, name, sizeof name);
  ck_assert_str_eq(name, first);
}

TEST(a_collective_or_a_pattern_means_several_algorithms) {
  size_t broadcasts = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    broadcasts += catalogue[i]->collective == COLL_BCAST;
  }
  expect_match("bcast", broadcasts, "bcast:one-to-all");
  expect_match("bcast:*", broadcasts, "bcast:one-to-all");
  expect_match("b?ast", broadcasts, "bcast:one-to-all");
  expect_match("*", catalogue_size, "barrier:recursive-doubling");
  expect_match("allreduce:hybrid-?", 2, "allreduce:hybrid-a");
  expect_match("scan:mm", 1, "scan:mm");
  expect_match("scan-mm", 1, "scan:mm");
  expect_match("bcast-mm", 6, "bcast:mm-tree"); /* those called mm-... */
  ck_assert(catalogue_is_pattern("bcast") && catalogue_is_pattern("bcast:*") && catalogue_is_pattern("b?"));
  ck_assert(!catalogue_is_pattern("bcast:tree:degree=3"));
}

TEST(a_pattern_that_fits_nothing_names_what_is_near) {
  static const char *const cases[][2] = {
    {"broadcast", "unknown collective or algorithm 'broadcast'; did you mean 'bcast'?"},
    {"MPI_Allgatherv", "unknown collective or algorithm 'MPI_Allgatherv'; did you mean 'allgatherv'?"},
    {"all-reduce", "unknown collective or algorithm 'all-reduce'; did you mean 'allreduce'?"},
    {"Gather-All", "unknown collective or algorithm 'Gather-All'; did you mean 'allgather'?"},
    {"barrier-mm", "unknown collective or algorithm 'barrier-mm'; did you mean 'barrier'?"},
    {"binomial-opt", "unknown collective or algorithm 'binomial-opt'; did you mean 'bcast:binomial-opt'?"},
    {"reduction:*", "no algorithm fits 'reduction:*'; did you mean 'reduce'?"},
    {"bcast:bino*x", "no algorithm fits 'bcast:bino*x', expected one of 'list algorithms bcast'"},
    {"*zzzz*", "no algorithm fits '*zzzz*', expected one of 'list algorithms'"},
    {"", "unknown collective or algorithm '', expected one of 'list algorithms'"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct err err = {""};
    const struct algo *found[128];
    ck_assert_uint_eq(catalogue_match(cases[i][0], found, &err), 0);
    ck_assert_str_eq(err.text, cases[i][1]);
  }
}

TEST(every_parameter_is_complete) {
  for (size_t i = 0; i < catalogue_size; i++) {
    for (unsigned p = 0; p < COLL_PARAMS_MAX && catalogue[i]->params[p].name; p++) {
      const struct coll_param *param = &catalogue[i]->params[p];
      ck_assert_uint_ne(choices_of(param), 1);
      ck_assert(choices_of(param) ? param->initial == 0
                                  : param->least <= param->initial && param->initial <= param->most);
      for (unsigned k = 0; k < COLL_COMPARED_MAX && param->compared[k]; k++) {
        ck_assert(!choices_of(param) && param->least <= param->compared[k] &&
                  param->compared[k] <= param->most);
      }
      for (unsigned k = 0; k < choices_of(param); k++) {
        const char *source = param->choices[k].source;
        ck_assert(!source || platform_profile(platform, source));
      }
    }
  }
}

/* Check that the formatted text of ALGORITHM means ALGORITHM. */
static void expect_round_trip(const struct algorithm *algorithm) {
  char name[128];
  struct algorithm found;
  struct err err = {""};
  catalogue_format(algorithm, name, sizeof name);
  ck_assert_msg(catalogue_find(name, &found, &err) == 0, "%s: %s", name, err.text);
  ck_assert_ptr_eq(found.algo, algorithm->algo);
  ck_assert_mem_eq(found.values, algorithm->values, sizeof found.values);
}

TEST(names_mean_what_they_were_formatted_from) {
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algorithm algorithm = catalogue_call(catalogue[i]);
    expect_round_trip(&algorithm);
    for (unsigned p = 0; p < COLL_PARAMS_MAX && catalogue[i]->params[p].name; p++) {
      for (unsigned k = 0; k < choices_of(&catalogue[i]->params[p]); k++) {
        algorithm.values[p] = k;
        expect_round_trip(&algorithm);
      }
      if (!choices_of(&catalogue[i]->params[p])) {
        algorithm.values[p] = catalogue[i]->params[p].most;
        expect_round_trip(&algorithm);
      }
    }
  }
}

TEST(defaults_can_be_typed_and_are_not_printed) {
  struct algorithm algorithm;
  char name[128];
  SUCCEEDS(catalogue_find("barrier:recursive-doubling:sync=flag", &algorithm, &failure));
  catalogue_format(&algorithm, name, sizeof name);
  ck_assert_str_eq(name, "barrier:recursive-doubling");
  ck_assert_str_eq(catalogue_source(&algorithm), "ali2010");
  SUCCEEDS(catalogue_find("barrier:recursive-doubling:sync=signal", &algorithm, &failure));
  catalogue_format(&algorithm, name, sizeof name);
  ck_assert_str_eq(name, "barrier:recursive-doubling:sync=signal");
  ck_assert_str_eq(catalogue_source(&algorithm), "gaona2009");
}

/* Check that NAME is refused with a message that contains WORD and, if not NULL, the suggestion NEAREST. */
static void refuse(const char *name, const char *word, const char *nearest) {
  struct algorithm algorithm;
  struct err err = {""};
  char meant[64] = "";
  if (nearest) {
    snprintf(meant, sizeof meant, "did you mean '%s'?", nearest);
  }
  ck_assert_msg(catalogue_find(name, &algorithm, &err) == -1, "%s was accepted", name);
  ck_assert_msg(strstr(err.text, word) && strstr(err.text, meant), "%s: %s", name, err.text);
  ck_assert_msg(nearest || !strstr(err.text, "did you mean"), "%s: %s", name, err.text);
}

TEST(unknown_names_are_refused_with_the_nearest_one) {
  refuse("bcast:binomal-opt", "'bcast:binomal-opt'", "bcast:binomial-opt");
  refuse("barrier:brock", "'barrier:brock'", "barrier:bruck");
  refuse("", "unknown algorithm ''", NULL);
  refuse("xyzzy", "'xyzzy'", NULL);
}

TEST(unknown_parameters_and_values_are_refused_with_the_nearest_one) {
  refuse("barrier:recursive-doubling:snc=flag", "'snc'", "sync");
  refuse("barrier:recursive-doubling:sync=signl", "'signl'", "signal");
  refuse("barrier:bruck:sync=flag", "'sync'", NULL);
  refuse("barrier:recursive-doubling:sync", "parameter=value", NULL);
  refuse("barrier:knomial:degree=17", "a whole number from 1 to 16", NULL);
  refuse("bcast:mm-one-to-all:shift=8", "a whole number that is a multiple of 16 from 0 to", NULL);
}

TEST(a_short_buffer_cuts_the_name) {
  struct algorithm algorithm;
  char name[12];
  SUCCEEDS(catalogue_find("barrier:recursive-doubling:sync=signal", &algorithm, &failure));
  catalogue_format(&algorithm, name, sizeof name);
  ck_assert_str_eq(name, "barrier:rec");
}

TEST(every_need_has_a_name_of_its_own) {
  static const enum coll_need needs[] = {NEED_POWER_OF_TWO_RANKS, NEED_SEVERAL_CHIPS, NEED_EVEN_CHIPS,
                                         NEED_SIGNAL_BITS,        NEED_SWITCH_ROUND,  NEED_ONE_DMA,
                                         NEED_512_ELEMENTS,       NEED_2048_ELEMENTS};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    ck_assert(*needs_name(needs[i]));
    for (size_t j = 0; j < i; j++) {
      ck_assert_str_ne(needs_name(needs[i]), needs_name(needs[j]));
    }
  }
}

/* Check that the variants of an algorithm with PARAMS are VALUES, N variants with two parameters each. */
static void expect_variants(const struct coll_param params[2], const unsigned values[][2], size_t n) {
  struct algo algo = {.name = "none", .params = {params[0], params[1]}};
  struct algorithm algorithm = catalogue_call(&algo);
  for (size_t i = 0; i < n; i++) {
    ck_assert_msg(algorithm.values[0] == values[i][0] && algorithm.values[1] == values[i][1],
                  "variant %zu: %u %u", i, algorithm.values[0], algorithm.values[1]);
    ck_assert(catalogue_next(&algorithm) == (i + 1 < n));
  }
  ck_assert(algorithm.values[0] == values[0][0] && algorithm.values[1] == values[0][1]);
}

TEST(variants_have_all_words_and_a_few_numbers) {
  struct coll_param word = {.name = "w", .choices = {{.word = "a"}, {.word = "b"}}};
  struct coll_param number = {.name = "n", .least = 2, .most = 99, .initial = 8};
  struct coll_param least = {.name = "l", .least = 1, .most = 99, .initial = 1};
  struct coll_param second = {.name = "l", .least = 1, .most = 2, .initial = 2};
  struct coll_param none = {0};
  expect_variants((struct coll_param[]){none, none}, (const unsigned[][2]){{0, 0}}, 1);
  expect_variants((struct coll_param[]){word, none}, (const unsigned[][2]){{0, 0}, {1, 0}}, 2);
  expect_variants((struct coll_param[]){least, none}, (const unsigned[][2]){{1, 0}, {2, 0}, {3, 0}}, 3);
  expect_variants((struct coll_param[]){second, none}, (const unsigned[][2]){{2, 0}, {1, 0}}, 2);
  expect_variants((struct coll_param[]){word, number},
                  (const unsigned[][2]){{0, 8}, {1, 8}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {0, 4}, {1, 4}}, 8);
}

/* Return how many algorithms for COLLECTIVE can be a part of one on several nodes. */
static unsigned count_parts(enum collective collective) {
  unsigned n = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    const struct algo *algo = catalogue[i];
    n +=
      algo->collective == collective && !algo->spans_nodes && !algo->ppe && !algo->in_memory && !algo->shared;
  }
  return n;
}

/* The first one; all other reductions and broadcasts, each beside the default of the other; the other
 * word. */
TEST(variants_on_several_nodes_differ_in_one_parameter) {
  struct algorithm algorithm;
  unsigned n = 0;
  SUCCEEDS(catalogue_find("allreduce:hierarchical", &algorithm, &failure));
  do {
    unsigned changed = 0;
    for (unsigned i = 0; i < COLL_PARAMS_MAX; i++) {
      changed += algorithm.values[i] != algorithm.algo->params[i].initial;
    }
    ck_assert_uint_eq(changed, n > 0);
    n++;
  } while (catalogue_next(&algorithm));
  ck_assert_uint_eq(n, 1 + count_parts(COLL_REDUCE) - 1 + count_parts(COLL_BCAST) - 1 + 1);
  ck_assert(algorithm.values[0] == 0 && algorithm.values[1] == 0 && algorithm.values[2] == 0);
}
