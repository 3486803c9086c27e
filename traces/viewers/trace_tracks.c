/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_writer.h. Slices of programs are nested: the last slice to begin ends first. Commands, bus
 * requests and messages are in places. Operations of later cycles are kept in a queue. */
#include "traces/viewers/trace_writer.h"

#include "sim/base/engine/des.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/watch/probe.h"
#include "traces/trace_words.h"

#include <stdlib.h>

/* --- tracks --- */

char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track) {
  /* before the numbers of the chip, of the unit, and of the place; NULL: the name has no such number */
  static const char *const words[][3] = {
    [TRACK_SPE] = {NULL, "SPE ", NULL},           [TRACK_PPE] = {NULL, "program ", NULL},
    [TRACK_DMA] = {NULL, "SPE ", " DMA "},        [TRACK_ATOMIC] = {NULL, "SPE ", " atomic "},
    [TRACK_RING] = {"ring ", ".", " place "},     [TRACK_LINK] = {"link ", "-", " place "},
    [TRACK_MEMORY] = {"memory ", ".", " place "}, [TRACK_MESSAGES] = {NULL, NULL, " place "}};
  const unsigned numbers[] = {track->chip, track->number, track->place};
  if (track->owner == TRACK_SERVER) {
    return trace_put_word(at, track->name, false);
  }
  if (track->owner == TRACK_MESSAGES) {
    at = trace_put_word(trace_put(at, "messages of "), node_name(&file->spec.names, track->node), false);
  }
  for (unsigned i = 0; i < 3; i++) {
    at = words[track->owner][i] ? trace_put_field(at, words[track->owner][i], numbers[i]) : at;
  }
  return track->name ? trace_put_word(trace_put_char(at, ' '), track->name, false) : at;
}

/* Write TRACK as a new track. */
static void show_track(struct trace_tracks *tracks, struct trace_track *track) {
  track->index = tracks->file->ntracks++;
  tracks->writer->track(tracks->file, track, tracks->now);
}

/* Return program NUMBER, with or without a written track. */
static struct trace_program *reserve(struct trace_tracks *tracks, unsigned number) {
  struct trace_program **program = VEC_REACH(tracks->programs, tracks->nprograms, number);
  if (!*program) {
    bool on_spe = number < tracks->parameters.nspes;
    *program = xcalloc(1, sizeof **program);
    (*program)->track = (struct trace_track){.owner = on_spe ? TRACK_SPE : TRACK_PPE,
                                             .node = tracks->node,
                                             .chip = on_spe ? number / tracks->parameters.spes_per_chip : 0,
                                             .number = number};
  }
  return *program;
}

/* Return program NUMBER; the first call writes the track. */
static struct trace_program *program_of(struct trace_tracks *tracks, unsigned number) {
  struct trace_program *program = reserve(tracks, number);
  if (!program->shown) {
    program->shown = true;
    show_track(tracks, &program->track);
  }
  return program;
}

/* Add CHANGE to COUNTER of UNIT, an SPE or for COUNTER_TRANSFERS a chip, and write the value. */
static void add_to_counter(struct trace_tracks *tracks, enum trace_counter counter, unsigned unit,
                           int change) {
  unsigned *count = VEC_REACH(tracks->counts[counter], tracks->ncounts[counter], unit);
  struct trace_value value = {
    .counter = counter, .node = tracks->node, .at = tracks->now, .value = *count += (unsigned)change};
  if (counter == COUNTER_TRANSFERS) {
    value.chip = unit;
  } else {
    value.spe = &program_of(tracks, unit)->track;
  }
  tracks->writer->value(tracks->file, &value);
}

/* --- places --- */

static struct trace_places *places_of(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit) {
  return VEC_REACH(tracks->places[owner], tracks->nplaces[owner], unit);
}

/* Return the lowest place free at FROM of the unit of TRACK; a new place gets a copy of TRACK. */
static struct trace_place *take_place(struct trace_tracks *tracks, const struct trace_track *track,
                                      uint64_t from) {
  const struct parameters *parameters = &tracks->parameters;
  unsigned per_chip = MAX(parameters->nrings, parameters->nchips);
  bool on_chip = track->owner >= TRACK_RING && track->owner <= TRACK_MEMORY;
  struct trace_places *places =
    places_of(tracks, track->owner, (on_chip ? track->chip * per_chip : 0) + track->number);
  struct trace_place **found = VEC_FIND(places->items, places->n, (*item)->free_at <= from);
  if (found) {
    return *found;
  }
  struct trace_place *place = xcalloc(1, sizeof *place);
  place->track = *track;
  place->track.node = tracks->node;
  place->track.place = places->n;
  VEC_ADD(places->items, places->n) = place;
  show_track(tracks, &place->track);
  return place;
}

/* Take a place of the unit of TRACK for SLICE of ISSUER: the slice begins now; the end is unknown. */
static void open_place(struct trace_tracks *tracks, const struct trace_track *track,
                       const struct trace_slice *slice, const struct trace_track *issuer) {
  struct trace_place *place = take_place(tracks, track, slice->from);
  place->slice = *slice;
  place->free_at = UINT64_MAX;
  place->issuer = issuer;
  if (tracks->writer->begin) {
    tracks->writer->begin(tracks->file, &place->track, slice);
  }
}

/* Return the place of UNIT (of OWNER) whose last command, ended or not, has NUMBER; NULL: none. */
static struct trace_place *find_place(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit,
                                      uint64_t number) {
  const struct trace_places *places = places_of(tracks, owner, unit);
  struct trace_place **found = VEC_FIND(places->items, places->n, (*item)->slice.number == number);
  return found ? *found : NULL;
}

/* The slice in PLACE ends now. */
static void close_place(struct trace_tracks *tracks, struct trace_place *place) {
  place->slice.to = place->free_at = tracks->now;
  tracks->writer->end(tracks->file, &place->track, &place->slice);
}

/* All open slices of UNIT (of OWNER) end now. */
static void end_places(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit) {
  const struct trace_places *places = places_of(tracks, owner, unit);
  VEC_EACH(place, places->items, places->n) {
    if ((*place)->free_at == UINT64_MAX) {
      close_place(tracks, *place);
    }
  }
}

/* --- writing --- */

static void begin_command(struct trace_tracks *tracks, const struct trace_op *op) {
  bool is_atomic = op->slice.state == STATE_ATOMIC;
  const struct trace_track *spe = &program_of(tracks, op->spe)->track;
  struct trace_track track = {
    .owner = is_atomic ? TRACK_ATOMIC : TRACK_DMA, .chip = spe->chip, .number = spe->number, .parent = spe};
  open_place(tracks, &track, &op->slice, op->issuer);
  if (!is_atomic) {
    add_to_counter(tracks, COUNTER_QUEUE, op->spe, 1);
  }
}

/* Let the next text belong to CYCLE, or to the latest cycle written so far. A process of a host goes ahead of
 * its messages: the lines of such processes are all held and sorted by cycle. */
static void reach(struct trace_tracks *tracks, uint64_t cycle) {
  RAISE(tracks->now, cycle);
  trace_text_reach(&tracks->file->text, tracks->file->spec.names.processes ? cycle : tracks->now);
}

/* Return the cycle of OP. */
static uint64_t due(const struct trace_op *op) {
  return op->action == ACTION_BEGIN || op->action == ACTION_TAKE ? op->slice.from : op->slice.to;
}

static void write_op(struct trace_tracks *tracks, const struct trace_op *op) {
  reach(tracks, due(op));
  switch (op->action) {
  case ACTION_BEGIN:
    tracks->writer->begin(tracks->file, op->track, &op->slice);
    break;
  case ACTION_END:
    tracks->writer->end(tracks->file, op->track, &op->slice);
    if (op->track->owner == TRACK_RING) {
      add_to_counter(tracks, COUNTER_TRANSFERS, op->track->chip, -1);
    }
    break;
  case ACTION_TAKE:
    begin_command(tracks, op);
    break;
  case ACTION_FREE:
    add_to_counter(tracks, COUNTER_REQUESTS, op->spe, -1);
    break;
  }
}

/* Write OP at once if OP is due by TRACKS->cycle; else keep OP for later. Of some formats no slice begins. */
static void act(struct trace_tracks *tracks, const struct trace_op *op) {
  if (op->action == ACTION_BEGIN && !tracks->writer->begin) {
    return;
  }
  if (due(op) <= tracks->cycle) {
    write_op(tracks, op);
  } else {
    struct trace_op *kept = pool_take(&tracks->ops);
    *kept = *op;
    cycle_queue_add(&tracks->queue, due(op), kept);
  }
}

/* Let SLICE of TRACK begin and end, now or later. */
static void add_slice(struct trace_tracks *tracks, const struct trace_track *track,
                      const struct trace_slice *slice) {
  struct trace_op op = {.action = ACTION_BEGIN, .track = track, .slice = *slice};
  act(tracks, &op);
  op.action = ACTION_END;
  act(tracks, &op);
}

/* --- programs --- */

/* Return a slice called NAME, in STATE from cycle FROM on. */
static struct trace_slice name_slice(enum trace_state state, uint64_t from, const char *name) {
  struct trace_slice slice = {.state = state, .from = from};
  snprintf(slice.name, sizeof slice.name, "%s", name);
  return slice;
}

/* End at AT the open slices of PROGRAM from STATE inwards. */
static void close_slices(struct trace_tracks *tracks, struct trace_program *program, enum trace_state state,
                         uint64_t at) {
  while (program->depth > 0 && program->open[program->depth - 1].state >= state) {
    struct trace_op op = {
      .action = ACTION_END, .track = &program->track, .slice = program->open[--program->depth]};
    op.slice.to = at;
    act(tracks, &op);
  }
}

/* Program NUMBER goes on with SLICE. */
static void open_slice(struct trace_tracks *tracks, unsigned number, const struct trace_slice *slice) {
  struct trace_program *program = program_of(tracks, number);
  close_slices(tracks, program, slice->state, slice->from);
  program->open[program->depth++] = *slice;
  act(tracks, &(struct trace_op){.action = ACTION_BEGIN, .track = &program->track, .slice = *slice});
}

static void see_start(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
  struct trace_slice slice = name_slice(STATE_PROGRAM, start->at, start->name);
  struct trace_track *track = &reserve(tracks, start->program)->track;
  track->name = start->name;
  track->chip = start->chip;
  open_slice(tracks, start->program, &slice);
}

static void see_compute(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_compute *compute = &event->compute;
  const struct trace_track *track = &program_of(tracks, compute->program)->track;
  struct trace_slice slice = name_slice(compute->reason == COMPUTE_COMBINE ? STATE_COMBINE : STATE_COMPUTE,
                                        compute->at, trace_reason_words[compute->reason]);
  slice.to = compute->at + compute->cycles;
  if (compute->cycles > 0) {
    add_slice(tracks, track, &slice);
  }
}

static void see_enter(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  struct trace_slice slice = name_slice(STATE_CALL, call->at, text_brief("call %u", call->call + 1));
  open_slice(tracks, call->program, &slice);
}

static void see_step(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_step *step = &event->step;
  struct trace_slice slice =
    name_slice(step->step ? STATE_STEP : STATE_LINE, step->at, trace_step_name(step));
  open_slice(tracks, step->program, &slice);
}

static void see_wait(struct trace_tracks *tracks, const struct probe_event *event) {
  struct trace_slice slice = {.state = STATE_WAIT, .from = event->cycle};
  event->wait.wait->describe(event->wait.wait, slice.name, sizeof slice.name);
  open_slice(tracks, event->wait.program, &slice);
}

/* Fill in FLOW the place where CAUSE began.
 * returns: false if CAUSE has no track. */
static bool find_cause(struct trace_tracks *tracks, const struct probe_cause *cause,
                       struct trace_flow *flow) {
  const struct trace_place *place = NULL;
  switch (cause->kind) {
  case PROBE_BY_DELIVERY:
  case PROBE_BY_COMPLETION:
  case PROBE_BY_STALL:
    place = find_place(tracks, TRACK_DMA, cause->who, cause->number);
    break;
  case PROBE_BY_ATOMIC:
    place = find_place(tracks, TRACK_ATOMIC, cause->who, cause->number);
    break;
  case PROBE_BY_PROGRAM:
    flow->from = flow->issuer = &program_of(tracks, cause->who)->track;
    flow->began = flow->ended;
    return true;
  case PROBE_BY_MESSAGE:
    place = tracks->nodes ? find_place(&tracks->nodes[cause->who], TRACK_MESSAGES, 0, cause->number) : NULL;
    break;
  case PROBE_BY_NOTHING:
  case PROBE_BY_DECREMENTER:
    break;
  }
  if (!place || !place->issuer) {
    return false;
  }
  flow->from = &place->track;
  flow->issuer = place->issuer;
  flow->began = place->slice.from;
  return true;
}

static void see_wake(struct trace_tracks *tracks, const struct probe_event *event) {
  struct trace_program *program = program_of(tracks, event->wake.program);
  struct trace_flow flow = {.to = &program->track, .ended = event->cycle};
  close_slices(tracks, program, STATE_WAIT, event->cycle);
  if (find_cause(tracks, &event->wake.cause, &flow)) {
    flow.number = ++tracks->file->nflows;
    tracks->writer->flow(tracks->file, &flow);
  }
}

static void see_leave(struct trace_tracks *tracks, const struct probe_event *event) {
  close_slices(tracks, program_of(tracks, event->call.program), STATE_CALL, event->call.at);
}

static void see_exit(struct trace_tracks *tracks, const struct probe_event *event) {
  close_slices(tracks, program_of(tracks, event->exit.by.who), STATE_PROGRAM, event->exit.at);
}

/* --- commands --- */

/* Return the command WHAT, its bytes and the place at the effective address of ENQUEUE; a text_brief. */
static const char *name_target(const struct probe_enqueue *enqueue, const char *what) {
  uint64_t area = (enqueue->ea - EA_SPE_BASE) / EA_SPE_STRIDE,
           offset = (enqueue->ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  const char *size = units_format_bytes(enqueue->dma.nbytes), *way = enqueue->is_put ? "to" : "from";
  const char *where = "";
  if (offset >= EA_PROBLEM_STATE) {
    where = offset == EA_MAILBOX_IN ? "mailbox of " : offset == EA_SIGNAL_1 ? "signal 1 of " : "signal 2 of ";
  }
  return enqueue->ea >= EA_MEMORY_BASE
           ? text_brief("%s %s %s memory", what, size, way)
           : text_brief("%s %s %s %sSPE %u", what, size, way, where, (unsigned)area);
}

/* PROGRAM has given the MFC of SPE the command of SLICE. */
static void take(struct trace_tracks *tracks, unsigned spe, unsigned program, struct trace_slice slice) {
  act(tracks,
      &(struct trace_op){
        .action = ACTION_TAKE, .spe = spe, .issuer = &program_of(tracks, program)->track, .slice = slice});
}

static void see_enqueue(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  const char *what = trace_dma_word(enqueue);
  struct trace_slice slice =
    name_slice(enqueue->is_sync  ? STATE_SYNC
               : enqueue->is_put ? STATE_PUT
                                 : STATE_GET,
               enqueue->at,
               enqueue->is_sync   ? what
               : enqueue->is_list ? text_brief("%s of %u elements", what, enqueue->dma.nbytes / 8)
                                  : name_target(enqueue, what));
  slice.number = enqueue->dma.command;
  slice.tag = enqueue->dma.tag;
  take(tracks, enqueue->dma.spe, enqueue->program, slice);
}

static void see_atomic_enqueue(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_enqueue.atomic;
  struct trace_slice slice = name_slice(STATE_ATOMIC, event->atomic_enqueue.at, atomic->what);
  slice.number = atomic->number;
  take(tracks, atomic->spe, atomic->spe, slice);
}

/* Command NUMBER of SPE, of OWNER, ends now.
 * returns: whether the command is known. */
static bool end_command(struct trace_tracks *tracks, enum trace_owner owner, unsigned spe, uint64_t number) {
  struct trace_place *place = find_place(tracks, owner, spe, number);
  if (place) {
    close_place(tracks, place);
  }
  return place;
}

static void see_complete(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_dma *dma = &event->complete.dma;
  if (end_command(tracks, TRACK_DMA, dma->spe, dma->command)) {
    add_to_counter(tracks, COUNTER_QUEUE, dma->spe, -1);
  }
}

static void see_atomic_complete(struct trace_tracks *tracks, const struct probe_event *event) {
  end_command(tracks, TRACK_ATOMIC, event->atomic_complete.atomic.spe, event->atomic_complete.atomic.number);
}

/* --- bus requests --- */

/* Return a slice of REQUEST in STATE, from cycle FROM on, for CYCLES cycles. */
static struct trace_slice stay(enum trace_state state, const struct probe_request *request, uint64_t from,
                               uint64_t cycles) {
  return (struct trace_slice){.state = state,
                              .from = from,
                              .to = from + cycles,
                              .number = request->command,
                              .spe = request->spe,
                              .offset = request->offset,
                              .tag = request->tag};
}

/* Show SLICE in a place of TRACK. */
static void show(struct trace_tracks *tracks, const struct trace_track *track, struct trace_slice slice) {
  struct trace_place *place = take_place(tracks, track, slice.from);
  place->free_at = slice.to;
  add_slice(tracks, &place->track, &slice);
}

static void see_issue(struct trace_tracks *tracks, const struct probe_event *event) {
  add_to_counter(tracks, COUNTER_REQUESTS, event->issue.request.spe, 1);
}

static void see_delivery(struct trace_tracks *tracks, const struct probe_event *event) {
  act(tracks, &(struct trace_op){.action = ACTION_FREE,
                                 .spe = event->deliver.request.spe,
                                 .slice.to = event->deliver.free_at});
}

static void see_grant(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  const struct ring_parameters *ring = &tracks->parameters.ring;
  struct trace_track track = {.owner = TRACK_RING, .chip = grant->chip, .number = grant->ring};
  add_to_counter(tracks, COUNTER_TRANSFERS, grant->chip, 1);
  show(tracks, &track,
       stay(STATE_TRANSFER, &grant->request, event->cycle, grant->hops * ring->hop + ring->beats));
}

static void see_cross(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_cross *cross = &event->cross;
  struct trace_track track = {.owner = TRACK_LINK, .chip = cross->chip, .number = cross->next_chip};
  uint64_t mcyc = parameters_link_mcyc(&tracks->parameters, cross->request.nbytes);
  show(tracks, &track, stay(STATE_CROSSING, &cross->request, event->cycle, (mcyc + 500) / 1000));
}

static void see_memory(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_memory *memory = &event->memory;
  const struct parameters *parameters = &tracks->parameters;
  struct trace_track track = {.owner = TRACK_MEMORY, .chip = memory->chip};
  uint64_t mcyc = memory->is_write ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
  show(tracks, &track,
       stay(STATE_MEMORY, &memory->request, event->cycle + memory->waited, (mcyc + 500) / 1000));
}

/* --- messages --- */

/* Return the track of the sender of messages among the programs of TRACKS, on the PPE of chip 0; NULL: no
 * such program. */
static const struct trace_track *sender(const struct trace_tracks *tracks) {
  size_t first = tracks->parameters.nspes;
  struct trace_program *const *found = tracks->nprograms > first
                                         ? VEC_FIND(tracks->programs + first, tracks->nprograms - first,
                                                    *item && (*item)->depth > 0 && (*item)->track.chip == 0)
                                         : NULL;
  return found ? &(*found)->track : NULL;
}

/* A program sends a message. */
static void see_send(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct trace_track track = {.owner = TRACK_MESSAGES};
  struct trace_slice slice =
    name_slice(STATE_MESSAGE, event->cycle,
               text_brief("#%llu %s to %s", (unsigned long long)event->message.number,
                          units_format_bytes(event->message.nbytes),
                          node_name(&tracks->file->spec.names, event->message.to)));
  slice.number = event->message.number;
  open_place(tracks, &track, &slice, sender(tracks));
}

/* The receiver is told of a message; the message's place is free MARGIN cycles later. */
static void see_arrive(struct trace_tracks *tracks, const struct probe_event *event, uint64_t margin) {
  struct trace_place *place = find_place(tracks, TRACK_MESSAGES, 0, event->message.number);
  if (place && !event->arrive.at_host) {
    place->slice.to = event->arrive.told;
    place->free_at = event->arrive.told + margin;
    act(tracks, &(struct trace_op){.action = ACTION_END, .track = &place->track, .slice = place->slice});
  }
}

/* A server of the network has a packet. The whole slice is written at once, ordered by its end: packets of
 * several nodes are not told in the order of cycles. */
static void see_packet(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  const struct trace_track track = {
    .owner = TRACK_SERVER, .number = (unsigned)packet->server.number, .name = packet->server.name};
  trace_text_reach(&tracks->file->text, packet->end);
  struct trace_place *place = take_place(tracks, &track, packet->begin);
  struct trace_slice slice = name_slice(STATE_PACKET, packet->begin,
                                        text_brief(packet->is_answer ? "#%llu acknowledged" : "#%llu.%u%s",
                                                   (unsigned long long)event->message.number, packet->number,
                                                   packet->again ? " again" : ""));
  slice.to = place->free_at = packet->end;
  RAISE(tracks->now, packet->end);
  tracks->writer->end(tracks->file, &place->track, &slice);
}

/* --- a whole node --- */

void trace_tracks_catch_up(struct trace_tracks *tracks, uint64_t cycle) {
  for (struct trace_op *op; (op = cycle_queue_take(&tracks->queue, cycle));) {
    write_op(tracks, op);
    pool_give(&tracks->ops, op);
  }
}

/* Write the operations due by CYCLE; the next text belongs to CYCLE. */
static void come_to(struct trace_tracks *tracks, uint64_t cycle) {
  tracks->cycle = cycle;
  trace_tracks_catch_up(tracks, cycle);
  reach(tracks, cycle);
}

void trace_tracks_see(struct trace_tracks *tracks, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct trace_tracks *, const struct probe_event *) = {
    [PROBE_START] = see_start,
    [PROBE_EXIT] = see_exit,
    [PROBE_ENTER] = see_enter,
    [PROBE_LEAVE] = see_leave,
    [PROBE_STEP] = see_step,
    [PROBE_COMPUTE] = see_compute,
    [PROBE_WAIT] = see_wait,
    [PROBE_WAKE] = see_wake,
    [PROBE_ENQUEUE] = see_enqueue,
    [PROBE_COMPLETE] = see_complete,
    [PROBE_ATOMIC_ENQUEUE] = see_atomic_enqueue,
    [PROBE_ATOMIC_COMPLETE] = see_atomic_complete,
    [PROBE_ISSUE] = see_issue,
    [PROBE_DELIVER] = see_delivery,
    [PROBE_GRANT] = see_grant,
    [PROBE_CROSS] = see_cross,
    [PROBE_MEMORY] = see_memory,
  };
  come_to(tracks, event->cycle);
  if (handlers[event->kind] && (!trace_is_request(event) || tracks->file->spec.level == TRACE_BUS)) {
    handlers[event->kind](tracks, event);
  }
}

void trace_messages_see(struct trace_tracks *nodes, const struct probe_event *event, uint64_t margin) {
  struct trace_tracks *from = &nodes[event->node], *network = &nodes[from->file->nnodes];
  switch (event->kind) {
  case PROBE_MESSAGE_SEND:
    come_to(from, event->cycle);
    see_send(from, event);
    break;
  case PROBE_MESSAGE_ARRIVE:
    come_to(from, from->now);
    see_arrive(from, event, margin);
    break;
  case PROBE_PACKET:
    if (network->writer->late && network->file->spec.level == TRACE_BUS) {
      see_packet(network, event);
    }
    break;
  default:
    break;
  }
}

void trace_tracks_init(struct trace_tracks *tracks, struct trace_file *file,
                       const struct trace_writer *writer, unsigned node) {
  bool is_host = node_is_host(&file->spec.names, node);
  *tracks = (struct trace_tracks){.file = file, .writer = writer, .node = node};
  pool_init(&tracks->ops, sizeof(struct trace_op));
  parameters_init(&tracks->parameters, is_host ? file->spec.host_platform : file->spec.platform);
  if (file->spec.names.processes) {
    tracks->parameters.nspes = 0; /* a process has one program, number 0 */
  }
  file->nchips = is_host ? file->nchips : tracks->parameters.nchips;
}

void trace_tracks_end(struct trace_tracks *tracks) {
  trace_tracks_catch_up(tracks, UINT64_MAX);
  come_to(tracks, tracks->now);
  for (unsigned spe = 0; spe < tracks->parameters.nspes; spe++) {
    end_places(tracks, TRACK_DMA, spe);
    end_places(tracks, TRACK_ATOMIC, spe);
  }
  end_places(tracks, TRACK_MESSAGES, 0);
  VEC_EACH(program, tracks->programs, tracks->nprograms) {
    if (*program) {
      close_slices(tracks, *program, STATE_PROGRAM, tracks->now);
    }
  }
}

void trace_tracks_fini(struct trace_tracks *tracks) {
  for (unsigned owner = 0; owner < TRACK_OWNERS; owner++) {
    VEC_EACH(places, tracks->places[owner], tracks->nplaces[owner]) {
      xfree_all(places->items, places->n);
    }
    free(tracks->places[owner]);
  }
  VEC_EACH(counts, tracks->counts, TRACE_COUNTERS) {
    free(*counts);
  }
  xfree_all(tracks->programs, tracks->nprograms);
  free(tracks->queue.heap);
  pool_fini(&tracks->ops);
}
