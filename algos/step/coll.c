/* SPDX-License-Identifier: BSD-3-Clause
 * See coll.h.
 *
 * Local store of a rank in a call: what the platform reserves for code and stack; the notification arrays; the buffer and
 * a guard, the input and a guard (unless they are in main memory); the scratch of the algorithm. Each begins on a
 * 128-byte line. */
#include "algos/step/coll.h"

#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_time.h"

#include <stdlib.h>

enum { LINE = 128 };

static const struct {
  const char *name, *description;
  bool has_root, combines;
} collectives[COLL_COUNT] = {
  [COLL_BARRIER] = {"barrier", "no rank leaves before the last one has entered", false, false},
  [COLL_BCAST] = {"bcast", "all ranks get the bytes of the root", true, false},
  [COLL_REDUCE] = {"reduce", "the root gets the elements of all ranks combined", true, true},
  [COLL_ALLREDUCE] = {"allreduce", "all ranks get the elements of all ranks combined", false, true},
  [COLL_ALLGATHER] = {"allgather", "all ranks get the blocks of all ranks", false, false},
  [COLL_ALLGATHERV] = {"allgatherv", "the same with blocks of different sizes", false, false},
  [COLL_SCAN] = {"scan", "rank r gets the elements of ranks 0 to r combined", false, true},
  [COLL_GATHER] = {"gather", "the root gets the blocks of all ranks", true, false},
  [COLL_GATHERV] = {"gatherv", "the same with blocks of different sizes", true, false},
  [COLL_SCATTER] = {"scatter", "each rank gets its block from the root", true, false},
  [COLL_ALLTOALL] = {"alltoall", "each rank gets its block from every rank", false, false},
  [COLL_ALLTOALLV] = {"alltoallv", "the same with blocks of different sizes", false, false},
};

const char *
coll_name(enum collective collective)
{
  return collectives[collective].name;
}

const char *
coll_description(enum collective collective)
{
  return collectives[collective].description;
}

bool
coll_has_data(enum collective collective)
{
  return collective != COLL_BARRIER;
}

bool
coll_has_root(enum collective collective)
{
  return collectives[collective].has_root;
}

bool
coll_combines(enum collective collective)
{
  return collectives[collective].combines;
}

unsigned
coll_needs(const struct algo_call *call)
{
  unsigned needs = call->algo->needs;
  for (unsigned i = 0; i < COLL_PARAMS_MAX && call->algo->params[i].name; i++) {
    const struct coll_param *param = &call->algo->params[i];
    needs |= param->choices[0].word ? param->choices[call->values[i]].needs : 0;
  }
  return needs;
}

/* --- local store --- */

static size_t
next_line(size_t address)
{
  return (address + LINE - 1) / LINE * LINE;
}

static bool
in_memory(const struct coll_group *group)
{
  return group->call.algo && group->call.algo->in_memory;
}

uint32_t
coll_buffer_address(const struct coll_group *group)
{
  return (uint32_t)next_line(group->ls_base + step_arrays_bytes(group->nranks));
}

/* Return where BUFFER_BYTES of data with their guard end that begin at ADDRESS, unless they are in main memory. */
static size_t
end_of(const struct coll_group *group, size_t address, size_t buffer_bytes)
{
  return in_memory(group) ? address : address + buffer_bytes + COLL_GUARD;
}

static size_t
end_of_data(const struct coll_group *group)
{
  size_t in = layout_in_bytes(group);
  return in ? end_of(group, coll_in_address(group), in)
            : end_of(group, coll_buffer_address(group), layout_buffer_bytes(group));
}

size_t
coll_in_address(const struct coll_group *group)
{
  return next_line(end_of(group, coll_buffer_address(group), layout_buffer_bytes(group)));
}

size_t
coll_scratch_address(const struct coll_group *group)
{
  return next_line(end_of_data(group));
}

size_t
coll_footprint(const struct coll_group *group)
{
  size_t (*scratch)(const struct coll_group *) = group->call.algo ? group->call.algo->scratch : NULL;
  size_t end = scratch ? coll_scratch_address(group) + scratch(group) : end_of_data(group);
  return end - group->ls_base;
}

/* --- a rank --- */

void
coll_init(struct coll *c, const struct coll_group *group, unsigned rank)
{
  unsigned n = group->nranks;
  *c = (struct coll){.rank = rank, .nranks = n, .root = group->root, .nbytes = group->nbytes, .group = group};
  c->posted = xcalloc(4 * (size_t)n, sizeof *c->posted);
  c->taken = c->posted + n;
  c->notified = c->taken + n;
  c->awaited = c->notified + n;
  c->entered = xcalloc(3 * (size_t)group->nrepeats, sizeof *c->entered);
  c->left = c->entered + group->nrepeats;
  c->delays = c->left + group->nrepeats;
}

void
coll_fini(struct coll *c)
{
  free(c->posted);
  free(c->entered);
}

void
coll_enter(struct coll *c)
{
  const struct coll_group *group = c->group;
  unsigned spe = group->spe_of[c->rank];
  c->arrays = spu_ls(group->ls_base);
  c->scratch =
    group->call.algo && group->call.algo->scratch ? spu_ls((uint32_t)coll_scratch_address(group)) : NULL;
  if (!in_memory(group)) {
    uint32_t buffer = coll_buffer_address(group);
    uint32_t in = layout_in_bytes(group) ? (uint32_t)coll_in_address(group) : buffer;
    c->buffer = spu_ls(buffer);
    c->buffer_ea = spu_ls_ea(spe, buffer);
    c->in = spu_ls(in);
    c->in_ea = spu_ls_ea(spe, in);
  }
  step_enter(c);
}

void
coll_main(void *argument)
{
  struct coll *c = argument;
  coll_enter(c);
  for (unsigned i = 0; i < c->group->nrepeats; i++) {
    spu_compute(c->delays[i]);
    spu_sync();
    if (c->group->before_call) {
      if (c->buffer) {
        spu_note_store(c->buffer, layout_buffer_bytes(c->group));
        spu_note_store(c->in, layout_in_bytes(c->group));
      }
      c->group->before_call(c);
    }
    c->entered[i] = spu_cycles();
    c->group->call.algo->run(c);
    c->left[i] = spu_cycles();
    if (c->group->after_call) {
      if (c->buffer) {
        spu_note_load(c->buffer, layout_buffer_bytes(c->group));
      }
      c->group->after_call(c);
    }
    c->ncalls++;
  }
}

void
coll_ppe_main(void *argument)
{
  const struct coll_group *group = argument;
  for (unsigned i = 0; i < group->nrepeats; i++) {
    group->call.algo->ppe(group);
  }
}
