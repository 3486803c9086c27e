/* SPDX-License-Identifier: BSD-3-Clause
 * From a text to the list of operations for a number of ranks and chips: each line is read again for every
 * value of every `each` around it. */
#include "algos/schedule/sched/expression.h"
#include "algos/schedule/sched/sched.h"
#include "algos/step/ranks.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Readings of lines in one text: a limit for `each` in `each` without operations. */
enum { READINGS_MAX = 2000000 };

/* The needs for lines `needs`. */
static const unsigned needs_of_texts = NEED_POWER_OF_TWO_RANKS | NEED_EQUAL_RANKS_PER_CHIP;

struct expansion {
  struct sched *sched;
  const struct sched_shape *shape; /* NULL: only the head is wanted */
  struct names names;
  unsigned line;            /* number of the line */
  unsigned block, nblocks;  /* between together and round: the number of the block; how many there were */
  unsigned npieces, places; /* 0: not given */
  unsigned needs;
  unsigned nreadings;
  bool has_collective, has_operations;
  bool is_limit; /* the text is not for the shape, or too long for a limit, and not wrong */
};

static void set_collective(struct expansion *x, struct line *line) {
  static const enum collective served[] = {COLL_BARRIER,       COLL_BCAST,     COLL_REDUCE, COLL_ALLREDUCE,
                                           COLL_REDUCESCATTER, COLL_ALLGATHER, COLL_GATHER, COLL_SCATTER};
  const enum collective *found =
    VEC_FIND(served, VEC_LENGTH(served), line_takes(line, collective_name(*item)));
  if (found) {
    x->sched->collective = *found;
    x->has_collective = true;
  } else {
    line_wrong(line, "barrier, bcast, reduce, allreduce, reducescatter, allgather, gather or scatter");
  }
}

/* Take a number from LEAST to MOST, or note EXPECTED. */
static unsigned take_bounded(struct line *line, int64_t least, int64_t most, const char *expected) {
  struct line start = *line;
  int64_t value = line_number(line);
  if (!*line->wrong && (value < least || value > most)) {
    line_wrong_value(line, start.at, value, expected);
  }
  return *line->wrong ? 0 : (unsigned)value;
}

/* As take_bounded, of a number from 1 to MOST, a limit of texts. */
static unsigned take_limited(struct line *line, unsigned most, const char *expected) {
  struct line start = *line;
  unsigned value = take_bounded(line, 1, UINT_MAX, expected);
  if (value > most) {
    line->at = start.at;
    line_limit(line, expected);
  }
  return value;
}

/* Words without an argument. */
static const struct {
  const char *word;
  size_t flag;
  bool is_listed; /* in the entry */
} flags[] = {{"vector", offsetof(struct sched, is_vector), false},
             {"signals", offsetof(struct sched, signals), true},
             {"fence", offsetof(struct sched, fence), true},
             {"late", offsetof(struct sched, late), true},
             {"eager", offsetof(struct sched, eager), true}};

static bool *flag_of(struct sched *sched, size_t i) {
  return (bool *)((char *)sched + flags[i].flag);
}

/* Take the name of a need, such as power-of-two-ranks. */
static void take_need(struct expansion *x, struct line *line) {
  for (unsigned bit = 0; bit < 32; bit++) {
    const char *name = needs_name((enum coll_need)(1U << bit));
    if ((1U << bit & needs_of_texts) && line_takes(line, name)) {
      x->needs |= 1U << bit;
      return;
    }
  }
  line_wrong(line, "power-of-two-ranks or equal-ranks-per-chip");
}

/* Take a line of the head of the text.
 * returns: whether LINE was one. */
static bool take_head(struct expansion *x, struct line *line) {
  struct sched *sched = x->sched;
  size_t flag = VEC_INDEX(flags, VEC_LENGTH(flags), line_takes(line, item->word));
  if (flag < VEC_LENGTH(flags)) {
    *flag_of(sched, flag) = true;
  } else if (line_takes(line, "collective")) {
    set_collective(x, line);
  } else if (line_takes(line, "needs")) {
    take_need(x, line);
  } else if (line_takes(line, "places")) {
    static const struct names none = {.n = 0};
    line->names = &none; /* a number of the text alone */
    x->places = take_limited(line, SCHED_PLACES_MAX, "1 to 256 places");
  } else if (line_takes(line, "pieces")) {
    x->npieces = take_limited(line, SCHED_PIECES_MAX, "1 to 1024 pieces");
  } else if (line_takes(line, "depth")) {
    sched->depth = take_limited(line, SCHED_DEPTH_MAX, "a depth of 1 to 15 transfers");
  } else {
    return false;
  }
  return true;
}

/* Refuse the range FIRST..LAST from START to the front of LINE if the range is empty with all values of
 * names: the range has no name. */
static void refuse_empty(struct line *line, const char *start, int64_t first, int64_t last) {
  const char *at = start;
  while (at < line->at && !isalpha((unsigned char)*at)) {
    at++;
  }
  if (!*line->wrong && last < first && at == line->at) {
    snprintf(line->wrong, sizeof line->wrong,
             "the range %" PRId64 "..%" PRId64 " is empty, expected a last one from %" PRId64 " on", first,
             last, first);
  }
}

static unsigned take_place(struct expansion *x, struct line *line) {
  unsigned last = x->sched->nplaces - 1;
  return take_bounded(line, 0, last, text_brief("a place from 0 to %u", last));
}

/* Take the regions of OPERATION: `3..5` pieces of a vector; `3..5` blocks, or `3/1` a piece of a block. */
static void take_regions(struct expansion *x, struct line *line, struct operation *operation) {
  const struct sched *sched = x->sched;
  unsigned each = sched->is_vector ? 1 : sched->npieces, n = sched->nregions / each;
  const char *expected = text_brief("a %s from 0 to %u", sched->is_vector ? "piece" : "block", n - 1);
  const char *start = line->at;
  unsigned first = take_bounded(line, 0, n - 1, expected), last = first;
  if (line_takes(line, "..")) {
    last = take_bounded(line, (int64_t)first - 1, n - 1, "the last one not before the first and below all");
    refuse_empty(line, start, first, (int)last);
  }
  operation->first = first * each;
  operation->count = (last + 1 - first) * each;
  if (!sched->is_vector && last == first && line_takes(line, "/")) {
    operation->first += take_bounded(line, 0, each - 1, text_brief("a piece from 0 to %u", each - 1));
    operation->count = 1;
  }
}

/* Take an operation of KIND, "T < F : R" or "F > T : R", behind the word. */
static void take_operation(struct expansion *x, struct line *line, enum operation_kind kind) {
  struct operation operation = {.kind = kind, .line = x->line, .block = x->block};
  bool is_get = kind == OPERATION_GET || kind == OPERATION_GETADD;
  unsigned left = take_place(x, line);
  if (!line_takes(line, is_get ? "<" : ">")) {
    line_wrong(line, is_get ? "'<' and the place with the data" : "'>' and the receiver");
  }
  unsigned right = take_place(x, line);
  operation.to = is_get ? left : right;
  operation.from = is_get ? right : left;
  operation.actor = left;
  if (kind != OPERATION_SIGNAL) {
    if (!line_takes(line, ":")) {
      line_wrong(line, x->sched->is_vector ? "':' and pieces" : "':' and blocks");
    }
    take_regions(x, line, &operation);
  }
  bool has_effect = left != right && (kind == OPERATION_SIGNAL || operation.count > 0);
  if (has_effect && x->sched->noperations == SCHED_OPERATIONS_MAX) {
    line_limit(line, "at most 200000 operations");
  } else if (has_effect && !*line->wrong) {
    VEC_ADD(x->sched->operations, x->sched->noperations) = operation;
  }
}

static void take_mark(struct expansion *x, struct line *line, enum operation_kind kind) {
  (void)line;
  x->block = kind == OPERATION_TOGETHER ? ++x->nblocks : 0;
  VEC_ADD(x->sched->operations, x->sched->noperations) =
    (struct operation){.kind = kind, .line = x->line, .block = x->block};
}

static void take_line(struct expansion *x, struct line *line);

/* Take `v A..B : LINE` behind the word each: LINE for each value of v. */
static void take_each(struct expansion *x, struct line *line) {
  struct names *names = &x->names;
  char name[NAME_SIZE];
  line_name(line, name);
  if (VEC_FIND(names->names, names->n, strcmp(*item, name) == 0)) {
    line_wrong(line, "another name: the one before has a value already");
  }
  const char *start = line->at;
  int64_t first = line_number(line);
  if (!line_takes(line, "..")) {
    line_wrong(line, "'..' and the last value");
  }
  int64_t last = line_number(line);
  refuse_empty(line, start, first, last);
  if (!line_takes(line, ":")) {
    line_wrong(line, "':' and a line");
  }
  if (names->n == NAMES_MAX) {
    line_wrong(line, "fewer names");
  }
  if (*line->wrong) {
    return;
  }
  const struct line rest = *line;
  size_t own = names->n++;
  strcpy(names->names[own], name);
  line->at = line->end; /* also without any value */
  for (int64_t value = first; value <= last && !*line->wrong; value++) {
    names->values[own] = value;
    *line = rest;
    take_line(x, line);
  }
  names->n = own;
}

/* Take the word of a kind of operations from the front of LINE.
 * returns: the kind; behind the last one: there is no such word. */
static size_t take_kind(struct line *line) {
  static const char *const kinds[] = {"get", "put", "getadd", "putadd", "signal", "together", "round"};
  return VEC_INDEX(kinds, VEC_LENGTH(kinds), line_takes(line, *item));
}

static void take_line(struct expansion *x, struct line *line) {
  if (++x->nreadings > READINGS_MAX) {
    line_limit(line, "an 'each' with fewer values (2000000 readings of lines)");
    return;
  }
  if (line_takes(line, "each")) {
    take_each(x, line);
    return;
  }
  size_t kind = take_kind(line);
  if (kind > OPERATION_ROUND) {
    line_wrong(line, "get, put, getadd, putadd, signal, each, together or round");
    return;
  }
  x->sched->last_line = x->line;
  (kind < OPERATION_TOGETHER ? take_operation : take_mark)(x, line, (enum operation_kind)kind);
}

static struct expansion begin(struct sched *sched, const struct sched_shape *shape) {
  int64_t chips = shape->size ? shape->nchips : NAME_UNEVEN, size = shape->size ? shape->size : NAME_UNEVEN;
  sched->depth = 8;
  return (struct expansion){.sched = sched,
                            .shape = shape,
                            .line = 1,
                            .names = {{"ranks", "rounds", "chips", "size"},
                                      {shape->nranks, ranks_ceil_log2(shape->nranks), chips, size},
                                      4}};
}

/* The head is over: find out the places and regions of the sched. */
static int begin_operations(struct expansion *x, const char *path, struct err *err) {
  struct sched *sched = x->sched;
  x->has_operations = true;
  if (!x->has_collective) {
    return err_set(err,
                   "%s:%u: no collective before the first operation, expected a line 'collective bcast' or "
                   "of another one",
                   path, x->line);
  }
  bool has_vector = !collective_has_blocks(sched->collective);
  if (sched->collective != COLL_BARRIER && has_vector != sched->is_vector) {
    return err_set(err, "%s:%u: %s of %s, expected %s", path, x->line, has_vector ? "blocks" : "a vector",
                   collective_name(sched->collective),
                   has_vector ? "the word 'vector' before the first operation" : "no word 'vector'");
  }
  if (x->shape && x->places && x->places != x->shape->nranks) {
    x->is_limit = true;
    return err_set(err, "%u ranks, expected the %u places of %s: -n %u", x->shape->nranks, x->places, path,
                   x->places);
  }
  sched->nplaces = x->places ? x->places : x->shape ? x->shape->nranks : 0;
  sched->npieces = x->npieces ? x->npieces : 1;
  if (sched->collective != COLL_BARRIER) {
    sched->nregions = sched->npieces * (sched->is_vector ? 1 : sched->nplaces);
  }
  return 0;
}

static bool is_operation(const struct line *line) {
  struct line copy = *line;
  return line_takes(&copy, "each") || take_kind(&copy) <= OPERATION_ROUND;
}

bool sched_begins(const char *text, size_t n) {
  struct sched sched = {0};
  struct expansion x = {.sched = &sched};
  for (const char *at = text, *end; at < text + n; at = end + 1) {
    end = memchr(at, '\n', (size_t)(text + n - at));
    end = end ? end : text + n;
    struct line line = {.at = at, .end = end, .names = &x.names};
    if (!line_is_over(&line)) {
      return is_operation(&line) || take_head(&x, &line);
    }
  }
  return false;
}

static int read_line(struct expansion *x, struct line *line, const char *path, struct err *err) {
  if (line_is_over(line)) {
    return 0;
  }
  bool is_head = !x->has_operations && take_head(x, line);
  if (!is_head && !x->has_operations && !is_operation(line)) {
    line_wrong(
      line, "collective, needs, places, pieces, vector, signals, fence, late, eager, depth or an operation");
    return err_set(err, "%s:%u: %s", path, x->line, line->wrong);
  }
  if (!is_head && !x->has_operations && begin_operations(x, path, err) != 0) {
    return -1;
  }
  if (!is_head && x->shape) {
    take_line(x, line);
  }
  if (!*line->wrong && (is_head || x->shape) && !line_is_over(line)) {
    line_wrong(line, "the end of the line");
  }
  x->is_limit = line->is_limit;
  return *line->wrong ? err_set(err, "%s:%u: %s", path, x->line, line->wrong) : 0;
}

static int read_lines(struct expansion *x, const char *text, size_t n, const char *path, struct err *err) {
  const char *end = text + n;
  for (const char *at = text; at < end; x->line++) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    struct line line = {.at = at, .end = newline ? newline : end, .names = &x->names};
    at = newline ? newline + 1 : end;
    if (read_line(x, &line, path, err) != 0) {
      return -1;
    }
    if (x->has_operations && !x->shape) {
      return 0;
    }
  }
  if (!x->has_operations) {
    return err_set(err, "%s: no operation, expected lines such as 'get 1 < 0 : 0'", path);
  }
  return x->block
           ? err_set(err, "%s:%u: the end of the text, expected 'round' after 'together'", path, x->line)
           : 0;
}

int sched_head(const char *text, size_t n, const char *path, struct algo *entry, struct err *err) {
  struct sched sched = {0};
  struct expansion x = begin(&sched, &(struct sched_shape){1, 1, 1});
  x.shape = NULL;
  int status = read_lines(&x, text, n, path, err);
  SCOPED char *words = NULL;
  for (size_t i = 0; i < VEC_LENGTH(flags); i++) {
    if (flags[i].is_listed && *flag_of(&sched, i)) {
      xappend(&words, "%s%s", words ? " " : "", flags[i].word);
    }
  }
  entry->collective = sched.collective;
  entry->ranks = x.places;
  entry->needs = NEED_SPES | x.needs;
  entry->words = text_keep(words);
  return status;
}

/* Regions of all places together: a limit of memory. */
enum { ALL_REGIONS_MAX = 1 << 20 };

struct sched *sched_expand(const char *text, size_t n, const char *path, const struct sched_shape *shape,
                           struct sched_proof *proof) {
  struct sched *sched = xcalloc(1, sizeof *sched);
  struct expansion x = begin(sched, shape);
  struct err *err = &proof->why;
  int status = 0;
  x.is_limit = shape->nranks > SCHED_PLACES_MAX;
  if (x.is_limit) {
    status =
      err_set(err, "%s: %u ranks, expected at most %d of a text", path, shape->nranks, SCHED_PLACES_MAX);
  }
  status = status == 0 ? read_lines(&x, text, n, path, err) : -1;
  if (status == 0 && (size_t)sched->nplaces * sched->nregions > ALL_REGIONS_MAX) {
    x.is_limit = true;
    status = err_set(err, "%s: %zu regions of all places, expected at most %d", path,
                     (size_t)sched->nplaces * sched->nregions, ALL_REGIONS_MAX);
  }
  status = status == 0 ? sched_check(sched, path, &proof->note, err) : -1;
  proof->is_wrong = status != 0 && !x.is_limit;
  if (status != 0) {
    sched_free(sched);
    return NULL;
  }
  return sched;
}
