/* SPDX-License-Identifier: BSD-3-Clause
 * See blade.h.
 *
 * Which units are on the rings is data: a unit called SPE<n> is an SPE; which SPEs programs can have, which unit is the BIF
 * and which one controls main memory the platform says; any other is a place that transfers pass. The SPEs of a chip are
 * those that programs can have, counted in the order of their numbers. */
#include "sim/hw/blade.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/ea.h"
#include "sim/hw/program.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Note where the units of a ring lie.
 * returns: the number of units; positions[n] becomes the position of the n-th SPE that programs can have. */
static unsigned
place_units(struct blade *blade, unsigned positions[RING_UNITS_MAX])
{
  enum { NOWHERE = RING_UNITS_MAX };
  unsigned of_number[RING_UNITS_MAX];
  for (unsigned i = 0; i < RING_UNITS_MAX; i++) {
    of_number[i] = NOWHERE;
  }
  char *units = xstrdup(blade->platform->chip.units), *state = NULL;
  unsigned position = 0;
  for (char *unit = strtok_r(units, " ", &state); unit; unit = strtok_r(NULL, " ", &state), position++) {
    if (strncmp(unit, "SPE", 3) == 0 && isdigit((unsigned char)unit[3]) &&
        platform_spe_is_usable(blade->platform, unit)) {
      of_number[strtoul(unit + 3, NULL, 10)] = position;
    }
    if (strcmp(unit, blade->platform->chip.bif) == 0) {
      blade->bif_unit = position;
    }
    if (strcmp(unit, blade->platform->chip.memory) == 0) {
      blade->memory_unit = position;
    }
  }
  free(units);
  for (unsigned i = 0; i < RING_UNITS_MAX; i++) {
    if (of_number[i] != NOWHERE) {
      positions[blade->spes_per_chip++] = of_number[i];
    }
  }
  return position;
}

static void
make_spes(struct blade *blade, const unsigned positions[RING_UNITS_MAX])
{
  size_t ls_bytes = blade->parameters.ls_bytes;
  blade->nspes = blade->nchips * blade->spes_per_chip;
  blade->spes = xcalloc(blade->nspes, sizeof *blade->spes);
  pages_init(&blade->local_stores, blade->nspes * ls_bytes, "local stores");
  for (unsigned i = 0; i < blade->nspes; i++) {
    struct spe *spe = &blade->spes[i];
    *spe = (struct spe){.blade = blade, .index = i, .chip = i / blade->spes_per_chip};
    spe->unit = positions[i % blade->spes_per_chip];
    spe->ls = blade->local_stores.bytes + i * ls_bytes;
    dma_init(&spe->dma, spe);
    spe_reset(spe);
    blade->eibs[spe->chip].command_bus.askers[spe->unit].dma = &spe->dma;
  }
}

static void
reset_ppes(struct blade *blade)
{
  for (unsigned i = 0; i < blade->nchips; i++) {
    blade->ppes[i] = (struct ppe){.blade = blade, .chip = i};
  }
}

struct blade *
blade_new(const struct platform *platform, struct err *err)
{
  struct blade *blade = xcalloc(1, sizeof *blade);
  unsigned positions[RING_UNITS_MAX] = {0};
  blade->platform = platform;
  blade->nchips = platform->blade.chips;
  parameters_init(&blade->parameters, platform, place_units(blade, positions));
  blade->ring_plan = ring_plan_new(&blade->parameters.ring);
  blade->routes = routes_new(&blade->parameters.ring);
  blade->eibs = xcalloc_lines(blade->nchips, sizeof *blade->eibs);
  blade->memories = xcalloc(blade->nchips, sizeof *blade->memories);
  for (unsigned i = 0; i < blade->nchips; i++) {
    eib_init(&blade->eibs[i], blade, i);
    memory_init(&blade->memories[i], &blade->parameters);
  }
  make_spes(blade, positions);
  blade->ppes = xcalloc(blade->nchips, sizeof *blade->ppes);
  reset_ppes(blade);
  blade->reservations.n = blade->nspes;
  blade->reservations.of = xcalloc(blade->nspes, sizeof *blade->reservations.of);
  if (bif_init(&blade->bif, blade, err) != 0) {
    blade_free(blade);
    return NULL;
  }
  return blade;
}

void
blade_free(struct blade *blade)
{
  if (!blade) {
    return;
  }
  for (unsigned i = 0; i < blade->nspes; i++) {
    dma_fini(&blade->spes[i].dma);
  }
  for (unsigned i = 0; i < blade->nchips; i++) {
    memory_fini(&blade->memories[i]);
  }
  pages_fini(&blade->local_stores);
  bif_fini(&blade->bif);
  free(blade->spes);
  free(blade->ppes);
  free(blade->reservations.of);
  free(blade->eibs);
  free(blade->ring_plan);
  free(blade->routes);
  free(blade->memories);
  free(blade->faults);
  free(blade);
}

void
blade_reset(struct blade *blade)
{
  for (unsigned i = 0; i < blade->nchips; i++) {
    eib_reset(&blade->eibs[i]);
    memory_reset(&blade->memories[i]);
  }
  bif_reset(&blade->bif);
  for (unsigned i = 0; i < blade->nspes; i++) {
    spe_reset(&blade->spes[i]);
  }
  reset_ppes(blade);
  memset(blade->reservations.of, 0, blade->nspes * sizeof *blade->reservations.of);
  blade->reservations.in_use = false;
  blade->nactions = 0;
  if (!blade->keeps_local_stores) {
    pages_clear(&blade->local_stores, blade->local_stores.nbytes);
  }
  free(blade->faults);
  blade->faults = NULL;
  blade_see_detail(blade, &(struct probe_event){.kind = PROBE_RESET});
}

void
blade_keep_local_stores(struct blade *blade, bool keep)
{
  blade->keeps_local_stores = keep;
}

void
blade_start(struct blade *blade, const struct blade_program *program)
{
  unsigned number = program->processor;
  struct des_actor **actor = program->on_ppe ? &blade->ppes[number].actor : &blade->spes[number].actor;
  assert(!*actor);
  struct des_job job = {.program = program->run,
                        .argument = program->argument,
                        .name = program->name,
                        .unit = program->on_ppe ? blade->nspes + number : number};
  *actor = des_spawn(&job, program->start);
  struct probe_cause by = {.kind = PROBE_BY_NOTHING};
  if (des_self()) {
    by = program_action(blade, program_self());
  }
  blade_see_detail(blade, &(struct probe_event){.kind = PROBE_START,
                                                .start = {.by = by,
                                                          .program = job.unit,
                                                          .spe = program->on_ppe ? PROBE_NOBODY : number,
                                                          .name = program->name,
                                                          .at = program->start}});
}

struct blade_result
blade_run(struct blade *blade, const struct blade_program *programs, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    blade_start(blade, &programs[i]);
  }
  struct des_result result = des_run();
  for (unsigned i = 0; i < blade->nspes; i++) {
    blade->spes[i].actor = NULL;
  }
  for (unsigned i = 0; i < blade->nchips; i++) {
    blade->ppes[i].actor = NULL;
  }
  struct blade_result outcome = {.cycles = result.cycles,
                                 .faults = blade->faults,
                                 .stuck = result.stuck_report,
                                 .interrupted = result.interrupted};
  blade->faults = NULL;
  blade_see_detail(blade, &(struct probe_event){.kind = PROBE_END, .end = {.at = outcome.cycles}});
  return outcome;
}

void
blade_result_fini(struct blade_result *result)
{
  free(result->faults);
  free(result->stuck);
  result->faults = result->stuck = NULL;
}

void
blade_attach(struct blade *blade, struct probe *probe)
{
  probe->next = blade->probes;
  blade->probes = probe;
  blade->detailed += probe->details;
}

void
blade_detach(struct blade *blade, struct probe *probe)
{
  struct probe **link = &blade->probes;
  while (*link != probe) {
    link = &(*link)->next;
  }
  *link = probe->next;
  blade->detailed -= probe->details;
}

void
blade_tell(struct blade *blade, struct probe_event *event)
{
  event->cycle = des_now();
  for (struct probe *probe = blade->probes; probe; probe = probe->next) {
    probe->see(probe, event);
  }
}

unsigned
blade_data_chip(const struct blade *blade, unsigned chip)
{
  return strcmp(blade->platform->memory.placement, "first") == 0 ? 0 : chip;
}

uint64_t
blade_allocate(struct blade *blade, unsigned chip, uint64_t nbytes)
{
  struct memory *memory = &blade->memories[chip];
  uint64_t start =
    (memory->allocated + BUS_REQUEST_BYTES_MAX - 1) / BUS_REQUEST_BYTES_MAX * BUS_REQUEST_BYTES_MAX;
  if (start > blade->parameters.memory_bytes || nbytes > blade->parameters.memory_bytes - start) {
    return 0;
  }
  memory->allocated = start + nbytes;
  return EA_MEMORY_BASE + chip * blade->parameters.memory_bytes + start;
}

uint8_t *
blade_memory(struct blade *blade, uint64_t ea)
{
  uint64_t offset = ea - EA_MEMORY_BASE, size = blade->parameters.memory_bytes;
  return blade->memories[offset / size].pages.bytes + offset % size;
}

/* Find what lies behind NBYTES from byte OFFSET of main memory. */
static int
resolve_memory(struct blade *blade, uint64_t offset, uint32_t nbytes, struct bus_end *end)
{
  uint64_t size = blade->parameters.memory_bytes, chip = offset / size, place = offset % size;
  if (chip >= blade->nchips || place + nbytes > size) {
    return -1;
  }
  struct memory *memory = &blade->memories[chip];
  *end = (struct bus_end){.kind = BUS_END_MEMORY,
                          .chip = (unsigned)chip,
                          .unit = (uint8_t)blade->memory_unit,
                          .memory = memory,
                          .bytes = memory->pages.bytes + place};
  return 0;
}

int
blade_resolve(struct blade *blade, uint64_t ea, uint32_t nbytes, struct bus_end *end)
{
  if (ea >= EA_MEMORY_BASE) {
    return resolve_memory(blade, ea - EA_MEMORY_BASE, nbytes, end);
  }
  uint64_t area = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, offset = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  if (ea < EA_SPE_BASE || area >= blade->nspes) {
    return -1;
  }
  struct spe *spe = &blade->spes[area];
  *end = (struct bus_end){.kind = BUS_END_LS, .chip = spe->chip, .unit = (uint8_t)spe->unit, .spe = spe};
  if (offset + nbytes <= blade->parameters.ls_bytes) {
    end->bytes = spe->ls + offset;
  } else if (offset == EA_MAILBOX_IN) {
    end->kind = BUS_END_MAILBOX;
  } else if (offset == EA_SIGNAL_1 || offset == EA_SIGNAL_2) {
    end->kind = BUS_END_SIGNAL;
    end->signal = offset == EA_SIGNAL_2;
  } else {
    return -1;
  }
  return 0;
}

void
blade_note_fault(struct blade *blade, const struct des_actor *actor, uint64_t cycle, const char *what)
{
  char *line = xasprintf("%s%s stopped at cycle %llu by a fault: %s\n", blade->faults ? blade->faults : "",
                         des_name(actor), (unsigned long long)cycle, what);
  free(blade->faults);
  blade->faults = line;
}
