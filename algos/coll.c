/* SPDX-License-Identifier: BSD-3-Clause
 * See coll.h.
 *
 * Local store of a rank in a call: what the platform reserves for code and stack; the notification arrays; the data
 * buffer, on a 128-byte line; a guard. */
#include "algos/coll.h"

#include "algos/ranks.h"
#include "algos/step.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_time.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 128 };

const char *
coll_name(enum collective collective)
{
  static const char *const names[COLL_COUNT] = {[COLL_BARRIER] = "barrier", [COLL_BCAST] = "bcast"};
  return names[collective];
}

const char *
coll_description(enum collective collective)
{
  static const char *const texts[COLL_COUNT] = {
    [COLL_BARRIER] = "no rank leaves before the last one has entered",
    [COLL_BCAST] = "all ranks get the bytes of the root",
  };
  return texts[collective];
}

static unsigned
all_needs(const struct algo_call *call)
{
  unsigned needs = call->algo->needs;
  for (unsigned i = 0; i < COLL_PARAMS_MAX && call->algo->params[i].name; i++) {
    needs |= call->algo->params[i].choices[call->choices[i]].needs;
  }
  return needs;
}

const char *
coll_refuse(const struct coll_group *group, char *text, size_t size)
{
  unsigned needs = all_needs(&group->call), n = group->nranks;
  bool even = n % group->ranks_per_chip == 0 && ranks_is_power(group->ranks_per_chip);
  size_t footprint = coll_footprint(group), room = group->ls_bytes - group->ls_base;
  if ((needs & NEED_POWER_OF_TWO) && !ranks_is_power(n)) {
    snprintf(text, size, "%u ranks, expected a power of two", n);
  } else if ((needs & NEED_SEVERAL_CHIPS) && group->nchips < 2) {
    snprintf(text, size, "%u ranks on one chip, expected ranks on several chips", n);
  } else if ((needs & NEED_EVEN_CHIPS) && !even) {
    snprintf(text, size, "%u ranks on %u chips, expected the same power of two of them on every chip", n,
             group->nchips);
  } else if ((needs & NEED_SIGNAL_BITS) && n > COLL_SIGNAL_BITS) {
    snprintf(text, size, "%u ranks, expected at most %d, one bit of half a signal register each", n,
             COLL_SIGNAL_BITS);
  } else if (group->root >= n) {
    snprintf(text, size, "root %u, expected a rank below %u", group->root, n);
  } else if (group->nbytes > room || footprint > room) {
    snprintf(text, size, "%zu bytes in a local store with room for %zu, notification arrays included",
             group->nbytes, room);
  } else {
    return NULL;
  }
  return text;
}

uint32_t
coll_buffer_address(const struct coll_group *group)
{
  size_t end = group->ls_base + step_arrays_bytes(group->nranks);
  return (uint32_t)((end + LINE - 1) / LINE * LINE);
}

size_t
coll_footprint(const struct coll_group *group)
{
  return coll_buffer_address(group) - group->ls_base + group->nbytes + COLL_GUARD;
}

void
coll_init(struct coll *c, const struct coll_group *group, unsigned rank)
{
  unsigned n = group->nranks;
  *c = (struct coll){.rank = rank, .nranks = n, .root = group->root, .nbytes = group->nbytes, .group = group};
  c->posted = xcalloc(4 * (size_t)n, sizeof *c->posted);
  c->taken = c->posted + n;
  c->notified = c->taken + n;
  c->awaited = c->notified + n;
  c->entered = xcalloc(2 * (size_t)group->nrepeats, sizeof *c->entered);
  c->left = c->entered + group->nrepeats;
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
  c->arrays = spu_ls(c->group->ls_base);
  c->buffer = spu_ls(coll_buffer_address(c->group));
  step_enter(c);
}

void
coll_main(void *argument)
{
  struct coll *c = argument;
  coll_enter(c);
  for (unsigned i = 0; i < c->group->nrepeats; i++) {
    spu_compute(c->delay);
    spu_sync();
    if (c->group->before_call) {
      spu_note_store(c->buffer, c->nbytes);
      c->group->before_call(c);
    }
    c->entered[i] = spu_cycles();
    c->group->call.algo->run(c);
    c->left[i] = spu_cycles();
    if (c->group->after_call) {
      spu_note_load(c->buffer, c->nbytes);
      c->group->after_call(c);
    }
    c->ncalls++;
  }
}
