/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: activities of programs, and the causes of the ends of waits. */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/engine/des.h"
#include "sim/base/vec.h"
#include "sim/hw/watch/probe.h"
#include "traces/trace_words.h"

/* --- slices --- */

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

struct trace_program *trace_tracks_program(struct trace_tracks *tracks, unsigned number) {
  struct trace_program *program = reserve(tracks, number);
  if (!program->shown) {
    program->shown = true;
    trace_tracks_show(tracks, &program->track);
  }
  return program;
}

/* End at AT the open slices of PROGRAM from STATE inwards. */
static void close_slices(struct trace_tracks *tracks, struct trace_program *program, enum trace_state state,
                         uint64_t at) {
  while (program->depth > 0 && program->open[program->depth - 1].state >= state) {
    struct trace_op op = {
      .action = ACTION_END, .at = at, .track = &program->track, .slice = program->open[--program->depth]};
    op.slice.to = at;
    trace_tracks_act(tracks, &op);
  }
}

/* Program NUMBER goes on with SLICE. */
static void open_slice(struct trace_tracks *tracks, unsigned number, const struct trace_slice *slice) {
  struct trace_program *program = trace_tracks_program(tracks, number);
  close_slices(tracks, program, slice->state, slice->from);
  program->open[program->depth++] = *slice;
  if (tracks->writer->begin) {
    trace_tracks_act(tracks,
                     &(struct trace_op){
                       .action = ACTION_BEGIN, .at = slice->from, .track = &program->track, .slice = *slice});
  }
}

/* --- events --- */

static void see_start(struct trace_tracks *tracks, const struct probe_start *start) {
  struct trace_slice slice = {.state = STATE_PROGRAM, .from = start->at};
  struct trace_track *track = &reserve(tracks, start->program)->track;
  snprintf(slice.name, sizeof slice.name, "%s", start->name);
  track->name = start->name;
  track->chip = start->chip;
  open_slice(tracks, start->program, &slice);
}

static void see_compute(struct trace_tracks *tracks, const struct probe_compute *compute) {
  struct trace_op op = {.action = ACTION_END,
                        .track = &trace_tracks_program(tracks, compute->program)->track,
                        .slice = {.state = compute->reason == COMPUTE_COMBINE ? STATE_COMBINE : STATE_COMPUTE,
                                  .from = compute->at,
                                  .to = compute->at + compute->cycles}};
  snprintf(op.slice.name, sizeof op.slice.name, "%s", trace_reason_words[compute->reason]);
  if (compute->cycles > 0) {
    trace_tracks_slice(tracks, &op);
  }
}

static void see_enter(struct trace_tracks *tracks, const struct probe_call *call) {
  struct trace_slice slice = {.state = STATE_CALL, .from = call->at};
  snprintf(slice.name, sizeof slice.name, "call %u", call->call + 1);
  open_slice(tracks, call->program, &slice);
}

static void see_step(struct trace_tracks *tracks, const struct probe_step *step) {
  struct trace_slice slice = {.state = STATE_STEP, .from = step->at};
  snprintf(slice.name, sizeof slice.name, "%s", trace_step_name(step));
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
    place = trace_places_find(tracks, TRACK_DMA, cause->who, cause->number);
    break;
  case PROBE_BY_ATOMIC:
    place = trace_places_find(tracks, TRACK_ATOMIC, cause->who, cause->number);
    break;
  case PROBE_BY_PROGRAM:
    flow->from = flow->issuer = &trace_tracks_program(tracks, cause->who)->track;
    flow->began = flow->ended;
    return true;
  case PROBE_BY_MESSAGE:
    place =
      tracks->nodes ? trace_places_find(&tracks->nodes[cause->who], TRACK_MESSAGES, 0, cause->number) : NULL;
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
  struct trace_program *program = trace_tracks_program(tracks, event->wake.program);
  struct trace_flow flow = {.to = &program->track, .ended = event->cycle};
  close_slices(tracks, program, STATE_WAIT, event->cycle);
  if (find_cause(tracks, &event->wake.cause, &flow)) {
    flow.number = ++tracks->file->nflows;
    tracks->writer->flow(tracks->file, &flow);
  }
}

bool trace_programs_see(struct trace_tracks *tracks, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_START:
    see_start(tracks, &event->start);
    return true;
  case PROBE_EXIT:
    close_slices(tracks, trace_tracks_program(tracks, event->exit.by.who), STATE_PROGRAM, event->exit.at);
    return true;
  case PROBE_ENTER:
    see_enter(tracks, &event->call);
    return true;
  case PROBE_LEAVE:
    close_slices(tracks, trace_tracks_program(tracks, event->call.program), STATE_CALL, event->call.at);
    return true;
  case PROBE_STEP:
    see_step(tracks, &event->step);
    return true;
  case PROBE_COMPUTE:
    see_compute(tracks, &event->compute);
    return true;
  case PROBE_WAIT:
    see_wait(tracks, event);
    return true;
  case PROBE_WAKE:
    see_wake(tracks, event);
    return true;
  default:
    return false;
  }
}

void trace_programs_end(struct trace_tracks *tracks) {
  for (size_t i = 0; i < tracks->nprograms; i++) {
    if (tracks->programs[i]) {
      close_slices(tracks, tracks->programs[i], STATE_PROGRAM, tracks->now);
    }
  }
}
