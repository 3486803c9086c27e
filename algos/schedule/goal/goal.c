/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of GOAL. Source: spcl/LogGOPSim, txt2bin.re (grammar), LogGOPSim.cpp (meaning). */
#include "algos/schedule/goal/goal.h"

#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct goal *goal;
  struct loading loading;
  unsigned line, rank, opened; /* OPENED: line of the open rank; 0: none */
  size_t first;                /* requirement of the open rank without operations yet */
  struct hash labels;          /* operations of the open rank, from 1 */
};

#define REFUSE(reader, ...) loading_refuse(&(reader)->loading, (reader)->line, __VA_ARGS__)

/* Take WORD from the front of *TEXT, up to a blank, the end, or punctuation of WORD. */
static bool takes(const char **text, const char *word) {
  const char *at = *text + strspn(*text, " \t\r");
  size_t n = strlen(word);
  if (strncmp(at, word, n) != 0 || (isalnum((unsigned char)word[n - 1]) && isalnum((unsigned char)at[n]))) {
    return false;
  }
  *text = at + n;
  return true;
}

/* Take a number from the front of *TEXT, with a minus sign if IS_SIGNED. */
static bool takes_number(const char **text, bool is_signed, int64_t *number) {
  const char *at = *text + strspn(*text, " \t\r");
  bool minus = is_signed && *at == '-';
  size_t n = strspn(at + minus, "0123456789");
  if (n == 0 || n > 18) {
    return false;
  }
  *number = strtoll(at, NULL, 10);
  *text = at + minus + n;
  return true;
}

/* Take a label from the front of *TEXT; NULL: there is none. */
static const char *takes_label(const char **text) {
  const char *at = *text + strspn(*text, " \t\r"), *end = at;
  while (isalpha((unsigned char)*at) && (isalnum((unsigned char)*end) || *end == '_')) {
    end++;
  }
  SCOPED char *label = end > at ? xasprintf("%.*s", (int)(end - at), at) : NULL;
  *text = label ? end : *text;
  return text_keep(label);
}

static bool is_over(const char *text) {
  return text[strspn(text, " \t\r")] == '\0';
}

const char *const goal_words[GOAL_KINDS] = {"send", "recv", "calc"};

/* Read the rest of an operation behind the label into OPERATION. */
static bool read_operation(const char **text, struct goal_operation *operation) {
  static const char *const ways[] = {"to", "from"};
  int64_t number, peer = -1, tag = 0;
  size_t kind = VEC_INDEX(goal_words, GOAL_KINDS, takes(text, *item));
  if (kind == GOAL_KINDS || !takes_number(text, false, &number)) {
    return false;
  }
  if (kind != GOAL_CALC &&
      (!takes(text, "b") || !takes(text, ways[kind]) || !takes_number(text, true, &peer) ||
       (takes(text, "tag") && !takes_number(text, true, &tag)))) {
    return false;
  }
  operation->kind = (enum goal_kind)kind;
  operation->size = (uint64_t)number;
  operation->peer = peer > INT_MAX ? INT_MAX : (int)peer;
  operation->tag = tag;
  return (!takes(text, "cpu") || takes_number(text, false, &number)) &&
         (kind == GOAL_CALC || !takes(text, "nic") || takes_number(text, false, &number)) && is_over(*text);
}

/* Return the code of LABEL. All labels are kept, so equal labels have one address, and no others its code. */
static uint64_t code_of(const char *label) {
  return random_mix((uint64_t)(uintptr_t)label);
}

/* End the open rank: find the operations of the requirements. */
static int end_rank(struct reader *reader) {
  struct goal *goal = reader->goal;
  for (; reader->first < goal->nrequirements; reader->first++) {
    struct goal_requirement *requirement = &goal->requirements[reader->first];
    for (unsigned i = 0; i < 2; i++) {
      size_t number = hash_find(&reader->labels, code_of(requirement->labels[i]))->number;
      if (number == 0) {
        reader->line = requirement->line;
        return REFUSE(reader, "label %s is not defined in rank %u, expected a label of the rank",
                      requirement->labels[i], reader->rank);
      }
      *(i ? &requirement->needed : &requirement->operation) = (unsigned)number - 1;
    }
  }
  hash_fini(&reader->labels);
  reader->opened = 0;
  return 0;
}

/* Read TEXT, a statement of a rank: an operation, or a requirement. */
static int read_statement(struct reader *reader, const char *text) {
  struct goal *goal = reader->goal;
  const char *at = text, *label = takes_label(&at);
  bool begins = takes(&at, "irequires");
  if (label && (begins || takes(&at, "requires"))) {
    const char *needed = takes_label(&at);
    if (needed && is_over(at)) {
      if (needed == label) {
        return REFUSE(reader, "%s requires itself, expected another operation", label);
      }
      VEC_ADD(goal->requirements, goal->nrequirements) =
        (struct goal_requirement){.line = reader->line, .at_begin = begins, .labels = {label, needed}};
      return 0;
    }
  }
  struct goal_operation operation = {.line = reader->line, .rank = reader->rank};
  bool has_label = label && takes(&at, ":");
  at = has_label ? at : text;
  if (!read_operation(&at, &operation)) {
    return REFUSE(reader, "'%.40s', expected send, recv, calc, a requirement or }",
                  text + strspn(text, " \t"));
  }
  operation.label = has_label ? label : NULL;
  if (operation.kind != GOAL_CALC &&
      (operation.peer >= (int)goal->nranks || operation.peer < -(operation.kind == GOAL_RECV))) {
    return REFUSE(reader, "peer %d, expected a rank below %u", operation.peer, goal->nranks);
  }
  if (operation.kind != GOAL_CALC && operation.size >> 32) {
    return REFUSE(reader, "%ju bytes, expected less than 4294967296", (uintmax_t)operation.size);
  }
  int64_t least = operation.kind == GOAL_RECV ? -1 : 0;
  if (operation.tag < least || operation.tag >= UINT32_MAX) {
    return REFUSE(reader, "tag %jd, expected one from %jd to 4294967294", (intmax_t)operation.tag,
                  (intmax_t)least);
  }
  struct hash_place *place = has_label ? hash_find(&reader->labels, code_of(label)) : NULL;
  if (place && place->number) {
    return REFUSE(reader, "label %s a second time, expected another one; first in line %u", label,
                  goal->operations[place->number - 1].line);
  }
  if (place) {
    hash_add(&reader->labels, place, code_of(label), goal->noperations + 1);
  }
  struct goal_rank *rank = &goal->ranks[reader->rank];
  rank->first = rank->n++ ? rank->first : goal->noperations;
  goal->counts[operation.kind]++;
  VEC_ADD(goal->operations, goal->noperations) = operation;
  return 0;
}

static int read_head(struct reader *reader, const char **text) {
  struct goal *goal = reader->goal;
  const char *at = *text;
  int64_t number = 0;
  if (!takes(&at, "num_ranks") || !takes_number(&at, false, &number) || number < 1 ||
      number > LOADED_RANKS_MAX) {
    return REFUSE(reader, "'%.40s', expected num_ranks and a number from 1 to %d", *text, LOADED_RANKS_MAX);
  }
  goal->nranks = (unsigned)number;
  goal->ranks = xcalloc(goal->nranks, sizeof *goal->ranks);
  *text = at;
  return 0;
}

static int begin_rank(struct reader *reader, const char **text) {
  const char *at = *text;
  int64_t number = 0;
  if (!takes(&at, "rank") || !takes_number(&at, false, &number) || !takes(&at, "{")) {
    return REFUSE(reader, "'%.40s', expected rank, a number and {", *text);
  }
  if (number >= reader->goal->nranks) {
    return REFUSE(reader, "rank %jd, expected one below num_ranks, which is %u", (intmax_t)number,
                  reader->goal->nranks);
  }
  reader->rank = (unsigned)number;
  unsigned *line = &reader->goal->ranks[number].line;
  if (*line) {
    return REFUSE(reader, "rank %u a second time, expected it once; first in line %u", reader->rank, *line);
  }
  *line = reader->opened = reader->line;
  *text = at;
  return 0;
}

/* Read a line of the file. A statement ends with the line. */
static int read_line(struct reader *reader, const char *text) {
  int status = 0;
  while (status == 0 && !is_over(text)) {
    if (!reader->opened) {
      status = (reader->goal->nranks ? begin_rank : read_head)(reader, &text);
    } else if (takes(&text, "}")) {
      status = end_rank(reader);
    } else {
      return read_statement(reader, text);
    }
  }
  return status;
}

/* Find the connection of each operation without a wildcard. */
static void connect(struct goal *goal) {
  struct hash known = {.n = 0};
  VEC_EACH(operation, goal->operations, goal->noperations) {
    bool sends = operation->kind == GOAL_SEND;
    operation->connection = GOAL_NONE;
    if (operation->kind == GOAL_CALC || operation->peer < 0 || operation->tag < 0) {
      goal->ranks[operation->rank].is_wild |= operation->kind == GOAL_RECV;
      continue;
    }
    unsigned peer = (unsigned)operation->peer, from = sends ? operation->rank : peer,
             to = sends ? peer : operation->rank;
    /* ranks have 16 bits, a tag 32: no other connection has the code */
    uint64_t code = random_mix((uint64_t)from << 48 | (uint64_t)to << 32 | (uint64_t)operation->tag);
    struct hash_place *place = hash_find(&known, code);
    operation->connection = (unsigned)(place->number ? place->number - 1 : goal->nconnections);
    if (!place->number) {
      hash_add(&known, place, code, goal->nconnections + 1);
      VEC_ADD(goal->connections, goal->nconnections) = (struct goal_connection){
        .from = from, .to = to, .tag = operation->tag, .next = goal->ranks[to].sources};
      goal->ranks[to].sources = (unsigned)goal->nconnections;
    }
    struct goal_connection *connection = &goal->connections[operation->connection];
    connection->nsends += sends;
    connection->nlost += sends ? 1 : -1;
    RAISE(connection->largest, sends ? operation->size : 0);
  }
  hash_fini(&known);
}

/* Chain the requirements of GOAL, and find an operation that requires itself by others. */
static int check_requirements(struct reader *reader) {
  struct goal *goal = reader->goal;
  SCOPED unsigned *ready = xcalloc(goal->noperations + 1, sizeof *ready),
                  *left = xcalloc(goal->noperations + 1, sizeof *left);
  unsigned n = 0;
  for (unsigned i = 0; i < goal->nrequirements; i++) {
    struct goal_operation *needed = &goal->operations[goal->requirements[i].needed];
    goal->requirements[i].next = needed->needs;
    needed->needs = i + 1;
    goal->operations[goal->requirements[i].operation].nwants++;
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    left[i] = goal->operations[i].nwants;
    ready[n] = i;
    n += left[i] == 0;
  }
  for (unsigned i = 0; i < n; i++) {
    for (unsigned k = goal->operations[ready[i]].needs; k; k = goal->requirements[k - 1].next) {
      ready[n] = goal->requirements[k - 1].operation;
      n += --left[ready[n]] == 0;
    }
  }
  size_t i = VEC_INDEX(left, goal->noperations, *item > 0);
  if (i == goal->noperations) {
    return 0;
  }
  reader->line = goal->operations[i].line;
  return REFUSE(reader, "%s requires itself by others, expected no cycle", goal->operations[i].label);
}

/* Let comments of TEXT, in one line or in several, become blanks. */
static void blank_comments(char *text) {
  for (char *at = strchr(text, '/'); at; at = strchr(at, '/')) {
    const char *close = at[1] == '*' ? strstr(at + 2, "*/") : NULL;
    size_t n = close ? (size_t)(close + 2 - at) : at[1] == '/' ? strcspn(at, "\n") : strlen(at);
    if (at[1] != '/' && at[1] != '*') {
      at++;
      continue;
    }
    for (; n > 0; n--, at++) {
      *at = *at == '\n' ? '\n' : ' ';
    }
  }
}

struct loaded *goal_read(const char *path, const char *text, size_t nbytes, struct err *err) {
  struct reader reader = {.goal = xcalloc(1, sizeof *reader.goal), .loading = {path, err}};
  struct loaded *loaded = &reader.goal->loaded;
  SCOPED char *copy = xcalloc(nbytes + 1, 1);
  char *at = copy;
  loaded->form = &goal_form;
  memcpy(copy, text, nbytes);
  blank_comments(copy);
  int status = 0;
  while (status == 0 && at) {
    char *line = strsep(&at, "\n");
    reader.line++;
    status = read_line(&reader, line);
  }
  if (status == 0 && memchr(text, 0, nbytes)) {
    status = REFUSE(&reader, "a byte 0, expected text");
  }
  if (status == 0 && (reader.opened || reader.goal->nranks == 0)) {
    reader.line = reader.opened ? reader.opened : 1;
    status = reader.opened ? REFUSE(&reader, "rank %u is not closed, expected }", reader.rank)
                           : REFUSE(&reader, "no statement, expected num_ranks");
  }
  status = status == 0 ? check_requirements(&reader) : status;
  hash_fini(&reader.labels);
  if (status != 0) {
    loaded_free(loaded);
    return NULL;
  }
  connect(reader.goal);
  loaded->judgement = goal_judge(loaded);
  return loaded;
}

void goal_free(struct loaded *loaded) {
  struct goal *goal = (struct goal *)loaded;
  free(goal->operations);
  free(goal->requirements);
  free(goal->ranks);
  free(goal->connections);
  free(goal->names);
  free(goal);
}
