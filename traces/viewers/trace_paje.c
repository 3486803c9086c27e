/* SPDX-License-Identifier: BSD-3-Clause
 * Paje: definitions of events, types and values, then containers, states, links and variables. Times are
 * whole cycles: viewers print six decimals, so that seconds would all be zero. Track N is container tN; chips
 * are c0, c1, ... node by node. Packets are left out: a packet is known only after its end, and states must
 * begin in the order of cycles. */
#include "traces/viewers/trace_writer.h"

/* Numbers of events. */
enum {
  EVENT_CONTAINER_TYPE,
  EVENT_STATE_TYPE,
  EVENT_LINK_TYPE,
  EVENT_VARIABLE_TYPE,
  EVENT_VALUE,
  EVENT_CREATE,
  EVENT_DESTROY,
  EVENT_PUSH,
  EVENT_POP,
  EVENT_SET,
  EVENT_START_LINK,
  EVENT_END_LINK,
};

/* Aliases of container types: M the machine, C a chip; of state types: p programs; others see below. */
static const struct {
  const char *container, *state;
} owners[] = {
  [TRACK_SPE] = {"S", "p"},    [TRACK_PPE] = {"S", "p"},      [TRACK_DMA] = {"D", "d"},
  [TRACK_ATOMIC] = {"A", "a"}, [TRACK_RING] = {"R", "r"},     [TRACK_LINK] = {"X", "x"},
  [TRACK_MEMORY] = {"Y", "y"}, [TRACK_MESSAGES] = {"N", "n"}, [TRACK_SERVER] = {NULL, NULL},
};

static const char definitions[] =
  "%EventDef PajeDefineContainerType 0\n"
  "%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
  "%EventDef PajeDefineStateType 1\n"
  "%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
  "%EventDef PajeDefineLinkType 2\n"
  "%  Alias string\n%  Type string\n%  StartContainerType string\n"
  "%  EndContainerType string\n%  Name string\n%EndEventDef\n"
  "%EventDef PajeDefineVariableType 3\n"
  "%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
  "%EventDef PajeDefineEntityValue 4\n"
  "%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
  "%EventDef PajeCreateContainer 5\n"
  "%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
  "%  Name string\n%EndEventDef\n"
  "%EventDef PajeDestroyContainer 6\n"
  "%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
  "%EventDef PajePushState 7\n"
  "%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
  "%EventDef PajePopState 8\n"
  "%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n"
  "%EventDef PajeSetVariable 9\n"
  "%  Time date\n%  Type string\n%  Container string\n%  Value double\n%EndEventDef\n"
  "%EventDef PajeStartLink 10\n"
  "%  Time date\n%  Type string\n%  Container string\n%  StartContainer string\n"
  "%  Value string\n%  Key string\n%EndEventDef\n"
  "%EventDef PajeEndLink 11\n"
  "%  Time date\n%  Type string\n%  Container string\n%  EndContainer string\n"
  "%  Value string\n%  Key string\n%EndEventDef\n";

static const char types[] =
  "0 M 0 machine\n0 C M chip\n0 S C program\n0 D S \"DMA command\"\n0 A S \"atomic command\"\n"
  "0 R C ring\n0 X C link\n0 Y C memory\n"
  "1 p S program\n1 d D \"DMA command\"\n1 a A \"atomic command\"\n1 r R transfer\n"
  "1 x X crossing\n1 y Y \"bus request\"\n"
  "2 L M S S wakes\n4 l L wakes \"0.84 0.37 0.00\"\n"
  "3 Q S \"DMA queue\" \"0.34 0.71 0.91\"\n3 V S \"bus requests\" \"0.00 0.62 0.45\"\n"
  "3 T C transfers \"0.00 0.45 0.70\"\n5 0 m M 0 machine\n";

static const char types_of_network[] = "0 N M messages\n1 n N message\n";

static const struct {
  const char *alias, *name, *colour;
  enum trace_owner owner;
} states[STATES] = {
#define STATE(state, alias, name, owner, colour) {alias, name, colour, TRACK_##owner},
#include "traces/viewers/trace_states.def"
};

/* Begin the line of EVENT at CYCLE with the field WORD. */
static char *begin_line(struct trace_file *file, unsigned event, uint64_t cycle, const char *word) {
  char *at = trace_put_field(trace_put_count(trace_text_line(&file->text), event), " ", cycle);
  return trace_put(trace_put_char(at, ' '), word);
}

static void end_line(struct trace_file *file, char *at) {
  trace_text_end(&file->text, trace_put_char(at, '\n'));
}

/* Put the next field, a word. */
static char *put(char *at, const char *word) {
  return trace_put(trace_put_char(at, ' '), word);
}

/* Put the next field, the container of TRACK. */
static char *put_track(char *at, const struct trace_track *track) {
  return trace_put_field(at, " t", track->index);
}

/* Put the next field, the container of CHIP of NODE. */
static char *put_chip(char *at, const struct trace_file *file, unsigned node, unsigned chip) {
  return trace_put_field(at, " c", node * file->nchips + chip);
}

/* Create the containers of the chips of NODE at CYCLE. */
static void create_chips(struct trace_file *file, unsigned node, uint64_t cycle) {
  bool is_host = file->spec.names.processes || node_is_host(&file->spec.names, node);
  for (unsigned chip = 0; chip < (is_host ? 1 : file->nchips); chip++) {
    char *at = begin_line(file, EVENT_CREATE, cycle, "c");
    at = trace_put(trace_put_count(at, node * file->nchips + chip), " C m \"");
    if (file->nnodes) {
      at = trace_put(trace_put_word(at, node_name(&file->spec.names, node), false), is_host ? "" : ": ");
    }
    end_line(file, trace_put(is_host ? at : trace_put_field(at, "chip ", chip), "\""));
  }
}

static void head(struct trace_file *file) {
  struct trace_text *text = &file->text;
  trace_text_add(text, definitions);
  trace_text_add(text, types);
  if (file->nnodes) {
    trace_text_add(text, types_of_network);
  }
  for (unsigned i = 0; i < STATES && (file->nnodes || states[i].owner < TRACK_MESSAGES); i++) {
    if (states[i].owner == TRACK_SERVER) {
      continue;
    }
    char *at = trace_put(trace_text_line(text), "4");
    at = put(at, states[i].alias);
    at = put(at, owners[states[i].owner].state);
    at = trace_put(trace_put(at, " \""), states[i].name);
    at = trace_put(trace_put(at, "\" \""), states[i].colour);
    end_line(file, trace_put_char(at, '"'));
  }
  bool processes = file->spec.names.processes; /* only processes with programs are created */
  for (unsigned node = 0; !processes && (node == 0 || node < file->nnodes); node++) {
    create_chips(file, node, 0);
  }
}

static void create(struct trace_file *file, struct trace_track *track, uint64_t cycle) {
  if (file->spec.names.processes && track->owner == TRACK_PPE) {
    create_chips(file, track->node, cycle);
  }
  char *at = trace_put_count(begin_line(file, EVENT_CREATE, cycle, "t"), track->index);
  at = put(at, owners[track->owner].container);
  if (track->owner == TRACK_MESSAGES) {
    at = put(at, "m");
  } else {
    at = track->parent ? put_track(at, track->parent) : put_chip(at, file, track->node, track->chip);
  }
  at = trace_put_track(trace_put(at, " \""), file, track);
  end_line(file, trace_put_char(at, '"'));
}

static void push(struct trace_file *file, const struct trace_track *track, const struct trace_slice *slice) {
  char *at = begin_line(file, EVENT_PUSH, slice->from, owners[track->owner].state);
  end_line(file, put(put_track(at, track), states[slice->state].alias));
}

static void pop(struct trace_file *file, const struct trace_track *track, const struct trace_slice *slice) {
  end_line(file, put_track(begin_line(file, EVENT_POP, slice->to, owners[track->owner].state), track));
}

static void write_link(struct trace_file *file, const struct trace_flow *flow) {
  char *at = put_track(begin_line(file, EVENT_START_LINK, flow->began, "L m"), flow->issuer);
  end_line(file, trace_put_field(at, " l ", flow->number));
  at = put_track(begin_line(file, EVENT_END_LINK, flow->ended, "L m"), flow->to);
  end_line(file, trace_put_field(at, " l ", flow->number));
}

static void set_variable(struct trace_file *file, const struct trace_value *value) {
  static const char *const aliases[] = {
    [COUNTER_QUEUE] = "Q", [COUNTER_REQUESTS] = "V", [COUNTER_TRANSFERS] = "T"};
  char *at = begin_line(file, EVENT_SET, value->at, aliases[value->counter]);
  at = value->spe ? put_track(at, value->spe) : put_chip(at, file, value->node, value->chip);
  end_line(file, trace_put_field(at, " ", value->value));
}

static void foot(struct trace_file *file, uint64_t cycle) {
  end_line(file, begin_line(file, EVENT_DESTROY, cycle, "M m"));
}

const struct trace_writer trace_paje = {.head = head,
                                        .track = create,
                                        .begin = push,
                                        .end = pop,
                                        .flow = write_link,
                                        .value = set_variable,
                                        .foot = foot};
