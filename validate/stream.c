/* SPDX-License-Identifier: BSD-3-Clause
 * See stream.h. */
#include "validate/stream.h"

#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

unsigned
stream_slots(size_t nbytes)
{
  size_t slots = STREAM_BUFFER / nbytes;
  return slots > STREAM_DEPTH ? STREAM_DEPTH : slots ? (unsigned)slots : 1;
}

unsigned
stream_count(size_t nbytes)
{
  enum { BYTES = 1 << 20, LEAST = 64 };
  return nbytes * LEAST > BYTES ? LEAST : (unsigned)(BYTES / nbytes);
}

static void
run_stream(void *argument)
{
  struct rig_rank *rank = argument;
  struct stream *stream = rank->stream;
  coll_enter(&rank->c);
  stream->started = spu_cycles();
  for (unsigned i = 0; i < stream->count; i++) {
    uint32_t tag = i % stream->depth, offset = i % stream->slots * stream->nbytes;
    mfc_write_tag_mask(UINT32_C(1) << tag);
    mfc_read_tag_status_all();
    if (stream->put) {
      mfc_put(rank->c.buffer + offset, stream->ea + offset, stream->nbytes, tag, 0, 0);
    } else {
      mfc_get(rank->c.buffer + offset, stream->ea + offset, stream->nbytes, tag, 0, 0);
    }
  }
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
  stream->ended = spu_cycles();
}

double
stream_run(struct rig *rig, struct stream *streams, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    rig->ranks[streams[i].rank].stream = &streams[i];
    rig_set(rig, streams[i].rank, run_stream);
  }
  rig_run_sound(rig);
  double bytes = 0;
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < count; i++) {
    bytes += (double)streams[i].nbytes * streams[i].count;
    first = streams[i].started < first ? streams[i].started : first;
    last = streams[i].ended > last ? streams[i].ended : last;
  }
  return bytes / (double)(last - first);
}
