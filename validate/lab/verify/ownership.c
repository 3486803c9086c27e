/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/verify/ownership.h"

#include "algos/cluster/cluster_call.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "sim/hw/board/ea.h"

#include <stdio.h>
#include <stdlib.h>

/* The names of owned bytes, and of the bytes behind an area. */
static const struct {
  const char *name, *behind;
} names[] = {[OWNED_BY_NOBODY] = {"", ""},
             [OWNED_ARRAYS] = {"the notification arrays", "behind the notification arrays"},
             [OWNED_BUFFER] = {"the buffer", "behind the buffer"},
             [OWNED_INPUT] = {"the input", "behind the input"},
             [OWNED_SCRATCH] = {"the scratch", "behind the scratch"},
             [OWNED_SHARED] = {"shared memory", ""},
             [OWNED_REGISTER] = {"a register", ""}};

static struct owned_area *add_area(struct ownership *ownership, enum owned_kind kind, size_t start,
                                   size_t nbytes) {
  struct owned_area *area = &ownership->areas[ownership->nareas++];
  *area = (struct owned_area){kind, start, start + nbytes, names[kind].behind};
  return area;
}

static int by_start(const void *a, const void *b) {
  const struct owned_area *one = a, *other = b;
  return (one->start > other->start) - (one->start < other->start);
}

/* Add the areas of a call of GROUP on one node. */
static void add_call(struct ownership *ownership, const struct coll_group *group) {
  const struct algo *algo = group->call.algo;
  size_t in = layout_in_bytes(group);
  if (!algo->in_memory) {
    add_area(ownership, OWNED_BUFFER, call_map_buffer(group), layout_buffer_bytes(group));
  }
  if (!algo->in_memory && in) {
    add_area(ownership, OWNED_INPUT, call_map_in(group), in);
  }
  if (!group->cluster && algo->scratch) {
    add_area(ownership, OWNED_SCRATCH, call_map_scratch(group), algo->scratch(group));
  }
}

/* Add the areas of GROUP, the inner part of a call on several nodes or the release: its arrays; the blocks of
 * the node, if they lie apart from the buffer; its scratch. */
static void add_group(struct ownership *ownership, const struct coll_group *group) {
  const struct algo *algo = group->call.algo;
  add_area(ownership, OWNED_ARRAYS, group->ls_base, step_arrays_bytes(group->nranks));
  if (algo && group->data_at > group->ls_base) {
    add_area(ownership, OWNED_SCRATCH, group->data_at, layout_buffer_bytes(group))->behind =
      "behind the blocks of the node";
  }
  if (algo && algo->scratch) {
    add_area(ownership, OWNED_SCRATCH, group->scratch_at, algo->scratch(group));
  }
}

/* Add the areas of inner part and release of the call of GROUP, and the line of the handover. */
static void add_cluster(struct ownership *ownership, const struct coll_group *group) {
  const struct cluster_call *cluster = group->cluster;
  if (cluster->inner.call.algo) {
    add_group(ownership, &cluster->inner);
  }
  add_group(ownership, &cluster->release);
  add_area(ownership, OWNED_SCRATCH, cluster->line_at, CLUSTER_LINE);
}

/* Return the number of SPEs on the blade of PART; without a blade the number of processes up to the last one
 * with a rank. */
static unsigned count_places(const struct rig_part *part) {
  unsigned n = part->blade ? blade_nspes(part->blade) : 0;
  for (unsigned r = 0; !part->blade && r < part->group->nranks; r++) {
    unsigned process = part->group->spe_of[r];
    n = process < n ? n : process + 1;
  }
  return n;
}

void ownership_init(struct ownership *ownership, const struct rig_part *part) {
  const struct coll_group *group = part->group;
  *ownership = (struct ownership){.part = part, .nranks = group->nranks, .nplaces = count_places(part)};
  ownership->rank_of = xcalloc((size_t)ownership->nplaces + group->nranks, sizeof *ownership->rank_of);
  ownership->name_of = ownership->rank_of + ownership->nplaces;
  ownership->came = xcalloc(2 * ((size_t)group->nranks + 1), sizeof *ownership->came);
  ownership->went = ownership->came + group->nranks + 1;
  for (unsigned place = 0; place < ownership->nplaces; place++) {
    ownership->rank_of[place] = group->nranks;
  }
  for (unsigned r = 0; r < group->nranks; r++) {
    ownership->rank_of[group->spe_of[r]] = r;
    ownership->name_of[r] = group_name(group, r);
  }
  add_area(ownership, OWNED_ARRAYS, group->ls_base, step_arrays_bytes(group->nranks));
  add_call(ownership, group);
  if (group->cluster) {
    add_cluster(ownership, group);
  } else if (group->other) {
    add_call(ownership, group->other);
    qsort(ownership->areas, ownership->nareas, sizeof *ownership->areas, by_start);
  }
}

void ownership_fini(struct ownership *ownership) {
  free(ownership->rank_of);
  free(ownership->came);
  ownership->rank_of = NULL;
  ownership->came = NULL;
}

struct owned ownership_find_local(const struct ownership *ownership, unsigned rank, uint64_t address,
                                  uint64_t nbytes) {
  struct owned owned = {.rank = rank, .what = "code and stack"};
  for (size_t i = 0; i < ownership->nareas && address >= ownership->areas[i].start; i++) {
    const struct owned_area *area = &ownership->areas[i];
    if (address + nbytes <= area->end) {
      return (struct owned){area->kind, rank, names[area->kind].name, address - area->start};
    }
    owned.what = area->behind;
  }
  return owned;
}

/* Tell whether the NBYTES from EA on are among the SIZE bytes from START on. */
static bool is_within(uint64_t ea, uint64_t nbytes, uint64_t start, uint64_t size) {
  return ea >= start && ea - start <= size && nbytes <= size - (ea - start);
}

/* Tell whether those are among what the ranks of a node and their PPE share. */
static bool is_in_cluster(const struct coll_group *group, uint64_t ea, uint64_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  size_t data = cluster_call_data(group);
  return is_within(ea, nbytes, cluster->flags_ea, cluster_call_flags(group)) ||
         is_within(ea, nbytes, cluster->data_ea, cluster_call_turns(group) * data) ||
         is_within(ea, nbytes, cluster->work_ea, data);
}

static struct owned find_in_memory(const struct ownership *ownership, uint64_t ea, uint64_t nbytes) {
  const struct coll_group *group = ownership->part->group;
  const struct algo *algo = group->call.algo;
  size_t buffer = group_most(group, layout_buffer_bytes), in = group_most(group, layout_in_bytes);
  for (unsigned r = 0; algo->in_memory && r < group->nranks; r++) {
    const struct coll *c = ownership->part->ranks[r];
    if (is_within(ea, nbytes, c->buffer_ea, buffer)) {
      return (struct owned){OWNED_BUFFER, r, names[OWNED_BUFFER].name, ea - c->buffer_ea};
    }
    if (in && is_within(ea, nbytes, c->in_ea, in)) {
      return (struct owned){OWNED_INPUT, r, names[OWNED_INPUT].name, ea - c->in_ea};
    }
  }
  if (group->cluster && is_in_cluster(group, ea, nbytes)) {
    return (struct owned){OWNED_SHARED, group->nranks, names[OWNED_SHARED].name, 0};
  }
  if (group->shared_ea && is_within(ea, nbytes, group->shared_ea, group_most(group, group_shared))) {
    return (struct owned){OWNED_SHARED, group->nranks, names[OWNED_SHARED].name, ea - group->shared_ea};
  }
  return (struct owned){.rank = ownership->nranks, .what = "main memory outside of all buffers"};
}

struct owned ownership_find(const struct ownership *ownership, uint64_t ea, uint64_t nbytes) {
  uint64_t spe = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, address = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  unsigned none = ownership->nranks;
  if (!ownership->part->blade) {
    address = (ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE;
    unsigned process = (unsigned)((ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE);
    return ownership_find_local(ownership, ownership->rank_of[process], address, nbytes);
  }
  if (ea < EA_SPE_BASE || spe >= ownership->nplaces) {
    return find_in_memory(ownership, ea, nbytes);
  }
  unsigned rank = ownership->rank_of[spe];
  if (rank == none) {
    return (struct owned){.rank = none, .what = "an SPE that takes no part"};
  }
  if (address >= EA_PROBLEM_STATE) {
    return (struct owned){.kind = OWNED_REGISTER, .rank = rank, .what = names[OWNED_REGISTER].name};
  }
  return ownership_find_local(ownership, rank, address, nbytes);
}

/* --- moved data --- */

void ownership_move(struct ownership *ownership, const struct owned *from, const struct owned *to,
                    uint64_t nbytes) {
  if (from->rank == to->rank || to->kind == OWNED_ARRAYS) {
    return;
  }
  ownership->came[to->rank] += nbytes;
  ownership->went[from->rank] += nbytes;
}

/* Tell whether rank TO gets data of rank FROM in a call of GROUP. */
static bool gets_from(const struct coll_group *group, unsigned to, unsigned from) {
  switch (group->call.algo->collective) {
  case COLL_BCAST:
  case COLL_SCATTER:
    return from == group->root;
  case COLL_REDUCE:
  case COLL_GATHER:
  case COLL_GATHERV:
    return to == group->root;
  case COLL_SCAN:
    return from < to;
  default:
    return true;
  }
}

/* Return the minimum number of bytes that RANK must receive in a call of GROUP or, with GIVES, must give: a
 * vector counts once, independent of the number of ranks that contribute to the vector or get the vector. */
static uint64_t least(const struct coll_group *group, unsigned rank, bool gives) {
  enum collective collective = group->call.algo->collective;
  bool once = !gives ? collective_combines(collective)
                     : !collective_has_blocks(collective) || collective == COLL_ALLGATHER ||
                         collective == COLL_ALLGATHERV;
  uint64_t all = 0;
  for (unsigned other = 0; other < group->nranks && collective_has_data(collective); other++) {
    unsigned from = gives ? rank : other, to = gives ? other : rank;
    if (other != rank && gets_from(group, to, from)) {
      all = (once ? 0 : all) + layout_count(group, from, to);
    }
  }
  return all;
}

/* Return the minimum for all calls of GROUP. */
static uint64_t least_of_all(const struct coll_group *group, unsigned rank, bool gives) {
  uint64_t all = 0;
  if (!group->root_step && !group->other) {
    return group->nrepeats * least(group, rank, gives);
  }
  for (unsigned i = 0; i < group->nrepeats; i++) {
    struct coll_group call = group_of_call(group, i);
    all += least(&call, rank, gives);
  }
  return all;
}

char *ownership_missing(struct ownership *ownership, const struct coll_group *group) {
  const unsigned *name_of = ownership->name_of;
  uint64_t all[2] = {0};
  for (unsigned r = 0; r < ownership->nranks; r++) {
    for (unsigned gives = 0; gives < 2; gives++) {
      uint64_t bytes = gives ? ownership->went[r] : ownership->came[r];
      uint64_t wanted = least_of_all(group, name_of[r], gives);
      all[gives] += wanted;
      ownership->moved += gives ? 0 : bytes;
      if (bytes < wanted) {
        return xasprintf("rank %u: %llu bytes %s in %u calls, expected at least the %llu of a %s", name_of[r],
                         (unsigned long long)bytes,
                         gives ? "have gone to other ranks" : "have come from other ranks", group->nrepeats,
                         (unsigned long long)wanted, collective_name(group->call.algo->collective));
      }
    }
  }
  ownership->moved -= ownership->told;
  ownership->needed = all[0] > all[1] ? all[0] : all[1];
  return NULL;
}

/* --- accesses --- */

/* Room for pieces of the text. */
enum { PLACE_SIZE = 128, PARTY_SIZE = 160 };

typedef unsigned long long ull;

struct access access_of_dma(unsigned spe, unsigned tag, uint64_t command, bool is_put) {
  return (struct access){.by = ACCESS_BY_DMA,
                         .spe = spe,
                         .tag = tag,
                         .command = command,
                         .is_put = is_put,
                         .what = is_put ? "put" : "get"};
}

struct access access_of_ppe(const char *ppe, uint64_t at, uint64_t nbytes) {
  return (struct access){.by = ACCESS_BY_PPE, .ppe = ppe, .at = at, .nbytes = nbytes};
}

/* Describe where ACCESS is. */
static const char *place(char text[PLACE_SIZE], const struct ownership *ownership,
                         const struct access *access) {
  uint64_t offset = access->ea - EA_SPE_BASE;
  const struct owned *owned = &access->owned;
  char whose[24] = "";
  if (owned->rank < ownership->nranks) {
    snprintf(whose, sizeof whose, " of rank %u", ownership->name_of[owned->rank]);
  }
  if (access->ea >= EA_MEMORY_BASE) {
    snprintf(text, PLACE_SIZE, "main memory 0x%llx (%s%s)", (ull)access->ea, owned->what, whose);
  } else {
    snprintf(text, PLACE_SIZE, "0x%llx of SPE %llu (%s%s)", (ull)(offset % EA_SPE_STRIDE),
             (ull)(offset / EA_SPE_STRIDE), owned->what, whose);
  }
  return text;
}

/* Describe the author of ACCESS. */
static const char *party(char text[PARTY_SIZE], const struct ownership *ownership,
                         const struct access *access) {
  char who[40] = "";
  ull at = (ull)access->at;
  if (access->by != ACCESS_BY_PPE && ownership->rank_of[access->spe] < ownership->nranks) {
    snprintf(who, sizeof who, "rank %u on SPE %u", ownership->name_of[ownership->rank_of[access->spe]],
             access->spe);
  } else if (access->by != ACCESS_BY_PPE) {
    snprintf(who, sizeof who, "SPE %u", access->spe);
  }
  switch (access->by) {
  case ACCESS_BY_DMA:
    snprintf(text, PARTY_SIZE, "a %s of %s (tag %u; cycle %llu)", access->what, who, access->tag, at);
    break;
  case ACCESS_BY_PROXY:
    snprintf(text, PARTY_SIZE, "a %s of %.40s by the MFC of %s (tag %u; cycle %llu)", access->what,
             access->ppe, who, access->tag, at);
    break;
  case ACCESS_BY_ATOMIC:
    snprintf(text, PARTY_SIZE, "a %s of %s (cycle %llu)", access->what, who, at);
    break;
  case ACCESS_BY_PROGRAM:
    snprintf(text, PARTY_SIZE, "the program of %s (cycle %llu)", who, at);
    break;
  case ACCESS_BY_PPE:
    snprintf(text, PARTY_SIZE, "the program %.40s (cycle %llu)", access->ppe, at);
    break;
  }
  return text;
}

const char *access_describe(char text[ACCESS_TEXT_SIZE], const struct ownership *ownership,
                            const struct access *access) {
  char who[PARTY_SIZE], where[PLACE_SIZE];
  snprintf(text, ACCESS_TEXT_SIZE, "%s %s %llu bytes at %s", party(who, ownership, access),
           access->writes ? "writes" : "reads", (ull)access->nbytes, place(where, ownership, access));
  return text;
}
