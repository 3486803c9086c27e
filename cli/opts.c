/* SPDX-License-Identifier: BSD-3-Clause
 * See opts.h.
 *
 * options.def decides everything: an option's kind is the reader of its argument, with the offset of its
 * field. getopt_long is given the options of all commands, to tell a refused option from an unknown one, and
 * returns all words in their order, whatever POSIXLY_CORRECT says. */
#include "cli/opts.h"

#include "cli/output/terminal.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static_assert(OPTION_COUNT < 64, "options fit into an opts_set");

/* --- readers of arguments: a field_reader for each KIND of options.def; for a flag ARGUMENT is NULL --- */

/* Kinds that are kinds of fields of a call. */
#define opts_read_COUNT field_read_COUNT
#define opts_read_OP field_read_OP
#define opts_read_TYPE field_read_TYPE
#define opts_read_REPEAT field_read_REPEAT
#define opts_read_DELAYS field_read_DELAYS

/* Far beyond any machine or loop, and safe to count with. */
enum {
  RANKS_MAX = 1000000,
  DEPTH_MAX = 32,
  TOTAL_MAX = 1 << 30,
  SKEW_SEEDS_MAX = 10000,
  JOBS_MAX = 1024,
  SECONDS_MAX = 1000000
};

static int opts_read_FLAG(void *field, const char *argument, struct err *err) {
  (void)argument, (void)err;
  *(bool *)field = true;
  return 0;
}

static int opts_read_TEXT(void *field, const char *argument, struct err *err) {
  *(const char **)field = argument;
  return *argument ? 0 : err_set(err, "'' is no value, expected one");
}

static int opts_read_FILE(void *field, const char *argument, struct err *err) {
  *(const char **)field = argument ? argument : "";
  return !argument || *argument ? 0 : err_set(err, "'' is no value, expected one or none");
}

static int opts_read_BASELINE(void *field, const char *argument, struct err *err) {
  const char *at = strrchr(argument, '@');
  SCOPED char *store = xasprintf("%.*s", at ? (int)(at - argument) : 0, argument);
  outfile_note_input(store);
  outfile_note_input(argument);
  return opts_read_TEXT(field, argument, err);
}

static int opts_read_MAP(void *field, const char *argument, struct err *err) {
  const char *before = *(const char **)field, **map = field;
  int status = field_read_MAP(field, argument, err);
  if (before && status == 0) {
    SCOPED char *maps = xasprintf("%s|%s", before, *map ? *map : "");
    *map = text_keep(maps);
  }
  return status;
}

size_t opts_maps(const char *maps) {
  size_t n = 1;
  for (; maps && (maps = strchr(maps, '|')); maps++) {
    n++;
  }
  return n;
}

/* The readers of numbers from LEAST to MOST. */
#define BOUNDED(kind, least, most) \
  static int opts_read_##kind(void *field, const char *argument, struct err *err) { \
    return field_read_bounded(field, argument, least, most, err); \
  }
BOUNDED(RANK, 0, RANKS_MAX - 1)
BOUNDED(DEPTH, 1, DEPTH_MAX)
BOUNDED(JOBS, 1, JOBS_MAX)
BOUNDED(SECONDS, 1, SECONDS_MAX)

static int opts_read_TOTAL(void *field, const char *argument, struct err *err) {
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

/* Return the word for LEVEL of a trace. */
static const char *level_name(unsigned level) {
  static const char *const names[TRACE_LEVELS] = {[TRACE_DMA] = "dma", [TRACE_BUS] = "bus"};
  return names[level];
}

static const char *format_name(unsigned format) {
  return (const char *const[]){"text", "csv", "markdown", "json", "github"}[format];
}

/* The readers of the words of enumerations. */
#define WORD(kind, name, count) \
  static int opts_read_##kind(void *field, const char *argument, struct err *err) { \
    return field_read_word(field, argument, count, name, err); \
  }
WORD(LEVEL, level_name, TRACE_LEVELS)
WORD(BUS, platform_bus_name, PLATFORM_BUSES)
WORD(ORIGIN, catalogue_origin_name, CATALOGUE_ORIGINS)
WORD(FORMAT, format_name, TABLE_GITHUB + 1)

/* The readers with a parser elsewhere; of an option given twice the last value counts. */
#define PARSED(kind, release, parse) \
  static int opts_read_##kind(void *field, const char *argument, struct err *err) { \
    release(field); \
    return parse(argument, field, err); \
  }
PARSED(PATTERN, pattern_fini, pattern_parse)
PARSED(RANKS_LIST, units_list_fini, units_parse_ranks_list)
PARSED(BYTES_LIST, units_list_fini, units_parse_bytes_list)
PARSED(SHARD, (void), shard_parse)

static int opts_read_PLACEMENT(void *field, const char *argument, struct err *err) {
  units_list_fini(&((struct placement *)field)->list);
  return placement_parse(argument, field, err);
}

static int opts_read_SKEW(void *field, const char *argument, struct err *err) {
  struct opts_skew *skew = field;
  SCOPED char *copy = xstrdup(argument);
  char *seeds = copy, *cycles = strsep(&seeds, ":"), *last = seeds ? strstr(seeds, "..") : NULL;
  *skew = (struct opts_skew){.has_seed = seeds};
  if (last) {
    *last = '\0';
    last += 2;
  }
  const char *first = seeds ? seeds : "1";
  bool good =
    units_parse_count(cycles, &skew->cycles, err) == 0 && units_parse_count(first, &skew->seed, err) == 0 &&
    units_parse_count(last ? last : first, &skew->last, err) == 0 && skew->cycles <= CALL_SKEW_MAX &&
    skew->last <= INT64_MAX && skew->seed <= skew->last && skew->last - skew->seed < SKEW_SEEDS_MAX;
  return good ? 0
              : err_set(
                  err,
                  "'%.60s', expected CYCLES, CYCLES:SEED or CYCLES:FIRST..LAST; at most %d cycles, %d seeds",
                  argument, CALL_SKEW_MAX, SKEW_SEEDS_MAX);
}

size_t opts_skew_seeds(const struct opts_skew *skew) {
  return (size_t)(skew->last - skew->seed) + 1;
}

static int opts_read_PERCENT(void *field, const char *argument, struct err *err) {
  char *end;
  double value = strtod(argument, &end);
  if (end == argument || *end || !(value >= 0 && value <= 1e6) ||
      strspn(argument, "0123456789.") != strlen(argument)) {
    return err_set(err, "'%.60s', expected a percentage such as 5 or 2.5", argument);
  }
  *(double *)field = value;
  return 0;
}

static void names_fini(struct opts_names *names) {
  free(names->names);
  free(names->text);
  *names = (struct opts_names){0};
}

/* Take the first name from the front of the list *REST: the longest file, whose name may have commas, or up
 * to the first comma. */
static char *take_name(char **rest) {
  char *name = *rest, *last = name + strlen(name), *end = last, *comma;
  struct stat status;
  while ((stat(name, &status) != 0 || !S_ISREG(status.st_mode)) && (comma = strrchr(name, ','))) {
    *end = end == last ? '\0' : ',';
    *comma = '\0';
    end = comma;
  }
  *rest = end == last ? NULL : end + 1;
  return name;
}

int opts_read_NAMES(void *field, const char *argument, struct err *err) {
  struct opts_names *names = field;
  names_fini(names);
  names->text = xstrdup(argument);
  for (char *rest = names->text; rest;) {
    char *name = take_name(&rest);
    if (*name == '\0') {
      return err_set(err, "'%.60s' contains an empty name, expected names separated by commas", argument);
    }
    VEC_ADD(names->names, names->n) = name;
  }
  return 0;
}

static int opts_read_SETTINGS(void *field, const char *argument, struct err *err) {
  struct opts_settings *settings = field;
  const char *equals = strchr(argument, '=');
  if (!equals || equals == argument) {
    return err_set(err, "'%.60s' is no setting, expected KEY=VALUE or KEY=VALUE,VALUE...", argument);
  }
  struct opts_setting *setting = &VEC_ADD(settings->items, settings->n);
  *setting = (struct opts_setting){.key = xasprintf("%.*s", (int)(equals - argument), argument)};
  if (VEC_FIND(settings->items, settings->n - 1, strcmp(item->key, setting->key) == 0)) {
    return err_set(err, "%.60s is given twice, expected all its values in one list", setting->key);
  }
  if (strcmp(setting->key, "network.file") == 0 && strchr(equals, ',') && access(equals + 1, F_OK) == 0) {
    return err_set(
      err, "commas separate values, and file '%.60s' has some in its name, expected another name (ln -s)",
      equals + 1);
  }
  SCOPED char *values = units_expand_ranges(equals + 1, err);
  return values ? opts_read_NAMES(&setting->values, values, err) : -1;
}

/* --- the table --- */

struct option_row {
  const char *word, *argument, *doc;
  field_reader *read;
  size_t offset;
  int letter;
  unsigned commands; /* FOR_... */
};

static const struct option_row rows[] = {
#define OPTION(name, letter, word, kind, field, argument, doc, commands) \
  {word, argument, doc, opts_read_##kind, offsetof(struct opts, field), letter, commands},
#include "cli/options.def"
};

opts_set opts_of(unsigned number) {
  opts_set set = 0;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    set |= rows[i].commands & 1u << number ? (opts_set)1 << i : 0;
  }
  return set;
}

static bool is_in(opts_set set, size_t index) {
  return set >> index & 1;
}

int opts_check_pairs(const struct opts *opts, unsigned number, struct err *err) {
  static const struct {
    unsigned command, one, other;
    bool needed;
  } pairs[] = {
#define EXCLUDES(command, one, other) {COMMAND_##command, OPTION_##one, OPTION_##other, false},
#define NEEDS(command, one, other) {COMMAND_##command, OPTION_##one, OPTION_##other, true},
#include "cli/option_pairs.def"
  };
  VEC_EACH(pair, pairs, VEC_LENGTH(pairs)) {
    bool needed = pair->needed;
    if (pair->command == number && is_in(opts->given, pair->one) &&
        is_in(opts->given, pair->other) != needed) {
      return err_set(err, "--%s %s --%s, expected %s", rows[pair->one].word, needed ? "without" : "with",
                     rows[pair->other].word, needed ? "both" : "one of them");
    }
  }
  return 0;
}

/* Earlier words of options: read, and not listed. */
static const struct {
  const char *word;
  int option;
} former[] = {{"draws", OPTION_SAMPLES}};
enum { FORMER = VEC_LENGTH(former) };

/* The arguments of getopt_long: a table of words, and a text of letters. */
struct getopt_tables {
  struct option words[OPTION_COUNT + FORMER + 1];
  char letters[3 * OPTION_COUNT + 3];
};

/* Results of getopt_long: ANY_WORD for a word that is no option, FIRST_WORD + i for the word of option i,
 * otherwise the option's letter. */
enum { ANY_WORD = 1, FIRST_WORD = 256, LINE_SIZE = 65536 };

/* Tell whether the argument of ROW is optional, given as `--word=ARGUMENT`. */
static bool is_optional(const struct option_row *row) {
  return row->argument && row->argument[0] == '[';
}

static void fill_tables(struct getopt_tables *tables) {
  char *letter = tables->letters;
  *letter++ = '-'; /* all words, in their order */
  *letter++ = ':'; /* a missing argument is told apart */
  for (int i = 0; i < OPTION_COUNT; i++) {
    int has_argument = !rows[i].argument       ? no_argument
                       : is_optional(&rows[i]) ? optional_argument
                                               : required_argument;
    tables->words[i] = (struct option){rows[i].word, has_argument, NULL, FIRST_WORD + i};
    if (rows[i].letter) {
      *letter++ = (char)rows[i].letter;
      if (has_argument) {
        *letter++ = ':';
      }
    }
  }
  for (int i = 0; i < FORMER; i++) {
    struct option *option = &tables->words[OPTION_COUNT + i];
    *option = tables->words[former[i].option];
    option->name = former[i].word;
  }
  tables->words[OPTION_COUNT + FORMER] = (struct option){0};
  *letter = '\0';
}

/* Return the option for CODE of getopt_long, a letter or the number of a word; OPTION_COUNT: no such
 * option. */
static size_t index_of(int code) {
  return code >= FIRST_WORD ? (size_t)(code - FIRST_WORD)
                            : VEC_INDEX(rows, OPTION_COUNT, item->letter && item->letter == code);
}

/* Return the option called WORD; OPTION_COUNT: no such option. */
static size_t index_of_word(const char *word) {
  size_t i = VEC_INDEX(former, FORMER, strcmp(item->word, word) == 0);
  return i < FORMER ? (size_t)former[i].option : VEC_INDEX(rows, OPTION_COUNT, strcmp(item->word, word) == 0);
}

/* Complain about WORD: no option, or the beginning of several. */
static int complain_unknown(const struct opts *opts, const char *word, struct err *err) {
  const char *names[OPTION_COUNT];
  size_t n = 0;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (is_in(opts->taken, i)) {
      names[n++] = rows[i].word;
    }
  }
  SCOPED char *bare = xasprintf("%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *nearest = suggest_nearest(bare, names, n), *command = opts->command;
  return nearest ? err_set(err, "%s: no option --%.60s, did you mean --%s?", command, bare, nearest)
                 : err_set(err, "%s: no option --%.60s, see cellcoll %s --help", command, bare, command);
}

static int complain_letter(const struct opts *opts, int letter, struct err *err) {
  return err_set(err, "%s: no option -%c, see cellcoll %s --help", opts->command, letter, opts->command);
}

/* Complain about ROW with a value, or without one. */
static int complain_value(const struct option_row *row, bool has_value, struct err *err) {
  return has_value ? err_set(err, "--%s: a value, expected none", row->word)
                   : err_set(err, "--%s: no value, expected %s", row->word, row->argument);
}

/* Take option INDEX with ARGUMENT. */
static int take_index(struct opts *opts, size_t index, const char *argument, struct err *err) {
  if (index == OPTION_WITH && strcmp(opts->command, "check") == 0) {
    return err_set(err, "check: takes no option --with, expected a program of both algorithms, FILE.prog "
                        "(docs/how-to/programs.md)");
  }
  if (!is_in(opts->taken, index)) {
    return err_set(err, "%s: takes no option --%s, see cellcoll %s --help", opts->command, rows[index].word,
                   opts->command);
  }
  struct err why = {0};
  opts->given |= (opts_set)1 << index;
  return rows[index].read((char *)opts + rows[index].offset, argument, &why) == 0
           ? 0
           : err_set(err, "--%s: %s", rows[index].word, why.text);
}

/* Take the line TEXT of a file of options, which is no option: one argument. */
static int take_bare_line(struct opts *opts, const char *text, struct err *err) {
  if (text[0] == '@' || strpbrk(text, " \t")) {
    return err_set(err, "'%.60s', expected an option such as --ranks=8, or one argument", text);
  }
  char *word = (char *)text_keep(text);
  VEC_ADD(opts->rest, opts->nrest) = word;
  VEC_ADD(opts->arguments, opts->narguments) = word;
  return 0;
}

/* Take the line TEXT of a file of options, which is `--word`, `--word=value`, `--word value`, the same with a
 * letter, or an argument. */
static int take_line(struct opts *opts, char *text, struct err *err) {
  if (text[0] != '-') {
    return take_bare_line(opts, text, err);
  }
  bool is_word = text[1] == '-';
  char *name = text + (is_word ? 2 : 1);
  char *value = is_word ? name + strcspn(name, "= ") : name + (*name != '\0');
  bool has_value = *value != '\0';
  if (is_word && has_value) {
    *value++ = '\0';
  }
  value += strspn(value, " ");
  size_t index = is_word ? index_of_word(name) : index_of(*name);
  if (index == OPTION_COUNT) {
    return is_word ? complain_unknown(opts, text, err) : complain_letter(opts, *name, err);
  }
  if (has_value ? !rows[index].argument : rows[index].argument && !is_optional(&rows[index])) {
    return complain_value(&rows[index], has_value, err);
  }
  SCOPED char *option = xasprintf("--%s%s%s", rows[index].word, has_value ? "=" : "", has_value ? value : "");
  VEC_ADD(opts->arguments, opts->narguments) = (char *)text_keep(option);
  return take_index(opts, index, has_value ? text_keep(value) : NULL, err);
}

/* Read the next line of STREAM into LINE, LINE_SIZE bytes.
 * returns: whether there was a line.
 * errors: a longer line, or a line that is no text. */
static bool read_line(FILE *stream, char *line, struct err *err) {
  int byte = getc(stream);
  bool found = byte != EOF;
  size_t n = 0;
  for (; byte != EOF && byte != '\n' && !*err->text; byte = getc(stream)) {
    line[n++] = (char)byte;
    if (byte == '\0') {
      err_set(err, "a byte of value 0, expected text");
    } else if (n == LINE_SIZE) {
      err_set(err, "a line of more than %d bytes, expected one option", (int)LINE_SIZE - 1);
      n--;
    }
  }
  line[n] = '\0';
  return found;
}

/* Take the options in file PATH, one per line; a line that begins with # is a comment. */
static int take_file(struct opts *opts, const char *path, struct err *err) {
  FILE *stream = fopen(path, "r");
  int status = 0;
  if (!stream) {
    return err_set(err, "@%s: %s, expected a file of options", path, strerror(errno));
  }
  opts->file = path;
  outfile_note_input(path);
  SCOPED char *line = xcalloc(LINE_SIZE, 1);
  struct err why = {""};
  for (size_t number = 1; status == 0 && read_line(stream, line, &why); number++) {
    SCOPED char *text = text_tidy(line);
    if (*why.text || (*text != '\0' && *text != '#')) {
      status = *why.text ? -1 : take_line(opts, text, &why);
    }
    if (status != 0) {
      err_set(err, "%s:%zu: %s", path, number, why.text);
    }
  }
  if (status == 0 && ferror(stream)) {
    status = err_set(err, "@%s: %s, expected a file of options", path, strerror(errno));
  }
  fclose(stream);
  return status;
}

/* Handle CODE, which getopt_long has just returned. */
static int take_option(struct opts *opts, int code, char **argv, struct err *err) {
  if (code == ANY_WORD && *optarg == '@') {
    return take_file(opts, optarg + 1, err);
  }
  if (code == ANY_WORD) {
    VEC_ADD(opts->rest, opts->nrest) = optarg;
    return 0;
  }
  if (code == ':' || (code == '?' && optopt >= FIRST_WORD)) {
    return complain_value(&rows[index_of(optopt)], code == '?', err);
  }
  if (code == '?') {
    return optopt ? complain_letter(opts, optopt, err) : complain_unknown(opts, argv[optind - 1], err);
  }
  return take_index(opts, index_of(code), optarg, err);
}

int opts_parse(struct opts *opts, int argc, char **argv, opts_set taken, struct err *err) {
  static char default_platform[] = "qs20";
  struct getopt_tables tables;
  fill_tables(&tables);
  *opts = (struct opts){.taken = taken, .seed = 1, .call.repeat = 1, .command = argv[0]};
  opts_read_NAMES(&opts->platforms, default_platform, err);
  optind = 0; /* a new command line */
  opterr = 0;
  int code, next = 1; /* next: the first word that is not among the arguments yet */
  while ((code = getopt_long(argc, argv, tables.letters, tables.words, NULL)) != -1) {
    bool is_file = code == ANY_WORD && *optarg == '@';
    while (next < optind - is_file) {
      VEC_ADD(opts->arguments, opts->narguments) = argv[next++];
    }
    next = optind; /* instead of @FILE come its lines */
    if (take_option(opts, code, argv, err)) {
      opts_fini(opts);
      return -1;
    }
  }
  while (next < argc) {
    VEC_ADD(opts->arguments, opts->narguments) = argv[next++];
  }
  while (optind < argc) { /* after -- */
    VEC_ADD(opts->rest, opts->nrest) = argv[optind++];
  }
  if (opts_ncombinations(opts) > OPTS_COMBINATIONS_MAX) {
    opts_fini(opts);
    return err_set(err, "--set: more than %d combinations of values", OPTS_COMBINATIONS_MAX);
  }
  return 0;
}

void opts_fini(struct opts *opts) {
  VEC_EACH(set, opts->sets.items, opts->sets.n) {
    free(set->key);
    names_fini(&set->values);
  }
  free(opts->sets.items);
  names_fini(&opts->platforms);
  names_fini(&opts->plugins);
  names_fini(&opts->with);
  names_fini(&opts->columns);
  units_list_fini(&opts->ranks);
  units_list_fini(&opts->bytes);
  if (opts->given & OPT_STREAMS) {
    pattern_fini(&opts->streams);
  }
  units_list_fini(&opts->placement.list);
  call_fields_fini(&opts->call);
  free(opts->rest);
  free(opts->arguments);
  *opts = (struct opts){0};
}

unsigned opts_call_fields(const struct opts *opts, struct call *call) {
  static const size_t options[CALL_FIELDS] = {
#define PART(option, member, kind, meaning) OPTION_##option,
#include "validate/lab/call/call.def"
  };
  unsigned given = 0;
  for (unsigned i = 0; i < CALL_FIELDS; i++) {
    call_field_copy(&call_fields[i], call, &opts->call);
    given |= is_in(opts->given, options[i]) ? 1u << i : 0;
  }
  call->skew = opts->skew.cycles;
  call->skew_seed = opts->skew.seed;
  return given;
}

size_t opts_ncombinations(const struct opts *opts) {
  size_t n = 1;
  for (size_t i = 0; i < opts->sets.n && n <= OPTS_COMBINATIONS_MAX; i++) {
    n *= opts->sets.items[i].values.n;
  }
  return n;
}

void opts_combination(const struct opts *opts, size_t index, struct platform_setting *settings) {
  for (size_t i = opts->sets.n; i-- > 0;) {
    const struct opts_setting *setting = &opts->sets.items[i];
    settings[i] = (struct platform_setting){setting->key, setting->values.names[index % setting->values.n]};
    index /= setting->values.n;
  }
}

/* Explain the option WORD, with the LETTER, if not 0. */
static void explain(int letter, const char *word, const char *doc, unsigned columns, FILE *stream) {
  enum { INDENT = 34, WORD_COLUMNS = 27 };
  char letters[] = {'-', (char)letter, ',', '\0'};
  fprintf(stream, "  %3s %s", letter ? letters : "", word);
  if (strlen(word) > WORD_COLUMNS) {
    fprintf(stream, "\n%*s", INDENT, "");
  } else {
    fprintf(stream, "%*s", WORD_COLUMNS + 1 - (int)strlen(word), "");
  }
  terminal_wrap(doc, INDENT, columns, stream);
}

/* Groups of options in the help of a command: the first option of each. */
static const struct {
  size_t first;
  const char *name;
} groups[] = {{OPTION_RANKS, "what to run"},
              {OPTION_PLATFORM, "machine"},
              {OPTION_COUNTERS, "explain and judge"},
              {OPTION_FORMAT, "output"},
              {OPTION_TIMEOUT, "processes and stores"},
              {OPTION_HELP, "other"}};

/* Return DOC without the notes for commands other than COMMAND.
 * owner: the caller. */
static char *doc_for(const char *doc, const char *command) {
  const char *note = strchr(doc, '{'), *found;
  while (note && (!(found = strstr(note, command)) || found > strchr(note, ':'))) {
    note = strchr(note + 1, '{');
  }
  char *text = xasprintf("%.*s", (int)strcspn(doc, "{"), doc);
  if (note) {
    xappend(&text, " (%s%.*s)", command, (int)(strchr(note, '}') - strchr(note, ':')), strchr(note, ':'));
  }
  return text;
}

void opts_explain(opts_set taken, const char *command, unsigned columns, FILE *stream) {
  const char *group = NULL; /* not written yet */
  for (size_t i = 0, g = 0; i < OPTION_COUNT; i++) {
    if (g < VEC_LENGTH(groups) && groups[g].first == i) {
      group = groups[g++].name;
    }
    if (is_in(taken, i)) {
      if (group) {
        fprintf(stream, "\n%s:\n", group);
        group = NULL;
      }
      SCOPED char *word = xasprintf("--%s%s%s", rows[i].word, is_optional(&rows[i]) ? "" : " ",
                                    rows[i].argument ? rows[i].argument : "");
      SCOPED char *doc = doc_for(rows[i].doc, command);
      explain(rows[i].letter, word, doc, columns, stream);
    }
  }
  explain(0, "@FILE", "the options and arguments in FILE, one a line; # begins a comment", columns, stream);
}

void opts_quote(char **text, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_@=./,:+%{}";
  bool is_plain = *word && strspn(word, plain) == strlen(word);
  xappend(text, is_plain ? "%s" : "'", word);
  for (; !is_plain && *word; word++) {
    xappend(text, *word == '\'' ? "'\\%c'" : "%c", *word);
  }
  xappend(text, "%s", is_plain ? "" : "'");
}

/* Append OPTION, if not NULL, to WORDS, and a formatted value. */
static void __attribute__((format(printf, 3, 4)))
add_words(struct opts_names *words, const char *option, const char *format, ...) {
  va_list arguments;
  if (option) {
    va_start(arguments, format);
    VEC_ADD(words->names, words->n) = xstrdup(option);
    VEC_ADD(words->names, words->n) = xvasprintf(format, arguments);
    va_end(arguments);
  }
}

/* Append OPTION, if not NULL, to WORDS, and the numbers of LIST. */
static void add_numbers(struct opts_names *words, const char *option, const struct units_list *list) {
  SCOPED char *text = xstrdup("");
  VEC_EACH(value, list->values, list->n) {
    xappend(&text, *value == UNITS_ALL ? "%sall" : "%s%" PRIu64, *text ? "," : "", *value);
  }
  add_words(words, option, "%s", text);
}

void opts_words(struct opts_names *words, const struct opts *opts, opts_set set) {
  add_words(words, set & OPT_PLATFORM ? "-p" : NULL, "%s", opts->platforms.names[0]);
  add_numbers(words, set & OPT_RANKS ? "-n" : NULL, &opts->ranks);
  add_numbers(words, set & OPT_BYTES ? "-s" : NULL, &opts->bytes);
  add_words(words, set & OPT_ROOT ? "--root" : NULL, "%u", opts->root);
  add_words(words, set & OPT_SEED ? "--seed" : NULL, "%" PRIu64, opts->seed);
  add_words(words, set & OPT_SAMPLES ? "--samples" : NULL, "%u", opts->samples);
  add_words(words, set & OPT_PROFILE ? "--profile" : NULL, "%s", opts->profile);
  for (size_t i = 0; i < opts->sets.n && set & OPT_SET; i++) {
    add_words(words, "--set", "%s=%s", opts->sets.items[i].key, opts->sets.items[i].values.names[0]);
  }
  if (set & OPT_FOUND && opts->found) {
    VEC_ADD(words->names, words->n) = xstrdup("--found");
  }
  if (set & (OPT_PLUGIN | OPT_WITH)) {
    SCOPED char *files = NULL; /* in one list: the last of several --plugin counts */
    for (size_t i = 0; i < opts->plugins.n; i++) {
      xappend(&files, "%s%s", i ? "," : "", opts->plugins.names[i]);
    }
    add_words(words, "--plugin", "%s", files);
  }
}

void opts_words_free(struct opts_names *words) {
  xfree_all(words->names, words->n);
}

char *opts_line(const struct opts_names *words) {
  char *text = xstrdup("");
  for (size_t i = 0; i < words->n; i++) {
    xappend(&text, "%s", i ? " " : "");
    opts_quote(&text, words->names[i]);
  }
  return text;
}
