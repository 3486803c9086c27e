/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_writer.h. A line has COLUMNS fields; each function below writes the fields of one kind of event,
 * from the third field on. A missing value is an empty field. */
#include "traces/viewers/trace_writer.h"

#include "sim/base/engine/des.h"
#include "sim/hw/probe.h"
#include "traces/viewers/trace_text.h"
#include "traces/trace_words.h"

enum { LETTERS = 7 };

/* A line being written: the place of the next character, and the number of columns among a to g already
 * there. */
struct line {
  char *at;
  unsigned letters;
};

/* --- fields --- */

static void put_count(struct line *line, uint64_t value) {
  line->at = trace_put_char(line->at, ',');
  line->at = trace_put_count(line->at, value);
}

/* Leave N fields empty. */
static void skip(struct line *line, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    line->at = trace_put_char(line->at, ',');
  }
}

/* Write WHO; nobody is an empty field. */
static void put_who(struct line *line, unsigned who) {
  if (who == PROBE_NOBODY) {
    skip(line, 1);
  } else {
    put_count(line, who);
  }
}

/* Write the next of a to g, a number. */
static void put(struct line *line, uint64_t value) {
  put_count(line, value);
  line->letters++;
}

static void put_peer(struct line *line, unsigned who) {
  put_who(line, who);
  line->letters++;
}

static void put_text(struct line *line, const char *word) {
  line->at = trace_put_char(line->at, ',');
  line->at = trace_put_word(line->at, word, true);
  line->letters++;
}

/* Write CAUSE as kind:who:number:offset. */
static void put_cause(struct line *line, const struct probe_cause *cause) {
  put_text(line, trace_cause_word(cause->kind));
  if (cause->kind != PROBE_BY_NOTHING) {
    line->at = trace_put_char(line->at, ':');
    line->at = trace_put_count(line->at, cause->who);
    line->at = trace_put_char(line->at, ':');
    line->at = trace_put_count(line->at, cause->number);
    line->at = trace_put_char(line->at, ':');
    line->at = trace_put_count(line->at, cause->offset);
  }
}

/* Write the description of WAIT. */
static void put_wait(struct line *line, const struct des_wait *wait) {
  char text[256];
  wait->describe(wait, text, sizeof text);
  put_text(line, text);
}

/* --- first fields of many events --- */

/* Write the fields who, number, offset and bytes of DMA, and the tag as column a. */
static void put_dma(struct line *line, const struct probe_dma *dma) {
  put_count(line, dma->spe);
  put_count(line, dma->command);
  skip(line, 1);
  put_count(line, dma->nbytes);
  put(line, dma->tag);
}

/* Write the same fields of a piece of DMA: NBYTES from OFFSET on. */
static void put_piece(struct line *line, const struct probe_dma *dma, unsigned offset, unsigned nbytes) {
  put_count(line, dma->spe);
  put_count(line, dma->command);
  put_count(line, offset);
  put_count(line, nbytes);
  put(line, dma->tag);
}

/* Write the same fields of REQUEST; the tag is the command's. */
static void put_request(struct line *line, const struct probe_request *request) {
  put_count(line, request->spe);
  put_count(line, request->command);
  put_count(line, request->offset);
  put_count(line, request->nbytes);
}

/* Write the same fields of WHO's thing NUMBER, without bytes. */
static void put_thing(struct line *line, unsigned who, uint64_t number) {
  put_who(line, who);
  put_count(line, number);
  skip(line, 2);
}

/* Write the same fields of WHO alone, without a number. */
static void put_only(struct line *line, unsigned who, uint64_t nbytes) {
  put_who(line, who);
  skip(line, 2);
  if (nbytes) {
    put_count(line, nbytes);
  } else {
    skip(line, 1);
  }
}

/* Write the same fields of MESSAGE, of N bytes; PACKET is the number of a packet of MESSAGE, or NULL. */
static void put_message(struct line *line, const struct probe_message *message, const unsigned *packet,
                        size_t n) {
  put_count(line, message->to);
  put_count(line, message->number);
  if (packet) {
    put_count(line, *packet);
  } else {
    skip(line, 1);
  }
  put_count(line, n);
}

/* Write the same fields of ATOMIC, and then the name and addresses. */
static void put_atomic(struct line *line, const struct probe_atomic *atomic) {
  put_thing(line, atomic->spe, atomic->number);
  put_text(line, atomic->what);
  put(line, atomic->ls);
  put(line, atomic->ea);
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
    put_only(line, PROBE_NOBODY, 0); \
    break;
#define DMA(name) put_dma(line, &own->name);
#define REQUEST(name) put_request(line, &own->name);
#define ATOMIC(name) put_atomic(line, &own->name);
#define MESSAGE(name) put_message(line, &own->name, NULL, own->name.nbytes);
#define PACKET(name, number, nbytes) put_message(line, &own->name, &own->number, own->nbytes);
#define PIECE(name, offset, nbytes) put_piece(line, &own->name, own->offset, own->nbytes);
#define ACTION(name) put_thing(line, own->name.who, own->name.number);
#define THING(who, number) put_thing(line, own->who, own->number);
#define ONE(who) put_only(line, own->who, 0);
#define TOUCH(who, nbytes) put_only(line, own->who, own->nbytes);
#define BYTES(nbytes) put_only(line, PROBE_NOBODY, own->nbytes);
#define NOBODY put_only(line, PROBE_NOBODY, 0);
#define FIELD(type, name) put(line, own->name);
#define INNER(name) put(line, own->name);
#define WHO(name) put_peer(line, own->name);
#define SERVER(field) put_text(line, own->field.name);
#define CAUSE(name) put_cause(line, &own->name);
#define REASON(name) put_text(line, trace_reason_word(own->name));
#define SUBJECT(name) put_text(line, trace_subject_word(own->name));
#define TEXT(name) put_text(line, own->name);
#define WAITING(name) put_wait(line, own->name);
#define COMMAND_WORD put_text(line, trace_dma_word(own));
#define OTHER(type, name)
#define ORDER(kind) \
  case PROBE_##kind: \
    break;

/* Write the fields of EVENT from the third one on. */
static void put_event(struct line *line, const struct probe_event *event) {
  switch (event->kind) {
#include "sim/hw/probe.def"
  }
}

/* --- lines --- */

void trace_csv_head(struct trace_text *text, bool nodes) {
  char *at = trace_put(trace_text_line(text), "cycle,event,who,number,offset,bytes,a,b,c,d,e,f,g");
  trace_text_end(text, trace_put(at, nodes ? ",node\n" : "\n"));
}

uint64_t trace_csv_cycle(const struct probe_event *event) {
  return event->kind == PROBE_END ? event->end.at : event->cycle;
}

void trace_csv_event(struct trace_text *text, const struct probe_event *event, bool nodes) {
  char *at = trace_put_count(trace_text_line(text), trace_csv_cycle(event));
  struct line line = {.at = trace_put(trace_put_char(at, ','), trace_event_word(event->kind))};
  put_event(&line, event);
  skip(&line, LETTERS - line.letters);
  if (nodes) {
    put_count(&line, event->node);
  }
  trace_text_end(text, trace_put_char(line.at, '\n'));
}
