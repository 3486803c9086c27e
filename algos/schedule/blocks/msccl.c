/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithm files of MSCCL: XML with the elements algo, gpu, tb, step, one inside the other. Unknown elements
 * and attributes are passed over, as in RCCL. Source: ROCm/rccl, msccl_parser.cc. */
#include "algos/schedule/blocks/blocks.h"

#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_read.h"

#include <stdlib.h>
#include <string.h>

/* The number of elements around a step, with the step. */
enum { LEVELS = 4 };

static const char *const elements[LEVELS] = {"algo", "gpu", "tb", "step"};

struct reader {
  struct blocks *schedule;
  struct blocks_place place;
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
#define REFUSE(reader, ...) blocks_refuse(&(reader)->place, (unsigned)(reader)->start->line, __VA_ARGS__)

/* Find TEXT among the words of FIELD, for NUMBER. */
static int read_word(const struct reader *reader, const struct field *field, struct xml_slice text,
                     int64_t *number) {
  size_t i = 0;
  while (field->words[i] &&
         (strncmp(field->words[i], text.at, text.n) != 0 || field->words[i][text.n] != '\0')) {
    i++;
  }
  *number = (int64_t)i;
  if (field->words[i]) {
    return 0;
  }
  char *list = NULL;
  for (i = 0; field->words[i]; i++) {
    xappend(&list, " %s", field->words[i]);
  }
  int n = text.n < 40 ? (int)text.n : 40;
  REFUSE(reader, "%s is \"%.*s\", expected one of%s", field->name, n, text.at, list);
  free(list);
  return -1;
}

static int read_number(const struct reader *reader, const struct field *field, struct xml_slice text,
                       int64_t *number) {
  size_t sign = text.n > 0 && *text.at == '-';
  int64_t value = 0;
  bool is_number = text.n > sign;
  for (size_t i = sign; is_number && i < text.n; i++) {
    is_number = text.at[i] >= '0' && text.at[i] <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
                !__builtin_add_overflow(value, text.at[i] - '0', &value);
  }
  *number = sign ? -value : value;
  int n = text.n < 40 ? (int)text.n : 40;
  return !is_number ? REFUSE(reader, "%s is \"%.*s\", expected a whole number", field->name, n, text.at)
         : *number < field->least ? REFUSE(reader, "%s is %.*s, expected at least %jd", field->name, n,
                                           text.at, (intmax_t)field->least)
         : *number > field->most ? REFUSE(reader, "%s is %.*s, expected at most %jd", field->name, n, text.at,
                                          (intmax_t)field->most)
                                 : 0;
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

#define READ_FIELDS(reader, fields) read_fields(reader, fields, sizeof fields / sizeof *fields)

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
                                 NUMBER("ngpus", 1, BLOCKS_RANKS_MAX, &schedule->nranks),
                                 WORD("coll", words, &schedule->collective),
                                 NUMBER("inplace", 0, INT_MAX, &in_place),
                                 NEWER("outofplace", INT_MAX, &out_of_place),
                                 SIZE("minBytes", &schedule->least_bytes),
                                 SIZE("maxBytes", &schedule->most_bytes)};
  if (READ_FIELDS(reader, fields) != 0) {
    return -1;
  }
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
  struct blocks_rank *rank = VEC_REACH(schedule->ranks, schedule->nfound, reader->gpu);
  if (rank->line != 0) {
    return REFUSE(reader, "gpu %u a second time, expected it once; first in line %u", reader->gpu,
                  rank->line);
  }
  *rank = read;
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
  bool is_known = false;
  reader->start = start;
  reader->place.err = err;
  for (size_t i = 0; i < LEVELS; i++) {
    is_known |= strcmp(start->name, elements[i]) == 0;
  }
  if (reader->unknown > 0 || (!is_known && reader->level > 0)) {
    if (reader->unknown++ == 0 && reader->schedule->nignored++ == 0) {
      xappend(&reader->schedule->ignored, "%.40s in %s", start->name, around);
    }
    return 0;
  }
  if (reader->level == LEVELS || strcmp(start->name, elements[reader->level]) != 0) {
    return REFUSE(reader, "element %.40s in %s, expected %s", start->name, around,
                  reader->level < LEVELS ? elements[reader->level] : "none");
  }
  return starts[reader->level++](reader);
}

static void end(void *context) {
  struct reader *reader = context;
  *(reader->unknown > 0 ? &reader->unknown : &reader->level) -= 1;
}

struct blocks *msccl_read(const char *path, const char *text, size_t nbytes, struct err *err) {
  struct reader reader = {.schedule = xcalloc(1, sizeof *reader.schedule), .place = {path, NULL}};
  const struct xml_source source = {.path = path, .data = text, .nbytes = nbytes, .with_type = true};
  const struct xml_visitor visitor = {.context = &reader, .begin = begin, .end = end};
  if (xml_scan(&source, &visitor, err) != 0 || blocks_check(reader.schedule, path, err) != 0) {
    blocks_free(reader.schedule);
    return NULL;
  }
  return reader.schedule;
}
