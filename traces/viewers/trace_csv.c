/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_csv.h. A line has COLUMNS fields; each function below says of which kind of event it writes the
 * fields from the third one on. What does not exist is an empty field. */
#include "traces/viewers/trace_csv.h"

#include "sim/base/des.h"
#include "sim/hw/probe.h"
#include "sim/net/net_probe.h"
#include "traces/viewers/trace_text.h"
#include "traces/viewers/trace_words.h"

enum { LETTERS = 7 };

/* A line being written: where its next character goes, and how many of the columns a to g it has. */
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

/* Write WHO, unless it is nobody. */
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

/* Write what WAIT says of itself. */
static void put_wait(struct line *line, const struct des_wait *wait) {
  char text[256];
  wait->describe(wait, text, sizeof text);
  put_text(line, text);
}

/* --- what many events begin with --- */

/* The fields who, number, offset and bytes, and as a the tag: of DMA. */
static void put_dma(struct line *line, const struct probe_dma *dma) {
  put_count(line, dma->spe);
  put_count(line, dma->command);
  skip(line, 1);
  put_count(line, dma->nbytes);
  put(line, dma->tag);
}

/* The same of REQUEST, whose tag is that of its command. */
static void put_request(struct line *line, const struct probe_request *request) {
  put_count(line, request->spe);
  put_count(line, request->command);
  put_count(line, request->offset);
  put_count(line, request->nbytes);
}

/* The same of the thing of WHO with NUMBER, which has no bytes. */
static void put_thing(struct line *line, unsigned who, uint64_t number) {
  put_who(line, who);
  put_count(line, number);
  skip(line, 2);
}

/* The same of WHO, of whom nothing is counted. */
static void put_only(struct line *line, unsigned who, uint64_t nbytes) {
  put_who(line, who);
  skip(line, 2);
  if (nbytes) {
    put_count(line, nbytes);
  } else {
    skip(line, 1);
  }
}

/* --- events --- */

static void put_enqueue(struct line *line, const struct probe_enqueue *enqueue) {
  put_dma(line, &enqueue->dma);
  put(line, enqueue->program);
  put(line, enqueue->at);
  put(line, enqueue->ls);
  put(line, enqueue->ea);
  put_text(line, trace_dma_word(enqueue));
  put(line, enqueue->is_proxy);
}

static void put_element(struct line *line, const struct probe_element *element) {
  put_count(line, element->dma.spe);
  put_count(line, element->dma.command);
  put_count(line, element->offset);
  put_count(line, element->nbytes);
  put(line, element->dma.tag);
  put(line, element->is_put);
  put(line, element->ls);
  put(line, element->ea);
  put(line, element->dma.nbytes);
}

static void put_atomic(struct line *line, const struct probe_atomic *atomic) {
  put_thing(line, atomic->spe, atomic->number);
  put_text(line, atomic->what);
  put(line, atomic->ls);
  put(line, atomic->ea);
}

/* What happens to bus requests.
 * returns: false if EVENT is something else. */
static bool put_of_request(struct line *line, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  switch (event->kind) {
  case PROBE_ISSUE:
    put_request(line, &event->issue.request);
    put(line, event->issue.chip);
    put(line, event->issue.in_flight);
    put(line, event->issue.coherent);
    return true;
  case PROBE_GRANT:
    put_request(line, &grant->request);
    put(line, grant->chip);
    put(line, grant->ring);
    put(line, grant->from);
    put(line, grant->to);
    put(line, grant->hops);
    put(line, grant->queued);
    put(line, grant->waited);
    return true;
  case PROBE_CROSS:
    put_request(line, &event->cross.request);
    put(line, event->cross.chip);
    put(line, event->cross.next_chip);
    put(line, event->cross.waited);
    return true;
  case PROBE_MEMORY:
    put_request(line, &event->memory.request);
    put(line, event->memory.chip);
    put(line, event->memory.is_write);
    put(line, event->memory.waited);
    return true;
  case PROBE_DELIVER:
    put_request(line, &event->deliver.request);
    put_peer(line, event->deliver.peer);
    put(line, event->deliver.wakes);
    put(line, event->deliver.free_at);
    return true;
  default:
    return false;
  }
}

/* What happens to commands.
 * returns: false if EVENT is something else. */
static bool put_of_command(struct line *line, const struct probe_event *event) {
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  switch (event->kind) {
  case PROBE_COMMAND:
    put_dma(line, &event->command);
    return true;
  case PROBE_COMPLETE:
    put_dma(line, &event->complete.dma);
    put(line, event->complete.wakes);
    return true;
  case PROBE_ENQUEUE:
    put_enqueue(line, &event->enqueue);
    return true;
  case PROBE_ELEMENT:
    put_element(line, &event->element);
    return true;
  case PROBE_STALL:
  case PROBE_RESUME:
    put_dma(line, &event->stall.dma);
    put(line, event->stall.ls);
    put(line, event->stall.left);
    return true;
  case PROBE_ATOMIC_ENQUEUE:
    put_atomic(line, &event->atomic_enqueue.atomic);
    put(line, event->atomic_enqueue.at);
    return true;
  case PROBE_ATOMIC_EFFECT:
    put_atomic(line, &effect->atomic);
    put(line, effect->came);
    put_peer(line, effect->keeper);
    put(line, effect->is_local);
    put(line, effect->status);
    return true;
  case PROBE_ATOMIC_COMPLETE:
    put_atomic(line, &event->atomic_complete.atomic);
    put(line, event->atomic_complete.wakes);
    return true;
  default:
    return false;
  }
}

/* When programs begin, end, call, compute and wait.
 * returns: false if EVENT is something else. */
static bool put_of_program(struct line *line, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_START:
    put_thing(line, event->start.spe, event->start.program);
    put_cause(line, &event->start.by);
    put(line, event->start.chip);
    put_text(line, event->start.name);
    put(line, event->start.at);
    return true;
  case PROBE_EXIT:
    put_thing(line, event->exit.by.who, event->exit.by.number);
    put(line, event->exit.at);
    return true;
  case PROBE_ENTER:
  case PROBE_LEAVE:
    put_thing(line, event->call.program, event->call.call);
    put_peer(line, event->call.rank);
    put(line, event->call.at);
    return true;
  case PROBE_STEP:
    put_thing(line, event->step.program, event->step.step);
    put(line, event->step.at);
    return true;
  case PROBE_COMPUTE:
    put_only(line, event->compute.program, 0);
    put_text(line, trace_reason_word(event->compute.reason));
    put(line, event->compute.at);
    put(line, event->compute.cycles);
    return true;
  case PROBE_WAIT:
    put_only(line, event->wait.program, 0);
    put_text(line, trace_subject_word(event->wait.subject));
    put_wait(line, event->wait.wait);
    return true;
  case PROBE_WAKE:
    put_only(line, event->wake.program, 0);
    put_text(line, trace_subject_word(event->wake.subject));
    put(line, event->wake.since);
    put_cause(line, &event->wake.cause);
    return true;
  default:
    return false;
  }
}

/* What programs do to memories and registers, and the rest. */
static void put_of_memory(struct line *line, const struct probe_event *event) {
  const struct probe_mailbox *mailbox = &event->mailbox;
  switch (event->kind) {
  case PROBE_SIGNAL:
    put_thing(line, event->signal.peer, event->signal.number);
    put_cause(line, &event->signal.by);
    put(line, event->signal.old);
    put(line, event->signal.value);
    put(line, event->signal.full);
    put(line, event->signal.combines);
    break;
  case PROBE_MAILBOX:
    put_only(line, mailbox->spe, 0);
    put_cause(line, &mailbox->by);
    put(line, mailbox->which);
    put(line, mailbox->is_write);
    put(line, mailbox->value);
    put(line, mailbox->words);
    break;
  case PROBE_COPY:
    put_only(line, PROBE_NOBODY, event->copy.nbytes);
    put_cause(line, &event->copy.by);
    put(line, event->copy.to);
    put(line, event->copy.from);
    break;
  case PROBE_STORE:
  case PROBE_LOAD:
  case PROBE_FLAGS:
    put_only(line, event->touch.spe, event->touch.nbytes);
    put(line, event->touch.at);
    put(line, event->touch.ls);
    break;
  case PROBE_PPE_STORE:
  case PROBE_PPE_LOAD:
    put_only(line, event->ppe_touch.program, event->ppe_touch.nbytes);
    put(line, event->ppe_touch.ea);
    break;
  case PROBE_FAULT:
    put_only(line, event->fault.spe, 0);
    put_cause(line, &event->fault.by);
    put_text(line, event->fault.text);
    break;
  case PROBE_END:
    put_only(line, PROBE_NOBODY, 0);
    put(line, event->end.at);
    break;
  default:
    put_only(line, PROBE_NOBODY, 0);
  }
}

/* --- what happens to messages between nodes --- */

/* Write the fields of EVENT from the third one on. */
static void put_of_message(struct line *line, const struct net_event *event) {
  const struct net_service *service = &event->service;
  bool is_service = event->kind == NET_SERVICE;
  put_count(line, event->to);
  put_count(line, event->message);
  if (is_service) {
    put_count(line, service->packet);
    put_count(line, service->nbytes);
    put_text(line, service->name);
    put(line, service->came);
    put(line, service->begin);
    put(line, service->end);
    put(line, service->queued);
    put(line, service->is_answer);
    put(line, service->again);
    return;
  }
  skip(line, 1);
  put_count(line, event->nbytes);
  if (event->kind == NET_DROP) {
    put_text(line, service->name);
  } else if (event->kind == NET_TIMEOUT || event->kind == NET_DELAY) {
    put(line, event->since);
  } else if (event->kind == NET_ARRIVE) {
    put(line, event->told);
    put(line, event->at_host);
  }
}

/* --- lines --- */

void trace_csv_head(struct trace_text *text, bool nodes) {
  char *at = trace_put(trace_text_line(text), "cycle,event,who,number,offset,bytes,a,b,c,d,e,f,g");
  trace_text_end(text, trace_put(at, nodes ? ",node\n" : "\n"));
}

/* Begin a line of TEXT: WORD happens at CYCLE. */
static struct line begin_line(struct trace_text *text, uint64_t cycle, const char *word) {
  char *at = trace_put_count(trace_text_line(text), cycle);
  return (struct line){.at = trace_put(trace_put_char(at, ','), word)};
}

/* End LINE, of NODE. */
static void end_line(struct trace_text *text, struct line *line, int node) {
  skip(line, LETTERS - line->letters);
  if (node != TRACE_NO_NODE) {
    put_count(line, (unsigned)node);
  }
  trace_text_end(text, trace_put_char(line->at, '\n'));
}

uint64_t trace_csv_cycle(const struct probe_event *event) {
  return event->kind == PROBE_END ? event->end.at : event->cycle;
}

void trace_csv_event(struct trace_text *text, const struct probe_event *event, int node) {
  struct line line = begin_line(text, trace_csv_cycle(event), trace_event_word(event->kind));
  if (!put_of_request(&line, event) && !put_of_command(&line, event) && !put_of_program(&line, event)) {
    put_of_memory(&line, event);
  }
  end_line(text, &line, node);
}

void trace_csv_message(struct trace_text *text, const struct net_event *event) {
  struct line line = begin_line(text, event->cycle, trace_message_word(event->kind));
  put_of_message(&line, event);
  end_line(text, &line, (int)event->from);
}
