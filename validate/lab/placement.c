/* SPDX-License-Identifier: BSD-3-Clause
 * See placement.h. */
#include "validate/lab/placement.h"

#include "algos/step/group.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
placement_parse(const char *text, struct placement *placement, struct err *err)
{
  struct err why = {""};
  *placement = (struct placement){0};
  if (strcmp(text, "packed") == 0) {
    return 0;
  }
  if (strcmp(text, "round-robin") == 0) {
    placement->kind = PLACEMENT_ROUND_ROBIN;
    return 0;
  }
  placement->kind = PLACEMENT_LIST;
  if (units_parse_count_list(text, &placement->list, &why) != 0) {
    return err_set(err, "'%s', expected packed, round-robin or a list of SPEs such as 0,8,1,9", text);
  }
  return 0;
}

void
placement_format(const struct placement *placement, unsigned nranks, char text[PLACEMENT_TEXT_SIZE])
{
  snprintf(text, PLACEMENT_TEXT_SIZE, "%s",
           placement->kind == PLACEMENT_ROUND_ROBIN ? "round-robin" : "packed");
  size_t used = 0;
  for (unsigned r = 0; placement->kind == PLACEMENT_LIST && r < nranks && used < PLACEMENT_TEXT_SIZE; r++) {
    used += (size_t)snprintf(text + used, PLACEMENT_TEXT_SIZE - used, r == 0 ? "%llu" : " %llu",
                             (unsigned long long)placement->list.values[r]);
  }
}

/* Return the SPE of RANK. */
static unsigned
spe_of(const struct placement *placement, const struct blade *blade, unsigned rank)
{
  unsigned chips = blade_nspes(blade) / blade_spes_per_chip(blade);
  switch (placement->kind) {
  case PLACEMENT_ROUND_ROBIN:
    return rank % chips * blade_spes_per_chip(blade) + rank / chips;
  case PLACEMENT_LIST:
    return (unsigned)placement->list.values[rank];
  case PLACEMENT_PACKED:
    break;
  }
  return rank;
}

int
placement_check_list(const struct placement *placement, unsigned nspes, unsigned nranks, struct err *err)
{
  if (placement->kind != PLACEMENT_LIST) {
    return 0;
  }
  const struct units_list *list = &placement->list;
  if (list->n < nranks) {
    return err_set(err, "placement of %zu ranks, expected one SPE for each of %u", list->n, nranks);
  }
  for (unsigned r = 0; r < nranks; r++) {
    if (list->values[r] >= nspes) {
      return err_set(err, "placement of rank %u on SPE %llu, expected one below %u", r,
                     (unsigned long long)list->values[r], nspes);
    }
    for (unsigned other = 0; other < r; other++) {
      if (list->values[other] == list->values[r]) {
        return err_set(err, "placement of ranks %u and %u on SPE %llu, expected one each", other, r,
                       (unsigned long long)list->values[r]);
      }
    }
  }
  return 0;
}

int
placement_check(const struct placement *placement, const struct blade *blade, unsigned nranks,
                struct err *err)
{
  return placement_check_list(placement, blade_nspes(blade), nranks, err);
}

/* --- several nodes --- */

unsigned
placement_machine_nodes(const struct blade *blade)
{
  const struct platform *platform = blade_platform(blade);
  bool several = platform->has_nodes && platform_has_spes(platform);
  unsigned blades = several && strcmp(platform->node.kind, "triblade") == 0 ? platform->node.blades : 1;
  return several ? platform->node.count * blades : 1;
}

unsigned
placement_most(const struct algo_call *call, const struct blade *blade)
{
  const struct platform *platform = blade_platform(blade);
  if (!platform_has_spes(platform)) {
    return platform->node.count * platform->node.processes;
  }
  return blade_nspes(blade) * (call->algo->on_nodes ? placement_machine_nodes(blade) : 1);
}

struct placement_spot
placement_spot(const struct placement *placement, const struct blade *blade, unsigned nranks, unsigned rank)
{
  unsigned nspes = blade_nspes(blade), nodes = placement_machine_nodes(blade);
  if (placement->kind == PLACEMENT_ROUND_ROBIN) {
    nodes = nodes < nranks ? nodes : nranks;
    return (struct placement_spot){rank % nodes, spe_of(placement, blade, rank / nodes)};
  }
  unsigned place = placement->kind == PLACEMENT_LIST ? (unsigned)placement->list.values[rank] : rank;
  return (struct placement_spot){place / nspes, place % nspes};
}

unsigned
placement_nodes(const struct placement *placement, const struct blade *blade, unsigned nranks)
{
  unsigned nodes = 0;
  for (unsigned r = 0; r < nranks; r++) {
    unsigned node = placement_spot(placement, blade, nranks, r).node;
    nodes = node >= nodes ? node + 1 : nodes;
  }
  return nodes;
}

int
placement_check_nodes(const struct placement *placement, const struct blade *blade, unsigned nranks,
                      struct err *err)
{
  return placement_check_list(placement, placement_machine_nodes(blade) * blade_nspes(blade), nranks, err);
}

void
placement_list_by_chip(struct coll_group *group, unsigned chips)
{
  unsigned place = 0;
  for (unsigned chip = 0; chip < chips; chip++) {
    group->chip_first[group->nchips] = place;
    for (unsigned r = 0; r < group->nranks; r++) {
      if (group->chip_of[r] == chip) {
        group->place_of[r] = place;
        group->by_chip[place++] = r;
      }
    }
    group->nchips += place > group->chip_first[group->nchips];
  }
  group->chip_first[group->nchips] = place;
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    for (unsigned i = group->chip_first[chip]; i < group->chip_first[chip + 1]; i++) {
      group->chip_of[group->by_chip[i]] = chip;
    }
  }
}

void
placement_allocate(struct coll_group *group, unsigned chips)
{
  unsigned n = group->nranks;
  group->spe_of = xcalloc(4 * (size_t)n + chips + 1, sizeof *group->spe_of);
  group->chip_of = group->spe_of + n;
  group->by_chip = group->chip_of + n;
  group->place_of = group->by_chip + n;
  group->chip_first = group->place_of + n;
}

void
placement_apply(const struct placement *placement, const struct blade *blade, struct coll_group *group)
{
  unsigned n = group->nranks, chips = blade_nspes(blade) / blade_spes_per_chip(blade);
  placement_allocate(group, chips);
  for (unsigned r = 0; r < n; r++) {
    group->spe_of[r] = spe_of(placement, blade, r);
    group->chip_of[r] = group->spe_of[r] / blade_spes_per_chip(blade);
  }
  placement_list_by_chip(group, chips);
}

void
placement_fini(struct coll_group *group)
{
  free(group->spe_of);
}
