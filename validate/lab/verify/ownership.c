/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/verify/ownership.h"

#include "algos/cluster/cluster_call.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "sim/hw/board/ea.h"

#include <stdlib.h>
#include <string.h>

/* The names of owned bytes, and of the bytes behind an area. */
static const struct {
  const char *name, *behind;
} names[] = {[OWNED_BY_NOBODY] = {"", ""},
             [OWNED_ARRAYS] = {"the notification arrays", "behind the notification arrays"},
             [OWNED_BUFFER] = {"the buffer", "behind the buffer"},
             [OWNED_INPUT] = {"the input", "behind the input"},
             [OWNED_SCRATCH] = {"the scratch", "behind the scratch"},
             [OWNED_SHARED] = {"shared memory", ""},
             [OWNED_REGISTER] = {"a register", ""},
             [OWNED_CALLS] = {"data of no call", "behind the data of calls"}};

static struct owned_area *add_area(struct ownership *ownership, enum owned_kind kind, size_t start,
                                   size_t nbytes) {
  struct owned_area *area = &VEC_ADD(ownership->areas, ownership->nareas);
  *area = (struct owned_area){kind, OWNED_BY_ALL, start, start + nbytes, names[kind].behind};
  return area;
}

static bool has_padding(const struct coll_group *group) {
  enum collective collective = group->call.algo->collective;
  return collective == COLL_ALLGATHERV || collective == COLL_GATHERV || collective == COLL_ALLTOALLV;
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

/* --- programs --- */

/* Add the areas of the program of GROUP: connections, groups, the data of calls, the data of messages. */
static void add_program(struct ownership *ownership, const struct coll_group *group) {
  const struct workload_run *run = group->workload;
  const struct workload *workload = run->workload;
  size_t start = call_map_scratch(group), n = (size_t)group->nranks + 1;
  ownership->workload = workload;
  ownership->members = xcalloc(workload->ngroups * n, sizeof *ownership->members);
  ownership->ncounts = (size_t)run->nturns * workload->ncalls;
  ownership->counts = xcalloc(ownership->ncounts + 1, sizeof *ownership->counts);
  add_area(ownership, OWNED_BUFFER, call_map_buffer(group), 0);
  add_area(ownership, OWNED_SCRATCH, start, run->links.nbytes);
  add_area(ownership, OWNED_CALLS, run->data_at, run->data);
  add_area(ownership, OWNED_SCRATCH, run->data_at + run->data,
           start + run->scratch - run->data_at - run->data);
  for (unsigned g = 0; g < workload->ngroups; g++) {
    const struct workload_placed_group *placed = &run->groups[g];
    unsigned *members = &ownership->members[g * n];
    memset(members, 0xff, n * sizeof *members);
    for (unsigned r = 0; r < workload->groups[g].n; r++) {
      members[workload->groups[g].ranks[r]] = r;
    }
    if (placed->nalgorithms) {
      add_area(ownership, OWNED_ARRAYS, placed->base.ls_base, step_arrays_bytes(placed->base.nranks))->group =
        g;
    }
    VEC_EACH(item, placed->algorithms, placed->nalgorithms) {
      add_area(ownership, OWNED_SCRATCH, item->scratch_at, item->scratch)->group = g;
      ownership->has_padding |= has_padding(&(struct coll_group){.call = item->algorithm});
    }
  }
}

unsigned ownership_member(const struct ownership *ownership, unsigned group, unsigned rank) {
  return group == OWNED_BY_ALL ? rank : ownership->members[group * ((size_t)ownership->nranks + 1) + rank];
}

void ownership_enter(struct ownership *ownership, const struct coll *c) {
  const struct coll_group *group = c->group;
  struct owned_call *call = &ownership->calls[group->turn ? group_name(group, c->rank) : c->rank];
  if (group->workload) {
    return;
  }
  call->is_inside = true;
  if (group->turn) {
    unsigned number = group->turn->number;
    *call =
      (struct owned_call){.is_inside = true,
                          .takes_input = group->call.algo->takes_input,
                          .number = number,
                          .group = ownership->workload->calls[number % ownership->workload->ncalls].group,
                          .buffer_ea = c->buffer_ea,
                          .buffer_bytes = layout_buffer_bytes(group),
                          .in_ea = c->in_ea,
                          .in_bytes = layout_in_bytes(group),
                          .left = call->left};
    if (!ownership->counts[number]) {
      ownership->counts[number] = xcalloc(group->nranks, sizeof **ownership->counts);
    }
  }
}

void ownership_leave(struct ownership *ownership, const struct coll *c, uint64_t cycle) {
  struct owned_call *call = &ownership->calls[c->group->turn ? group_name(c->group, c->rank) : c->rank];
  call->is_inside = false;
  call->left = cycle;
}

void ownership_init(struct ownership *ownership, const struct rig *rig, const struct rig_part *part) {
  const struct coll_group *group = part->group;
  unsigned nplaces = part->blade ? blade_nspes(part->blade) : 0; /* without a blade: of processes */
  for (unsigned r = 0; !part->blade && r < group->nranks; r++) {
    nplaces = group->spe_of[r] < nplaces ? nplaces : group->spe_of[r] + 1;
  }
  *ownership = (struct ownership){.part = part, .nranks = group->nranks, .nplaces = nplaces};
  ownership->rank_of = xcalloc((size_t)ownership->nplaces + group->nranks, sizeof *ownership->rank_of);
  ownership->name_of = ownership->rank_of + ownership->nplaces;
  ownership->bytes = xcalloc((size_t)group->nranks + 1, sizeof *ownership->bytes);
  VEC_EACH(rank, ownership->rank_of, ownership->nplaces) {
    *rank = group->nranks;
  }
  ownership->calls = xcalloc((size_t)group->nranks + 1, sizeof *ownership->calls);
  for (unsigned r = 0; r < group->nranks; r++) {
    const struct coll *c = rig->ranks[group_name(group, r)].c;
    ownership->calls[r] = (struct owned_call){.takes_input = group->call.algo->takes_input,
                                              .buffer_ea = c->buffer_ea,
                                              .buffer_bytes = layout_buffer_bytes(group),
                                              .in_ea = c->in_ea,
                                              .in_bytes = layout_in_bytes(group)};
    ownership->rank_of[group->spe_of[r]] = r;
    ownership->name_of[r] = group_name(group, r);
  }
  if (group->cluster) {
    const struct cluster_call *cluster = group->cluster;
    if (cluster->parts[CLUSTER_INNER].group.call.algo) {
      add_group(ownership, &cluster->parts[CLUSTER_INNER].group);
    }
    add_group(ownership, &cluster->parts[CLUSTER_RELEASE].group);
    add_area(ownership, OWNED_SCRATCH, cluster->line_at, CLUSTER_LINE); /* of the handover */
  } else {
    add_area(ownership, OWNED_ARRAYS, group->ls_base, step_arrays_bytes(group->nranks));
  }
  if (group->workload) {
    add_program(ownership, group);
  } else {
    add_call(ownership, group);
    ownership->has_padding |= has_padding(group);
  }
  if (group->byte_step && !group->cluster) {
    const struct coll_group second = group_of_call(group, 1);
    add_call(ownership, &second);
  }
  qsort(ownership->areas, ownership->nareas, sizeof *ownership->areas, by_start);
}

void ownership_fini(struct ownership *ownership) {
  VEC_EACH(counts, ownership->counts, ownership->ncounts) {
    free(*counts);
  }
  free(ownership->counts);
  free(ownership->calls);
  free(ownership->members);
  free(ownership->areas);
  free(ownership->rank_of);
  free(ownership->bytes);
  *ownership = (struct ownership){.part = NULL};
}

/* Tell whether the NBYTES from EA on are among the SIZE bytes from START on. */
static bool is_within(uint64_t ea, uint64_t nbytes, uint64_t start, uint64_t size) {
  return ea >= start && ea - start <= size && nbytes <= size - (ea - start);
}

/* Return bytes of KIND of RANK, OFFSET behind the first one. */
static struct owned owned_of(enum owned_kind kind, unsigned rank, uint64_t offset) {
  return (struct owned){
    .kind = kind, .rank = rank, .what = names[kind].name, .offset = offset, .group = OWNED_BY_ALL};
}

/* Return the owner of the NBYTES from EA on, where a call by RANK has data; nobody: not there. */
static struct owned find_of_call(const struct ownership *ownership, unsigned rank, uint64_t ea,
                                 uint64_t nbytes) {
  const struct owned_call *call = &ownership->calls[rank];
  bool is_buffer = is_within(ea, nbytes, call->buffer_ea, call->buffer_bytes);
  struct owned owned = {.rank = rank, .what = names[OWNED_CALLS].name};
  if (is_buffer || is_within(ea, nbytes, call->in_ea, call->in_bytes)) {
    owned = is_buffer ? owned_of(OWNED_BUFFER, rank, ea - call->buffer_ea)
                      : owned_of(OWNED_INPUT, rank, ea - call->in_ea);
    owned.call = call->number;
  }
  return owned;
}

struct owned ownership_find_local(const struct ownership *ownership, unsigned rank, uint64_t address,
                                  uint64_t nbytes) {
  struct owned owned = {.rank = rank, .what = "code and stack"};
  for (size_t i = 0; i < ownership->nareas && address >= ownership->areas[i].start; i++) {
    const struct owned_area *area = &ownership->areas[i];
    if (ownership_member(ownership, area->group, rank) == OWNED_BY_ALL) {
      continue;
    }
    if (address + nbytes <= area->end) {
      owned = owned_of(area->kind, rank, address - area->start);
      owned.group = area->group;
      return owned;
    }
    owned.what = area->behind;
  }
  return owned;
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
  for (unsigned r = 0; group->workload && group->workload->memory && r < group->nranks; r++) {
    if (is_within(ea, nbytes, group->workload->ranks[r].memory_ea, group->workload->memory)) {
      return find_of_call(ownership, r, ea, nbytes);
    }
  }
  for (unsigned r = 0; group->call.algo->in_memory && r < group->nranks; r++) {
    struct owned owned = find_of_call(ownership, r, ea, nbytes);
    if (owned.kind != OWNED_BY_NOBODY) {
      return owned;
    }
  }
  if (group->cluster && is_in_cluster(group, ea, nbytes)) {
    return owned_of(OWNED_SHARED, group->nranks, 0);
  }
  if (group->shared_ea && is_within(ea, nbytes, group->shared_ea, group->shared)) {
    return owned_of(OWNED_SHARED, group->nranks, ea - group->shared_ea);
  }
  return (struct owned){.rank = ownership->nranks, .what = "main memory outside of all buffers"};
}

/* Return the owner of the NBYTES from EA on, ADDRESS in the local store of RANK. */
static struct owned find_in_store(const struct ownership *ownership, unsigned rank, uint64_t ea,
                                  uint64_t address, uint64_t nbytes) {
  struct owned owned = ownership_find_local(ownership, rank, address, nbytes);
  return owned.kind == OWNED_CALLS ? find_of_call(ownership, rank, ea, nbytes) : owned;
}

struct owned ownership_find(const struct ownership *ownership, uint64_t ea, uint64_t nbytes) {
  uint64_t spe = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, address = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  unsigned none = ownership->nranks;
  if (!ownership->part->blade) {
    address = (ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE;
    unsigned process = (unsigned)((ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE);
    return find_in_store(ownership, ownership->rank_of[process], ea, address, nbytes);
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
  return find_in_store(ownership, rank, ea, address, nbytes);
}

/* --- moved data --- */

void ownership_move(struct ownership *ownership, const struct owned *from, const struct owned *to,
                    uint64_t nbytes, unsigned by) {
  if (from->rank == to->rank || to->kind == OWNED_ARRAYS) {
    return;
  }
  const struct owned_call *call = &ownership->calls[by];
  for (unsigned gives = 0; gives < 2; gives++) {
    unsigned rank = gives ? from->rank : to->rank;
    bool counts = ownership->workload && call->is_inside;
    unsigned member = counts ? ownership_member(ownership, call->group, rank) : OWNED_BY_ALL;
    if (!ownership->workload) {
      ownership->bytes[rank][gives] += nbytes;
    } else if (member != OWNED_BY_ALL) {
      ownership->counts[call->number][member][gives] += nbytes;
    }
  }
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

/* Return the minimum for all calls of GROUP, or for GROUP, a call of a program. */
static uint64_t least_of_all(const struct coll_group *group, unsigned rank, bool gives) {
  uint64_t all = 0;
  if (!group_changes(group)) {
    return (group->nrepeats ? group->nrepeats : 1) * least(group, rank, gives);
  }
  for (unsigned i = 0; i < group->nrepeats; i++) {
    struct coll_group call = group_of_call(group, i);
    all += least(&call, rank, gives);
  }
  return all;
}

/* Add BYTES, received and given by RANK of GROUP, to what OWNERSHIP has moved, and the minimum to ALL.
 * returns: as ownership_missing. */
static char *compare(struct ownership *ownership, const struct coll_group *group, unsigned rank,
                     const uint64_t bytes[2], uint64_t all[2]) {
  static const char *const ways[] = {"have come from other ranks", "have gone to other ranks"};
  ownership->moved += bytes[0];
  for (unsigned gives = 0; gives < 2; gives++) {
    uint64_t wanted = least_of_all(group, rank, gives);
    all[gives] += wanted;
    if (bytes[gives] < wanted) {
      return xasprintf("rank %u: %llu bytes %s%s, expected at least the %llu of a %s",
                       group_name(group, rank), (unsigned long long)bytes[gives], ways[gives],
                       group->nrepeats ? text_brief(" in %u calls", group->nrepeats) : "",
                       (unsigned long long)wanted, collective_name(group->call.algo->collective));
    }
  }
  return NULL;
}

/* As ownership_missing, for each call of the program of GROUP. */
static char *missing_in_calls(struct ownership *ownership, const struct coll_group *group, uint64_t all[2]) {
  size_t ncalls = ownership->workload->ncalls;
  char *text = NULL;
  for (size_t i = 0; i < ownership->ncounts && !text; i++) {
    struct workload_turn turn;
    const struct coll_group call = workload_run_call(group, i % ncalls, (unsigned)(i / ncalls), &turn);
    for (unsigned r = 0; ownership->counts[i] && r < call.nranks && !text; r++) {
      SCOPED char *missing = compare(ownership, &call, r, ownership->counts[i][r], all);
      if (missing) {
        SCOPED char *name = workload_call_name(ownership->workload, (unsigned)i);
        text = xasprintf("%s: %s", name, missing);
      }
    }
  }
  return text;
}

char *ownership_missing(struct ownership *ownership, const struct coll_group *group) {
  uint64_t all[2] = {0};
  char *text = ownership->workload ? missing_in_calls(ownership, group, all) : NULL;
  for (unsigned r = 0; !ownership->workload && r < ownership->nranks && !text; r++) {
    text = compare(ownership, group, ownership->name_of[r], ownership->bytes[r], all);
  }
  if (!text) {
    ownership->moved -= ownership->workload ? 0 : ownership->told;
    ownership->needed = MAX(all[0], all[1]);
  }
  return text;
}

/* --- accesses --- */

typedef unsigned long long ull;

/* Describe where ACCESS is. */
static const char *place(const struct ownership *ownership, const struct access *access) {
  uint64_t offset = access->ea - EA_SPE_BASE;
  const struct owned *owned = &access->owned;
  const char *whose =
    owned->rank < ownership->nranks ? text_brief(" of rank %u", ownership->name_of[owned->rank]) : "";
  return access->ea >= EA_MEMORY_BASE
           ? text_brief("main memory 0x%llx (%s%s)", (ull)access->ea, owned->what, whose)
           : text_brief("0x%llx of SPE %llu (%s%s)", (ull)(offset % EA_SPE_STRIDE),
                        (ull)(offset / EA_SPE_STRIDE), owned->what, whose);
}

/* Describe the author of ACCESS. */
static const char *party(const struct ownership *ownership, const struct access *access) {
  ull at = (ull)access->at;
  if (access->by == ACCESS_BY_PPE) {
    return text_brief("the program %.40s (cycle %llu)", access->ppe, at);
  }
  unsigned rank = ownership->rank_of[access->spe];
  const char *who = rank < ownership->nranks
                      ? text_brief("rank %u on SPE %u", ownership->name_of[rank], access->spe)
                      : text_brief("SPE %u", access->spe);
  switch (access->by) {
  case ACCESS_BY_DMA:
    return text_brief("a %s of %s (tag %u; cycle %llu)", access->what, who, access->tag, at);
  case ACCESS_BY_PROXY:
    return text_brief("a %s of %.40s by the MFC of %s (tag %u; cycle %llu)", access->what, access->ppe, who,
                      access->tag, at);
  case ACCESS_BY_ATOMIC:
    return text_brief("a %s of %s (cycle %llu)", access->what, who, at);
  case ACCESS_BY_PROGRAM:
  case ACCESS_BY_PPE:
    break;
  }
  return text_brief("the program of %s (cycle %llu)", who, at);
}

const char *access_describe(const struct ownership *ownership, const struct access *access) {
  return text_brief("%s %s %llu bytes at %s", party(ownership, access), access->writes ? "writes" : "reads",
                    (ull)access->nbytes, place(ownership, access));
}
