/* SPDX-License-Identifier: BSD-3-Clause
 * The needs of algorithms, and the reasons for the refusal of a call. */

#include "algos/step/call_map.h"
#include "algos/step/group.h"
#include "algos/step/needs.h"
#include "algos/step/ranks.h"
#include "algos/step/step.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST_DMA = 16384 };

/* Tell whether all chips have equally many ranks of GROUP. */
static bool has_equal_chips(const struct coll_group *group) {
  unsigned each = group->chip_first[1];
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    if (group->chip_first[chip + 1] - group->chip_first[chip] != each) {
      return false;
    }
  }
  return true;
}

static const struct {
  enum coll_need need;
  const char *name;
  const char *expected;
} needs[] = {
#define NEED(name, bit, found, word, expected, met) {NEED_##name, word, expected},
#include "algos/step/needs.def"
};

/* The properties of a call restricted by needs, in words. */
#define MACHINE (group->on_hosts ? "ranks on hosts without SPEs" : "ranks on SPEs")
#define PPES "chips without a PPE"
#define RANKS text_brief("%u ranks", n)
#define CHIPS \
  text_brief(group->nchips == 1 ? "%u ranks on one chip" : "%u ranks on %u chips", n, group->nchips)
#define BYTES text_brief("%zu bytes", group->nbytes)
#define PARAMETER text_brief("%s=%u for %u ranks", group->call.algo->params[0].name, first, n)

/* Return the property of the call of GROUP against NEED; NULL: the call meets NEED. */
static const char *find_unmet(enum coll_need need, const struct coll_group *group) {
  unsigned first = group->call.values[0], n = group->nranks;
  switch (need) {
#define NEED(name, bit, found, word, expected, met) \
  case NEED_##name: \
    return (met) ? NULL : found;
#include "algos/step/needs.def"
  }
  return NULL;
}

const char *needs_name(enum coll_need need) {
  size_t n = VEC_LENGTH(needs), i = VEC_INDEX(needs, n, item->need == need);
  return i < n ? needs[i].name : "";
}

unsigned needs_of_algo(const struct algo *algo) {
  bool on_blade = algo->needs & NEED_SIGNAL_BITS || algo->in_memory || algo->spans_nodes || algo->ppe;
  return algo->needs | (on_blade ? NEED_SPES : 0) | (algo->ppe ? NEED_PPE : 0);
}

unsigned needs_of_call(const struct algorithm *algorithm) {
  unsigned all = needs_of_algo(algorithm->algo);
  for (unsigned i = 0; i < algo_nparams(algorithm->algo); i++) {
    const struct coll_param *param = &algorithm->algo->params[i];
    all |= param->choices[0].word ? param->choices[algorithm->values[i]].needs : 0;
  }
  return all & NEED_SIGNAL_BITS ? all | NEED_SPES : all;
}

/* Far beyond any memory, and safe to count with. */
static const size_t MEMORY_BYTES_MAX = (size_t)1 << 32;

/* Maximum number of bytes moved on hosts; number of byte addresses on a host. */
static const size_t HOST_BYTES_MAX = (size_t)2 << 30, HOST_ADDRESSES = UINT32_MAX;

/* Return the error in the size of the buffers of the call of GROUP on hosts; NULL: no error. */
static const char *refuse_buffers(const struct coll_group *group, char *text, size_t size) {
  bool huge = group->nbytes > HOST_BYTES_MAX || call_map_bytes(group) > HOST_ADDRESSES;
  if (huge || (!group->lengths_only && call_map_bytes(group) > HOST_BYTES_MAX / group->nranks)) {
    snprintf(text, size, "%zu bytes on %u ranks need larger buffers, expected buffers of at most %zu bytes",
             group->nbytes, group->nranks, HOST_BYTES_MAX);
    return text;
  }
  return NULL;
}

bool needs_fits(const struct coll_group *group) {
  return call_map_bytes(group) <= group->ls_bytes - group->ls_base;
}

/* Return the largest number of bytes, whole units or else quadwords, for the call of GROUP to fit; 0: none is
 * small enough. */
static size_t largest_fit(const struct coll_group *group) {
  const size_t unit = group->call.algo->unit ? group->call.algo->unit : 16;
  struct coll_group brief = *group;
  size_t fit = 0, beyond = MIN(group->nbytes, MEMORY_BYTES_MAX) / unit + 1;
  while (beyond - fit > 1) {
    size_t middle = fit + (beyond - fit) / 2;
    brief.nbytes = middle * unit;
    *(needs_fits(&brief) ? &fit : &beyond) = middle;
  }
  return fit * unit;
}

/* Write into TEXT the largest number of bytes for the call of GROUP to fit, and of a schedule with slots the
 * largest slot. */
static void advise_room(const struct coll_group *group, char *text, size_t size) {
  const struct algo *algo = group->call.algo;
  struct coll_group narrow = *group;
  unsigned i = algo_param(algo, "slot");
  bool has_slots = algo->kind && i < COLL_PARAMS_MAX;
  while (has_slots && !needs_fits(&narrow) && narrow.call.values[i] > algo->params[i].least) {
    narrow.call.values[i] -= algo->params[i].multiple;
  }
  size_t largest = largest_fit(group);
  int n =
    has_slots && needs_fits(&narrow) ? snprintf(text, size, "; slot=%u fits", narrow.call.values[i]) : 0;
  if (largest) {
    snprintf(text + n, size - (size_t)n, "; %zu bytes fit", largest);
  } else if (has_slots && n == 0) {
    snprintf(text, size, "; neither another slot nor size fits, perhaps depth=1");
  }
}

/* Return the error in the data of the call of GROUP; NULL: no error. */
static const char *refuse_data(const struct coll_group *group, char *text, size_t size) {
  size_t room = group->ls_bytes - group->ls_base, element = combine_size(group->type);
  bool combines = collective_combines(group->call.algo->collective);
  if (combines && !combine_is_defined(group->op, group->type)) {
    const char *other = group->type == TYPE_PAIR ? "operator compose" : "an integer type";
    snprintf(text, size, "operator %s on %s, expected %s", combine_op_name(group->op),
             combine_type_name(group->type), group->op == OP_COMPOSE ? "type pair" : other);
  } else if (combines && !combine_commutes(group->op) && !group->call.algo->in_order) {
    snprintf(text, size, "operator %s in any order, expected an operator that commutes",
             combine_op_name(group->op));
  } else if (combines && group->nbytes % element != 0) {
    snprintf(text, size, "%zu bytes, expected a multiple of the %zu of type %s", group->nbytes, element,
             combine_type_name(group->type));
  } else if (group->call.algo->unit && group->nbytes % group->call.algo->unit != 0) {
    snprintf(text, size, "%zu bytes, expected a multiple of %u bytes", group->nbytes, group->call.algo->unit);
  } else if (group->on_hosts) {
    return refuse_buffers(group, text, size);
  } else if (group->call.algo->in_memory && group->nbytes > MEMORY_BYTES_MAX) {
    snprintf(text, size, "%zu bytes in main memory, expected at most %zu", group->nbytes, MEMORY_BYTES_MAX);
  } else if (group->nbytes > MEMORY_BYTES_MAX) { /* the sum could be too large for a number */
    snprintf(text, size, "%zu bytes in a local store with room for %zu", group->nbytes, room);
  } else if (call_map_bytes(group) > room) {
    char advice[80] = "";
    advise_room(group, advice, sizeof advice);
    snprintf(
      text, size,
      "%zu bytes need %zu in a local store with room for %zu, %zu of them notification arrays of %u ranks%s",
      group->nbytes, call_map_bytes(group), room, step_arrays_bytes(group->nranks), group->nranks, advice);
  } else {
    return NULL;
  }
  return text;
}

/* Return the reason, formatted into TEXT, why the call of GROUP is refused, but for mistakes; NULL: none. */
static const char *refuse(const struct coll_group *group, char *text, size_t size) {
  unsigned wanted = needs_of_call(&group->call);
  VEC_EACH(need, needs, VEC_LENGTH(needs)) {
    const char *found = wanted & need->need ? find_unmet(need->need, group) : NULL;
    if (found) {
      unsigned rounds = ranks_floor_log2(group->nranks);
      int n = snprintf(text, size, "%s, expected %s", found, need->expected);
      if (need->need == NEED_SWITCH_ROUND && rounds > 0 && (size_t)n < size) {
        snprintf(text + n, size - (size_t)n, ", such as %s=%u", group->call.algo->params[0].name, rounds);
      }
      return text;
    }
  }
  if (group->call.algo->spans_nodes && !group->cluster) {
    snprintf(text, size, "%u ranks of one node, expected those of several", group->nranks);
    return text;
  }
  if (group->root >= group->nranks) {
    snprintf(text, size, "root %u, expected a rank below %u", group->root, group->nranks);
    return text;
  }
  const struct algo *algo = group->call.algo;
  const char *refusal = algo->refuse ? algo->refuse(group, text, size) : NULL;
  return refusal ? refusal : refuse_data(group, text, size);
}

bool needs_refuse(const struct coll_group *group, struct refusal *refusal) {
  const struct algo *algo = group->call.algo;
  bool is_refused = refuse(group, refusal->text, sizeof refusal->text) != NULL;
  refusal->is_mistake =
    !is_refused && algo->mistake && algo->mistake(group, refusal->text, sizeof refusal->text) != NULL;
  return is_refused || refusal->is_mistake;
}
