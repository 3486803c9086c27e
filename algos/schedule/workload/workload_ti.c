/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of time-independent traces of MPI programs, which `smpirun -trace-ti` writes and
 * `smpirun -replay` reads: lines `RANK ACTION OPERANDS`, in one file, or in the files of a list. The operands
 * and the numbers of datatypes are those of SimGrid 3.32: smpi_replay.cpp, smpi_datatype.cpp.
 *
 * A trace names no communicator: call k of a rank is call k of all ranks. */
#include "algos/schedule/workload/workload.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  DATATYPE_DOUBLE = 0,
  DATATYPE_FLOAT = 5,
  DATATYPE_BYTE = 6,
  BLOCK_MAX = 1 << 30,
  EXCHANGE_TAG = -1, /* of sendRecv, whose lines name no tag */
};

static const struct text_kind trace_kind = {32 << 20, "33554432 bytes", "a trace"};

/* The largest number of flops in a line, or of seconds: the amounts of actions have 64 bits. */
static const double flops_max = 1e13, seconds_max = 1e10;

/* Bytes of MPI's datatypes, by number. */
static const unsigned char sizes[] = {8, 4, 1, 2, 8, 4, 1, 8,  1,  1, 2, 4, 8,  8,  16, 4, 1, 1,  2,
                                      4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, 8, 16, 16, 8,  8, 8, 16, 16};

struct rank {
  bool has_begun, has_ended;
  unsigned datatype; /* of operands without one */
  size_t ncalls;
};

/* A call: what the lines of all ranks tell, and where the first one is; bytes of the first block, of all N
 * blocks. */
struct call {
  const char *what, *place, *name; /* NAME: of the actions */
  double first, sum;
  size_t n;
  unsigned unit; /* bytes of an element */
};

/* The reader; from PEERS on, the operands of the present line. The first mistake is kept; functions go on
 * behind a mistake, with a value in range. */
struct reader {
  struct err wrong; /* empty: no mistake */
  const char *path;
  unsigned line;
  char *rest; /* of the present line */
  struct workload *workload;
  unsigned rank, only; /* ONLY: the one rank of the file; UINT_MAX: any */
  struct rank *ranks;
  struct call *calls;
  size_t ncalls;
  unsigned peers[2], datatype, other; /* OTHER: the second datatype */
  uint64_t tag;
  double number, received, first, sum; /* flops or seconds; elements: to receive, of the first of N blocks */
  size_t nblocks;
  bool differ; /* the blocks */
};

/* OPERANDS: see take_operands. */
struct form {
  const char *word;
  void (*read)(struct reader *r, const struct form *form);
  unsigned kind; /* of an action, or the collective */
  const char *operands;
};

/* Set the mistake of R: PATH:LINE, and the formatted text. */
#define refuse(r, format, ...) err_set(&(r)->wrong, "%.200s:%u: " format, (r)->path, (r)->line, ##__VA_ARGS__)

static void refuse_word(struct reader *r, const char *word, const char *expected) {
  if (*word) {
    refuse(r, "'%.60s', expected %s", word, expected);
  } else {
    refuse(r, "the end of the line, expected %s", expected);
  }
}

/* --- operands --- */

/* Tell whether the line has another word. */
static bool has_more(struct reader *r) {
  r->rest += strspn(r->rest, " \t\r");
  return *r->rest;
}

/* Take the next word of the line; "": there is none. */
static const char *take_word(struct reader *r) {
  char *word = has_more(r) ? r->rest : "";
  r->rest += strcspn(r->rest, " \t\r");
  if (*r->rest) {
    *r->rest++ = '\0';
  }
  return word;
}

/* Take a number from 0 to MOST, such as EXPECTED. */
static double take_number(struct reader *r, double most, const char *expected) {
  const char *word = take_word(r);
  char *end;
  double number = strtod(word, &end);
  if (!*word || *end || word[strspn(word, "0123456789.e+-E")] || number < 0) {
    refuse_word(r, word, expected);
    return 0;
  }
  if (number > most) {
    refuse(r, "'%.60s', expected at most %.0f", word, most);
    return 0;
  }
  return number;
}

/* Take a number of elements. */
static double take_count(struct reader *r) {
  double count = take_number(r, BLOCK_MAX, "a number of elements");
  if (count != floor(count)) {
    refuse(r, "%g elements, expected a whole number", count);
  }
  return floor(count);
}

/* Take a whole number below END, such as EXPECTED. */
static uint64_t take_whole(struct reader *r, uint64_t end, const char *expected) {
  const char *word = take_word(r);
  uint64_t number = 0;
  bool is_one = units_parse_count(word, &number, NULL) == 0 && number < end;
  if (!is_one) {
    refuse_word(r, word, expected);
  }
  return is_one ? number : 0;
}

static unsigned take_rank(struct reader *r) {
  bool is_any = has_more(r) && *r->rest == '-';
  return (unsigned)take_whole(r, r->workload->nranks,
                              text_brief("a rank below %u%s", r->workload->nranks,
                                         is_any ? ", neither MPI_ANY_SOURCE nor MPI_PROC_NULL" : ""));
}

static unsigned take_datatype(struct reader *r) {
  return (unsigned)take_whole(r, sizeof sizes,
                              "a datatype from 0 to 37: a trace does not tell the bytes of another one");
}

/* Take the operand LETTER. */
static void take_operand(struct reader *r, char letter) {
  double count;
  switch (letter) {
  case 'f':
    r->number = take_number(r, flops_max, "flops");
    break;
  case 's':
    r->number = take_number(r, seconds_max, "seconds");
    break;
  case 'r':
    r->peers[0] = take_rank(r);
    break;
  case 'q':
    r->peers[1] = take_rank(r);
    break;
  case 't':
    r->tag = take_whole(r, INT64_MAX, "a tag, not MPI_ANY_TAG");
    break;
  case 'd':
    r->datatype = take_datatype(r);
    break;
  case 'e':
    r->other = take_datatype(r);
    break;
  case 'm':
    r->received = take_count(r);
    break;
  default:
    count = take_count(r);
    if (letter == 'c' || letter == 'C') {
      r->first = r->nblocks++ ? r->first : count;
      r->differ |= count != r->first;
      r->sum += count;
    }
  }
}

/* Take the operands FORM of the line: r, q ranks; t a tag; f flops; s seconds; c the elements of a block, and
 * C for each rank; x, X elements told by other lines; m the most elements to receive. Behind the | are those
 * that may be absent: r; d the datatype of c and C; e the other datatype, d and e only together. */
static void take_operands(struct reader *r, const char *form) {
  const char *optional = form + strcspn(form, "|");
  r->peers[0] = 0;
  r->nblocks = 0;
  r->number = r->received = r->first = r->sum = 0;
  r->differ = false;
  r->datatype = r->other = r->ranks[r->rank].datatype;
  for (const char *at = form; *at; at++) {
    bool may_end = at > optional && !(strchr("de", *at) && strchr("de", at[-1]));
    if (may_end && !has_more(r)) {
      break;
    }
    unsigned times = *at == '|' ? 0 : strchr("CX", *at) ? r->workload->nranks : 1;
    for (unsigned i = 0; i < times; i++) {
      take_operand(r, *at);
    }
  }
  if (has_more(r)) {
    refuse_word(r, take_word(r), "the end of the line");
  }
}

/* --- actions of one rank --- */

static void read_init(struct reader *r, const struct form *form) {
  (void)form;
  r->ranks[r->rank] =
    (struct rank){.has_begun = true, .datatype = r->nblocks ? DATATYPE_DOUBLE : DATATYPE_BYTE};
  r->workload->ranks[r->rank].path = r->path;
}

static void read_finalize(struct reader *r, const struct form *form) {
  (void)form;
  r->ranks[r->rank].has_ended = true;
}

/* Add the action of FORM, with AMOUNT, on connection or call INDEX. */
static void act(struct reader *r, const struct form *form, double amount, unsigned index) {
  workload_act(r->workload, r->rank,
               &(struct workload_action){.kind = form->kind,
                                         .index = index,
                                         .line = r->line,
                                         .amount = (uint64_t)(amount + 0.5),
                                         .name = form->word});
}

static void read_waitall(struct reader *r, const struct form *form) {
  act(r, form, 0, 0);
}

/* Return PATH:LINE of the present line, lasting. */
static const char *place_of(const struct reader *r) {
  return text_keep(text_brief("%.200s:%u", r->path, r->line));
}

static void read_time(struct reader *r, const struct form *form) {
  if (form->kind == PROGRAM_FLOPS && r->number > 0 && !r->workload->flops_at) {
    r->workload->flops_at = place_of(r);
  }
  act(r, form, r->number * (form->kind == PROGRAM_SLEEP ? 1e9 : 1e6), 0);
}

/* --- messages --- */

/* Add a message of FORM, of NBYTES from or to PEER with TAG.
 * returns: the connection. */
static unsigned add_message(struct reader *r, const struct form *form, unsigned peer, int64_t tag,
                            double nbytes) {
  bool sends = form->kind == WORKLOAD_SEND || form->kind == WORKLOAD_ISEND;
  const struct workload_connection connection = {
    .path = r->path, .from = sends ? r->rank : peer, .to = sends ? peer : r->rank, .tag = tag};
  if (peer == r->rank) {
    refuse(r, "a message from rank %u to itself, expected another rank", peer);
  } else if (nbytes > BLOCK_MAX) {
    refuse(r, "a message of %.0f bytes, expected at most %s", nbytes, units_format_bytes(BLOCK_MAX));
  }
  workload_add_message(
    r->workload, &connection,
    (struct workload_action){
      .kind = form->kind, .line = r->line, .amount = (uint64_t)nbytes, .name = form->word});
  return workload_find_connection(r->workload, &connection) - 1;
}

static void read_message(struct reader *r, const struct form *form) {
  add_message(r, form, r->peers[0], (int64_t)r->tag, r->first * sizes[r->datatype]);
}

/* The line names no tag, and so the connections of these messages have no others. */
static void read_exchange(struct reader *r, const struct form *form) {
  static const struct form receive = {.word = "sendRecv", .kind = WORKLOAD_IRECV},
                           send = {.word = "sendRecv", .kind = WORKLOAD_ISEND};
  unsigned from = add_message(r, &receive, r->peers[1], EXCHANGE_TAG, r->received * sizes[r->other]);
  unsigned to = add_message(r, &send, r->peers[0], EXCHANGE_TAG, r->first * sizes[r->datatype]);
  act(r, form, 0, from); /* waits */
  act(r, form, 0, to);
}

/* A wait without a message is nothing: a test has found the end. */
static void read_wait(struct reader *r, const struct form *form) {
  const struct workload_connection connection = {
    .from = r->peers[0], .to = r->peers[1], .tag = (int64_t)r->tag};
  if (connection.from != r->rank && connection.to != r->rank) {
    refuse(r, "a message from rank %u to rank %u, expected one of rank %u", connection.from, connection.to,
           r->rank);
  }
  unsigned number = workload_find_connection(r->workload, &connection);
  if (number) {
    act(r, form, 0, number - 1);
  }
}

/* --- calls --- */

/* Return the type of a reduction of DATATYPE. */
static enum coll_type type_of(unsigned datatype) {
  return datatype == DATATYPE_DOUBLE ? TYPE_FLOAT64 : datatype == DATATYPE_FLOAT ? TYPE_FLOAT32 : TYPE_INT32;
}

/* Return what the lines of all ranks tell of a call of FORM, a text of text_keep. */
static const char *describe(const struct reader *r, const struct form *form) {
  SCOPED char *what = xstrdup(form->word);
  if (strchr(form->operands, 'c') && !strchr(form->operands, 'X')) {
    xappend(&what, " of %.0f bytes", r->first * sizes[r->datatype]);
  }
  if (collective_has_root(form->kind)) {
    xappend(&what, " with root %u", r->peers[0]);
  }
  if (collective_combines(form->kind)) {
    xappend(&what, " of type %s", combine_type_name(type_of(r->datatype)));
  }
  return text_keep(what);
}

static void read_call(struct reader *r, const struct form *form) {
  size_t index = r->ranks[r->rank].ncalls++;
  unsigned unit = sizes[r->datatype];
  const char *what = describe(r, form);
  if (index == r->ncalls) {
    const char *name = text_brief("call %zu line %u %s", index + 1, r->line, form->word);
    workload_add_call(r->workload, &(struct workload_call){.root = r->peers[0],
                                                           .line = r->line,
                                                           .collective = form->kind,
                                                           .type = type_of(r->datatype)});
    VEC_ADD(r->calls, r->ncalls) =
      (struct call){what, place_of(r), text_keep(name), .first = r->first * unit, .unit = unit};
  }
  struct call *call = &r->calls[index];
  if (what != call->what) {
    refuse(r, "%s, expected the %s of %s: a call of all ranks", what, call->what, call->place);
  }
  r->workload->calls[index].is_mean |= r->differ || r->first * unit != call->first;
  call->sum += r->sum * unit;
  call->n += r->nblocks;
  act(r, &(struct form){.word = call->name, .kind = WORKLOAD_CALL}, 0, (unsigned)index);
  if (r->number > 0) {
    read_time(r, &(struct form){.word = form->word, .kind = PROGRAM_FLOPS_OF_CALL});
  }
}

/* --- lines --- */

static const struct form forms[] = {{"init", read_init, 0, "|c"},
                                    {"finalize", read_finalize, 0, ""},
                                    {"compute", read_time, PROGRAM_FLOPS, "f"},
                                    {"sleep", read_time, PROGRAM_SLEEP, "s"},
                                    {"send", read_message, WORKLOAD_SEND, "rtc|d"},
                                    {"isend", read_message, WORKLOAD_ISEND, "rtc|d"},
                                    {"recv", read_message, WORKLOAD_RECV, "rtc|d"},
                                    {"irecv", read_message, WORKLOAD_IRECV, "rtc|d"},
                                    {"sendRecv", read_exchange, WORKLOAD_WAIT, "crmq|de"},
                                    {"wait", read_wait, WORKLOAD_WAIT, "rqt"},
                                    {"test", read_wait, WORKLOAD_TEST, "rqt"},
                                    {"waitall", read_waitall, WORKLOAD_WAITALL, "|x"},
                                    {"barrier", read_call, COLL_BARRIER, ""},
                                    {"bcast", read_call, COLL_BCAST, "c|rd"},
                                    {"reduce", read_call, COLL_REDUCE, "cf|rd"},
                                    {"allreduce", read_call, COLL_ALLREDUCE, "cf|d"},
                                    {"scan", read_call, COLL_SCAN, "cf|d"},
                                    {"reducescatter", read_call, COLL_REDUCESCATTER, "Cf|d"},
                                    {"gather", read_call, COLL_GATHER, "cx|rde"},
                                    {"gatherv", read_call, COLL_GATHER, "cX|rde"},
                                    {"scatter", read_call, COLL_SCATTER, "xc|red"},
                                    {"scatterv", read_call, COLL_SCATTER, "Xc|red"},
                                    {"allgather", read_call, COLL_ALLGATHER, "cx|de"},
                                    {"allgatherv", read_call, COLL_ALLGATHER, "xC|ed"},
                                    {"alltoall", read_call, COLL_ALLTOALL, "cx|de"},
                                    {"alltoallv", read_call, COLL_ALLTOALL, "xCxX|de"}};

/* Read the present line. */
static void read_line(struct reader *r) {
  r->rank = take_rank(r);
  const char *word = take_word(r);
  const struct form *form = VEC_FIND(forms, VEC_LENGTH(forms), strcmp(item->word, word) == 0);
  const struct rank *rank = &r->ranks[r->rank];
  if (r->only != UINT_MAX && r->rank != r->only) {
    refuse(r, "rank %u, expected %u, the place of the file in the list", r->rank, r->only);
  } else if (!form) {
    refuse_word(r, word, "an action that programs have, such as compute, isend or allreduce");
  } else if (rank->has_ended || rank->has_begun == (form->read == read_init)) {
    refuse_word(r, word,
                rank->has_ended   ? "no action behind finalize"
                : rank->has_begun ? "one init of the rank"
                                  : "an init of the rank before");
  } else if (r->workload->nactions >= WORKLOAD_ACTIONS_MAX) {
    refuse(r, "more than %d actions of all ranks, expected fewer", WORKLOAD_ACTIONS_MAX);
  } else {
    take_operands(r, form->operands);
    form->read(r, form);
  }
}

static void read_lines(struct reader *r, char *text) {
  r->line = 0;
  for (char *line; !*r->wrong.text && (line = strsep(&text, "\n"));) {
    r->line++;
    r->rest = line;
    if (has_more(r) && *r->rest != '#') {
      read_line(r);
    }
  }
}

/* Check that all lines are there, and give the calls their bytes. */
static int end_trace(const struct reader *r, struct err *err) {
  const struct workload *workload = r->workload;
  for (unsigned i = 0; i < workload->nranks; i++) {
    const struct rank *rank = &r->ranks[i];
    if (!rank->has_ended) {
      return err_set(err, "%.200s: rank %u without %s, expected a complete trace", workload->path, i,
                     rank->has_begun ? "finalize" : "a line");
    }
    if (rank->ncalls < r->ncalls) {
      return err_set(err, "%.200s: rank %u makes %zu calls, expected the %s of %s as well", workload->path, i,
                     rank->ncalls, r->calls[rank->ncalls].what, r->calls[rank->ncalls].place);
    }
  }
  for (size_t i = 0; i < r->ncalls; i++) {
    const struct call *call = &r->calls[i];
    double mean = call->n ? call->sum / (double)call->n : 0;
    workload->calls[i].nbytes = (size_t)(mean / call->unit + 0.5) * call->unit;
  }
  return workload_check(workload, err);
}

/* --- files --- */

struct source {
  const char *path;
  char *text;
};

/* Return the number of ranks with lines in TEXT. */
static unsigned count_ranks(const char *text) {
  unsigned n = 0, rank;
  do {
    text += strspn(text, " \t\r\n");
    n = text_take_number(&text, 9, &rank) && rank >= n ? rank + 1 : n;
    text = strchr(text, '\n');
  } while (text);
  return n;
}

/* Read the N SOURCES: all ranks in one, or one rank in each. */
static struct workload *read_sources(struct source *sources, size_t n, struct err *err) {
  struct reader r = {.only = UINT_MAX};
  size_t nranks = n == 1 ? count_ranks(sources->text) : n;
  if (nranks == 0 || nranks > WORKLOAD_RANKS_MAX) {
    if (nranks == 0) {
      err_set(err, "%.200s: no line of a rank, expected lines such as '0 init'", sources->path);
    } else {
      err_set(err, "%.200s: %zu ranks, expected at most %d", sources->path, nranks, WORKLOAD_RANKS_MAX);
    }
    return NULL;
  }
  r.workload = workload_new(sources->path, (unsigned)nranks);
  r.workload->is_trace = true;
  r.ranks = xcalloc(nranks, sizeof *r.ranks);
  for (size_t i = 0; i < n && !*r.wrong.text; i++) {
    r.path = text_keep(sources[i].path);
    r.only = n > 1 ? (unsigned)i : UINT_MAX;
    read_lines(&r, sources[i].text);
  }
  if (*r.wrong.text ? err_set(err, "%s", r.wrong.text) : end_trace(&r, err)) {
    workload_free(r.workload);
    r.workload = NULL;
  }
  free(r.calls);
  free(r.ranks);
  return r.workload;
}

struct workload *workload_read_ti(const char *path, const char *text, struct err *err) {
  SCOPED char *copy = xstrdup(text);
  return read_sources(&(struct source){path, copy}, 1, err);
}

/* Return the path of file NAME of the list in file LIST: from the present folder, as for smpirun, or from the
 * folder of the list. */
static const char *find_file(const char *list, const char *name) {
  const char *slash = strrchr(list, '/');
  SCOPED char *beside = xasprintf("%.*s%s", slash ? (int)(slash + 1 - list) : 0, list, name);
  return text_keep(*name == '/' || access(name, F_OK) == 0 || access(beside, F_OK) != 0 ? name : beside);
}

struct workload *workload_read_ti_list(const char *path, const char *text, struct err *err) {
  struct workload *workload = NULL;
  struct source *sources = NULL;
  size_t n = 0, nbytes;
  unsigned line = 0;
  uint64_t sum = CHECKSUM_START;
  struct err why = {""};
  SCOPED char *copy = xstrdup(text);
  char *rest = copy;
  for (char *name; !*why.text && (name = strsep(&rest, "\n"));) {
    line++;
    name += strspn(name, " \t\r");
    name[strcspn(name, " \t\r")] = '\0';
    if (*name) {
      const char *file = find_file(path, name);
      char *trace = text_read_file(file, &trace_kind, &nbytes, &why);
      sum = trace ? checksum_add(sum, trace, nbytes) : sum;
      VEC_ADD(sources, n) = (struct source){file, trace};
    }
  }
  if (n == 0) {
    err_set(&why, "the end of the file, expected names of files");
  }
  if (*why.text) {
    err_set(err, "%.200s:%u: %.300s", path, line, why.text);
  } else if ((workload = read_sources(sources, n, err))) {
    workload->sum = sum;
  }
  VEC_EACH(source, sources, n) {
    free(source->text);
  }
  free(sources);
  return workload;
}
