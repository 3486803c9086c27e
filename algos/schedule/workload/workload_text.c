/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of programs in our own grammar, docs/how-to/programs.md. A line of a `repeat` is read again for
 * each repetition. The first mistake is kept; functions go on behind a mistake, with a value in range. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload.h"
#include "algos/step/port.h"
#include "sim/base/err.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  READINGS_MAX = 1 << 22, /* of lines: a limit for loops without actions */
  MESSAGE_MAX = 1 << 30,
  JITTER_SEED = 1
};

/* A loop: the index of the line, repetitions to come. */
struct loop {
  size_t first;
  uint64_t left;
};

struct reader {
  struct err wrong; /* the first mistake; empty: none */
  const char *path;
  struct workload *workload; /* NULL: not begun */
  char **lines;
  size_t nlines, line;  /* LINE: index of the present one */
  char *rest;           /* of the present line */
  const char *expected; /* behind the present line; NULL: nothing */
  const char **names;   /* of actions, by line; NULL: none yet */
  struct loop *loops;
  size_t nloops, nreadings;
  uint64_t random;
};

/* The ranks of a line: a group, or some of a group. */
struct members {
  unsigned group, n, *ranks;
  bool is_part;
};

/* Set the mistake of R: PATH:LINE, and the formatted text. */
#define refuse(r, format, ...) \
  err_set(&(r)->wrong, "%.200s:%zu: " format, (r)->path, (r)->line + 1, ##__VA_ARGS__)

static bool is_right(const struct reader *r) {
  return *r->wrong.text == '\0';
}

/* --- words --- */

/* Take the next word of the line; "": there is none. */
static const char *take_word(struct reader *r) {
  char *word = r->rest + strspn(r->rest, " \t");
  r->rest = word + strcspn(word, " \t");
  if (*r->rest) {
    *r->rest++ = '\0';
  }
  return word;
}

/* Take the next word if the word is WANTED. */
static bool takes(struct reader *r, const char *wanted) {
  const char *word = r->rest + strspn(r->rest, " \t");
  size_t n = strlen(wanted);
  bool is_there = strncmp(word, wanted, n) == 0 && strchr(" \t", word[n]);
  return is_there && *take_word(r);
}

static void refuse_word(struct reader *r, const char *word, const char *expected) {
  if (*word) {
    refuse(r, "'%.60s', expected %s", word, expected);
  } else {
    refuse(r, "the end of the line, expected %s", expected);
  }
}

/* Take a whole number from LEAST to MOST, of WHAT. */
static uint64_t take_number(struct reader *r, uint64_t least, uint64_t most, const char *what) {
  const char *word = take_word(r);
  uint64_t number = 0;
  if (units_parse_count(word, &number, NULL) != 0 || number < least || number > most) {
    refuse_word(
      r, word, text_brief("%s from %llu to %llu", what, (unsigned long long)least, (unsigned long long)most));
    return least;
  }
  return number;
}

static uint64_t take_bytes(struct reader *r, uint64_t most) {
  const char *word = take_word(r);
  struct err why = {""};
  uint64_t number = 0;
  if (*word == '\0') {
    refuse_word(r, word, "a number of bytes");
  } else if (units_parse_bytes(word, &number, &why) != 0) {
    refuse(r, "%.400s", why.text);
  } else if (number > most) {
    refuse(r, "%.60s, expected at most %s", word, units_format_bytes(most));
  }
  return is_right(r) ? number : 0;
}

/* Take a list of ranks such as 0-7,9 or 0..7,9 into RANKS, with room for all ranks of the workload.
 * returns: the number of ranks. */
static unsigned take_ranks(struct reader *r, unsigned *ranks) {
  unsigned nranks = r->workload->nranks, n = 0;
  const char *word = take_word(r);
  SCOPED bool *taken = xcalloc(nranks, sizeof *taken);
  SCOPED char *text = xstrdup("");
  struct units_list list;
  struct err why = {""};
  for (const char *at = word; *at; at++) {
    xappend(&text, *at == '-' ? ".." : "%c", *at);
  }
  if (units_parse_count_list(text, &list, &why) != 0) {
    refuse_word(r, word,
                text_brief("a list of ranks such as 0-7,9%s%s", *word ? ": " : "", *word ? why.text : ""));
  }
  VEC_EACH(value, list.values, list.n) {
    uint64_t rank = *value;
    if (rank >= nranks || taken[rank]) {
      refuse(r, "rank %llu%s, expected each of the ranks below %u at most once", (unsigned long long)rank,
             rank < nranks ? " again" : "", nranks);
    } else {
      taken[rank] = true;
      ranks[n++] = (unsigned)rank;
    }
  }
  units_list_fini(&list);
  return n;
}

/* Take a rank of MEMBERS.
 * returns: the index of the rank among the members. */
static unsigned take_member(struct reader *r, const struct members *members) {
  uint64_t rank = take_number(r, 0, r->workload->nranks - 1, "a rank");
  unsigned i = (unsigned)VEC_INDEX(members->ranks, members->n, *item == rank);
  if (i == members->n) {
    refuse(r, "rank %llu, expected one of group %.60s", (unsigned long long)rank,
           r->workload->groups[members->group].name);
  }
  return i < members->n ? i : 0;
}

/* Take a word of NAME, of COUNT. */
static unsigned take_name(struct reader *r, unsigned count, const char *(*name)(unsigned)) {
  const char *word = take_word(r);
  unsigned i = 0;
  while (i < count && strcmp(word, name(i)) != 0) {
    i++;
  }
  if (i == count) {
    refuse_word(r, word, text_brief("a name such as %s or %s", name(0), name(1)));
  }
  return i < count ? i : 0;
}

/* --- actions --- */

/* compute CYCLES [jitter CYCLES] */
static void read_compute(struct reader *r, const struct members *members, struct workload_action action) {
  uint64_t cycles = take_number(r, 0, COMPUTE_MAX / 2, "cycles");
  uint64_t jitter = takes(r, "jitter") ? take_number(r, 0, COMPUTE_MAX / 2, "cycles of jitter") : 0;
  r->expected = "jitter CYCLES";
  action.kind = WORKLOAD_COMPUTE;
  VEC_EACH(rank, members->ranks, members->n) {
    action.amount = cycles + (jitter ? random_next(&r->random) % (jitter + 1) : 0);
    workload_act(r->workload, *rank, &action);
  }
}

/* Add a send, or a receive, of ACTION between members FROM and TO. */
static void add_message(struct reader *r, const struct members *members, const unsigned ends[2],
                        struct workload_action action) {
  const struct workload_connection connection = {.from = members->ranks[ends[0]],
                                                 .to = members->ranks[ends[1]]};
  workload_add_message(r->workload, &connection, action);
}

/* shift DISTANCE BYTES: each member sends to the member so far behind in the list, and receives. */
static void read_shift(struct reader *r, const struct members *members, struct workload_action action) {
  unsigned n = members->n;
  if (n < 2) {
    refuse(r, "a shift of %u rank, expected several ranks", n);
    return;
  }
  unsigned distance = (unsigned)take_number(r, 1, n - 1, "a distance in ranks");
  action.amount = take_bytes(r, MESSAGE_MAX);
  for (unsigned m = 0; m < n; m++) {
    action.kind = WORKLOAD_IRECV;
    add_message(r, members, (unsigned[]){(m + n - distance) % n, m}, action);
    action.kind = WORKLOAD_ISEND;
    add_message(r, members, (unsigned[]){m, (m + distance) % n}, action);
    action.kind = WORKLOAD_WAITALL;
    workload_act(r->workload, members->ranks[m], &action);
  }
}

/* send FROM TO BYTES: the one sends, the other receives. */
static void read_send(struct reader *r, const struct members *members, struct workload_action action) {
  unsigned ends[2] = {take_member(r, members), 0};
  ends[1] = take_member(r, members);
  action.amount = take_bytes(r, MESSAGE_MAX);
  if (is_right(r) && ends[0] == ends[1]) {
    refuse(r, "a message from rank %u to itself, expected another rank", members->ranks[ends[0]]);
  }
  action.kind = WORKLOAD_SEND;
  add_message(r, members, ends, action);
  action.kind = WORKLOAD_RECV;
  add_message(r, members, ends, action);
}

/* COLLECTIVE[:ALGORITHM...] BYTES [root RANK] [op OPERATOR] [type TYPE] */
static void read_call(struct reader *r, const struct members *members, struct workload_action action,
                      const char *word) {
  struct workload_call call = {.group = members->group, .line = action.line};
  struct err why = {""};
  call.collective = collective_find(word, strlen(word));
  if (call.collective == COLL_COUNT && !strchr(word, ':')) {
    refuse_word(r, word, "a collective, compute, shift, send, on, group, eager, repeat or end");
  } else if (call.collective == COLL_COUNT && catalogue_find(word, &call.algorithm, &why) != 0) {
    refuse(r, "%.400s", why.text);
  } else if (members->is_part) {
    refuse_word(r, word, "compute, shift or send: a collective is one of a whole group");
  }
  if (!is_right(r)) {
    return;
  }
  call.collective = call.algorithm.algo ? call.algorithm.algo->collective : call.collective;
  bool has_root = collective_has_root(call.collective), combines = collective_combines(call.collective);
  call.nbytes = collective_has_data(call.collective) ? take_bytes(r, SIZE_MAX / 4) : 0;
  for (;;) {
    if (has_root && takes(r, "root")) {
      call.root = take_member(r, members);
    } else if (combines && takes(r, "op")) {
      call.op = (enum coll_op)take_name(r, OP_COUNT, combine_op_name);
    } else if (combines && takes(r, "type")) {
      call.type = (enum coll_type)take_name(r, TYPE_COUNT, combine_type_name);
    } else {
      break;
    }
  }
  r->expected = has_root && combines ? "root RANK, op NAME or type NAME"
                : has_root           ? "root RANK"
                : combines           ? "op NAME or type NAME"
                                     : NULL;
  action.kind = WORKLOAD_CALL;
  action.index = workload_add_call(r->workload, &call);
  action.name = text_keep(text_brief("call %u %s", action.index + 1, action.name));
  VEC_EACH(rank, members->ranks, members->n) {
    workload_act(r->workload, *rank, &action);
  }
}

/* --- lines --- */

/* Find the group of a first WORD with a colon at the end; another word is the group of all ranks.
 * returns: whether WORD was one. */
static bool find_group(struct reader *r, const char *word, struct members *members) {
  const struct workload *workload = r->workload;
  size_t n = strlen(word), g = 0;
  bool is_group = n > 1 && word[n - 1] == ':';
  if (is_group) {
    g = VEC_INDEX(workload->groups, workload->ngroups,
                  strlen(item->name) == n - 1 && strncmp(item->name, word, n - 1) == 0);
  }
  if (g == workload->ngroups) {
    refuse_word(r, word, "a group of an earlier line");
    g = 0;
  }
  *members =
    (struct members){.group = (unsigned)g, .n = workload->groups[g].n, .ranks = workload->groups[g].ranks};
  return is_group;
}

/* [GROUP:] [on RANKS] ACTION, with the first WORD */
static void read_action(struct reader *r, const char *word) {
  struct members members;
  word = find_group(r, word, &members) ? take_word(r) : word;
  const struct members all = members;
  SCOPED unsigned *some = NULL;
  if (strcmp(word, "on") == 0) {
    some = xcalloc(r->workload->nranks, sizeof *some);
    members = (struct members){all.group, take_ranks(r, some), some, true};
    word = take_word(r);
  }
  VEC_EACH(rank, members.ranks, members.n) {
    if (!VEC_FIND(all.ranks, all.n, *item == *rank)) {
      refuse(r, "rank %u, expected ranks of group %.60s", *rank, r->workload->groups[all.group].name);
    }
  }
  if (!is_right(r)) {
    return;
  }
  if (!r->names[r->line]) {
    r->names[r->line] = text_keep(text_brief("line %zu %s", r->line + 1, word));
  }
  const struct workload_action action = {.line = (unsigned)r->line + 1, .name = r->names[r->line]};
  if (strcmp(word, "compute") == 0) {
    read_compute(r, &members, action);
  } else if (strcmp(word, "shift") == 0) {
    read_shift(r, &members, action);
  } else if (strcmp(word, "send") == 0) {
    read_send(r, &members, action);
  } else {
    read_call(r, &members, action, word);
  }
}

/* group NAME RANKS */
static void read_group(struct reader *r) {
  const struct workload *workload = r->workload;
  SCOPED unsigned *ranks = xcalloc(workload->nranks, sizeof *ranks);
  const char *name = take_word(r);
  if (!*name || strchr(name, ':') ||
      VEC_FIND(workload->groups, workload->ngroups, strcmp(item->name, name) == 0)) {
    refuse_word(r, name, "a new name of a group, without a colon");
  }
  unsigned n = take_ranks(r, ranks);
  workload_add_group(r->workload, name, ranks, n);
}

/* end: go on behind the `repeat`, or behind this line. */
static void end_loop(struct reader *r) {
  struct loop *loop = r->nloops ? &r->loops[r->nloops - 1] : NULL;
  if (!loop) {
    refuse(r, "end without a repeat, expected a repeat before");
  } else if (--loop->left > 0) {
    r->line = loop->first;
  } else {
    r->nloops--;
  }
}

/* Read the present line, with the first WORD. */
static void read_line(struct reader *r, const char *word) {
  if (!r->workload && strcmp(word, "program") != 0) {
    refuse_word(r, word, "program RANKS");
  } else if (!r->workload) {
    r->workload = workload_new(r->path, (unsigned)take_number(r, 1, WORKLOAD_RANKS_MAX, "a number of ranks"));
  } else if (strcmp(word, "group") == 0) {
    read_group(r);
  } else if (strcmp(word, "eager") == 0) {
    r->workload->eager = (unsigned)take_bytes(r, WORKLOAD_EAGER_MAX);
  } else if (strcmp(word, "repeat") == 0) {
    struct loop loop = {r->line, take_number(r, 1, READINGS_MAX, "a number of repetitions")};
    VEC_ADD(r->loops, r->nloops) = loop;
  } else if (strcmp(word, "end") == 0) {
    end_loop(r);
  } else {
    read_action(r, word);
  }
  const char *more = is_right(r) ? take_word(r) : "";
  if (*more) {
    refuse_word(r, more, r->expected ? r->expected : "the end of the line");
  }
}

static void read_lines(struct reader *r) {
  for (; r->line < r->nlines && is_right(r); r->line++) {
    SCOPED char *line = xstrdup(r->lines[r->line]);
    line[strcspn(line, "#\r")] = '\0';
    r->rest = line;
    r->expected = NULL;
    const char *word = take_word(r);
    if (*word) {
      read_line(r, word);
    }
    if (++r->nreadings > READINGS_MAX || (r->workload && r->workload->nactions > WORKLOAD_ACTIONS_MAX)) {
      refuse(r, "more than %d lines with all repetitions, or %d actions of all ranks, expected fewer",
             READINGS_MAX, WORKLOAD_ACTIONS_MAX);
    }
  }
  if (r->nloops) {
    r->line = r->loops[r->nloops - 1].first;
    refuse(r, "repeat without an end, expected one behind");
  }
  if (!r->workload) {
    refuse(r, "the end of the file, expected program RANKS");
  }
}

struct workload *workload_read_text(const char *path, const char *text, struct err *err) {
  struct reader r = {.path = path, .random = JITTER_SEED};
  SCOPED char *copy = xstrdup(text);
  char *rest = copy;
  for (char *line; (line = strsep(&rest, "\n"));) {
    VEC_ADD(r.lines, r.nlines) = line;
  }
  r.names = xcalloc(r.nlines + 1, sizeof *r.names);
  read_lines(&r);
  if (!is_right(&r) || workload_check(r.workload, &r.wrong) != 0) {
    err_set(err, "%s", r.wrong.text);
    workload_free(r.workload);
    r.workload = NULL;
  }
  free(r.lines);
  free(r.names);
  free(r.loops);
  return r.workload;
}
