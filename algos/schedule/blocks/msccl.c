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
  int64_t number;           /* result; of a word the place */
};

#define NUMBER(name, least, most) \
  { name, least, most, NULL, false, 0 }
#define NEWER(name, most) \
  { name, 0, most, NULL, true, 0 }
#define WORD(name, words) \
  { name, 0, 0, words, false, 0 }
#define REFUSE(reader, ...) blocks_refuse(&(reader)->place, (unsigned)(reader)->start->line, __VA_ARGS__)

/* Find TEXT among the words of FIELD. */
static int read_word(const struct reader *reader, struct field *field, struct xml_slice text) {
  size_t i = 0;
  while (field->words[i] &&
         (strncmp(field->words[i], text.at, text.n) != 0 || field->words[i][text.n] != '\0')) {
    i++;
  }
  field->number = (int64_t)i;
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

static int read_number(const struct reader *reader, struct field *field, struct xml_slice text) {
  size_t sign = text.n > 0 && *text.at == '-';
  int64_t value = 0;
  bool is_number = text.n > sign;
  for (size_t i = sign; is_number && i < text.n; i++) {
    is_number = text.at[i] >= '0' && text.at[i] <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
                !__builtin_add_overflow(value, text.at[i] - '0', &value);
  }
  field->number = sign ? -value : value;
  int n = text.n < 40 ? (int)text.n : 40;
  return !is_number ? REFUSE(reader, "%s is \"%.*s\", expected a whole number", field->name, n, text.at)
         : field->number < field->least ? REFUSE(reader, "%s is %.*s, expected at least %jd", field->name, n,
                                                 text.at, (intmax_t)field->least)
         : field->number > field->most  ? REFUSE(reader, "%s is %.*s, expected at most %jd", field->name, n,
                                                 text.at, (intmax_t)field->most)
                                        : 0;
}

/* Read the FIELDS of the present element up to one without a name. */
static int read_fields(const struct reader *reader, struct field *fields) {
  for (struct field *field = fields; field->name; field++) {
    struct xml_slice text = xml_start_value(reader->start, field->name);
    if (!text.at && field->is_newer) {
      field->number = field->least;
      xappend(&reader->schedule->missing, " %s", field->name);
    } else if (!text.at) {
      return REFUSE(reader, "%s without attribute %s, expected one", reader->start->name, field->name);
    } else if ((field->words ? read_word : read_number)(reader, field, text) != 0) {
      return -1;
    }
  }
  return 0;
}

/* --- elements --- */

static int start_algo(struct reader *reader) {
  static const char *const protocols[] = {"Simple", "LL", "LL128", NULL};
  const char *words[BLOCKS_COLLECTIVES + 1] = {NULL};
  for (size_t i = 0; i < BLOCKS_COLLECTIVES; i++) {
    words[i] = blocks_traits[i].word;
  }
  struct blocks *schedule = reader->schedule;
  struct field fields[] = {WORD("proto", protocols),
                           NUMBER("nchunksperloop", 1, BLOCKS_CHUNKS_MAX),
                           NUMBER("nchannels", 1, INT_MAX),
                           NUMBER("ngpus", 1, BLOCKS_RANKS_MAX),
                           WORD("coll", words),
                           NUMBER("inplace", 0, INT_MAX),
                           NEWER("outofplace", INT_MAX),
                           NEWER("minBytes", INT64_MAX),
                           NEWER("maxBytes", INT64_MAX),
                           {.name = NULL}};
  if (read_fields(reader, fields) != 0) {
    return -1;
  }
  schedule->line = (unsigned)reader->start->line;
  schedule->protocol = protocols[fields[0].number];
  schedule->nslots = fields[0].number == 0 ? 2 : 8;
  schedule->nchunks = (unsigned)fields[1].number;
  schedule->nranks = (unsigned)fields[3].number;
  schedule->collective = (enum blocks_collective)fields[4].number;
  schedule->claims[BLOCKS_IN_PLACE] = fields[5].number != 0;
  schedule->claims[BLOCKS_OUT_OF_PLACE] = fields[6].number != 0 || fields[5].number == 0;
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  bool by_rank =
    !traits->root_only && (traits->from == FROM_BLOCK || (traits->from == FROM_ALL && traits->is_block));
  return by_rank && traits->has_result && schedule->nchunks % schedule->nranks != 0
           ? REFUSE(reader, "nchunksperloop is %u, expected a multiple of the %u ranks", schedule->nchunks,
                    schedule->nranks)
           : 0;
}

static int start_gpu(struct reader *reader) {
  struct blocks *schedule = reader->schedule;
  struct field fields[] = {NUMBER("i_chunks", 0, BLOCKS_CHUNKS_MAX),
                           NUMBER("o_chunks", 0, BLOCKS_CHUNKS_MAX),
                           NUMBER("s_chunks", 0, BLOCKS_CHUNKS_MAX),
                           NUMBER("id", 0, INT_MAX),
                           {.name = NULL}};
  if (read_fields(reader, fields) != 0) {
    return -1;
  }
  reader->gpu = (unsigned)fields[BUFFER_COUNT].number;
  if (reader->gpu >= schedule->nranks) {
    return REFUSE(reader, "gpu %u, expected one below ngpus, which is %u", reader->gpu, schedule->nranks);
  }
  struct blocks_rank *rank = VEC_REACH(schedule->ranks, schedule->nfound, reader->gpu);
  if (rank->line != 0) {
    return REFUSE(reader, "gpu %u a second time, expected it once; first in line %u", reader->gpu,
                  rank->line);
  }
  rank->line = (unsigned)reader->start->line;
  for (unsigned i = 0; i < BUFFER_COUNT; i++) {
    rank->nchunks[i] = (unsigned)fields[i].number;
  }
  return 0;
}

static int start_tb(struct reader *reader) {
  struct blocks *schedule = reader->schedule;
  struct field fields[] = {NUMBER("send", -1, INT_MAX),
                           NUMBER("recv", -1, INT_MAX),
                           NUMBER("chan", -1, INT_MAX),
                           NUMBER("id", 0, INT_MAX),
                           {.name = NULL}};
  if (read_fields(reader, fields) != 0) {
    return -1;
  }
  for (unsigned i = 0; i < 2; i++) {
    const char *name = fields[i].name;
    int peer = (int)fields[i].number;
    if (peer >= 0 && ((unsigned)peer >= schedule->nranks || (unsigned)peer == reader->gpu)) {
      return REFUSE(reader, "%s is %d%s, expected another rank below %u, or -1", name, peer,
                    (unsigned)peer == reader->gpu ? ", the rank itself" : "", schedule->nranks);
    }
    if (peer >= 0 && fields[2].number < 0) {
      return REFUSE(reader, "chan is -1, expected a channel, since the tb has a %s peer", name);
    }
  }
  VEC_ADD(schedule->blocks, schedule->nblocks) = (struct block){.rank = reader->gpu,
                                                                .number = (unsigned)fields[3].number,
                                                                .line = (unsigned)reader->start->line,
                                                                .send = (int)fields[0].number,
                                                                .receive = (int)fields[1].number,
                                                                .channel = (int)fields[2].number,
                                                                .first = schedule->nsteps,
                                                                .in = BLOCKS_NONE,
                                                                .out = BLOCKS_NONE};
  return 0;
}

static int start_step(struct reader *reader) {
  static const char *const buffers[] = {"i", "o", "s", NULL};
  const char *words[STEP_COUNT + 1] = {NULL};
  for (size_t i = 0; i < STEP_COUNT; i++) {
    words[i] = step_traits[i].word;
  }
  struct blocks *schedule = reader->schedule;
  struct block *block = &schedule->blocks[schedule->nblocks - 1];
  struct field fields[] = {NUMBER("s", 0, INT_MAX),
                           WORD("type", words),
                           WORD("srcbuf", buffers),
                           NUMBER("srcoff", -1, INT_MAX),
                           WORD("dstbuf", buffers),
                           NUMBER("dstoff", -1, INT_MAX),
                           NUMBER("cnt", 0, BLOCKS_CHUNKS_MAX),
                           NUMBER("depid", -1, INT_MAX),
                           NUMBER("deps", -1, INT_MAX),
                           NUMBER("hasdep", 0, INT_MAX),
                           {.name = NULL}};
  if (read_fields(reader, fields) != 0) {
    return -1;
  }
  enum step_kind kind = (enum step_kind)fields[1].number;
  const struct step_traits *traits = &step_traits[kind];
  if ((traits->sends && block->send < 0) || (traits->receives && block->receive < 0)) {
    bool sends = traits->sends && block->send < 0;
    return REFUSE(reader, "type %s %s, expected a %s peer of tb %u", traits->word,
                  sends ? "sends" : "receives", sends ? "send" : "recv", block->number);
  }
  if (fields[6].number == 0 && kind != STEP_nop) {
    return REFUSE(reader, "cnt is 0, expected at least 1");
  }
  VEC_ADD(schedule->steps, schedule->nsteps) =
    (struct block_step){.kind = kind,
                        .line = (unsigned)reader->start->line,
                        .number = (unsigned)fields[0].number,
                        .src = {(enum block_buffer)fields[2].number, (int)fields[3].number},
                        .dst = {(enum block_buffer)fields[4].number, (int)fields[5].number},
                        .count = kind == STEP_nop ? 0 : (unsigned)fields[6].number,
                        .dep_block = (int)fields[7].number,
                        .dep_step = (int)fields[8].number,
                        .is_published = fields[9].number != 0,
                        .sender = BLOCKS_NONE};
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
