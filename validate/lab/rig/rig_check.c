/* SPDX-License-Identifier: BSD-3-Clause
 * See rig.h: checks of a call against a machine. */
#include "algos/catalogue.h"
#include "algos/step/call_map.h"
#include "algos/step/needs.h"
#include "platform/parameters.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/lab/rig/rig_layout.h"

#include <stdio.h>
#include <string.h>

/* --- one blade --- */

size_t rig_room(const struct platform *platform, unsigned nranks) {
  struct coll_group group = {.nranks = nranks, .ls_base = platform->ls_base, .ls_bytes = platform->ls.size};
  size_t arrays = call_map_bytes(&group), room = group.ls_bytes - group.ls_base;
  return room > arrays ? room - arrays : 0;
}

int rig_check_room(const struct platform *platform, unsigned nranks, size_t nbytes, struct err *err) {
  size_t room = rig_room(platform, nranks);
  return room > 0 && nbytes <= room
           ? 0
           : err_set(err, "%zu bytes in a local store with room for %zu, notification arrays included",
                     nbytes, room);
}

int rig_check_ranks(const struct platform *platform, const struct call *call, struct err *err) {
  bool spread = rig_is_spread(call), spes = platform_has_spes(platform);
  struct placement_shape shape = placement_shape(platform, spread);
  unsigned n = call->nranks, most = placement_count(platform, spread);
  if (n == 0 || n > most) {
    char advice[64] = "";
    if (spes && !platform->has_nodes && call->algorithm.algo->ranks == n) {
      snprintf(advice, sizeof advice, "; --set blade.chips=%u is large enough",
               (n - 1) / platform->spes_per_chip + 1);
    }
    return err_set(err, "%u ranks on platform %s, expected 1 to %u, one per %s%s", n, platform->name, most,
                   spes ? "SPE" : "process of its hosts", advice);
  }
  return delay_list_check(&call->delay, n, err) == 0 ? placement_check(&call->placement, &shape, n, err) : -1;
}

/* Check that PLATFORM meets all needs of CALL. */
static int check_needs(const struct platform *platform, const struct call *call, struct err *err) {
  const struct algo *with = call->with.algo, *algo = call->algorithm.algo;
  char name[CATALOGUE_NAME_SIZE];
  struct refusal why;
  bool refused = false, is_mistake = false;
  if (call->byte_step > call->nbytes) {
    return err_set(err, "%zu bytes fewer in every second call, expected at most %zu", call->byte_step,
                   call->nbytes);
  }
  if (with && (with->spans_nodes || with->in_memory != algo->in_memory)) {
    catalogue_format(&call->with, name, sizeof name);
    return err_set(err, "%s in between, expected an algorithm of one node with data in %s", name,
                   algo->in_memory ? "main memory" : "local stores");
  }
  struct coll_group group = rig_group(platform, call);
  unsigned ncalls = call->root_step ? call->repeat : group.other ? 2 : 1;
  for (unsigned i = 0; i < ncalls && !refused; i++) {
    struct coll_group now = group_of_call(&group, i);
    now.root = i ? now.root : call->root; /* which may be no rank */
    refused = needs_refuse(&now, &why);
    is_mistake = refused && why.is_mistake && now.call.algo == algo;
    if (refused && err) { /* many only want to know whether */
      catalogue_format(&now.call, name, sizeof name);
      err_set(err, "%s: %s", name, why.text);
    }
  }
  rig_group_fini(&group);
  return !refused ? 0 : is_mistake ? RIG_MISTAKE : -1;
}

/* --- several nodes --- */

/* Check the parts of CALL on all nodes of LAYOUT. */
static int check_parts(const struct rig_layout *layout, const struct platform *platform,
                       const struct call *call, struct err *err) {
  char why[256], name[CATALOGUE_NAME_SIZE];
  struct refusal found;
  const char *refusal = NULL;
  catalogue_format(&call->algorithm, name, sizeof name);
  if (call->root >= call->nranks) {
    return err_set(err, "%s: root %u, expected a rank below %u", name, call->root, call->nranks);
  }
  if (call->root_step || call->byte_step || call->with.algo) {
    return err_set(
      err, "%s: calls with another root, size or algorithm, expected equal calls on several nodes", name);
  }
  unsigned root_part = layout->part_of[call->root];
  for (unsigned i = 0; i < layout->n && !refusal; i++) {
    unsigned n = layout->first[i + 1] - layout->first[i],
             before = i ? layout->first[i] - layout->first[i - 1] : 0;
    if (i > 1 && i != root_part && i - 1 != root_part && n == before) {
      continue; /* as the part before */
    }
    struct coll_group group = rig_layout_group(layout, platform, call, i);
    refusal = needs_refuse(&group, &found) ? found.text : cluster_call_refuse(&group, why, sizeof why);
    rig_group_fini(&group);
    if (refusal) {
      struct node_names names = platform_node_names(platform);
      err_set(err, "%s: %s: %s", name, node_name(&names, layout->nodes[i]), refusal);
    }
  }
  return refusal ? -1 : 0;
}

int rig_check(const struct platform *platform, const struct call *call, struct err *err) {
  unsigned nodes = placement_machine_nodes(platform), nspes = platform->nspes, n = call->nranks;
  bool spes = platform_has_spes(platform), spread = spes && rig_is_spread(call);
  char name[CATALOGUE_NAME_SIZE];
  if (spread && nodes == 1) {
    catalogue_format(&call->algorithm, name, sizeof name);
    return err_set(err, "%s: platform %s is one node, expected several", name, platform->name);
  }
  if (!spread && nodes > 1 && call->algorithm.algo && n > nspes && n <= nodes * nspes) {
    struct algorithm algorithm;
    struct err ignored = {""};
    catalogue_format(&call->algorithm, name, sizeof name);
    SCOPED char *other = xasprintf("%s:hierarchical", collective_name(call->algorithm.algo->collective));
    bool is_there = catalogue_find(other, &algorithm, &ignored) == 0;
    return err_set(
      err,
      "%s: %u ranks on several nodes, expected at most the %u of one: an SPE reaches only its own "
      "blade%s%s%s",
      name, n, nspes, is_there ? " (" : "", is_there ? other : "", is_there ? ")" : "");
  }
  if (rig_check_ranks(platform, call, err) != 0 || (!spes && !rig_clusters(platform, err))) {
    return -1;
  }
  if (!spread) {
    return check_needs(platform, call, err);
  }
  struct rig_layout layout;
  rig_layout_init(&layout, platform, call);
  int status = check_parts(&layout, platform, call, err);
  rig_layout_fini(&layout);
  return status;
}
