/* SPDX-License-Identifier: BSD-3-Clause
 * See rig.h. */
#include "validate/rig.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct profile *
rig_profile(const struct platform *platform, const char *wanted, const char *source, struct err *err)
{
  const char *prescribed = platform->software.profile;
  const char *name = wanted ? wanted : strcmp(prescribed, "source") == 0 ? source : prescribed;
  const struct profile *profile = platform_profile(platform, name);
  if (!profile) {
    err_set(err, "platform %s has no software-cost profile '%s'", platform->name, name);
  }
  return profile;
}

static void
place_ranks(struct coll_group *group, const struct blade *blade)
{
  group->spe_of = xcalloc(2 * (size_t)group->nranks, sizeof *group->spe_of);
  group->chip_of = group->spe_of + group->nranks;
  for (unsigned r = 0; r < group->nranks; r++) {
    group->spe_of[r] = r;
    group->chip_of[r] = r / blade->spes_per_chip;
  }
  group->nchips = (group->nranks - 1) / blade->spes_per_chip + 1;
  group->ranks_per_chip = group->nchips > 1 ? blade->spes_per_chip : group->nranks;
}

static struct step_costs
whole_cycles(const struct profile *profile)
{
  return (struct step_costs){.send = (uint64_t)llround(profile->send),
                             .receive = (uint64_t)llround(profile->receive),
                             .dma = (uint64_t)llround(profile->dma),
                             .tag = (uint64_t)llround(profile->tag),
                             .step = (uint64_t)llround(profile->step)};
}

/* Describe the call of SPEC on BLADE.
 * owner: the caller frees spe_of. */
static struct coll_group
group_of(const struct blade *blade, const struct rig_spec *spec)
{
  struct coll_group group = {.call = spec->call,
                             .nranks = spec->nranks,
                             .root = spec->root,
                             .nbytes = spec->nbytes,
                             .nrepeats = spec->nrepeats,
                             .ls_base = blade->figures.ls_reserve,
                             .ls_bytes = blade->figures.ls_bytes};
  place_ranks(&group, blade);
  return group;
}

static int
check_ranks(const struct blade *blade, const struct rig_spec *spec, struct err *err)
{
  unsigned n = spec->nranks;
  if (n == 0 || n > blade->nspes) {
    return err_set(err, "%u ranks on platform %s, expected 1 to %u, one per SPE", n, blade->platform->name,
                   blade->nspes);
  }
  return 0;
}

int
rig_init(struct rig *rig, struct blade *blade, const struct rig_spec *spec, struct err *err)
{
  unsigned n = spec->nranks;
  *rig = (struct rig){.blade = blade};
  if (check_ranks(blade, spec, err) != 0) {
    return -1;
  }
  if (spec->nbytes > rig_room(blade, n) || rig_room(blade, n) == 0) {
    return err_set(err, "%zu bytes in a local store with room for %zu, notification arrays included",
                   spec->nbytes, rig_room(blade, n));
  }
  blade_reset(blade);
  rig->group = group_of(blade, spec);
  rig->group.costs = whole_cycles(spec->profile);
  rig->ranks = xcalloc(n, sizeof *rig->ranks);
  rig->programs = xcalloc(n, sizeof *rig->programs);
  for (unsigned r = 0; r < n; r++) {
    coll_init(&rig->ranks[r].c, &rig->group, r);
    rig->ranks[r].cycles = -1;
    rig->programs[r] =
      (struct spu){.spe = rig->group.spe_of[r], .argument = &rig->ranks[r], .name = xasprintf("rank %u", r)};
    spu_config_signal_or(blade, rig->group.spe_of[r], 1);
  }
  return 0;
}

int
rig_check(struct blade *blade, const struct rig_spec *spec, struct err *err)
{
  char why[256], name[128];
  if (check_ranks(blade, spec, err) != 0) {
    return -1;
  }
  struct coll_group group = group_of(blade, spec);
  const char *refusal = coll_refuse(&group, why, sizeof why);
  free(group.spe_of);
  if (refusal) {
    catalogue_format(&spec->call, name, sizeof name);
    return err_set(err, "%s: %s", name, refusal);
  }
  return 0;
}

void
rig_init_known(struct rig *rig, struct blade *blade, const struct rig_spec *spec)
{
  struct err err = {""};
  if (rig_init(rig, blade, spec, &err) != 0) {
    fprintf(stderr, "cellcoll: %s\n", err.text);
    abort();
  }
}

size_t
rig_room(const struct blade *blade, unsigned nranks)
{
  struct coll_group group = {
    .nranks = nranks, .ls_base = blade->figures.ls_reserve, .ls_bytes = blade->figures.ls_bytes};
  size_t arrays = coll_footprint(&group), room = group.ls_bytes - group.ls_base;
  return room > arrays ? room - arrays : 0;
}

void
rig_fini(struct rig *rig)
{
  for (unsigned r = 0; rig->ranks && r < rig->group.nranks; r++) {
    coll_fini(&rig->ranks[r].c);
    free((char *)rig->programs[r].name);
  }
  free(rig->group.spe_of);
  free(rig->ranks);
  free(rig->programs);
}

void
rig_set(struct rig *rig, unsigned rank, void (*program)(void *argument))
{
  rig->programs[rank].main = program;
}

struct blade_result
rig_run(struct rig *rig)
{
  struct spu *active = xcalloc(rig->group.nranks, sizeof *active);
  size_t count = 0;
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    if (rig->programs[r].main) {
      active[count++] = rig->programs[r];
    }
  }
  struct blade_result result = spu_run(rig->blade, active, count);
  free(active);
  return result;
}

void
rig_run_sound(struct rig *rig)
{
  struct blade_result result = rig_run(rig);
  assert(!result.faults && !result.stuck);
  blade_result_fini(&result);
}

double
rig_mean(const struct rig *rig, unsigned first, unsigned end)
{
  double sum = 0;
  for (unsigned r = first; r < end; r++) {
    sum += rig->ranks[r].cycles;
  }
  return sum / (end - first);
}

uint8_t *
rig_buffer(const struct rig *rig, unsigned rank)
{
  return rig->blade->spes[rig->group.spe_of[rank]].ls + coll_buffer_address(&rig->group);
}
