/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithm files of MSCCL: XML with the elements algo, gpu, tb, step, one inside the other. Unknown elements
 * and attributes are passed over, as in RCCL. Behind the last element the form of the schedule is checked.
 * Source: ROCm/rccl, msccl_parser.cc. */
#include "algos/schedule/blocks/blocks.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct step_traits step_traits[STEP_COUNT] = {
#define STEP(word, ...) {#word, __VA_ARGS__},
#include "algos/schedule/blocks/steps.def"
};

const struct blocks_traits blocks_traits[BLOCKS_COLLECTIVES] = {
#define COLLECTIVE(word, played, root_only, is_block, from, is_own) \
  {#word, true, root_only, is_block, FROM_##from, is_own, COLL_##played},
#define NO_RESULT(name) {.word = #name},
#include "algos/schedule/blocks/collectives.def"
};

void blocks_free(struct loaded *loaded) {
  struct blocks *schedule = (struct blocks *)loaded;
  free(schedule->ranks);
  free(schedule->blocks);
  free(schedule->steps);
  free(schedule->connections);
  free(schedule->missing);
  free(schedule->ignored);
  free(schedule->names);
  free(schedule);
}

/* --- blocks and steps of a rank --- */

/* Order blocks by rank and number. */
static int compare_blocks(const void *a, const void *b) {
  const struct block *left = a, *right = b;
  uint64_t key = (uint64_t)left->rank << 32 | left->number,
           other = (uint64_t)right->rank << 32 | right->number;
  return key < other ? -1 : key > other;
}

/* Give each rank the blocks of the rank, with the numbers 0, 1, 2 ... */
static int check_blocks(struct blocks *schedule, const struct loading *loading) {
  if (schedule->nblocks) {
    qsort(schedule->blocks, schedule->nblocks, sizeof *schedule->blocks, compare_blocks);
  }
  for (unsigned i = 0; i < schedule->nblocks; i++) {
    const struct block *block = &schedule->blocks[i];
    struct blocks_rank *rank = &schedule->ranks[block->rank];
    if (block->number < rank->nblocks) {
      return loading_refuse(loading, block->line, "tb %u of gpu %u a second time, expected it once",
                            block->number, block->rank);
    }
    if (block->number > rank->nblocks) {
      return loading_refuse(loading, rank->line, "gpu %u has tb %u, expected also a tb %u", block->rank,
                            block->number, rank->nblocks);
    }
    rank->first = rank->nblocks++ ? rank->first : i;
    for (size_t k = 0; k < block->nsteps; k++) {
      schedule->steps[block->first + k].block = i;
    }
  }
  return 0;
}

/* Check for missing ranks, and for chunks beyond a bounded room. */
static int check_ranks(struct blocks *schedule, const struct loading *loading) {
  size_t missing = VEC_INDEX(schedule->ranks, schedule->nranks, item->line == 0);
  if (missing < schedule->nranks) {
    return loading_refuse(loading, schedule->line,
                          "%u elements gpu, expected ngpus, which is %u; the first one missing is gpu %zu",
                          schedule->nfound, schedule->nranks, missing);
  }
  uint64_t nchunks = 0;
  VEC_EACH(rank, schedule->ranks, schedule->nranks) {
    for (unsigned b = 0; b < BUFFER_COUNT; b++) {
      rank->room[b] = MAX(rank->nchunks[b], schedule->natural[b]);
      nchunks += rank->room[b];
    }
  }
  VEC_EACH(step, schedule->steps, schedule->nsteps) {
    nchunks += step->count;
  }
  return nchunks > BLOCKS_CHUNKS_MAX
           ? loading_refuse(loading, schedule->line,
                            "%ju chunks in all buffers and steps, expected at most %d", (uintmax_t)nchunks,
                            BLOCKS_CHUNKS_MAX)
           : 0;
}

/* Check the place of chunks NAME of STEP in the buffer. */
static int check_chunks(struct blocks *schedule, const struct loading *loading, const struct block_step *step,
                        const char *name) {
  const struct block_chunks *chunks = *name == 's' ? &step->src : &step->dst;
  unsigned room = schedule->ranks[schedule->blocks[step->block].rank].room[chunks->buffer];
  int64_t end = (int64_t)chunks->offset + step->count;
  if (!schedule->beyond && chunks->buffer != BUFFER_SCRATCH && end > schedule->natural[chunks->buffer]) {
    schedule->beyond = step;
    schedule->beyond_buffer = chunks->buffer;
  }
  return chunks->offset >= 0 && end <= room
           ? 0
           : loading_refuse(loading, step->line,
                            "%s: chunks %d to %jd of buffer %c, expected some of the %u that it has", name,
                            chunks->offset, (intmax_t)end - 1, BUFFER_LETTERS[chunks->buffer], room);
}

static int check_dependency(const struct blocks *schedule, const struct loading *loading, size_t index) {
  const struct block_step *step = &schedule->steps[index];
  const struct block *block = &schedule->blocks[step->block];
  const struct blocks_rank *rank = &schedule->ranks[block->rank];
  if (step->dep_block < 0) {
    return 0;
  }
  if ((unsigned)step->dep_block >= rank->nblocks) {
    return loading_refuse(loading, step->line, "depid is %d, expected a block of gpu %u, 0 to %u",
                          step->dep_block, block->rank, rank->nblocks - 1);
  }
  const struct block *other = &schedule->blocks[rank->first + (unsigned)step->dep_block];
  if (step->dep_step < 0 || (unsigned)step->dep_step >= other->nsteps) {
    return loading_refuse(loading, step->line, "deps is %d, expected one of the %zu steps of tb %d",
                          step->dep_step, other->nsteps, step->dep_block);
  }
  return other == block && (size_t)step->dep_step >= index - block->first
           ? loading_refuse(loading, step->line,
                            "step %zu of tb %u depends on step %d of itself, expected a step before",
                            index - block->first, block->number, step->dep_step)
           : 0;
}

/* --- connections --- */

/* An end of a connection in a block; the number of steps at the end, and the last one. */
struct end {
  unsigned from, to, channel; /* ranks */
  unsigned receives, block;
  size_t n, last;
};

/* Order ends by connection, the sender first. */
static int compare_ends(const void *a, const void *b) {
  const unsigned *left = a, *right = b;
  size_t i = 0;
  while (i < offsetof(struct end, n) / sizeof *left && left[i] == right[i]) {
    i++;
  }
  return left[i] < right[i] ? -1 : 1;
}

/* Return the N ends in use, sorted.
 * owner: the caller. */
static struct end *find_ends(const struct blocks *schedule, size_t *n) {
  struct end *ends = xcalloc(2 * schedule->nblocks + 1, sizeof *ends);
  for (unsigned i = 0; i < schedule->nblocks; i++) {
    const struct block *block = &schedule->blocks[i];
    unsigned rank = block->rank, channel = (unsigned)block->channel;
    ends[2 * i] = (struct end){rank, (unsigned)block->send, channel, false, i, 0, 0};
    ends[2 * i + 1] = (struct end){(unsigned)block->receive, rank, channel, true, i, 0, 0};
  }
  for (unsigned i = 0; i < schedule->nsteps; i++) {
    const struct step_traits *traits = &step_traits[schedule->steps[i].kind];
    for (unsigned receives = 0; receives < 2; receives++) {
      struct end *end = &ends[2 * schedule->steps[i].block + receives];
      if (receives ? traits->receives : traits->sends) {
        end->n++;
        end->last = i;
      }
    }
  }
  *n = 0;
  for (size_t i = 0; i < 2 * schedule->nblocks; i++) {
    ends[*n] = ends[i];
    *n += ends[i].n > 0;
  }
  qsort(ends, *n, sizeof *ends, compare_ends);
  return ends;
}

/* Connect the N ends ENDS, at least one, all of one connection. */
static int connect_ends(struct blocks *schedule, const struct loading *loading, const struct end *ends,
                        size_t n) {
  const struct end *last = &ends[n - 1];
  size_t counts[] = {ends->receives ? 0 : ends->n, last->receives ? last->n : 0};
  const char *name = text_brief("on channel %u from rank %u to rank %u", ends->channel, ends->from, ends->to);
  for (size_t i = 1; i < n; i++) {
    if (ends[i].receives == ends[i - 1].receives) {
      const struct block *block = &schedule->blocks[ends[i].block];
      return loading_refuse(loading, block->line, "tb %u %s %s, as tb %u does, expected one tb",
                            block->number, ends[i].receives ? "receives" : "sends", name,
                            schedule->blocks[ends[i - 1].block].number);
    }
  }
  if (counts[0] != counts[1]) {
    return loading_refuse(loading, schedule->steps[ends->last].line,
                          "%s: %zu steps send, %zu receive, expected equal numbers", name, counts[0],
                          counts[1]);
  }
  struct block *from = &schedule->blocks[ends->block], *to = &schedule->blocks[last->block];
  const struct block_step *send = &schedule->steps[from->first];
  struct block_step *receive = &schedule->steps[to->first];
  for (size_t k = 0; k < ends->n; k++, send++, receive++) {
    while (!step_traits[send->kind].sends) {
      send++;
    }
    while (!step_traits[receive->kind].receives) {
      receive++;
    }
    receive->sender = (unsigned)(send - schedule->steps);
    if (send->count != receive->count) {
      return loading_refuse(loading, receive->line,
                            "%s: message %zu is received with %u chunks, expected %u as sent", name, k,
                            receive->count, send->count);
    }
  }
  from->out = to->in = (unsigned)schedule->nconnections;
  VEC_ADD(schedule->connections, schedule->nconnections) = (struct connection){ends->block, last->block};
  return 0;
}

static int check_connections(struct blocks *schedule, const struct loading *loading) {
  size_t n, behind;
  SCOPED struct end *ends = find_ends(schedule, &n);
  for (size_t i = 0; i < n; i = behind) {
    behind = i + VEC_INDEX(ends + i, n - i, memcmp(item, &ends[i], offsetof(struct end, receives)) != 0);
    if (connect_ends(schedule, loading, &ends[i], behind - i) != 0) {
      return -1;
    }
  }
  return 0;
}

/* Check the form of SCHEDULE; sort the blocks; find connections and senders.
 * errors: PATH:LINE: found and expected. */
static int check(struct blocks *schedule, const struct loading *loading) {
  if (check_ranks(schedule, loading) != 0 || check_blocks(schedule, loading) != 0) {
    return -1;
  }
  for (size_t i = 0; i < schedule->nsteps; i++) {
    const struct block_step *step = &schedule->steps[i];
    const struct step_traits *traits = &step_traits[step->kind];
    schedule->takes_input |= traits->writes && step->dst.buffer == BUFFER_INPUT;
    if ((traits->reads_src && check_chunks(schedule, loading, step, "src") != 0) ||
        (traits->writes && check_chunks(schedule, loading, step, "dst") != 0) ||
        check_dependency(schedule, loading, i) != 0) {
      return -1;
    }
  }
  return check_connections(schedule, loading);
}

/* --- the reader --- */

/* The number of elements around a step, with the step. */
enum { LEVELS = 4 };

static const char *const elements[LEVELS] = {"algo", "gpu", "tb", "step"};

struct reader {
  struct blocks *schedule;
  struct loading loading;
  const struct xml_start *start; /* of the element under inspection */
  unsigned gpu;                  /* of the open element */
  unsigned level;                /* known elements now open */
  unsigned unknown;              /* elements now open from an unknown one on */
};

/* An attribute: one of WORDS, or a number from LEAST to MOST. */
struct field {
  const char *name;
  int64_t least, most;
  const char *const *words; /* the last one is NULL; NULL: a number */
  bool is_newer;            /* older files lack the attribute: the number is LEAST then */
  void *into;               /* result, an int or unsigned; of a word the place; NULL: not wanted */
  int64_t *size;            /* the same of a number of bytes */
};

#define NUMBER(name, least, most, into) \
  { name, least, most, NULL, false, into, NULL }
#define NEWER(name, most, into) \
  { name, 0, most, NULL, true, into, NULL }
#define SIZE(name, into) \
  { name, 0, INT64_MAX, NULL, true, NULL, into }
#define WORD(name, words, into) \
  { name, 0, 0, words, false, into, NULL }
#define REFUSE(reader, ...) loading_refuse(&(reader)->loading, (unsigned)(reader)->start->line, __VA_ARGS__)

/* Find TEXT among the words of FIELD, for NUMBER. */
static int read_word(const struct reader *reader, const struct field *field, struct xml_slice text,
                     int64_t *number) {
  SCOPED char *list = NULL;
  for (const char *const *word = field->words; *word; word++) {
    if (strncmp(*word, text.at, text.n) == 0 && (*word)[text.n] == '\0') {
      *number = word - field->words;
      return 0;
    }
  }
  for (const char *const *word = field->words; *word; word++) {
    xappend(&list, " %s", *word);
  }
  int n = text.n < 40 ? (int)text.n : 40;
  return REFUSE(reader, "%s is \"%.*s\", expected one of%s", field->name, n, text.at, list);
}

static int read_number(const struct reader *reader, const struct field *field, struct xml_slice text,
                       int64_t *number) {
  char *end; /* behind the value stands a quote or a 0 */
  errno = 0;
  *number = strtoll(text.at, &end, 10);
  int n = text.n < 40 ? (int)text.n : 40;
  if (errno != 0 || text.n == 0 || end != text.at + text.n || isspace((unsigned char)*text.at) ||
      *text.at == '+') {
    return REFUSE(reader, "%s is \"%.*s\", expected a whole number", field->name, n, text.at);
  }
  bool is_few = *number < field->least;
  if (is_few || *number > field->most) {
    return REFUSE(reader, "%s is %.*s, expected at %s %jd", field->name, n, text.at,
                  is_few ? "least" : "most", (intmax_t)(is_few ? field->least : field->most));
  }
  return 0;
}

/* Read the N FIELDS of the present element. */
static int read_fields(const struct reader *reader, const struct field *fields, size_t n) {
  for (const struct field *field = fields; field < fields + n; field++) {
    struct xml_slice text = xml_start_value(reader->start, field->name);
    int64_t number = field->least;
    if (!text.at && field->is_newer) {
      xappend(&reader->schedule->missing, " %s", field->name);
    } else if (!text.at) {
      return REFUSE(reader, "%s without attribute %s, expected one", reader->start->name, field->name);
    } else if ((field->words ? read_word : read_number)(reader, field, text, &number) != 0) {
      return -1;
    }
    if (field->into) {
      memcpy(field->into, &(int){(int)number}, sizeof(int));
    }
    if (field->size) {
      *field->size = number;
    }
  }
  return 0;
}

#define READ_FIELDS(reader, fields) read_fields(reader, fields, VEC_LENGTH(fields))

/* --- elements --- */

static int start_algo(struct reader *reader) {
  static const char *const protocols[] = {"Simple", "LL", "LL128", NULL};
  static const char *const words[] = {
#define COLLECTIVE(word, ...) #word,
#define NO_RESULT(word) #word,
#include "algos/schedule/blocks/collectives.def"
    NULL};
  struct blocks *schedule = reader->schedule;
  int protocol, in_place, out_of_place;
  const struct field fields[] = {WORD("proto", protocols, &protocol),
                                 NUMBER("nchunksperloop", 1, BLOCKS_CHUNKS_MAX, &schedule->nchunks),
                                 NUMBER("nchannels", 1, INT_MAX, NULL),
                                 NUMBER("ngpus", 1, LOADED_RANKS_MAX, &schedule->nranks),
                                 WORD("coll", words, &schedule->collective),
                                 NUMBER("inplace", 0, INT_MAX, &in_place),
                                 NEWER("outofplace", INT_MAX, &out_of_place),
                                 SIZE("minBytes", &schedule->least_bytes),
                                 SIZE("maxBytes", &schedule->most_bytes)};
  if (READ_FIELDS(reader, fields) != 0) {
    return -1;
  }
  schedule->ranks = xcalloc(schedule->nranks, sizeof *schedule->ranks);
  schedule->line = (unsigned)reader->start->line;
  schedule->protocol = protocols[protocol];
  schedule->nslots = protocol == 0 ? 2 : 8;
  schedule->claims[BLOCKS_IN_PLACE] = in_place != 0;
  schedule->claims[BLOCKS_OUT_OF_PLACE] = out_of_place != 0 || in_place == 0;
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  schedule->each = schedule->nchunks / schedule->nranks;
  schedule->natural[BUFFER_INPUT] = blocks_joins(traits) ? schedule->each : schedule->nchunks;
  schedule->natural[BUFFER_OUTPUT] = traits->is_block ? schedule->each : schedule->nchunks;
  bool by_rank = traits->from == FROM_BLOCK || traits->is_block;
  return by_rank && traits->has_result && schedule->nchunks % schedule->nranks != 0
           ? REFUSE(reader, "nchunksperloop is %u, expected a multiple of the %u ranks", schedule->nchunks,
                    schedule->nranks)
           : 0;
}

static int start_gpu(struct reader *reader) {
  struct blocks *schedule = reader->schedule;
  struct blocks_rank read = {.line = (unsigned)reader->start->line};
  const struct field fields[] = {NUMBER("i_chunks", 0, BLOCKS_CHUNKS_MAX, &read.nchunks[BUFFER_INPUT]),
                                 NUMBER("o_chunks", 0, BLOCKS_CHUNKS_MAX, &read.nchunks[BUFFER_OUTPUT]),
                                 NUMBER("s_chunks", 0, BLOCKS_CHUNKS_MAX, &read.nchunks[BUFFER_SCRATCH]),
                                 NUMBER("id", 0, INT_MAX, &reader->gpu)};
  if (READ_FIELDS(reader, fields) != 0) {
    return -1;
  }
  if (reader->gpu >= schedule->nranks) {
    return REFUSE(reader, "gpu %u, expected one below ngpus, which is %u", reader->gpu, schedule->nranks);
  }
  struct blocks_rank *rank = &schedule->ranks[reader->gpu];
  if (rank->line != 0) {
    return REFUSE(reader, "gpu %u a second time, expected it once; first in line %u", reader->gpu,
                  rank->line);
  }
  *rank = read;
  schedule->nfound++;
  return 0;
}

static int start_tb(struct reader *reader) {
  struct blocks *schedule = reader->schedule;
  struct block block = {.rank = reader->gpu,
                        .line = (unsigned)reader->start->line,
                        .first = schedule->nsteps,
                        .in = BLOCKS_NONE,
                        .out = BLOCKS_NONE};
  const struct field fields[] = {
    NUMBER("send", -1, INT_MAX, &block.send), NUMBER("recv", -1, INT_MAX, &block.receive),
    NUMBER("chan", -1, INT_MAX, &block.channel), NUMBER("id", 0, INT_MAX, &block.number)};
  if (READ_FIELDS(reader, fields) != 0) {
    return -1;
  }
  for (unsigned i = 0; i < 2; i++) {
    int peer = i ? block.receive : block.send;
    if (peer >= 0 && ((unsigned)peer >= schedule->nranks || (unsigned)peer == reader->gpu)) {
      return REFUSE(reader, "%s is %d%s, expected another rank below %u, or -1", fields[i].name, peer,
                    (unsigned)peer == reader->gpu ? ", the rank itself" : "", schedule->nranks);
    }
    if (peer >= 0 && block.channel < 0) {
      return REFUSE(reader, "chan is -1, expected a channel, since the tb has a %s peer", fields[i].name);
    }
  }
  VEC_ADD(schedule->blocks, schedule->nblocks) = block;
  return 0;
}

static int start_step(struct reader *reader) {
  static const char *const buffers[] = {"i", "o", "s", NULL};
  static const char *const words[] = {
#define STEP(word, ...) #word,
#include "algos/schedule/blocks/steps.def"
    NULL};
  struct blocks *schedule = reader->schedule;
  struct block *block = &schedule->blocks[schedule->nblocks - 1];
  struct block_step step = {.line = (unsigned)reader->start->line, .sender = BLOCKS_NONE};
  const struct field fields[] = {NUMBER("s", 0, INT_MAX, &step.number),
                                 WORD("type", words, &step.kind),
                                 WORD("srcbuf", buffers, &step.src.buffer),
                                 NUMBER("srcoff", -1, INT_MAX, &step.src.offset),
                                 WORD("dstbuf", buffers, &step.dst.buffer),
                                 NUMBER("dstoff", -1, INT_MAX, &step.dst.offset),
                                 NUMBER("cnt", 0, BLOCKS_CHUNKS_MAX, &step.count),
                                 NUMBER("depid", -1, INT_MAX, &step.dep_block),
                                 NUMBER("deps", -1, INT_MAX, &step.dep_step),
                                 NUMBER("hasdep", 0, INT_MAX, &step.is_published)};
  if (READ_FIELDS(reader, fields) != 0) {
    return -1;
  }
  const struct step_traits *traits = &step_traits[step.kind];
  if ((traits->sends && block->send < 0) || (traits->receives && block->receive < 0)) {
    bool sends = traits->sends && block->send < 0;
    return REFUSE(reader, "type %s %s, expected a %s peer of tb %u", traits->word,
                  sends ? "sends" : "receives", sends ? "send" : "recv", block->number);
  }
  if (step.count == 0 && step.kind != STEP_nop) {
    return REFUSE(reader, "cnt is 0, expected at least 1");
  }
  step.count = step.kind == STEP_nop ? 0 : step.count;
  VEC_ADD(schedule->steps, schedule->nsteps) = step;
  block->nsteps++;
  return 0;
}

/* --- the file --- */

static int begin(void *context, const struct xml_start *start, struct err *err) {
  static int (*const starts[LEVELS])(struct reader *) = {start_algo, start_gpu, start_tb, start_step};
  struct reader *reader = context;
  const char *around = reader->level ? elements[reader->level - 1] : "the file";
  size_t level = VEC_INDEX(elements, LEVELS, strcmp(start->name, *item) == 0);
  reader->start = start;
  reader->loading.err = err;
  if (reader->unknown > 0 || (level == LEVELS && reader->level > 0)) {
    if (reader->unknown++ == 0 && reader->schedule->nignored++ == 0) {
      xappend(&reader->schedule->ignored, "%.40s in %s", start->name, around);
    }
    return 0;
  }
  if (level != reader->level) {
    return REFUSE(reader, "element %.40s in %s, expected %s", start->name, around,
                  reader->level < LEVELS ? elements[reader->level] : "none");
  }
  return starts[reader->level++](reader);
}

static void end(void *context) {
  struct reader *reader = context;
  *(reader->unknown > 0 ? &reader->unknown : &reader->level) -= 1;
}

struct loaded *msccl_read(const char *path, const char *text, size_t nbytes, struct err *err) {
  struct reader reader = {.schedule = xcalloc(1, sizeof *reader.schedule), .loading = {path, err}};
  const struct xml_source source = {.path = path, .data = text, .nbytes = nbytes, .with_type = true};
  const struct xml_visitor visitor = {.context = &reader, .begin = begin, .end = end};
  struct loaded *loaded = &reader.schedule->loaded;
  loaded->form = &blocks_form;
  if (xml_scan(&source, &visitor, err) != 0 || check(reader.schedule, &(struct loading){path, err}) != 0) {
    loaded_free(loaded);
    return NULL;
  }
  loaded->judgement = blocks_judge(loaded);
  return loaded;
}
