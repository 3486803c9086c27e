/* SPDX-License-Identifier: BSD-3-Clause
 * See opts.h.
 *
 * options.def decides everything: an option's kind is the reader of its argument (opts_read.h), with the
 * offset of its field. getopt_long is given the options of all commands, to tell a refused option from an
 * unknown one, and returns all words in their order, whatever POSIXLY_CORRECT says. */
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

static_assert(OPTION_COUNT < 64, "options fit into an opts_set");

struct option_row {
  const char *word, *argument, *doc;
  opts_reader *read;
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
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    bool needed = pairs[i].needed;
    if (pairs[i].command == number && is_in(opts->given, pairs[i].one) &&
        is_in(opts->given, pairs[i].other) != needed) {
      return err_set(err, "--%s %s --%s, expected %s", rows[pairs[i].one].word, needed ? "without" : "with",
                     rows[pairs[i].other].word, needed ? "both" : "one of them");
    }
  }
  return 0;
}

/* Earlier words of options: read, and not listed. */
static const struct {
  const char *word;
  int option;
} former[] = {{"draws", OPTION_SAMPLES}};
enum { FORMER = sizeof former / sizeof *former };

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

/* Complain about WORD: no option of TAKEN by COMMAND, or the beginning of several. */
static int complain_unknown(const char *command, const char *word, opts_set taken, struct err *err) {
  const char *names[OPTION_COUNT];
  size_t n = 0;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (is_in(taken, i)) {
      names[n++] = rows[i].word;
    }
  }
  SCOPED char *bare = xasprintf("%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *nearest = suggest_nearest(bare, names, n);
  return nearest ? err_set(err, "%s: no option --%.60s, did you mean --%s?", command, bare, nearest)
                 : err_set(err, "%s: no option --%.60s, see cellcoll %s --help", command, bare, command);
}

/* Copy VALUE; the copy lives as long as OPTS. */
static char *keep(struct opts *opts, const char *value) {
  return VEC_ADD(opts->kept, opts->nkept) = xstrdup(value);
}

/* Take option INDEX with ARGUMENT. */
static int take_index(struct opts *opts, size_t index, const char *argument, opts_set taken,
                      struct err *err) {
  if (index == OPTION_WITH && strcmp(opts->command, "check") == 0) {
    return err_set(err, "check: takes no option --with, expected a program of both algorithms, FILE.prog "
                        "(docs/how-to/programs.md)");
  }
  if (!is_in(taken, index)) {
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
  char *word = keep(opts, text);
  VEC_ADD(opts->rest, opts->nrest) = word;
  VEC_ADD(opts->arguments, opts->narguments) = word;
  return 0;
}

/* Take the line TEXT of a file of options, which is `--word`, `--word=value`, `--word value`, the same with a
 * letter, or an argument. */
static int take_line(struct opts *opts, char *text, opts_set taken, struct err *err) {
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
    return is_word
             ? complain_unknown(opts->command, text, taken, err)
             : err_set(err, "%s: no option -%c, see cellcoll %s --help", opts->command, *name, opts->command);
  }
  if (!rows[index].argument != !has_value && !(is_optional(&rows[index]) && !has_value)) {
    return has_value ? err_set(err, "--%s: a value, expected none", rows[index].word)
                     : err_set(err, "--%s: no value, expected %s", rows[index].word, rows[index].argument);
  }
  SCOPED char *option = xasprintf("--%s%s%s", rows[index].word, has_value ? "=" : "", has_value ? value : "");
  VEC_ADD(opts->arguments, opts->narguments) = keep(opts, option);
  return take_index(opts, index, has_value ? keep(opts, value) : NULL, taken, err);
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
static int take_file(struct opts *opts, const char *path, opts_set taken, struct err *err) {
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
      status = *why.text ? -1 : take_line(opts, text, taken, &why);
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
static int take_option(struct opts *opts, int code, char **argv, opts_set taken, struct err *err) {
  const char *command = argv[0];
  if (code == ANY_WORD && *optarg == '@') {
    return take_file(opts, optarg + 1, taken, err);
  }
  if (code == ANY_WORD) {
    VEC_ADD(opts->rest, opts->nrest) = optarg;
    return 0;
  }
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
  return take_index(opts, index_of(code), optarg, taken, err);
}

int opts_parse(struct opts *opts, int argc, char **argv, opts_set taken, struct err *err) {
  static char default_platform[] = "qs20";
  struct getopt_tables tables;
  fill_tables(&tables);
  *opts = (struct opts){.seed = 1, .call.repeat = 1, .command = argv[0]};
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
    if (take_option(opts, code, argv, taken, err)) {
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
  for (size_t i = 0; i < opts->sets.n; i++) {
    free(opts->sets.items[i].key);
    opts_names_fini(&opts->sets.items[i].values);
  }
  free(opts->sets.items);
  opts_names_fini(&opts->platforms);
  opts_names_fini(&opts->plugins);
  opts_names_fini(&opts->with);
  opts_names_fini(&opts->columns);
  units_list_fini(&opts->ranks);
  units_list_fini(&opts->bytes);
  pattern_fini(&opts->streams);
  units_list_fini(&opts->placement.list);
  xfree_all(opts->kept, opts->nkept);
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
    if (g < sizeof groups / sizeof *groups && groups[g].first == i) {
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
  SCOPED char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) {
    xalloc_fail("a list of numbers");
  }
  for (size_t i = 0; i < list->n; i++) {
    fprintf(stream, list->values[i] == UNITS_ALL ? "%sall" : "%s%" PRIu64, i ? "," : "", list->values[i]);
  }
  fclose(stream);
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
