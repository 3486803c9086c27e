/* SPDX-License-Identifier: BSD-3-Clause
 * The options of a command line as plain data. */
#pragma once

#include "algos/catalogue.h"
#include "cli/shard.h"
#include "cli/table.h"
#include "platform/platform.h"
#include "sim/base/units.h"
#include "traces/viewers/trace.h"
#include "validate/bench/pattern.h"
#include "validate/lab/call/field.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/rig/rig.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A set of options, a bit for each. */
typedef uint64_t opts_set;

/* Numbers of the options, and the sets of one of them. */
enum {
#define OPTION(name, ...) OPTION_##name,
#include "cli/options.def"
  OPTION_COUNT
};
enum {
#define OPTION(name, ...) OPT_##name = (opts_set)1 << OPTION_##name,
#include "cli/options.def"
};

/* Numbers of the commands, the sets of one of them, and those of options.def. */
enum {
#define COMMAND(name, ...) COMMAND_##name,
#include "cli/commands.def"
  COMMAND_COUNT
};
enum {
#define COMMAND(name, ...) FOR_##name = 1 << COMMAND_##name,
#include "cli/commands.def"
  FOR_ALL = (1 << COMMAND_COUNT) - 1,
  FOR_TABLES = FOR_ALL & ~(FOR_report | FOR_view | FOR_search | FOR_help), /* print a table */
  FOR_MACHINES =
    FOR_ALL & ~(FOR_list | FOR_platform | FOR_store | FOR_search | FOR_help), /* simulate machines */
  FOR_GRIDS = FOR_run | FOR_view | FOR_model | FOR_compare | FOR_check | FOR_tune | FOR_explain |
              FOR_report, /* have ranks, sizes, roots */
};

/* Words separated by commas. */
struct opts_names {
  char **names;
  size_t n;
  char *text; /* the memory behind `names` */
};

/* One --set KEY=VALUE,...: the key and the values. */
struct opts_setting {
  char *key; /* the memory behind `key` and `values` */
  struct opts_names values;
};

struct opts_settings {
  struct opts_setting *items;
  size_t n;
};

/* --skew CYCLES[:SEED[..SEED]]. */
struct opts_skew {
  uint64_t cycles, seed, last; /* last: of several seeds; else seed */
  bool has_seed;               /* otherwise the seed of --seed */
};

/* Return how many seeds SKEW has, at least 1. */
size_t opts_skew_seeds(const struct opts_skew *skew);

/* Return how many maps MAPS, the value of one or several --map, has between bars, at least 1. */
size_t opts_maps(const char *maps);

struct opts {
  opts_set taken; /* by the command */
  opts_set given; /* all that were typed */

  struct opts_names platforms; /* never empty */
  struct units_list ranks;     /* empty: not given */
  struct units_list bytes;     /* empty: not given */
  unsigned root;
  uint64_t root_step, byte_step;
  struct opts_names with; /* an algorithm, or files of algorithms */
  const char *profile;    /* NULL: not given */
  struct opts_settings sets;
  enum platform_bus bus;
  enum catalogue_origin from;
  uint64_t seed;
  struct placement placement;
  struct opts_skew skew;
  struct call call;     /* the fields of call.def */
  const char *baseline; /* NULL: not given */
  const char *store;    /* NULL: not given */
  struct shard shard;
  double tolerance;       /* percent */
  struct pattern streams; /* empty: not given */
  unsigned samples;       /* 0: not given */
  bool bounds, found;
  const char *rows;          /* NULL: not given */
  unsigned depth;            /* 0: not given */
  uint64_t total, page_size; /* bytes; 0: not given */
  enum table_format format;
  bool github;               /* text, and annotations of GitHub */
  struct opts_names columns; /* empty: not given */
  const char *pivot, *sort;  /* columns; NULL: not given */
  unsigned top;              /* rows; 0: not given */
  const char *output;        /* NULL: standard output */
  struct opts_names plugins; /* empty: not given */
  const char *junit;         /* NULL: not given */
  unsigned timeout;          /* seconds of processor time; 0: not given */
  unsigned jobs;             /* processes; 0: one for each processor */
  bool quiet, verbose, no_pager;
  const char *counters; /* file; empty: with the table; NULL: not given */
  const char *calls;    /* as counters */
  bool alone;
  const char *critical_path; /* how it is shown; empty: as usual; NULL: not given */
  const char *timeline;      /* file; "-": standard output, as text; NULL: not given */
  const char *plot;          /* NULL: not given */
  const char *x;             /* key of the x axis of the plot; NULL: not given */
  bool relative;
  const char *trace; /* file; NULL: not given */
  enum trace_level trace_level;
  bool hazards, strict, what_if;
  bool provenance, help, version;

  char **rest; /* the arguments that are no options; they and all texts above live as long as argv */
  size_t nrest;

  const char *file; /* of options, the last one read; NULL: none */

  const char *command; /* as typed, with all that came after it; instead of @FILE the lines of FILE */
  char **arguments;
  size_t narguments;
};

/* Return the options that mean something to command NUMBER. */
opts_set opts_of(unsigned number);

/* Check that the options given to command NUMBER go together, see option_pairs.def.
 * errors: as -1. */
int opts_check_pairs(const struct opts *opts, unsigned number, struct err *err);

/* Parse the command line of a command: ARGV[0] is its name, and ARGC - 1 words follow it. TAKEN are the
 * options it takes.
 * errors: an option that does not exist (nearest one suggested) or is not taken, a missing or malformed
 *   value; OPTS is then empty. */
int opts_parse(struct opts *opts, int argc, char **argv, opts_set taken, struct err *err)
  __attribute__((nonnull));
void opts_fini(struct opts *opts);

/* Give CALL the fields of call.def in OPTS; of several seeds of --skew the first.
 * returns: a bit for each field that was given, by enum call_field_number. */
unsigned opts_call_fields(const struct opts *opts, struct call *call);

/* How many combinations of values of --set there may be. */
enum { OPTS_COMBINATIONS_MAX = 10000 };

/* Count the combinations of values of all --set, 1 without --set; beyond OPTS_COMBINATIONS_MAX not all. */
size_t opts_ncombinations(const struct opts *opts);

/* Write combination INDEX of the values of all --set into SETTINGS, opts->sets.n of them; the last --set
 * varies fastest. */
void opts_combination(const struct opts *opts, size_t index, struct platform_setting *settings);

/* Explain the options in TAKEN to a user of COMMAND, in lines of at most COLUMNS characters. */
void opts_explain(opts_set taken, const char *command, unsigned columns, FILE *stream);

/* Append to WORDS the options in SET with the values of OPTS; of several platforms, and of several values of
 * --set, the first. SET has only options that choose calls and machines. */
void opts_words(struct opts_names *words, const struct opts *opts, opts_set set);
void opts_words_free(struct opts_names *words);

/* Return WORDS as a line for a shell.
 * owner: the caller frees the text. */
char *opts_line(const struct opts_names *words);

/* Append WORD to TEXT, quoted if a shell would read WORD otherwise. */
void opts_quote(char **text, const char *word);

/* Read TEXT, names separated by commas, into NAMES, a struct opts_names.
 * errors: an empty name. */
field_reader opts_read_NAMES;
