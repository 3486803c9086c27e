/* SPDX-License-Identifier: BSD-3-Clause
 * See opts.h.
 *
 * options.def decides everything: an option's kind is the reader of its argument, which stores through the offset of
 * its field. getopt_long is given all options there are, so that one which the command does not take can be told from
 * one which does not exist. */
#include "cli/opts.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/suggest.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static_assert(OPTION_COUNT < 31, "options fit into the bits of an unsigned");

struct option_row;

/* Read ARGUMENT into FIELD; NULL stands for a flag, whose field is a bool. */
typedef int reader(void *field, const char *argument, struct err *err);

struct option_row {
  const char *word, *argument, *doc;
  reader *read;
  size_t offset;
  int letter;
};

/* Far beyond any machine or loop, and safe to count with. */
enum {
  RANKS_MAX = 1000000,
  REPEATS_MAX = 1000000,
  DEPTH_MAX = 32,
  TOTAL_MAX = 1 << 30,
  SKEW_MAX = 1000000000,
  JOBS_MAX = 1024
};

static reader read_FLAG, read_TEXT, read_COUNT, read_RANK, read_REPEAT, read_COUNT_LIST, read_BYTES_LIST,
  read_NAMES, read_SETTINGS, read_FORMAT, read_PATTERN, read_DEPTH, read_TOTAL, read_OP, read_TYPE,
  read_PLACEMENT, read_SKEW, read_PERCENT, read_JOBS;

static const struct option_row rows[] = {
#define OPTION(name, letter, word, kind, field, argument, doc) \
  {word, argument, doc, read_##kind, offsetof(struct opts, field), letter},
#include "cli/options.def"
};

static int
read_FLAG(void *field, const char *argument, struct err *err)
{
  (void)argument, (void)err;
  *(bool *)field = true;
  return 0;
}

static int
read_TEXT(void *field, const char *argument, struct err *err)
{
  *(const char **)field = argument;
  return *argument ? 0 : err_set(err, "'' is no value, expected one");
}

static int
read_COUNT(void *field, const char *argument, struct err *err)
{
  if (units_parse_count(argument, field, err) != 0) {
    return -1;
  }
  return *(uint64_t *)field <= INT64_MAX ? 0 : err_set(err, "%.60s, expected at most 2^63 - 1", argument);
}

/* Parse ARGUMENT into FIELD, between the two BOUNDS. */
static int
read_bounded(unsigned *field, const char *argument, const unsigned bounds[2], struct err *err)
{
  uint64_t value;
  if (units_parse_count(argument, &value, err) != 0) {
    return -1;
  }
  if (value < bounds[0] || value > bounds[1]) {
    return err_set(err, "%.60s, expected %u to %u", argument, bounds[0], bounds[1]);
  }
  *field = (unsigned)value;
  return 0;
}

static int
read_RANK(void *field, const char *argument, struct err *err)
{
  return read_bounded(field, argument, (const unsigned[]){0, RANKS_MAX - 1}, err);
}

static int
read_REPEAT(void *field, const char *argument, struct err *err)
{
  return read_bounded(field, argument, (const unsigned[]){1, REPEATS_MAX}, err);
}

static int
read_DEPTH(void *field, const char *argument, struct err *err)
{
  return read_bounded(field, argument, (const unsigned[]){1, DEPTH_MAX}, err);
}

static int
read_JOBS(void *field, const char *argument, struct err *err)
{
  return read_bounded(field, argument, (const unsigned[]){1, JOBS_MAX}, err);
}

static int
read_TOTAL(void *field, const char *argument, struct err *err)
{
  uint64_t value;
  if (units_parse_bytes(argument, &value, err) != 0) {
    return -1;
  }
  if (value == 0 || value > TOTAL_MAX) {
    return err_set(err, "%.60s, expected 1 to 1GiB", argument);
  }
  *(uint64_t *)field = value;
  return 0;
}

/* Return the place of WORD among the COUNT names that NAME knows, or COUNT with ERR set. */
static unsigned
find_name(const char *word, const char *(*name)(unsigned), unsigned count, struct err *err)
{
  char *list = xstrdup("");
  for (unsigned i = 0; i < count; i++) {
    if (strcmp(word, name(i)) == 0) {
      free(list);
      return i;
    }
    char *longer = xasprintf("%s%s%s", list, i == 0 ? "" : i + 1 == count ? " or " : ", ", name(i));
    free(list);
    list = longer;
  }
  err_set(err, "'%.60s', expected %s", word, list);
  free(list);
  return count;
}

static int
read_OP(void *field, const char *argument, struct err *err)
{
  unsigned op = find_name(argument, combine_op_name, OP_COUNT, err);
  *(enum coll_op *)field = (enum coll_op)op;
  return op < OP_COUNT ? 0 : -1;
}

static int
read_TYPE(void *field, const char *argument, struct err *err)
{
  unsigned type = find_name(argument, combine_type_name, TYPE_COUNT, err);
  *(enum coll_type *)field = (enum coll_type)type;
  return type < TYPE_COUNT ? 0 : -1;
}

static int
read_PLACEMENT(void *field, const char *argument, struct err *err)
{
  units_list_fini(&((struct placement *)field)->list);
  return placement_parse(argument, field, err);
}

static int
read_SKEW(void *field, const char *argument, struct err *err)
{
  struct opts_skew *skew = field;
  const char *colon = strchr(argument, ':');
  char *cycles = xasprintf("%.*s", (int)strcspn(argument, ":"), argument);
  *skew = (struct opts_skew){.has_seed = colon};
  bool good = units_parse_count(cycles, &skew->cycles, err) == 0 &&
              (!colon || units_parse_count(colon + 1, &skew->seed, err) == 0) && skew->cycles <= SKEW_MAX &&
              skew->seed <= INT64_MAX;
  free(cycles);
  return good
           ? 0
           : err_set(err, "'%.60s', expected CYCLES or CYCLES:SEED; at most %d cycles", argument, SKEW_MAX);
}

static int
read_PERCENT(void *field, const char *argument, struct err *err)
{
  char *end;
  double value = strtod(argument, &end);
  if (end == argument || *end || !(value >= 0 && value <= 1e6) ||
      strspn(argument, "0123456789.") != strlen(argument)) {
    return err_set(err, "'%.60s', expected a percentage such as 5 or 2.5", argument);
  }
  *(double *)field = value;
  return 0;
}

static int
read_PATTERN(void *field, const char *argument, struct err *err)
{
  pattern_fini(field);
  return pattern_parse(argument, field, err);
}

static int
read_COUNT_LIST(void *field, const char *argument, struct err *err)
{
  units_list_fini(field);
  return units_parse_count_list(argument, field, err);
}

static int
read_BYTES_LIST(void *field, const char *argument, struct err *err)
{
  units_list_fini(field);
  return units_parse_bytes_list(argument, field, err);
}

static void
names_fini(struct opts_names *names)
{
  free(names->names);
  free(names->text);
  *names = (struct opts_names){0};
}

static int
read_NAMES(void *field, const char *argument, struct err *err)
{
  struct opts_names *names = field;
  names_fini(names);
  names->text = xstrdup(argument);
  for (char *rest = names->text; rest;) {
    char *name = strsep(&rest, ",");
    if (*name == '\0') {
      return err_set(err, "'%.60s' contains an empty name, expected names separated by commas", argument);
    }
    names->names = xrealloc(names->names, names->n + 1, sizeof *names->names);
    names->names[names->n++] = name;
  }
  return 0;
}

static int
read_SETTINGS(void *field, const char *argument, struct err *err)
{
  struct opts_settings *settings = field;
  const char *equals = strchr(argument, '=');
  if (!equals || equals == argument) {
    return err_set(err, "'%.60s' is no setting, expected KEY=VALUE or KEY=VALUE,VALUE...", argument);
  }
  settings->items = xrealloc(settings->items, settings->n + 1, sizeof *settings->items);
  struct opts_setting *setting = &settings->items[settings->n++];
  *setting = (struct opts_setting){.key = xasprintf("%.*s", (int)(equals - argument), argument)};
  for (size_t i = 0; i + 1 < settings->n; i++) {
    if (strcmp(settings->items[i].key, setting->key) == 0) {
      return err_set(err, "%.60s is given twice, expected all its values in one list", setting->key);
    }
  }
  return read_NAMES(&setting->values, equals + 1, err);
}

static int
read_FORMAT(void *field, const char *argument, struct err *err)
{
  static const char *const names[] = {"text", "csv", "json"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(argument, names[i]) == 0) {
      *(enum table_format *)field = (enum table_format)i;
      return 0;
    }
  }
  return err_set(err, "'%.60s' is no format, expected text, csv or json", argument);
}

/* Read ARGUMENT of option INDEX into OPTS. */
static int
read_option(struct opts *opts, size_t index, const char *argument, struct err *err)
{
  struct err why = {0};
  opts->given |= 1u << index;
  if (rows[index].read((char *)opts + rows[index].offset, argument, &why)) {
    return err_set(err, "--%s: %s", rows[index].word, why.text);
  }
  return 0;
}

/* What getopt_long wants: a table of words, and a text of letters. */
struct getopt_tables {
  struct option words[OPTION_COUNT + 1];
  char letters[2 * OPTION_COUNT + 2];
};

/* Word number i is returned as FIRST_WORD + i. */
enum { FIRST_WORD = 256 };

static void
fill_tables(struct getopt_tables *tables)
{
  char *letter = tables->letters;
  *letter++ = ':';
  for (int i = 0; i < OPTION_COUNT; i++) {
    int has_argument = rows[i].argument ? required_argument : no_argument;
    tables->words[i] = (struct option){rows[i].word, has_argument, NULL, FIRST_WORD + i};
    if (rows[i].letter) {
      *letter++ = (char)rows[i].letter;
      if (has_argument) {
        *letter++ = ':';
      }
    }
  }
  tables->words[OPTION_COUNT] = (struct option){0};
  *letter = '\0';
}

/* The option that getopt_long calls CODE: a letter or a word's number. OPTION_COUNT if there is none. */
static size_t
index_of(int code)
{
  if (code >= FIRST_WORD) {
    return (size_t)(code - FIRST_WORD);
  }
  size_t i = 0;
  while (i < OPTION_COUNT && (!rows[i].letter || rows[i].letter != code)) {
    i++;
  }
  return i;
}

/* Complain about WORD, which is not, or not exactly one, of the options TAKEN by COMMAND. */
static int
complain_unknown(const char *command, const char *word, unsigned taken, struct err *err)
{
  const char *names[OPTION_COUNT];
  size_t n = 0;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (taken & 1u << i) {
      names[n++] = rows[i].word;
    }
  }
  char *bare = xasprintf("%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *nearest = suggest_nearest(bare, names, n);
  int status = nearest
                 ? err_set(err, "%s: no option --%.60s, did you mean --%s?", command, bare, nearest)
                 : err_set(err, "%s: no option --%.60s, see cellcoll %s --help", command, bare, command);
  free(bare);
  return status;
}

/* Handle CODE, which getopt_long has just returned. */
static int
take_option(struct opts *opts, int code, char **argv, unsigned taken, struct err *err)
{
  const char *command = argv[0];
  if (code == ':' || (code == '?' && optopt >= FIRST_WORD)) {
    const struct option_row *row = &rows[index_of(optopt)];
    return code == ':' ? err_set(err, "--%s: no value, expected %s", row->word, row->argument)
                       : err_set(err, "--%s: a value, expected none", row->word);
  }
  if (code == '?' && optopt) {
    return err_set(err, "%s: no option -%c, see cellcoll %s --help", command, optopt, command);
  }
  if (code == '?') {
    return complain_unknown(command, argv[optind - 1], taken, err);
  }
  size_t index = index_of(code);
  if (!(taken & 1u << index)) {
    return err_set(err, "%s: takes no option --%s, see cellcoll %s --help", command, rows[index].word,
                   command);
  }
  return read_option(opts, index, optarg, err);
}

int
opts_parse(struct opts *opts, int argc, char **argv, unsigned taken, struct err *err)
{
  static char default_platform[] = "qs20";
  struct getopt_tables tables;
  fill_tables(&tables);
  *opts = (struct opts){.seed = 1, .repeat = 1, .command = argv[0], .narguments = (size_t)argc - 1};
  opts->arguments = xcalloc((size_t)argc, sizeof *opts->arguments);
  memcpy(opts->arguments, argv + 1, opts->narguments * sizeof *argv);
  read_NAMES(&opts->platforms, default_platform, err);
  optind = 0; /* a new command line */
  opterr = 0;
  int code;
  while ((code = getopt_long(argc, argv, tables.letters, tables.words, NULL)) != -1) {
    if (take_option(opts, code, argv, taken | OPT_ALWAYS, err)) {
      opts_fini(opts);
      return -1;
    }
  }
  opts->rest = argv + optind;
  opts->nrest = (size_t)(argc - optind);
  return 0;
}

void
opts_fini(struct opts *opts)
{
  for (size_t i = 0; i < opts->sets.n; i++) {
    free(opts->sets.items[i].key);
    names_fini(&opts->sets.items[i].values);
  }
  free(opts->sets.items);
  names_fini(&opts->platforms);
  names_fini(&opts->plugins);
  units_list_fini(&opts->ranks);
  units_list_fini(&opts->bytes);
  pattern_fini(&opts->streams);
  units_list_fini(&opts->placement.list);
  free(opts->arguments);
  *opts = (struct opts){0};
}

size_t
opts_ncombinations(const struct opts *opts)
{
  size_t n = 1;
  for (size_t i = 0; i < opts->sets.n; i++) {
    n *= opts->sets.items[i].values.n;
  }
  return n;
}

void
opts_combination(const struct opts *opts, size_t index, struct platform_setting *settings)
{
  for (size_t i = opts->sets.n; i-- > 0;) {
    const struct opts_setting *setting = &opts->sets.items[i];
    settings[i] = (struct platform_setting){setting->key, setting->values.names[index % setting->values.n]};
    index /= setting->values.n;
  }
}

void
opts_explain(unsigned taken, FILE *stream)
{
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if ((taken | OPT_ALWAYS) & 1u << i) {
      char letter[] = {'-', (char)rows[i].letter, ',', '\0'};
      char *word = xasprintf("--%s %s", rows[i].word, rows[i].argument ? rows[i].argument : "");
      fprintf(stream, "  %3s %-27s %s\n", rows[i].letter ? letter : "", word, rows[i].doc);
      free(word);
    }
  }
}
