/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_writer.h. A line has COLUMNS fields; each function below writes the fields of one kind of event,
 * from the third field on. A missing value is an empty field. */
#include "traces/viewers/trace_writer.h"

#include "sim/base/engine/des.h"
#include "sim/hw/watch/probe.h"
#include "traces/viewers/trace_text.h"
#include "traces/trace_words.h"

/* Fields of a line behind the cycle and the event. */
enum { HEAD = 4, LETTERS = 7 };

#define NONE UINT64_MAX /* in place of a number: an empty field */

/* A comma and the word of each kind of event. */
static const struct {
  char text[24];
  size_t length;
} words[] = {
#define EVENT(kind, word, member, head, fields) [PROBE_##kind] = {"," word, sizeof word},
#define ALSO(kind, word) [PROBE_##kind] = {"," word, sizeof word},
#define BARE(kind, word) [PROBE_##kind] = {"," word, sizeof word},
#include "sim/hw/watch/probe.def"
};

/* A line being written: the place of the next character, and the number of fields so far. */
struct line {
  char *at;
  unsigned nfields;
};

/* --- fields --- */

/* Write the next field, a number. */
static void put(struct line *line, uint64_t value) {
  line->at = trace_put_char(line->at, ',');
  line->at = value == NONE ? line->at : trace_put_count(line->at, value);
  line->nfields++;
}

/* Write the fields who, number, offset and bytes; PROBE_NOBODY is an empty field. */
static void put_head(struct line *line, const uint64_t fields[HEAD]) {
  put(line, fields[0] == PROBE_NOBODY ? NONE : fields[0]);
  put(line, fields[1]);
  put(line, fields[2]);
  put(line, fields[3]);
}

static void put_text(struct line *line, const char *word) {
  line->at = trace_put_char(line->at, ',');
  line->at = trace_put_word(line->at, word ? word : "", true);
  line->nfields++;
}

/* Write CAUSE as kind:who:number:offset. */
static void put_cause(struct line *line, const struct probe_cause *cause) {
  put_text(line, trace_cause_words[cause->kind]);
  if (cause->kind != PROBE_BY_NOTHING) {
    line->at = trace_put_field(trace_put_field(line->at, ":", cause->who), ":", cause->number);
    line->at = trace_put_field(line->at, ":", cause->offset);
  }
}

/* Write the description of WAIT. */
static void put_wait(struct line *line, const struct des_wait *wait) {
  char text[256];
  wait->describe(wait, text, sizeof text);
  put_text(line, text);
}

/* --- events --- */

/* The line of an event; `own` points to the event's fields. */
#define EVENT(kind, word, member, head, fields) \
  case PROBE_##kind: { \
    const struct probe_##member *own = &event->member; \
    head fields break; \
  }
#define ALSO(kind, word) case PROBE_##kind:
#define BARE(kind, word) \
  case PROBE_##kind: \
    NOBODY break;
#define HEAD_OF(...) put_head(line, (const uint64_t[HEAD]){__VA_ARGS__});
#define DMA(name) HEAD_OF(own->name.spe, own->name.command, NONE, own->name.nbytes) put(line, own->name.tag);
#define REQUEST(name) HEAD_OF(own->name.spe, own->name.command, own->name.offset, own->name.nbytes)
#define ATOMIC(name) \
  HEAD_OF(own->name.spe, own->name.number, NONE, NONE) put_text(line, own->name.what); \
  put(line, own->name.ls); \
  put(line, own->name.ea);
#define MESSAGE(name) HEAD_OF(own->name.to, own->name.number, NONE, own->name.nbytes)
#define PACKET(name, number, nbytes) HEAD_OF(own->name.to, own->name.number, own->number, own->nbytes)
#define PIECE(name, offset, nbytes) \
  HEAD_OF(own->name.spe, own->name.command, own->offset, own->nbytes) put(line, own->name.tag);
#define ACTION(name) HEAD_OF(own->name.who, own->name.number, NONE, NONE)
#define THING(who, number) HEAD_OF(own->who, own->number, NONE, NONE)
#define ONE(who) HEAD_OF(own->who, NONE, NONE, NONE)
#define TOUCH(who, nbytes) HEAD_OF(own->who, NONE, NONE, own->nbytes ? own->nbytes : NONE)
#define BYTES(nbytes) HEAD_OF(PROBE_NOBODY, NONE, NONE, own->nbytes ? own->nbytes : NONE)
#define NOBODY HEAD_OF(PROBE_NOBODY, NONE, NONE, NONE)
#define FIELD(type, name) put(line, own->name);
#define INNER(name) put(line, own->name);
#define WHO(name) put(line, own->name == PROBE_NOBODY ? NONE : own->name);
#define SERVER(field) put_text(line, own->field.name);
#define CAUSE(name) put_cause(line, &own->name);
#define REASON(name) put_text(line, trace_reason_words[own->name]);
#define SUBJECT(name) put_text(line, trace_subject_words[own->name]);
#define TEXT(name) put_text(line, own->name);
#define WAITING(name) put_wait(line, own->name);
#define COMMAND_WORD put_text(line, trace_dma_word(own));
#define OTHER(type, name)
#define ORDER(kind) \
  case PROBE_##kind: \
    break;

/* --- lines --- */

void trace_csv_head(struct trace_text *text, bool nodes) {
  trace_text_add(text, "cycle,event,who,number,offset,bytes,a,b,c,d,e,f,g");
  trace_text_add(text, nodes ? ",node\n" : "\n");
}

void trace_csv_event(struct trace_text *text, const struct probe_event *event, bool nodes) {
  /* when the run is over the machine has no clock any more */
  trace_text_reach(text, event->kind == PROBE_END ? event->end.at : event->cycle);
  char *at = trace_put_count(trace_text_line(text), text->at);
  memcpy(at, words[event->kind].text, sizeof words->text);
  struct line fields = {.at = at + words[event->kind].length}, *line = &fields;
  switch (event->kind) {
#include "sim/hw/watch/probe.def"
  }
  memcpy(line->at, ",,,,,,,", LETTERS);
  line->at += HEAD + LETTERS - line->nfields;
  if (nodes) {
    put(line, event->node);
  }
  trace_text_end(text, trace_put_char(line->at, '\n'));
}
