/* SPDX-License-Identifier: BSD-3-Clause
 * The readers of option arguments: a function for each KIND of options.def, and the types that only options
 * have. */
#pragma once

#include "validate/lab/call/field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

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

/* --format. */
enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN, TABLE_JSON, TABLE_GITHUB };

/* Read ARGUMENT into FIELD, of the type of the kind; for a flag ARGUMENT is NULL and FIELD a bool.
 * errors: a malformed argument. */
typedef int opts_reader(void *field, const char *argument, struct err *err);

opts_reader opts_read_FLAG, opts_read_FILE, opts_read_TEXT, opts_read_RANK, opts_read_RANKS_LIST,
  opts_read_BYTES_LIST, opts_read_NAMES, opts_read_SETTINGS, opts_read_FORMAT, opts_read_PATTERN,
  opts_read_DEPTH, opts_read_TOTAL, opts_read_PLACEMENT, opts_read_SKEW, opts_read_PERCENT, opts_read_JOBS,
  opts_read_SECONDS, opts_read_LEVEL, opts_read_SHARD, opts_read_BUS, opts_read_ORIGIN, opts_read_BASELINE,
  opts_read_MAP;

/* Kinds that are kinds of fields of a call. */
#define opts_read_COUNT field_read_COUNT
#define opts_read_OP field_read_OP
#define opts_read_TYPE field_read_TYPE
#define opts_read_REPEAT field_read_REPEAT
#define opts_read_DELAYS field_read_DELAYS

/* Release the contents of NAMES. */
void opts_names_fini(struct opts_names *names);
