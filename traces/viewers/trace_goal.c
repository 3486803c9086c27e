/* SPDX-License-Identifier: BSD-3-Clause
 * A run as GOAL text, for simulators of messages. A put is a send and a receive; a get is a request and the
 * data. Computing becomes calc. A result seen by a program becomes a requirement of the next statement. The
 * MFC is cpu 1. The first call is written, at the end. */
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/watch/probe.h"
#include "traces/viewers/trace_writer.h"

#include <inttypes.h>
#include <stdlib.h>

enum { REQUEST = 8 /* bytes */, TAGS = 32 };

/* Statements are counted from 1 in each rank; 0: none. */
struct numbers {
  unsigned *items;
  size_t n;
};

struct statement {
  enum { CALC, SEND, RECV } kind;
  unsigned peer, tag; /* peer: a program */
  uint64_t size;      /* nanoseconds, or bytes */
  bool of_program;    /* else of the MFC */
  unsigned before;    /* of a receive: the receive before, of a put of the same program */
  bool is_seen;       /* by the program */
};

struct need {
  unsigned statement, needed;
};

/* The statements of a message, in the programs at both ends. */
struct message {
  unsigned send, receive;
};

/* Bytes moved by a command, or a list of moves yet to come. */
struct move {
  uint64_t command, ea;
  unsigned to, receive; /* of a put: the receiving program and its receive; of a get RECEIVE is 0 */
  unsigned offset, nbytes;
  unsigned tag, after; /* AFTER: the last statement of the program before the command */
  bool is_fenced;
};

struct arrival {
  uint64_t ea;
  unsigned nbytes, receive;
};

/* The commands of a tag: statements not known to be over; the last one with a barrier. */
struct lane {
  struct numbers open;
  unsigned held;
};

struct peer {
  unsigned nsent, received; /* messages to the peer; the last receive of a put of the peer */
};

/* A program of a rank. */
struct program {
  unsigned rank;
  bool has_entered, has_left;
  struct statement *statements;
  struct need *needs;
  struct move *moves;
  struct arrival *arrivals;
  struct lane *lanes; /* by tag */
  struct peer *peers; /* by program */
  size_t nstatements, nneeds, nmoves, narrivals, nlanes, npeers;
  struct numbers seen;         /* for the next statement of the program */
  unsigned last;               /* statement of the program */
  uint64_t cycles, written_ns; /* computed; in statements */
  uint32_t answer;             /* of the MFC: tags without a command */
};

struct trace_goal {
  struct probe probe; /* first */
  bool on_hosts;
  double cycle_ps;
  struct program **programs; /* by number; NULL: nothing known */
  size_t nprograms;
  struct err why; /* why the run is no GOAL */
};

static struct program *program_of(struct trace_goal *goal, unsigned number) {
  struct program **program = VEC_REACH(goal->programs, goal->nprograms, number);
  *program = *program ? *program : xcalloc(1, sizeof **program);
  return *program;
}

/* Return program NUMBER if the program is in the call; NULL: the program is not, or the run is no GOAL. */
static struct program *program_in_call(struct trace_goal *goal, unsigned number) {
  struct program *program = program_of(goal, number);
  return !*goal->why.text && program->has_entered && !program->has_left ? program : NULL;
}

/* --- statements --- */

static void require(struct program *program, unsigned statement, unsigned needed) {
  if (needed) {
    VEC_ADD(program->needs, program->nneeds) = (struct need){statement, needed};
  }
}

static void require_all(struct program *program, unsigned statement, const struct numbers *needed) {
  VEC_EACH(item, needed->items, needed->n) {
    require(program, statement, *item);
  }
}

static unsigned add(struct program *program, struct statement statement) {
  VEC_ADD(program->statements, program->nstatements) = statement;
  return (unsigned)program->nstatements;
}

/* End the computing of PROGRAM up to now, with a requirement of all results seen. */
static void end_computing(const struct trace_goal *goal, struct program *program) {
  uint64_t ns = (uint64_t)((double)program->cycles * goal->cycle_ps / 1000 + 0.5);
  if (ns > program->written_ns || program->seen.n) {
    unsigned number =
      add(program, (struct statement){CALC, .size = ns - program->written_ns, .of_program = true});
    require(program, number, program->last);
    require_all(program, number, &program->seen);
    program->seen.n = 0;
    program->last = number;
    program->written_ns = ns;
  }
}

/* Let a message of NBYTES go from program ENDS[0] to ENDS[1], after the sender's statement AFTER. */
static struct message send(struct trace_goal *goal, const unsigned ends[2], uint64_t nbytes, unsigned after) {
  struct program *from = program_of(goal, ends[0]), *to = program_of(goal, ends[1]);
  unsigned tag = VEC_REACH(from->peers, from->npeers, ends[1])->nsent++;
  unsigned sent = add(from, (struct statement){SEND, ends[1], tag, nbytes, .before = 0});
  require(from, sent, after);
  return (struct message){sent, add(to, (struct statement){RECV, ends[0], tag, nbytes, .before = 0})};
}

/* --- commands --- */

/* Return the program with EA in its memory; a run with main memory is no GOAL. */
static unsigned area_of(struct trace_goal *goal, const struct program *program, uint64_t ea) {
  if (!goal->on_hosts && ea >= EA_MEMORY_BASE) {
    err_set(&goal->why, "rank %u uses main memory, expected transfers between local stores", program->rank);
    return 0;
  }
  return (unsigned)(goal->on_hosts ? (ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE
                                   : (ea - EA_SPE_BASE) / EA_SPE_STRIDE);
}

/* Let program NUMBER move bytes as MOVE says, at local address HERE.
 * returns: whether there is a message. */
static bool transfer(struct trace_goal *goal, unsigned number, struct move move, uint64_t here, bool is_put) {
  struct program *program = program_of(goal, number);
  unsigned other = area_of(goal, program, move.ea);
  struct lane *lane = VEC_REACH(program->lanes, program->nlanes, move.tag);
  if (*goal->why.text || other == number || move.nbytes == 0) {
    return false;
  }
  struct message message =
    send(goal, (unsigned[]){number, other}, is_put ? move.nbytes : REQUEST, move.after);
  unsigned first = message.send, last = first;
  struct program *peer = program_of(goal, other);
  if (is_put) {
    struct peer *sender = VEC_REACH(peer->peers, peer->npeers, number);
    peer->statements[message.receive - 1].before = sender->received;
    move.receive = sender->received = message.receive;
    move.to = other;
  } else {
    last = send(goal, (unsigned[]){other, number}, move.nbytes, message.receive).receive;
    move.ea = here;
    move.to = number;
    move.receive = 0;
  }
  require(program, first, lane->held);
  if (move.is_fenced) { /* over after all earlier ones */
    require_all(program, first, &lane->open);
    lane->open.n = 0;
  }
  VEC_ADD(lane->open.items, lane->open.n) = last;
  VEC_ADD(program->moves, program->nmoves) = move;
  return true;
}

static void see_enqueue(struct trace_goal *goal, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  struct program *program = program_in_call(goal, enqueue->program);
  bool tells = goal->on_hosts && enqueue->fence;
  if (!program) {
    return;
  }
  if (!goal->on_hosts && (enqueue->is_proxy || enqueue->is_sync || enqueue->all_tags)) {
    err_set(&goal->why, "rank %u %s, expected transfers ordered by tags", program->rank,
            enqueue->is_proxy ? "lets a PPE give commands" : "orders the commands of all tags");
    return;
  }
  *enqueue->arrives = true;
  end_computing(goal, program);
  struct move move = {.command = enqueue->dma.command,
                      .ea = enqueue->ea,
                      .nbytes = enqueue->dma.nbytes,
                      .tag = enqueue->dma.tag,
                      .after = program->last,
                      .is_fenced = enqueue->fence && !tells};
  unsigned tag = enqueue->dma.tag;
  if (enqueue->is_list) {
    VEC_ADD(program->moves, program->nmoves) = move;
    return;
  }
  uint64_t here = goal->on_hosts ? ea_of_process(enqueue->dma.spe, enqueue->ls)
                                 : ea_of_ls(enqueue->dma.spe, (uint32_t)enqueue->ls);
  bool moves = transfer(goal, enqueue->program, move, here, enqueue->is_put);
  struct lane *lane = VEC_REACH(program->lanes, program->nlanes, tag);
  lane->held = enqueue->barrier && lane->open.n ? lane->open.items[lane->open.n - 1] : lane->held;
  lane->open.n -= tells && moves; /* no program waits for a tell */
}

/* Return the last move of COMMAND of PROGRAM; NULL: none. */
static struct move *find_move(const struct program *program, uint64_t command) {
  size_t i = program->nmoves;
  while (i > 0 && program->moves[i - 1].command > command) {
    i--;
  }
  return i > 0 && program->moves[i - 1].command == command ? &program->moves[i - 1] : NULL;
}

static void see_element(struct trace_goal *goal, const struct probe_event *event) {
  const struct probe_element *element = &event->element;
  const struct move *list = find_move(program_of(goal, element->dma.spe), element->dma.command);
  if (list) {
    struct move move = *list;
    *element->arrives = true;
    move.ea = element->ea;
    move.offset = element->offset;
    move.nbytes = element->nbytes;
    transfer(goal, element->dma.spe, move, ea_of_ls(element->dma.spe, (uint32_t)element->ls),
             element->is_put);
  }
}

/* Bytes of a command, as LANDED says, have come. */
static void add_arrivals(struct trace_goal *goal, const struct probe_request *landed) {
  const struct program *program = program_of(goal, landed->spe);
  const struct move *move = find_move(program, landed->command);
  for (; move && move >= program->moves && move->command == landed->command; move--) {
    if (landed->offset >= move->offset && landed->offset < move->offset + move->nbytes) {
      struct program *to = program_of(goal, move->to);
      VEC_ADD(to->arrivals, to->narrivals) =
        (struct arrival){move->ea + landed->offset - move->offset, landed->nbytes, move->receive};
    }
  }
}

/* --- results seen by a program --- */

/* PROGRAM has seen the word at EA: the last arrival there; of a signal, all arrivals. */
static void add_seen(struct trace_goal *goal, struct program *program, uint64_t ea, bool is_signal) {
  for (size_t i = program->narrivals; i > 0; i--) {
    const struct arrival *arrival = &program->arrivals[i - 1];
    bool is_there = arrival->ea <= ea && ea < arrival->ea + arrival->nbytes;
    if (is_there && !arrival->receive) {
      err_set(&goal->why, "rank %u fetches a word until the word changes, expected words that ranks put",
              program->rank);
    }
    unsigned receive = is_there ? arrival->receive : 0; /* over now, as earlier puts */
    for (; receive && !program->statements[receive - 1].is_seen;
         receive = program->statements[receive - 1].before) {
      program->statements[receive - 1].is_seen = true;
      VEC_ADD(program->seen.items, program->seen.n) = receive;
    }
    if (is_there && !is_signal) {
      return;
    }
  }
}

/* PROGRAM knows the end of the commands of the tags in MASK; bit t is tag FIRST + t. */
static void add_over(struct program *program, unsigned first, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    struct lane *lane = VEC_REACH(program->lanes, program->nlanes, first + (unsigned)__builtin_ctz(left));
    VEC_EACH(statement, lane->open.items, lane->open.n) {
      VEC_ADD(program->seen.items, program->seen.n) = *statement;
    }
    lane->open.n = 0;
    lane->held = 0;
  }
}

/* --- events --- */

static void see_call(struct trace_goal *goal, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  if (call->rank == PROBE_NOBODY) {
    err_set(&goal->why, "a program of a PPE takes part, expected programs of ranks only");
  } else if (call->call == 0) {
    struct program *program = program_of(goal, goal->on_hosts ? event->node : call->program);
    program->rank = call->rank;
    *(event->kind == PROBE_ENTER ? &program->has_entered : &program->has_left) = true;
  }
}

static void see_compute(struct trace_goal *goal, const struct probe_event *event) {
  struct program *program = program_in_call(goal, goal->on_hosts ? event->node : event->compute.program);
  if (program) {
    program->cycles += event->compute.cycles;
  }
}

static void see_result(struct trace_goal *goal, const struct probe_event *event) {
  const struct probe_seen *seen = &event->seen;
  struct program *program = program_in_call(goal, seen->program);
  if (program && event->kind == PROBE_SEEN_TAGS) {
    add_over(program, (unsigned)seen->number * TAGS, seen->is_proxy ? seen->mask : program->answer);
  } else if (program) {
    bool is_signal = event->kind == PROBE_SEEN_SIGNAL;
    add_seen(goal, program, is_signal ? ea_of_signal(seen->spe, (unsigned)seen->number) : seen->ea,
             is_signal);
  }
}

static void see_tags_done(struct trace_goal *goal, const struct probe_event *event) {
  program_of(goal, event->seen.spe)->answer = event->seen.mask;
}

static void see_arrive(struct trace_goal *goal, const struct probe_event *event) {
  add_arrivals(goal, &event->landed);
}

static void see_signal(struct trace_goal *goal, const struct probe_event *event) {
  const struct probe_cause *by = &event->signal.by;
  if (by->kind == PROBE_BY_DELIVERY) {
    add_arrivals(goal, &(struct probe_request){.spe = by->who, .command = by->number, .nbytes = 1});
  }
}

static void see_foreign(struct trace_goal *goal, const struct probe_event *event) {
  err_set(&goal->why, "the run uses %s, expected puts and gets only",
          event->kind == PROBE_MAILBOX ? "mailboxes" : "atomic commands");
}

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct trace_goal *, const struct probe_event *) = {
    [PROBE_ENTER] = see_call,
    [PROBE_LEAVE] = see_call,
    [PROBE_COMPUTE] = see_compute,
    [PROBE_ENQUEUE] = see_enqueue,
    [PROBE_ELEMENT] = see_element,
    [PROBE_ARRIVE] = see_arrive,
    [PROBE_TAGS_DONE] = see_tags_done,
    [PROBE_SEEN_TAGS] = see_result,
    [PROBE_SEEN_WORD] = see_result,
    [PROBE_SEEN_SIGNAL] = see_result,
    [PROBE_SIGNAL] = see_signal,
    [PROBE_MAILBOX] = see_foreign,
    [PROBE_ATOMIC_ENQUEUE] = see_foreign,
  };
  if (handlers[event->kind]) {
    handlers[event->kind]((struct trace_goal *)probe, event);
  }
}

/* --- the text --- */

static void write_program(const struct trace_goal *goal, const struct program *program, FILE *stream) {
  static const char *const words[] = {[SEND] = "send", [RECV] = "recv"};
  VEC_EACH(statement, program->statements, program->nstatements) {
    fprintf(stream, "l%td: ", statement - program->statements + 1);
    if (statement->kind == CALC) {
      fprintf(stream, "calc %" PRIu64 "\n", statement->size);
    } else {
      fprintf(stream, "%s %" PRIu64 "b %s %u tag %u cpu %d\n", words[statement->kind], statement->size,
              statement->kind == SEND ? "to" : "from", goal->programs[statement->peer]->rank, statement->tag,
              !statement->of_program);
    }
  }
  VEC_EACH(need, program->needs, program->nneeds) {
    fprintf(stream, "l%u requires l%u\n", need->statement, need->needed);
  }
}

static void write_ranks(const struct trace_goal *goal, FILE *stream) {
  SCOPED const struct program **ranks = NULL;
  size_t nranks = 0, room = 0;
  for (size_t i = 0; i < goal->nprograms; i++) {
    struct program *program = goal->programs[i];
    if (program && program->has_entered) {
      *VEC_REACH(ranks, room, program->rank) = program;
      RAISE(nranks, program->rank + 1);
      end_computing(goal, program);
    }
  }
  fprintf(stream, "num_ranks %zu\n", nranks);
  for (size_t r = 0; r < nranks; r++) {
    fprintf(stream, "rank %zu {\n", r);
    if (ranks[r]) {
      write_program(goal, ranks[r], stream);
    }
    fputs("}\n", stream);
  }
}

struct probe *trace_goal_new(const struct trace_spec *spec, double cycle_ps) {
  struct trace_goal *goal = xcalloc(1, sizeof *goal);
  *goal = (struct trace_goal){.probe = {.see = see, .details = true, .orders = true},
                              .on_hosts = spec->names.processes,
                              .cycle_ps = cycle_ps};
  if (spec->nnodes && !goal->on_hosts) {
    err_set(&goal->why, "the platform has several nodes, expected one blade, or hosts");
  }
  return &goal->probe;
}

int trace_goal_end(struct probe *probe, FILE *stream, struct err *err) {
  SCOPED struct trace_goal *goal = (struct trace_goal *)probe;
  for (size_t i = 0; i < goal->nprograms; i++) {
    const struct program *program = goal->programs[i];
    if (program && program->nstatements && !program->has_entered) {
      err_set(&goal->why, "a rank has not entered the call, expected all");
    } else if (program && program->has_entered && !program->has_left) {
      err_set(&goal->why, "rank %u has not left the call, expected a call that ends", program->rank);
    }
  }
  int status = *goal->why.text ? err_set(err, "--trace in GOAL: %s", goal->why.text) : 0;
  if (status == 0) {
    write_ranks(goal, stream);
  }
  for (size_t i = 0; i < goal->nprograms; i++) {
    struct program *program = goal->programs[i];
    if (!program) {
      continue;
    }
    VEC_EACH(lane, program->lanes, program->nlanes) {
      free(lane->open.items);
    }
    free(program->statements);
    free(program->needs);
    free(program->moves);
    free(program->arrivals);
    free(program->lanes);
    free(program->peers);
    free(program->seen.items);
  }
  xfree_all(goal->programs, goal->nprograms);
  return status;
}
