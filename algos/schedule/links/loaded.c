/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/links/loaded.h"

#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "sim/base/err.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUADWORD = 16, DEPTH_MAX = 64, DEPTH = 2 /* as Simple in RCCL */, SLOT_MAX = 16384, SLOT = 2048 };

int loading_refuse(const struct loading *loading, unsigned line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *text = xvasprintf(format, arguments);
  va_end(arguments);
  return err_set(loading->err, "%.200s:%u: %s", loading->path, line, text);
}

void findings_add(struct findings *findings, const char *format, ...) {
  if (findings->n < JUDGE_SHOWN) {
    va_list arguments;
    va_start(arguments, format);
    findings->shown[findings->n] = xvasprintf(format, arguments);
    va_end(arguments);
  }
  findings->n++;
}

void findings_fini(struct findings *findings) {
  for (size_t i = 0; i < findings->n && i < JUDGE_SHOWN; i++) {
    free(findings->shown[i]);
  }
  *findings = (struct findings){0};
}

bool judgement_is_wrong(const struct judgement *judgement) {
  return judgement->has_result && (judgement->found[FOUND_WRONG + BLOCKS_IN_PLACE].n ||
                                   judgement->found[FOUND_WRONG + BLOCKS_OUT_OF_PLACE].n);
}

const struct findings *judgement_races(const struct judgement *judgement) {
  const struct findings *races = &judgement->found[FOUND_RACES];
  return &races[races[BLOCKS_OUT_OF_PLACE].n > races[BLOCKS_IN_PLACE].n];
}

uint64_t slots_search(bool (*ends)(const struct loaded *loaded, struct slots slots),
                      const struct loaded *loaded, struct slots slots, uint64_t most) {
  uint64_t low = slots.depth;
  while (most > low + 1) {
    slots.depth = low + (most - low) / 2;
    *(ends(loaded, slots) ? &most : &low) = slots.depth;
  }
  return most;
}

/* --- the algorithm --- */

static const char *refuse(const struct coll_group *group, char *text, size_t size) {
  const struct algo *algo = group->call.algo;
  unsigned nranks = algo->ranks, root = loaded_root(loaded_of(algo));
  if (group->nranks != nranks) {
    snprintf(text, size, "%u ranks, expected the %u of the file: -n %u", group->nranks, nranks, nranks);
    return text;
  }
  snprintf(text, size, "root %u, expected the %u of the file: --root %u", group->root, root, root);
  return collective_has_root(algo->collective) && group->root != root ? text : NULL;
}

unsigned loaded_depth(const struct loaded *loaded, unsigned *values, unsigned least, size_t nbytes) {
  unsigned slot = values[PARAM_SLOT], most = loaded->algo.params[PARAM_SLOT].most, depth;
  while ((depth = loaded->form->depth(loaded, values, least, nbytes)) == UINT_MAX && loaded->judgement.ends &&
         values[PARAM_SLOT] < most) {
    values[PARAM_SLOT] = MIN(2 * values[PARAM_SLOT], most);
  }
  values[PARAM_SLOT] = depth == UINT_MAX ? slot : values[PARAM_SLOT];
  return depth;
}

/* Tell which slots a call in a deadlock lacks. */
static const char *advise(const struct coll_group *group, char *text, size_t size) {
  const struct loaded *loaded = loaded_of(group->call.algo);
  struct algorithm call = group->call;
  unsigned present = call.values[PARAM_DEPTH], slot = call.values[PARAM_SLOT];
  unsigned depth = loaded->form->depth(loaded, call.values, present + 1, group->nbytes);
  if (depth == UINT_MAX) {
    depth = loaded_depth(loaded, call.values, present, group->nbytes);
  }
  if (call.values[PARAM_SLOT] > slot) {
    snprintf(text, size, "with depth=%u:slot=%u it ends", depth, call.values[PARAM_SLOT]);
  } else if (depth > present && depth != UINT_MAX) {
    snprintf(text, size, "with depth=%u it ends", depth);
  } else {
    snprintf(text, size,
             loaded->judgement.found[FOUND_OPEN].n ? "it does not end in this order of messages"
                                                   : "with no depth it ends");
  }
  return text;
}

unsigned loaded_root(const struct loaded *loaded) {
  return loaded->judgement.roots[loaded->algo.is_apart];
}

const struct loaded *loaded_of(const struct algo *algo) {
  return algo->refuse == refuse ? (const struct loaded *)(const void *)algo : NULL;
}

int loaded_add(struct loaded *loaded, const char *name, uint64_t sum, struct err *err) {
  loaded->algo = (struct algo){
    .name = name,
    .source = ALGO_SOURCE_OWN,
    .idea = loaded->form->idea,
    .kind = loaded->form->name,
    .params =
      {[PARAM_DEPTH] = {.name = "depth", .least = 1, .most = DEPTH_MAX, .initial = DEPTH, .is_asked = true},
       [PARAM_SLOT] = {.name = "slot",
                       .least = QUADWORD,
                       .most = SLOT_MAX,
                       .initial = SLOT,
                       .multiple = QUADWORD,
                       .is_asked = true}},
    .refuse = refuse,
    .advise = advise};
  return loaded->form->complete(loaded, err) == 0 ? catalogue_add(&loaded->algo, sum, err) : -1;
}

void loaded_free(struct loaded *loaded) {
  for (unsigned i = 0; loaded && i < FOUND_KINDS; i++) {
    findings_fini(&loaded->judgement.found[i]);
  }
  if (loaded) {
    loaded->form->free(loaded);
  }
}
