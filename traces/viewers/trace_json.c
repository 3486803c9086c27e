/* SPDX-License-Identifier: BSD-3-Clause
 * Chrome trace events. Viewers keep whole nanoseconds, and a cycle is shorter: a cycle becomes a nanosecond,
 * so that nothing is rounded and slices still nest. The real durations are in the arguments of slices. */
#include "traces/viewers/trace_writer.h"

#include "platform/platform.h"
#include "sim/base/minmax.h"
#include "sim/base/text.h"

/* Numbers of processes: three for each chip of each node, from 1 on; then one for the messages of each node,
 * and one for the links between nodes. */
enum { PROCESS_PROGRAMS = 1, PROCESS_RINGS, PROCESS_LINKS, PROCESSES = 3 };

/* Numbers of threads: a hundred for each SPE, each ring and the links to each chip. */
enum { THREADS = 100, THREAD_ATOMIC = 2, THREAD_DMA = 10, THREAD_PPE = 1000000, THREAD_MEMORY = 9001 };

/* The process of tracks of an owner, the number of the first thread, and the distance to the next unit's. */
static const struct {
  unsigned process, thread, stride;
} owners[] = {
  [TRACK_SPE] = {PROCESS_PROGRAMS, 1, THREADS},
  [TRACK_PPE] = {PROCESS_PROGRAMS, THREAD_PPE, 1},
  [TRACK_DMA] = {PROCESS_PROGRAMS, THREAD_DMA, THREADS},
  [TRACK_ATOMIC] = {PROCESS_PROGRAMS, THREAD_ATOMIC, THREADS},
  [TRACK_RING] = {PROCESS_RINGS, 1, THREADS},
  [TRACK_LINK] = {PROCESS_LINKS, 1, THREADS},
  [TRACK_MEMORY] = {PROCESS_RINGS, THREAD_MEMORY, 0},
  [TRACK_MESSAGES] = {0, 1, 0},
  [TRACK_SERVER] = {0, 1, THREADS},
};

/* Return the number of PROCESS of CHIP of NODE. */
static unsigned process_of_chip(const struct trace_file *file, unsigned node, unsigned chip,
                                unsigned process) {
  return PROCESSES * (node * file->nchips + chip) + process;
}

static unsigned process_of(const struct trace_file *file, const struct trace_track *track) {
  unsigned messages = process_of_chip(file, file->nnodes, 0, 1);
  switch (track->owner) {
  case TRACK_MESSAGES:
    return messages + track->node;
  case TRACK_SERVER:
    return messages + file->nnodes;
  default:
    return process_of_chip(file, track->node, track->chip, owners[track->owner].process);
  }
}

/* --- pieces of a line --- */

/* End the line before, and begin one of kind PHASE about PROCESS. */
static char *begin_line(struct trace_file *file, char phase, unsigned process) {
  char *at = trace_text_line(&file->text);
  at = trace_put(at, file->nlines++ > 0 ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
  return trace_put_field(trace_put_char(at, phase), "\",\"pid\":", process);
}

/* The same about TRACK. */
static char *begin_line_of(struct trace_file *file, char phase, const struct trace_track *track) {
  return trace_put_field(begin_line(file, phase, track->process), ",\"tid\":", track->thread);
}

/* Put CYCLE as a time in microseconds: a cycle is a thousandth. */
static char *put_time(char *at, uint64_t cycle) {
  return trace_put_thousandths(at, ",\"ts\":", cycle);
}

/* --- the head --- */

/* Write the name of process NUMBER: WHERE, then WHAT. */
static void name_process(struct trace_file *file, unsigned number, const char *where, const char *what) {
  char *at = trace_put(begin_line(file, 'M', number), ",\"name\":\"process_name\",\"args\":{\"name\":\"");
  at = trace_put_word(trace_put_word(at, where, false), what, false);
  trace_text_end(&file->text, trace_put(at, " (1 ns per cycle)\"}}"));
}

/* Write the names of the processes of CHIP of NODE. */
static void name_chip(struct trace_file *file, unsigned node, unsigned chip) {
  static const char *const formats[PROCESSES] = {"SPEs of chip %u", "rings and memory of chip %u",
                                                 "links from chip %u"};
  unsigned first = process_of_chip(file, node, chip, PROCESS_PROGRAMS);
  const char *where = file->nnodes ? text_brief("%s: ", node_name(&file->spec.names, node)) : "";
  bool processes = file->spec.names.processes;
  if (processes || node_is_host(&file->spec.names, node)) {
    if (chip == 0) {
      name_process(file, first, where, processes ? "program" : "processor");
    }
    return;
  }
  for (unsigned i = 0; i < (file->spec.level == TRACE_BUS ? PROCESSES : 1); i++) {
    name_process(file, first + i, where, text_brief(formats[i], chip));
  }
}

/* Write the name of the process of the messages of NODE. */
static void name_messages(struct trace_file *file, unsigned node) {
  const struct trace_track messages = {.owner = TRACK_MESSAGES, .node = node};
  name_process(file, process_of(file, &messages), "messages of ", node_name(&file->spec.names, node));
}

/* Write the lines of ORIGIN as words of an array, long ones in pieces. */
static void put_origin(struct trace_file *file, const char *origin) {
  enum { PIECE = TRACE_LINE_MAX / 2 };
  char *at = trace_put(trace_text_line(&file->text), ",\"origin\":[");
  for (bool first = true; *origin; first = false) {
    char piece[PIECE + 1];
    size_t length = strcspn(origin, "\n"), n = MIN(length, PIECE);
    while (n < length && (origin[n] & 0xc0) == 0x80) {
      n--; /* no character is cut */
    }
    snprintf(piece, sizeof piece, "%.*s", (int)n, origin);
    at = trace_put_word(trace_put(at, first ? "\n\"" : ",\n\""), piece, false);
    trace_text_end(&file->text, trace_put_char(at, '"'));
    at = trace_text_line(&file->text);
    origin += n + (origin[n] == '\n');
  }
  trace_text_end(&file->text, trace_put_char(at, ']'));
}

static void head(struct trace_file *file) {
  char *at = trace_text_line(&file->text);
  at = trace_put(at, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"");
  at = trace_put_word(at, file->spec.program, false);
  at = trace_put(at, "\",\"time\":\"1 ns stands for 1 cycle of the SPUs; args.ns is real time\","
                     "\"platform\":\"");
  at = trace_put_word(at, file->spec.platform->name, false);
  at = trace_put(at, "\",\"cycle_ns\":");
  at = trace_put(at, text_brief("%.9g", file->cycle_ps / 1000));
  at = trace_put(at, ",\"run\":\"");
  at = trace_put_word(at, file->spec.title, false);
  trace_text_end(&file->text, trace_put_char(at, '"'));
  if (file->spec.origin) {
    put_origin(file, file->spec.origin);
  }
  trace_text_add(&file->text, "},\"traceEvents\":[");
  bool processes = file->spec.names.processes; /* only processes with programs are named, with the program */
  for (unsigned node = 0; !processes && (node == 0 || node < file->nnodes); node++) {
    for (unsigned chip = 0; chip < file->nchips; chip++) {
      name_chip(file, node, chip);
    }
  }
  for (unsigned node = 0; !processes && node < file->nnodes; node++) {
    name_messages(file, node);
  }
  if (file->nnodes && file->spec.level == TRACE_BUS) {
    name_process(file, process_of(file, &(struct trace_track){.owner = TRACK_SERVER}), "",
                 "links between nodes");
  }
}

/* --- events --- */

static void name_track(struct trace_file *file, struct trace_track *track, uint64_t cycle) {
  (void)cycle;
  track->process = process_of(file, track);
  track->thread = owners[track->owner].thread + owners[track->owner].stride * track->number + track->place;
  if (file->spec.names.processes && track->owner == TRACK_PPE) {
    name_chip(file, track->node, 0);
    name_messages(file, track->node);
  }
  char *at = trace_put(begin_line_of(file, 'M', track), ",\"name\":\"thread_name\",\"args\":{\"name\":\"");
  trace_text_end(&file->text, trace_put(trace_put_track(at, file, track), "\"}}"));
}

static void write_slice(struct trace_file *file, const struct trace_track *track,
                        const struct trace_slice *slice) {
  uint64_t length = slice->to - slice->from;
  char *at = put_time(begin_line_of(file, 'X', track), slice->from);
  at = trace_put(trace_put_thousandths(at, ",\"dur\":", length), ",\"name\":\"");
  if (slice->name[0]) {
    at = trace_put_word(at, slice->name, false);
  } else { /* a bus request: SPE#command+offset */
    at = trace_put_field(trace_put_count(at, slice->spe), "#", slice->number);
    at = trace_put_field(at, "+", slice->offset);
  }
  at = trace_put(at, "\",\"args\":{\"ns\":");
  at = trace_put_fraction(at, (uint64_t)((double)length * file->cycle_ps + 0.5));
  if (track->owner == TRACK_DMA) {
    at = trace_put_field(trace_put_field(at, ",\"dma\":", slice->number), ",\"tag\":", slice->tag);
  }
  trace_text_end(&file->text, trace_put(at, "}}"));
}

static void write_flow(struct trace_file *file, const struct trace_flow *flow) {
  for (unsigned end = 0; end < 2; end++) {
    char *at = begin_line_of(file, end ? 'f' : 's', end ? flow->to : flow->from);
    at = trace_put_field(put_time(at, end ? flow->ended : flow->began), ",\"id\":", flow->number);
    at = trace_put(at, end ? ",\"bp\":\"e\"" : "");
    trace_text_end(&file->text, trace_put(at, ",\"cat\":\"wake\",\"name\":\"wakes\"}"));
  }
}

static void write_value(struct trace_file *file, const struct trace_value *value) {
  unsigned process =
    value->spe ? value->spe->process : process_of_chip(file, value->node, value->chip, PROCESS_RINGS);
  char *at = trace_put(put_time(begin_line(file, 'C', process), value->at), ",\"name\":\"");
  if (value->spe) {
    at = trace_put_field(at, "SPE ", value->spe->number);
    at = trace_put(at, value->counter == COUNTER_QUEUE ? " queue" : " requests");
  } else {
    at = trace_put(at, "transfers");
  }
  at = trace_put_field(at, "\",\"args\":{\"n\":", value->value);
  trace_text_end(&file->text, trace_put(at, "}}"));
}

static void foot(struct trace_file *file, uint64_t cycle) {
  (void)cycle;
  trace_text_add(&file->text, "\n]}\n");
}

const struct trace_writer trace_json = {.head = head,
                                        .track = name_track,
                                        .end = write_slice,
                                        .flow = write_flow,
                                        .value = write_value,
                                        .foot = foot,
                                        .late = true};
