/* SPDX-License-Identifier: BSD-3-Clause
 * See path.h. Parts and segments are collected backwards and turned round in the end. */
#include "traces/path/path_walk.h"

#include "sim/base/vec.h"

#include <assert.h>
#include <stdlib.h>

/* --- parts of the path --- */

void path_begin_part(struct path_walk *walk, const struct path_part *part) {
  struct path *path = walk->path;
  struct path_part *added = &VEC_ADD(path->parts, path->nparts);
  *added = *part;
  if (part->kind != PATH_MESSAGE) {
    added->node = (uint16_t)walk->node;
  }
  added->from = added->to = walk->at;
}

void path_back_behind(struct path_walk *walk, uint64_t from, enum path_cause cause,
                      const struct path_blocker *blocker) {
  struct path *path = walk->path;
  RAISE(from, path->begin);
  if (from >= walk->at) {
    return;
  }
  struct path_segment segment = {.from = from,
                                 .to = walk->at,
                                 .part = (uint32_t)path->nparts - 1,
                                 .command = blocker->command,
                                 .behind = (uint16_t)blocker->spe,
                                 .server = blocker->server,
                                 .node = (uint16_t)blocker->node,
                                 .cause = (uint8_t)cause};
  struct path_segment *later = path->nsegments ? &path->segments[path->nsegments - 1] : NULL;
  assert(later ? later->from == walk->at : walk->at == path->end);
  path->totals[cause] += walk->at - from;
  path->parts[path->nparts - 1].from = walk->at = from;
  if (later && later->part == segment.part && later->cause == cause && later->behind == segment.behind &&
      later->command == segment.command && later->server == segment.server && later->node == segment.node) {
    later->from = from;
    return;
  }
  VEC_ADD(path->segments, path->nsegments) = segment;
}

void path_back(struct path_walk *walk, uint64_t from, enum path_cause cause) {
  path_back_behind(walk, from, cause,
                   &(struct path_blocker){.spe = RECORD_NOBODY, .server = RECORD_NOBODY, .node = walk->node});
}

/* Reverse the order of parts and segments, and leave out parts without cycles. */
static void turn_round(struct path *path) {
  SCOPED uint32_t *places = xcalloc(path->nparts, sizeof *places);
  SCOPED struct path_part *backwards = path->parts;
  size_t n = 0;
  path->parts = xcalloc(path->nparts, sizeof *path->parts);
  for (size_t i = path->nparts; i-- > 0;) {
    places[i] = (uint32_t)n;
    path->parts[n] = backwards[i];
    n += backwards[i].from < backwards[i].to;
  }
  path->nparts = n;
  for (size_t i = 0; i < path->nsegments; i++) {
    path->segments[i].part = places[path->segments[i].part];
  }
  for (size_t i = 0, j = path->nsegments; i + 1 < j; i++) {
    struct path_segment segment = path->segments[i];
    path->segments[i] = path->segments[--j];
    path->segments[j] = segment;
  }
}

/* --- atomic commands --- */

/* Begin the part of atomic command NUMBER of SPE. */
static const struct record_atomic *begin_atomic(struct path_walk *walk, unsigned spe, uint32_t number) {
  path_begin_part(
    walk, &(struct path_part){
            .number = number, .nbytes = 128, .spe = (uint16_t)spe, .peer = RECORD_NOBODY, .kind = PATH_LINE});
  return record_atomic(walk->record, spe, number);
}

/* Go back from the cycle at which ATOMIC had its line to the cycle at which ATOMIC came to the line. */
static void back_to_line(struct path_walk *walk, const struct record_atomic *atomic) {
  path_back(walk, atomic->effected, PATH_ATOMIC);
  path_back(walk, atomic->came, PATH_LINE_TAKEN);
}

/* Go back over the atomic command that ended the wait INTERVAL, to the cycle at which the command was given,
 * or at which the awaited write was given. */
static void back_atomic(struct path_walk *walk, const struct record_interval *interval) {
  unsigned spe = interval->who;
  const struct record_atomic *atomic = begin_atomic(walk, spe, interval->number);
  if (atomic && atomic->effected < walk->at) {
    back_to_line(walk, atomic);
  }
  if (atomic && atomic->polls && atomic->writing != RECORD_NOBODY && atomic->written < walk->at) {
    path_back(walk, atomic->written, PATH_ATOMIC);
    spe = atomic->writing;
    atomic = begin_atomic(walk, spe, atomic->writer);
    if (atomic) {
      back_to_line(walk, atomic);
    }
  }
  path_back(walk, atomic ? atomic->enqueued : walk->path->begin, PATH_ATOMIC);
  walk->program = spe;
}

/* --- messages between nodes ---
 *
 * Each step of the network names its predecessor. A packet at a link follows from the same packet at the link
 * before. The first step of a packet follows from the packet before in the same server, from an
 * acknowledgement or from a timeout of TCP. */

/* Return the step of number NUMBER; NULL: there is none. */
static const struct net_record_step *step_of(const struct net_record *net, uint32_t number) {
  return number ? &net->steps[number - 1] : NULL;
}

/* Return the cause in place of CAUSE for a packet that is an acknowledgement or sent again, or on a link of a
 * triblade. */
static enum path_cause cause_of(const struct net_record_step *step, enum path_cause cause) {
  if (step->flags & (NET_RECORD_ANSWER | NET_RECORD_AGAIN)) {
    return step->flags & NET_RECORD_ANSWER ? PATH_NET_ANSWER : PATH_NET_AGAIN;
  }
  if (step->flags & NET_RECORD_PCIE && cause == PATH_NET_LATENCY) {
    return PATH_PCIE;
  }
  return step->flags & NET_RECORD_PCIE && cause == PATH_NET_OWN ? PATH_PCIE_OWN : cause;
}

/* Return the sender of messages among the programs of RECORD: the program on the PPE of chip 0. */
static unsigned sender(const struct record *record) {
  return (unsigned)VEC_INDEX(record->programs, record->nprograms - 1,
                             item->is_known && item->spe == RECORD_NOBODY && item->chip == 0);
}

/* Go back to cycle FROM over the wait of STEP for the server, split by the packets served meanwhile. */
static void back_link_queue(struct path_walk *walk, const struct net_record_step *step, uint64_t from) {
  const struct net_record *net = walk->net;
  struct path_blocker blocker = {.spe = RECORD_NOBODY, .server = step->server, .node = RECORD_NOBODY};
  for (const struct net_record_step *other = step_of(net, step->before); other && walk->at > from;
       other = step_of(net, other->before)) {
    uint64_t begin = other->begin - other->gap;
    if (begin >= walk->at) {
      continue;
    }
    bool own = other->message == step->message;
    blocker.spe = net->messages[other->message - 1].from;
    blocker.command = other->message;
    if (own) {
      path_back(walk, MAX(begin, from), cause_of(step, PATH_NET_OWN));
    } else {
      path_back_behind(walk, MAX(begin, from), cause_of(step, PATH_NET_TAKEN), &blocker);
    }
  }
  path_back(walk, from, cause_of(step, PATH_NET_TAKEN));
}

/* Go back over STEP, a service; NEXT is the step after STEP, or NULL for the arrival of the message. */
static void back_service(struct path_walk *walk, const struct net_record_step *step,
                         const struct net_record_step *next) {
  bool left = next && next->flags & NET_RECORD_SAME_SERVER;
  path_back(walk, step->end + step->latency, PATH_NET_HOST);
  if (!left) {
    uint64_t head = walk->at > step->latency ? walk->at - step->latency : 0;
    path_back(walk, MAX(head, step->begin), cause_of(step, PATH_NET_LATENCY));
  }
  path_back(walk, step->begin, cause_of(step, PATH_NET_OWN));
  path_back(walk, step->begin - step->gap, cause_of(step, PATH_NET_NIC));
  back_link_queue(walk, step, step->came);
}

/* Go back over the message that ended the wait INTERVAL, to the sending program.
 * returns: false if nothing is known of the message. */
static bool back_message(struct path_walk *walk, const struct record_interval *interval) {
  const struct net_record *net = walk->net;
  if (!net || interval->number == 0 || interval->number > net->nmessages) {
    return false;
  }
  const struct net_record_message *message = &net->messages[interval->number - 1];
  const struct record *from = walk->records[message->from];
  path_begin_part(walk, &(struct path_part){.number = interval->number,
                                            .nbytes = (uint32_t)message->nbytes,
                                            .spe = RECORD_NOBODY,
                                            .peer = message->to,
                                            .node = message->from,
                                            .step = record_step(&from->programs[sender(from)], message->sent),
                                            .kind = message->asks ? PATH_GET : PATH_MESSAGE,
                                            .is_answered = walk->node == message->from});
  path_back(walk, message->told, PATH_NET_ANSWER); /* a host waits until a put is acknowledged */
  path_back(walk, message->arrived, PATH_NET_HOST);
  const struct net_record_step *next = NULL;
  for (const struct net_record_step *step = step_of(net, message->after); step;
       step = step_of(net, step->after)) {
    if (step->kind == PROBE_PACKET) {
      back_service(walk, step, next);
    } else {
      path_back(walk, step->came, step->kind == PROBE_PACKET_TIMEOUT ? PATH_NET_TIMEOUT : PATH_NET_ANSWER);
    }
    next = step;
  }
  path_back(walk, message->sent, PATH_NET_HOST);
  walk->node = message->from;
  walk->record = from;
  walk->program = sender(from);
  return true;
}

/* --- programs --- */

static const enum path_cause computed[] = {
#define COMPUTE_REASON(id, cause, word, phrase) PATH_##cause,
#include "sim/hw/watch/compute_reason.def"
};

/* Return the last interval of the program of WALK with an end by WALK's cycle; NULL: none is kept. */
static const struct record_interval *interval_before(const struct path_walk *walk) {
  const struct record_program *program = &walk->record->programs[walk->program];
  size_t n = VEC_COUNT_BEFORE(program->intervals, program->nintervals, item->to > walk->at);
  return n ? &program->intervals[n - 1] : NULL;
}

/* Begin a part of computing since cycle FROM by the program of WALK, unless the walk is in one already, in
 * the same step. */
static void be_in_program(struct path_walk *walk, enum path_kind kind, uint64_t from) {
  const struct record_program *program = &walk->record->programs[walk->program];
  const struct path_part *newest = walk->path->nparts ? &walk->path->parts[walk->path->nparts - 1] : NULL;
  const char *step = kind == PATH_PROGRAM ? record_step(program, from) : NULL;
  if (!newest || newest->kind != kind || newest->number != walk->program || newest->node != walk->node ||
      newest->step != step) {
    path_begin_part(walk, &(struct path_part){.number = walk->program,
                                              .spe = program->spe,
                                              .chip = program->chip,
                                              .peer = RECORD_NOBODY,
                                              .step = step,
                                              .kind = (uint8_t)kind});
  }
}

/* Go back over the wait INTERVAL of the program of WALK. */
static void back_wait(struct path_walk *walk, const struct record_interval *interval) {
  switch ((enum probe_cause_kind)interval->cause) {
  case PROBE_BY_DELIVERY:
  case PROBE_BY_COMPLETION:
  case PROBE_BY_STALL:
    path_back_dma(walk, interval);
    break;
  case PROBE_BY_ATOMIC:
    back_atomic(walk, interval);
    break;
  case PROBE_BY_PROGRAM:
    walk->program = interval->who;
    break;
  case PROBE_BY_MESSAGE:
    if (back_message(walk, interval)) {
      break;
    }
    /* fall through */
  case PROBE_BY_DECREMENTER:
  case PROBE_BY_NOTHING:
    be_in_program(walk, PATH_PROGRAM, interval->from);
    path_back(walk, interval->from, PATH_TIMER);
    break;
  }
}

/* Tell whether WALK has come to where a rank enters the call. */
static bool is_at_entry(const struct path_walk *walk) {
  const struct record_program *program = &walk->record->programs[walk->program];
  return walk->at <= walk->path->begin || (program->rank != RECORD_NOBODY && walk->at <= program->entered);
}

/* Go back from the exit to an entry. */
static void go_back(struct path_walk *walk) {
  for (unsigned idle = 0; !is_at_entry(walk);) {
    uint64_t since = walk->at;
    const struct record_interval *interval = interval_before(walk);
    if (!interval || interval->to < walk->at) {
      walk->program = walk->record->programs[walk->program].starter; /* which has just started the program */
      assert(walk->program != RECORD_NOBODY);
    } else if (interval->activity == RECORD_WAITS) {
      back_wait(walk, interval);
    } else {
      be_in_program(walk, PATH_PROGRAM, interval->from);
      /* work of a PPE for a message is work for the network */
      bool sends = walk->net && walk->record->programs[walk->program].spe == RECORD_NOBODY &&
                   interval->what == COMPUTE_SEND;
      path_back(walk, interval->from, sends ? PATH_NET_HOST : computed[interval->what]);
    }
    idle = walk->at == since ? idle + 1 : 0;
    assert(idle <= walk->record->nprograms);
  }
  if (walk->at > walk->path->begin) {
    be_in_program(walk, PATH_ENTRY, walk->at);
    path_back(walk, walk->path->begin, PATH_LATE);
  }
}

/* Let WALK begin at the last program to leave; of several such programs at the lowest rank's. */
static void begin_at_last(struct path_walk *walk, unsigned nnodes) {
  unsigned rank = RECORD_NOBODY;
  for (unsigned node = 0; node < nnodes; node++) {
    const struct record *record = walk->records[node];
    for (unsigned i = 0; i < record->nprograms; i++) {
      const struct record_program *program = &record->programs[i];
      if (program->rank != RECORD_NOBODY && program->left == walk->at && program->rank < rank) {
        walk->node = node;
        walk->program = i;
        rank = program->rank;
      }
    }
  }
  walk->record = walk->records[walk->node];
}

void path_find(struct path *path, const struct path_records *records) {
  struct path_walk walk = {.path = path, .records = records->nodes, .net = records->net};
  *path = (struct path){.begin = UINT64_MAX};
  VEC_EACH(node, records->nodes, records->n) {
    const struct record *record = *node;
    if (record->calls == 0) { /* no rank is there */
      continue;
    }
    LOWER(path->begin, record->begin);
    RAISE(path->end, record->end);
  }
  if (path->begin >= path->end) {
    path->begin = path->end;
    return;
  }
  walk.at = path->end;
  begin_at_last(&walk, records->n);
  go_back(&walk);
  turn_round(path);
  uint64_t sum = 0;
  VEC_EACH(total, path->totals, PATH_CAUSES) {
    sum += *total;
  }
  assert(sum == path->end - path->begin);
}

void path_fini(struct path *path) {
  free(path->parts);
  free(path->segments);
}

/* --- words --- */

const struct path_cause_words path_causes[PATH_CAUSES] = {
#define PATH_CAUSE(id, name, group, text) {name, text, PATH_GROUP_##group},
#include "traces/path/path_cause.def"
};

const struct path_group_words path_groups[PATH_GROUPS] = {
#define PATH_WORD(id, text, meaning, helps, ink) {text, meaning, helps},
#include "traces/path/path_cause.def"
};

const char *const path_kinds[] = {[PATH_PROGRAM] = "program", [PATH_NOTIFICATION] = "notification",
                                  [PATH_GET] = "get",         [PATH_PUT] = "put",
                                  [PATH_SYNC] = "sync",       [PATH_LINE] = "atomic",
                                  [PATH_ENTRY] = "entry",     [PATH_MESSAGE] = "message",
                                  [PATH_KINDS] = NULL};

void path_sum_groups(const uint64_t totals[PATH_CAUSES], uint64_t cycles[PATH_GROUPS]) {
  memset(cycles, 0, PATH_GROUPS * sizeof *cycles);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    cycles[path_causes[i].group] += totals[i];
  }
}

void path_write_words(FILE *stream) {
  fprintf(stream, "Where the cycles of a call go (run --critical-path, explain):\n");
  for (unsigned i = 0; i < PATH_GROUPS; i++) {
    fprintf(stream, "  %s\n      means: %s\n      helps: %s\n      csv:  ", path_groups[i].text,
            path_groups[i].meaning, path_groups[i].helps);
    VEC_EACH(cause, path_causes, PATH_CAUSES) {
      fprintf(stream, "%s%s", cause->group == i ? " " : "", cause->group == i ? cause->name : "");
    }
    fprintf(stream, "\n");
  }
}
