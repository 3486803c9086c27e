/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: activities of programs, and the causes of the ends of waits. */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/probe.h"
#include "traces/trace_words.h"

/* --- slices --- */

/* Return program NUMBER, with or without a written track. */
static struct trace_program *reserve(struct trace_tracks *tracks, unsigned number) {
  if (number >= tracks->nprograms) {
    tracks->programs = xrealloc(tracks->programs, number + 1, sizeof *tracks->programs);
    for (; tracks->nprograms <= number; tracks->nprograms++) {
      unsigned i = tracks->nprograms;
      bool on_spe = i < tracks->parameters.nspes;
      tracks->programs[i] = xcalloc(1, sizeof **tracks->programs);
      tracks->programs[i]->track =
        (struct trace_track){.owner = on_spe ? TRACK_SPE : TRACK_PPE,
                             .node = tracks->node,
                             .chip = on_spe ? i / tracks->parameters.spes_per_chip : 0,
                             .number = i};
    }
  }
  return tracks->programs[number];
}

struct trace_program *trace_tracks_program(struct trace_tracks *tracks, unsigned number) {
  struct trace_program *program = reserve(tracks, number);
  if (!program->shown) {
    program->shown = true;
    trace_tracks_show(tracks, &program->track);
  }
  return program;
}

/* SLICE, of PROGRAM, begins. */
static void begin_slice(struct trace_tracks *tracks, struct trace_program *program,
                        const struct trace_slice *slice, uint64_t cycle) {
  if (tracks->writer->begin) {
    trace_tracks_act(tracks,
                     &(struct trace_op){
                       .action = ACTION_BEGIN, .at = slice->from, .track = &program->track, .slice = *slice},
                     cycle);
  }
}

/* SLICE, of PROGRAM, ends. */
static void end(struct trace_tracks *tracks, struct trace_program *program, const struct trace_slice *slice,
                uint64_t cycle) {
  trace_tracks_act(
    tracks,
    &(struct trace_op){.action = ACTION_END, .at = slice->to, .track = &program->track, .slice = *slice},
    cycle);
}

/* End at AT the open slices of PROGRAM from STATE inwards. */
static void close_slices(struct trace_tracks *tracks, struct trace_program *program, enum trace_state state,
                         uint64_t at, uint64_t cycle) {
  while (program->depth > 0 && program->open[program->depth - 1].state >= state) {
    struct trace_slice *slice = &program->open[--program->depth];
    slice->to = at;
    end(tracks, program, slice, cycle);
  }
}

/* PROGRAM goes on with SLICE. */
static void open_slice(struct trace_tracks *tracks, unsigned number, const struct trace_slice *slice,
                       uint64_t cycle) {
  struct trace_program *program = trace_tracks_program(tracks, number);
  close_slices(tracks, program, slice->state, slice->from, cycle);
  program->open[program->depth++] = *slice;
  begin_slice(tracks, program, slice, cycle);
}

/* --- events --- */

static void see_start(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
  struct trace_slice slice = {.state = STATE_PROGRAM, .from = start->at};
  struct trace_program *program = reserve(tracks, start->program);
  snprintf(slice.name, sizeof slice.name, "%s", start->name);
  program->track.name = start->name;
  program->track.chip = start->chip;
  open_slice(tracks, start->program, &slice, event->cycle);
}

static void see_compute(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_compute *compute = &event->compute;
  bool combines = compute->reason == COMPUTE_COMBINE;
  struct trace_program *program = trace_tracks_program(tracks, compute->program);
  struct trace_slice slice = {.state = combines ? STATE_COMBINE : STATE_COMPUTE,
                              .from = compute->at,
                              .to = compute->at + compute->cycles};
  snprintf(slice.name, sizeof slice.name, "%s", trace_reason_word(compute->reason));
  if (compute->cycles > 0) {
    begin_slice(tracks, program, &slice, event->cycle);
    end(tracks, program, &slice, event->cycle);
  }
}

/* A program enters a call, or a step of the call. */
static void see_part(struct trace_tracks *tracks, const struct probe_event *event) {
  bool is_step = event->kind == PROBE_STEP;
  struct trace_slice slice = {.state = is_step ? STATE_STEP : STATE_CALL,
                              .from = is_step ? event->step.at : event->call.at};
  if (is_step) {
    snprintf(slice.name, sizeof slice.name, "step %u", event->step.step);
  } else {
    snprintf(slice.name, sizeof slice.name, "call %u", event->call.call + 1);
  }
  open_slice(tracks, is_step ? event->step.program : event->call.program, &slice, event->cycle);
}

static void see_wait(struct trace_tracks *tracks, const struct probe_event *event) {
  struct trace_slice slice = {.state = STATE_WAIT, .from = event->cycle};
  event->wait.wait->describe(event->wait.wait, slice.name, sizeof slice.name);
  open_slice(tracks, event->wait.program, &slice, event->cycle);
}

/* Fill in FLOW the place where CAUSE began.
 * returns: false if CAUSE has no track. */
static bool find_cause(struct trace_tracks *tracks, const struct probe_cause *cause,
                       struct trace_flow *flow) {
  const struct trace_places *places = NULL;
  switch (cause->kind) {
  case PROBE_BY_DELIVERY:
  case PROBE_BY_COMPLETION:
  case PROBE_BY_STALL:
    places = &tracks->mfcs[cause->who].commands;
    break;
  case PROBE_BY_ATOMIC:
    places = &tracks->mfcs[cause->who].atomics;
    break;
  case PROBE_BY_PROGRAM:
    flow->from = flow->issuer = &trace_tracks_program(tracks, cause->who)->track;
    flow->began = flow->ended;
    return true;
  case PROBE_BY_MESSAGE:
    places = tracks->nodes ? &tracks->nodes[cause->who].messages : NULL;
    break;
  case PROBE_BY_NOTHING:
  case PROBE_BY_DECREMENTER:
    return false;
  }
  const struct trace_place *place = places ? trace_places_find(places, cause->number) : NULL;
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
  close_slices(tracks, program, STATE_WAIT, event->cycle, event->cycle);
  if (find_cause(tracks, &event->wake.cause, &flow)) {
    flow.number = ++tracks->file->nflows;
    tracks->writer->flow(tracks->file, &flow);
  }
}

bool trace_programs_see(struct trace_tracks *tracks, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_START:
    see_start(tracks, event);
    return true;
  case PROBE_EXIT:
    close_slices(tracks, trace_tracks_program(tracks, event->exit.by.who), STATE_PROGRAM, event->exit.at,
                 event->cycle);
    return true;
  case PROBE_ENTER:
  case PROBE_STEP:
    see_part(tracks, event);
    return true;
  case PROBE_LEAVE:
    close_slices(tracks, trace_tracks_program(tracks, event->call.program), STATE_CALL, event->call.at,
                 event->cycle);
    return true;
  case PROBE_COMPUTE:
    see_compute(tracks, event);
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
  for (unsigned i = 0; i < tracks->nprograms; i++) {
    close_slices(tracks, tracks->programs[i], STATE_PROGRAM, tracks->now, tracks->now);
  }
}
