/* SPDX-License-Identifier: BSD-3-Clause
 * See rig.h. */
#include "validate/lab/rig.h"

#include "algos/catalogue.h"
#include "algos/cluster/cluster_call.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "platform/parameters.h"
#include "sim/base/err.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/node/hosts.h"
#include "sim/spu/spu_time.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct profile *rig_profile(const struct platform *platform, const char *wanted, const char *source,
                                  struct err *err) {
  const char *prescribed = platform->software.profile;
  const char *name = wanted ? wanted : strcmp(prescribed, "source") == 0 ? source : prescribed;
  const struct profile *profile = platform_profile(platform, name);
  if (!profile) {
    err_set(err, "platform %s has no software-cost profile '%s'", platform->name, name);
  }
  return profile;
}

const char *rig_comparison(const struct platform *platform, const char *wanted) {
  const char *prescribed = platform->software.profile;
  bool is_open = platform_has_spes(platform) && strcmp(prescribed, "source") == 0;
  return wanted ? wanted : is_open ? platform->software.comparison : prescribed;
}

const struct profile *rig_compared(const struct platform *platform, const char *wanted,
                                   const struct algo_call *call) {
  const char *name = rig_comparison(platform, wanted);
  return platform_profile(platform, strcmp(name, "source") == 0 ? catalogue_source(call) : name);
}

/* Return the cycles for which TYPE and OP of SPEC keep an SPU busy per 16 bytes; 0 if there is no such
 * combination. */
static double combine_quadword(const struct platform *platform, const struct rig_spec *spec) {
  const double table[TYPE_COUNT][OP_COUNT] = {
#define COMBINATION(type_id, type, op_id, op, what) \
  [TYPE_##type_id][OP_##op_id] = platform->combine.type##_##op,
#include "platform/combine.def"
  };
  return table[spec->type][spec->op];
}

static struct step_costs whole_cycles(const struct profile *profile) {
  struct step_costs costs = {
#define PROFILE_FIELD(field, unit, min, max, doc, term) .field = (uint64_t)llround(profile->field),
#include "platform/platform.def"
  };
  return costs;
}

struct coll_group rig_group(const struct blade *blade, const struct rig_spec *spec) {
  struct coll_group group = {.call = spec->call,
                             .nranks = spec->nranks,
                             .root = spec->root,
                             .nbytes = spec->nbytes,
                             .op = spec->op,
                             .type = spec->type,
                             .nrepeats = spec->nrepeats,
                             .port = &spu_port,
                             .ls_base = blade_parameters(blade)->ls_reserve,
                             .ls_bytes = blade_parameters(blade)->ls_bytes};
  placement_apply(&spec->placement, blade, &group);
  if (spec->profile) {
    group.costs = whole_cycles(spec->profile);
    group.costs.quadword = combine_quadword(blade_platform(blade), spec);
  }
  if (spec->place) {
    cluster_call_init(&group, spec->place);
  }
  return group;
}

void rig_group_fini(struct coll_group *group) {
  cluster_call_fini(group);
  placement_fini(group);
}

static int check_ranks(const struct blade *blade, const struct rig_spec *spec, struct err *err) {
  unsigned n = spec->nranks;
  if (n == 0 || n > blade_nspes(blade)) {
    return err_set(err, "%u ranks on platform %s, expected 1 to %u, one per SPE", n,
                   blade_platform(blade)->name, blade_nspes(blade));
  }
  return placement_check(&spec->placement, blade, n, err);
}

int rig_check_room(const struct blade *blade, unsigned nranks, size_t nbytes, struct err *err) {
  size_t room = rig_room(blade, nranks);
  return room > 0 && nbytes <= room
           ? 0
           : err_set(err, "%zu bytes in a local store with room for %zu, notification arrays included",
                     nbytes, room);
}

/* Allot main memory to the PPE that talks to other nodes.
 * returns: whether there is enough. */
static bool allot_to_ppe(struct rig *rig) {
  struct cluster_call *cluster = rig->group.cluster;
  cluster->flags_ea = blade_allocate(rig->blade, 0, cluster_call_flags(&rig->group));
  cluster->data_ea =
    blade_allocate(rig->blade, 0, cluster_call_turns(&rig->group) * cluster_call_data(&rig->group));
  cluster->work_ea = blade_allocate(rig->blade, 0, cluster_call_data(&rig->group));
  return cluster->flags_ea && cluster->data_ea && cluster->work_ea;
}

/* Allot main memory to the ranks of RIG, and what they share.
 * errors: more than there is. */
static int allot_memory(struct rig *rig, struct err *err) {
  const struct coll_group *group = &rig->group;
  const struct algo *algo = group->call.algo;
  size_t nbytes = layout_buffer_bytes(group) + CALL_MAP_GUARD, in = layout_in_bytes(group);
  bool enough = true;
  for (unsigned r = 0; algo && algo->in_memory && enough && r < group->nranks; r++) {
    struct coll *c = rig->ranks[r].c;
    unsigned chip = blade_data_chip(rig->blade, group->spe_of[r] / blade_spes_per_chip(rig->blade));
    c->buffer_ea = blade_allocate(rig->blade, chip, nbytes);
    c->in_ea = in ? blade_allocate(rig->blade, chip, in + CALL_MAP_GUARD) : c->buffer_ea;
    enough = c->buffer_ea && c->in_ea;
  }
  if (algo && algo->shared && enough) {
    rig->group.shared_ea = blade_allocate(rig->blade, 0, algo->shared);
    enough = rig->group.shared_ea != 0;
  }
  if (group->cluster && enough) {
    enough = allot_to_ppe(rig);
  }
  return enough ? 0
                : err_set(err, "%u times %zu bytes in main memory, which has no room for them", group->nranks,
                          nbytes);
}

void rig_draw_delays(struct rig *rig, const struct rig_spec *spec) {
  uint64_t state = spec->skew_seed;
  for (unsigned r = 0; spec->skew && r < rig->group.nranks; r++) {
    for (unsigned i = 0; i < spec->nrepeats; i++) {
      driver_delay(rig->ranks[r].c, i, random_next(&state) % (spec->skew + 1));
    }
  }
}

/* Return the name of the program of rank NUMBER.
 * owner: nobody, it lasts as long as the process. */
static const char *program_name(unsigned number) {
  static const char **names;
  static unsigned n;
  if (number >= n) {
    unsigned room = 2 * number + 16;
    names = xrealloc(names, room, sizeof *names);
    for (; n < room; n++) {
      names[n] = xasprintf("rank %u", n);
    }
  }
  return names[number];
}

int rig_init(struct rig *rig, struct blade *blade, const struct rig_spec *spec, struct err *err) {
  unsigned n = spec->nranks;
  *rig = (struct rig){.blade = blade};
  if (check_ranks(blade, spec, err) != 0) {
    return -1;
  }
  if (!spec->call.algo && rig_check_room(blade, n, spec->nbytes, err) != 0) {
    return -1;
  }
  blade_reset(blade);
  rig->group = rig_group(blade, spec);
  rig->ranks = xcalloc(n, sizeof *rig->ranks);
  rig->programs = xcalloc(n, sizeof *rig->programs);
  rig->ppe = (struct ppu){.argument = &rig->group, .name = "PPE 0"};
  if (spec->call.algo && spec->call.algo->ppe) {
    rig->ppe.main = driver_ppe_main;
  }
  for (unsigned r = 0; r < n; r++) {
    rig->ranks[r].c = driver_new(&rig->group, r);
    rig->ranks[r].cycles = -1;
    rig->programs[r] = (struct spu){.spe = rig->group.spe_of[r],
                                    .argument = &rig->ranks[r],
                                    .name = program_name(group_name(&rig->group, r))};
    spu_config_signal_or(blade, rig->group.spe_of[r], 1);
  }
  rig_draw_delays(rig, spec);
  return allot_memory(rig, err);
}

int rig_check_needs(struct coll_group *group, const struct rig_spec *spec, struct err *err) {
  char why[256], name[128];
  const char *refusal = needs_refuse(group, why, sizeof why);
  rig_group_fini(group);
  if (refusal && err) { /* many only want to know whether */
    catalogue_format(&spec->call, name, sizeof name);
    err_set(err, "%s: %s", name, refusal);
  }
  return refusal ? -1 : 0;
}

int rig_check(struct blade *blade, const struct rig_spec *spec, struct err *err) {
  if (check_ranks(blade, spec, err) != 0) {
    return -1;
  }
  struct coll_group group = rig_group(blade, spec);
  return rig_check_needs(&group, spec, err);
}

void rig_init_known(struct rig *rig, struct blade *blade, const struct rig_spec *spec) {
  struct err err = {""};
  if (rig_init(rig, blade, spec, &err) != 0) {
    fprintf(stderr, "cellcoll: %s\n", err.text);
    abort();
  }
}

unsigned rig_next_chip(const struct blade *blade) {
  unsigned chip = 0;
  while (blade_nchips(blade) > 1 && blade_links_between(blade, 0, chip) != 1) {
    chip++;
  }
  return chip;
}

struct units_list rig_two_chips(const struct blade *blade) {
  unsigned n = blade_spes_per_chip(blade), next = rig_next_chip(blade);
  struct units_list spes = {.values = xcalloc(2 * (size_t)n, sizeof *spes.values), .n = next ? 2 * n : n};
  for (unsigned i = 0; i < n; i++) {
    spes.values[i] = i;
    spes.values[n + i] = next * n + i;
  }
  return spes;
}

size_t rig_room(const struct blade *blade, unsigned nranks) {
  struct coll_group group = {.nranks = nranks,
                             .ls_base = blade_parameters(blade)->ls_reserve,
                             .ls_bytes = blade_parameters(blade)->ls_bytes};
  size_t arrays = call_map_bytes(&group), room = group.ls_bytes - group.ls_base;
  return room > arrays ? room - arrays : 0;
}

void rig_fini(struct rig *rig) {
  for (unsigned r = 0; rig->ranks && r < rig->group.nranks; r++) {
    driver_free(rig->ranks[r].c);
  }
  rig_group_fini(&rig->group);
  free(rig->ranks);
  free(rig->programs);
}

/* The SPE program around that of a microbenchmark; ARGUMENT is its struct rig_rank. */
static void run_program(void *argument) {
  struct rig_rank *rank = argument;
  driver_enter(rank->c);
  uint64_t start = spu_cycles();
  rank->program(rank);
  rank->cycles = rank->cycles < 0 ? (double)(spu_cycles() - start) : rank->cycles;
}

void rig_set(struct rig *rig, unsigned rank, rig_program *program) {
  rig->ranks[rank].program = program;
  rig->programs[rank].main = run_program;
}

void rig_set_calls(struct rig *rig) {
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    rig->programs[r].main = rig->group.cluster ? cluster_main : driver_main;
    rig->programs[r].argument = rig->ranks[r].c;
  }
}

struct blade_result rig_run(struct rig *rig) {
  struct spu *active = xcalloc(rig->group.nranks, sizeof *active);
  size_t count = 0;
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    if (rig->programs[r].main) {
      active[count++] = rig->programs[r];
    }
  }
  struct blade_result result =
    spu_run_all(rig->blade, &(struct spu_programs){active, count, &rig->ppe, rig->ppe.main ? 1 : 0});
  free(active);
  return result;
}

/* What was noted first; NULL: nothing. */
static char *stop;

void rig_note_stop(const char *why) {
  if (!stop) {
    stop = xstrdup(why);
  }
}

void rig_run_sound(struct rig *rig) {
  struct blade_result result = rig_run(rig);
  const char *why = result.faults ? result.faults : result.stuck;
  for (unsigned r = 0; r < rig->group.nranks && why; r++) {
    rig->ranks[r].cycles = NAN;
  }
  if (why) {
    char *how = xasprintf("%s: %.*s", result.faults ? "fault" : "deadlock", (int)strcspn(why, "\n"), why);
    rig_note_stop(how);
    free(how);
  }
  blade_result_fini(&result);
}

char *rig_take_stop(void) {
  char *taken = stop;
  stop = NULL;
  return taken;
}

double rig_measure(struct rig *rig, unsigned first, unsigned end) {
  rig_run_sound(rig);
  double cycles = rig_mean(rig, first, end);
  rig_fini(rig);
  return cycles;
}

double rig_measure_pair(struct blade *blade, const struct rig_pair *pair) {
  uint64_t spes[] = {0, pair->spe};
  struct rig rig;
  struct rig_spec spec = {.nranks = pair->spe ? 2 : 1,
                          .nbytes = pair->nbytes,
                          .placement = {PLACEMENT_LIST, {spes, 2}},
                          .nrepeats = 1,
                          .profile = pair->profile};
  rig_init_known(&rig, blade, &spec);
  for (unsigned i = 0; i < spec.nranks && pair->programs[i]; i++) {
    struct rig_rank *rank = &rig.ranks[i];
    rank->peer = !i;
    rank->nbytes = pair->nbytes;
    rank->job = pair->job;
    rig_set(&rig, i, pair->programs[i]);
  }
  return rig_measure(&rig, 0, 1);
}

double rig_mean_of_pairs(struct blade *blade, struct rig_pair pair, bool across) {
  unsigned chip = blade_spes_per_chip(blade), base = across ? rig_next_chip(blade) * chip : 0;
  unsigned first = across ? base : 1, end = base + chip;
  double sum = 0;
  for (pair.spe = first; pair.spe < end; pair.spe++) {
    sum += rig_measure_pair(blade, &pair);
  }
  return sum / (end - first);
}

double rig_mean(const struct rig *rig, unsigned first, unsigned end) {
  double sum = 0;
  for (unsigned r = first; r < end; r++) {
    sum += rig->ranks[r].cycles;
  }
  return sum / (end - first);
}

uint8_t *rig_buffer(const struct rig *rig, unsigned rank) {
  const struct coll_group *group = &rig->group;
  if (rig->hosts) {
    return hosts_memory(rig->hosts, group->spe_of[rank]) + call_map_buffer(group);
  }
  if (group_in_memory(group)) {
    return blade_memory(rig->blade, rig->ranks[rank].c->buffer_ea);
  }
  return blade_ls(rig->blade, group->spe_of[rank]) + call_map_buffer(group);
}

uint8_t *rig_in(const struct rig *rig, unsigned rank) {
  const struct coll_group *group = &rig->group;
  if (!layout_in_bytes(group)) {
    return NULL;
  }
  if (rig->hosts) {
    return hosts_memory(rig->hosts, group->spe_of[rank]) + call_map_in(group);
  }
  if (group_in_memory(group)) {
    return blade_memory(rig->blade, rig->ranks[rank].c->in_ea);
  }
  return blade_ls(rig->blade, group->spe_of[rank]) + call_map_in(group);
}
