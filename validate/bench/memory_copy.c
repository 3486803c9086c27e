/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_copy.h. */
#include "validate/bench/memory_copy.h"

#include "algos/step/step.h"
#include "sim/base/err.h"
#include "validate/lab/rig.h"

#include <math.h>

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

double memory_copy_time(struct blade *blade, const struct profile *profile, const struct memory_copy *copy,
                        struct err *err) {
  struct rig rig;
  struct rig_spec spec = {
    .nranks = 1, .nbytes = copy->nbuffers * copy->buffer, .nrepeats = 1, .profile = profile};
  double cycles = NAN;
  if (rig_init(&rig, blade, &spec, err) == 0) {
    struct copy_job job = {.copy = copy,
                           .from = blade_allocate(blade, 0, copy->nbytes),
                           .to = blade_allocate(blade, 0, copy->nbytes)};
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
