/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/opts_read.h"

#include "algos/catalogue.h"
#include "cli/shard.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "traces/viewers/trace.h"
#include "validate/bench/pattern.h"
#include "validate/lab/call/placement.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Far beyond any machine or loop, and safe to count with. */
enum {
  RANKS_MAX = 1000000,
  DEPTH_MAX = 32,
  TOTAL_MAX = 1 << 30,
  SKEW_SEEDS_MAX = 10000,
  JOBS_MAX = 1024,
  SECONDS_MAX = 1000000
};

int opts_read_FLAG(void *field, const char *argument, struct err *err) {
  (void)argument, (void)err;
  *(bool *)field = true;
  return 0;
}

int opts_read_TEXT(void *field, const char *argument, struct err *err) {
  *(const char **)field = argument;
  return *argument ? 0 : err_set(err, "'' is no value, expected one");
}

int opts_read_FILE(void *field, const char *argument, struct err *err) {
  *(const char **)field = argument ? argument : "";
  return !argument || *argument ? 0 : err_set(err, "'' is no value, expected one or none");
}

int opts_read_BASELINE(void *field, const char *argument, struct err *err) {
  const char *at = strrchr(argument, '@');
  SCOPED char *store = xasprintf("%.*s", at ? (int)(at - argument) : 0, argument);
  outfile_note_input(store);
  outfile_note_input(argument);
  return opts_read_TEXT(field, argument, err);
}

int opts_read_MAP(void *field, const char *argument, struct err *err) {
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
  int opts_read_##kind(void *field, const char *argument, struct err *err) { \
    return field_read_bounded(field, argument, (const unsigned[]){least, most}, err); \
  }
BOUNDED(RANK, 0, RANKS_MAX - 1)
BOUNDED(DEPTH, 1, DEPTH_MAX)
BOUNDED(JOBS, 1, JOBS_MAX)
BOUNDED(SECONDS, 1, SECONDS_MAX)

int opts_read_TOTAL(void *field, const char *argument, struct err *err) {
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
  int opts_read_##kind(void *field, const char *argument, struct err *err) { \
    return field_read_word(field, argument, count, name, err); \
  }
WORD(LEVEL, level_name, TRACE_LEVELS)
WORD(BUS, platform_bus_name, PLATFORM_BUSES)
WORD(ORIGIN, catalogue_origin_name, CATALOGUE_ORIGINS)
WORD(FORMAT, format_name, TABLE_GITHUB + 1)

/* The readers with a parser elsewhere; of an option given twice the last value counts. */
#define PARSED(kind, release, parse) \
  int opts_read_##kind(void *field, const char *argument, struct err *err) { \
    release(field); \
    return parse(argument, field, err); \
  }
PARSED(PATTERN, pattern_fini, pattern_parse)
PARSED(RANKS_LIST, units_list_fini, units_parse_ranks_list)
PARSED(BYTES_LIST, units_list_fini, units_parse_bytes_list)
PARSED(SHARD, (void), shard_parse)

int opts_read_PLACEMENT(void *field, const char *argument, struct err *err) {
  units_list_fini(&((struct placement *)field)->list);
  return placement_parse(argument, field, err);
}

int opts_read_SKEW(void *field, const char *argument, struct err *err) {
  struct opts_skew *skew = field;
  const char *colon = strchr(argument, ':');
  SCOPED char *cycles = xasprintf("%.*s", (int)strcspn(argument, ":"), argument);
  *skew = (struct opts_skew){.has_seed = colon};
  const char *seed = colon ? colon + 1 : "1", *dots = strstr(seed, "..");
  SCOPED char *first = xasprintf("%.*s", (int)(dots ? (size_t)(dots - seed) : strlen(seed)), seed);
  bool good =
    units_parse_count(cycles, &skew->cycles, err) == 0 && units_parse_count(first, &skew->seed, err) == 0 &&
    units_parse_count(dots ? dots + 2 : first, &skew->last, err) == 0 && skew->cycles <= CALL_SKEW_MAX &&
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

int opts_read_PERCENT(void *field, const char *argument, struct err *err) {
  char *end;
  double value = strtod(argument, &end);
  if (end == argument || *end || !(value >= 0 && value <= 1e6) ||
      strspn(argument, "0123456789.") != strlen(argument)) {
    return err_set(err, "'%.60s', expected a percentage such as 5 or 2.5", argument);
  }
  *(double *)field = value;
  return 0;
}

void opts_names_fini(struct opts_names *names) {
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
  opts_names_fini(names);
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

int opts_read_SETTINGS(void *field, const char *argument, struct err *err) {
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
