/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/bench/stream.h"

#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/base/minmax.h"
#include "sim/node/machine.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig/rig.h"

#include <assert.h>
#include <math.h>

unsigned stream_depth(const struct machine *machine, size_t nbytes) {
  const struct platform *platform = machine_platform(machine);
  size_t room = rig_room(platform, platform->nspes), places = MIN(room, STREAM_BUFFER) / nbytes;
  return places > STREAM_DEPTH ? STREAM_DEPTH : places ? (unsigned)places : 1;
}

unsigned stream_count(size_t nbytes) {
  enum { BYTES = 1 << 20, LEAST = 64 };
  return nbytes * LEAST > BYTES ? LEAST : (unsigned)(BYTES / nbytes);
}

/* Issue the next DMA of STREAM from BUFFER as soon as the last DMA with the same tag and places is over. */
static void issue_next(struct stream *stream, uint8_t *buffer) {
  uint32_t place = stream->issued % stream->depth, tag = stream->first_tag + place;
  uint32_t offset = place * stream->nbytes;
  uint8_t *ls = buffer + stream->offset + offset;
  if (stream->issued == 0) {
    stream->started = spu_cycles();
  }
  mfc_write_tag_mask(UINT32_C(1) << tag);
  mfc_read_tag_status_all();
  if (stream->put) {
    mfc_put(ls, stream->ea + offset, stream->nbytes, tag, 0, 0);
  } else {
    mfc_get(ls, stream->ea + offset, stream->nbytes, tag, 0, 0);
  }
  stream->issued++;
  stream->tags |= UINT32_C(1) << tag;
}

/* Wait for all DMAs under way, and note when each stream of the list FIRST has ended. */
static void await_ends(struct stream *first) {
  for (;;) {
    uint32_t mask = 0;
    for (struct stream *stream = first; stream; stream = stream->next) {
      mask |= stream->tags;
    }
    if (!mask) {
      return;
    }
    mfc_write_tag_mask(mask);
    uint32_t done = mfc_read_tag_status_any();
    for (struct stream *stream = first; stream; stream = stream->next) {
      stream->ended = stream->tags & done ? spu_cycles() : stream->ended;
      stream->tags &= ~done;
    }
  }
}

static void run_streams(struct rig_rank *rank) {
  bool more = true;
  while (more) {
    more = false;
    for (struct stream *stream = rank->streams; stream; stream = stream->next) {
      if (stream->issued < stream->count) {
        issue_next(stream, rank->c->buffer);
        more = true;
      }
    }
  }
  await_ends(rank->streams);
}

/* Give STREAM to the rank of STREAM on RIG, behind the streams of the rank, with separate tags and places.
 * errors: no room in main memory. */
static int join_rank(struct rig *rig, struct stream *stream, struct err *err) {
  struct rig_rank *rank = &rig->ranks[stream->rank];
  struct stream **link = &rank->streams;
  uint32_t place = stream->depth * stream->nbytes;
  stream->next = NULL;
  stream->offset = stream->first_tag = stream->issued = stream->tags = 0;
  for (; *link; link = &(*link)->next) {
    stream->offset += (*link)->depth * (*link)->nbytes;
    stream->first_tag += (*link)->depth;
  }
  assert(stream->depth > 0 && stream->first_tag + stream->depth <= 32);
  *link = stream;
  stream->ea = stream->other == PATTERN_MEMORY
                 ? blade_allocate(rig->parts->blade, stream->chip, place)
                 : spu_ls_ea(rig->group.spe_of[stream->other], call_map_buffer(&rig->group));
  rig_set(rig, stream->rank, run_streams);
  return stream->ea ? 0
                    : err_set(err, "stream %s: no room for %u bytes in main memory", stream->label, place);
}

double stream_rate(const struct bench_run *run, const struct stream *streams, size_t count) {
  double bytes = 0;
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < count; i++) {
    bytes += (double)streams[i].nbytes * streams[i].count;
    LOWER(first, streams[i].started);
    RAISE(last, streams[i].ended);
  }
  return bench_gigabytes(run, bytes, (double)(last - first));
}

double stream_run(const struct bench_run *run, struct stream *streams, size_t count) {
  struct rig rig;
  const struct platform *platform = machine_platform(run->machine);
  struct call call = {.nranks = platform->nspes,
                      .nbytes = rig_room(platform, platform->nspes),
                      .repeat = 1,
                      .profile = run->profile};
  int status = 0;
  rig_init_known(&rig, run->machine, &call);
  for (size_t i = 0; i < count && status == 0; i++) {
    status = join_rank(&rig, &streams[i], run->err);
  }
  if (status == 0) {
    rig_run_sound(&rig);
  }
  rig_fini(&rig);
  return status == 0 ? stream_rate(run, streams, count) : NAN;
}

/* --- copies --- */

/* A copy, with source and destination addresses. */
struct copy_job {
  const struct memory_copy *copy;
  uint64_t from, to;
};

/* Read pieces into the buffers in turn. A read into a buffer starts when the buffer's last piece has been
 * written; a write starts when the piece has arrived and the next reads have been started. */
static void copy_memory(struct rig_rank *rank) {
  struct coll *c = rank->c;
  const struct copy_job *job = rank->job;
  unsigned nbuffers = job->copy->nbuffers;
  size_t size = job->copy->buffer, count = job->copy->nbytes / size, ahead = nbuffers - 1;
  for (size_t i = 0; i < count + ahead; i++) {
    struct step_transfer in = {.ea = job->from + i * size, .nbytes = size, .slot = (unsigned)(i % nbuffers)};
    in.ls = c->buffer + in.slot * size;
    if (i < count) {
      step_finish(c, in.slot);
      step_start_get(c, &in);
    }
    if (i >= ahead) {
      struct step_transfer out = {.ea = job->to + (i - ahead) * size, .nbytes = size};
      out.slot = (unsigned)((i - ahead) % nbuffers);
      out.ls = c->buffer + out.slot * size;
      step_finish(c, out.slot);
      step_start_put(c, &out);
    }
  }
  for (unsigned slot = 0; slot < nbuffers; slot++) {
    step_finish(c, slot);
  }
}

double memory_copy_time(struct machine *machine, const struct profile *profile,
                        const struct memory_copy *copy, struct err *err) {
  struct rig rig;
  struct call call = {.nranks = 1, .nbytes = copy->nbuffers * copy->buffer, .repeat = 1, .profile = profile};
  double cycles = NAN;
  if (rig_init(&rig, machine, &call, err) == 0) {
    struct copy_job job = {.copy = copy,
                           .from = blade_allocate(rig.parts->blade, 0, copy->nbytes),
                           .to = blade_allocate(rig.parts->blade, 0, copy->nbytes)};
    rig.ranks[0].job = &job;
    rig_set(&rig, 0, copy_memory);
    if (job.from && job.to) {
      rig_run_sound(&rig);
      cycles = rig.ranks[0].cycles;
    } else {
      err_set(err, "no room for two times %zu bytes in main memory", copy->nbytes);
    }
  }
  rig_fini(&rig);
  return cycles;
}
