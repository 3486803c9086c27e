/* SPDX-License-Identifier: BSD-3-Clause
 * See model_machine.h. */
#include "algos/cost/model_machine.h"

#include "algos/cost/model_parts.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "algos/step/ranks.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return how many commands there can be: those in the queues, and complete ones that their receivers have not
 * yet seen. */
static size_t commands_of(const struct model_shape *shape) {
  return (size_t)shape->nspes * (shape->queue + MODEL_DIRECTIONS * shape->window);
}

/* Return how many places the ring of a window has: enough for its entries, and a power of two. */
static unsigned ring_of(const struct model_shape *shape) {
  return 1U << ranks_ceil_log2(shape->window);
}

/* Make SPE number INDEX of MACHINE idle. */
static void reset_spe(struct model_machine *machine, unsigned index) {
  unsigned entries = machine->shape->window, size = ring_of(machine->shape);
  unsigned chip = index / machine->shape->spes_per_chip;
  unsigned unit = MODEL_OTHERS + index % machine->shape->spes_per_chip;
  double *ring = machine->entries + (size_t)index * MODEL_DIRECTIONS * size;
  machine->spes[index] = (struct model_spe){
    .machine = machine,
    .index = index,
    .issued_last = machine->shape->queue - 1,
    .chip = chip,
    .bus = &machine->command_buses[chip],
    .ramps = model_unit(machine, chip, unit),
    .windows = {{.free_at = ring, .mask = size - 1, .end = entries, .from = INFINITY},
                {.free_at = ring + size, .mask = size - 1, .end = entries, .from = INFINITY}}};
  model_ramps_init(machine, chip, unit);
  memset(ring, 0, MODEL_DIRECTIONS * size * sizeof *ring);
  model_dma_init(&machine->spes[index]);
}

/* Return how many bus requests there can be. */
static size_t requests_of(const struct model_shape *shape) {
  return (size_t)shape->nspes * MODEL_DIRECTIONS * shape->window;
}

/* Make all commands and bus requests of MACHINE unused. */
static void collect_commands(struct model_machine *machine) {
  machine->unused_requests = NULL;
  for (size_t i = requests_of(machine->shape); i-- > 0;) {
    machine->requests[i] = (struct model_request){.next = machine->unused_requests};
    machine->unused_requests = &machine->requests[i];
  }
  machine->unused = NULL;
  for (size_t i = commands_of(machine->shape); i-- > 0;) {
    machine->commands[i] = (struct model_command){.next = machine->unused};
    machine->unused = &machine->commands[i];
  }
}

/* Make MACHINE idle, whose SPEs and commands are. */
static void reset(struct model_machine *machine) {
  unsigned nchips = machine->shape->nchips;
  memset(machine->controllers, 0, nchips * sizeof *machine->controllers);
  memset(machine->links, 0, (size_t)nchips * nchips * sizeof *machine->links);
  memset(machine->line, 0, sizeof machine->line);
  for (unsigned chip = 0; chip < nchips; chip++) {
    model_command_bus_init(&machine->command_buses[chip]);
    model_ramps_init(machine, chip, MODEL_BIF);
    model_ramps_init(machine, chip, MODEL_MEMORY);
  }
  machine->line_free = 0;
  machine->tickets = machine->serving = 0;
  machine->ppe = NULL;
  machine->stop = (struct model_stop){NULL, ""};
}

struct model_machine *model_machine_new(const struct model_values *values) {
  const struct model_shape *shape = values->shape;
  struct model_machine *machine = xcalloc(1, sizeof *machine);
  unsigned nspes = shape->nspes, nchips = shape->nchips;
  *machine = (struct model_machine){.values = values,
                                    .shape = shape,
                                    .node = des_node_new(),
                                    .program = driver_main,
                                    .ppe_program = driver_ppe_main};
  machine->spes = xcalloc(nspes, sizeof *machine->spes);
  machine->entries = xcalloc((size_t)nspes * MODEL_DIRECTIONS * ring_of(shape), sizeof *machine->entries);
  machine->units = xcalloc(nspes + (size_t)MODEL_OTHERS * nchips, sizeof *machine->units);
  machine->controllers = xcalloc(nchips, sizeof *machine->controllers);
  machine->command_buses = xcalloc(nchips, sizeof *machine->command_buses);
  machine->links = xcalloc((size_t)nchips * nchips, sizeof *machine->links);
  machine->commands = xcalloc(commands_of(shape), sizeof *machine->commands);
  machine->requests = xcalloc(requests_of(shape), sizeof *machine->requests);
  collect_commands(machine);
  for (unsigned i = 0; i < nspes; i++) {
    reset_spe(machine, i);
  }
  for (unsigned i = 1; i < shape->spes_per_chip; i++) {
    machine->mean_way +=
      model_way(machine->spes[0].ramps, machine->spes[i].ramps) / (shape->spes_per_chip - 1);
  }
  return machine;
}

void model_machine_free(struct model_machine *machine) {
  if (machine) {
    des_node_free(machine->node);
    free(machine->spes);
    free(machine->entries);
    free(machine->units);
    free(machine->controllers);
    free(machine->requests);
    free(machine->command_buses);
    free(machine->links);
    free(machine->commands);
    if (machine->stores.bytes) {
      pages_fini(&machine->stores);
    }
    free(machine);
  }
}

static void run_rank(void *argument) {
  const struct model_spe *spe = argument;
  spe->machine->program(spe->c);
}

static void run_ppe(void *argument) {
  const struct model_machine *machine = argument;
  machine->ppe_program((void *)machine->group);
}

/* Stop a program that has made a CALL that the model machine does not know. */
static void refuse(struct model_machine *machine, const char *call) {
  machine->stop.refused = call;
  des_park(des_self());
}

static void refuse_rank(void *argument, const char *call) {
  const struct model_spe *spe = argument;
  refuse(spe->machine, call);
}

static void refuse_ppe(void *argument, const char *call) {
  refuse(argument, call);
}

/* Put the data of rank C, which lies in main memory, into that of its chip. */
static void place_in_memory(const struct model_machine *machine, struct coll *c) {
  unsigned chip = machine->shape->data_chip[machine->spes[c->group->spe_of[c->rank]].chip];
  size_t buffer = layout_buffer_bytes(c->group), in = layout_in_bytes(c->group);
  size_t stride = (buffer + in + 3 * (size_t)MODEL_LINE_BYTES) & ~(size_t)(MODEL_LINE_BYTES - 1);
  c->buffer_ea = (uint64_t)(chip + 1) << MODEL_MEMORY_BITS | c->rank * stride;
  c->in_ea =
    in ? (c->buffer_ea + buffer + MODEL_LINE_BYTES) & ~(uint64_t)(MODEL_LINE_BYTES - 1) : c->buffer_ea;
}

/* Return NBYTES of MACHINE for local stores, all zero. */
static uint8_t *clear_stores(struct model_machine *machine, size_t nbytes) {
  struct pages *stores = &machine->stores;
  if (nbytes <= stores->nbytes) {
    pages_clear(stores, nbytes);
    return stores->bytes;
  }
  if (stores->bytes) {
    pages_fini(stores);
  }
  pages_init(stores, nbytes, "local stores");
  return stores->bytes;
}

/* Start the program of rank R of GROUP, whose local store is at LS. */
static void start_rank(struct model_machine *machine, const struct coll_group *group, unsigned r,
                       uint8_t *ls) {
  struct model_spe *spe = &machine->spes[group->spe_of[r]];
  spe->c = driver_new(group, r);
  spe->ls = ls;
  if (group_in_memory(group)) {
    place_in_memory(machine, spe->c);
  }
  spe->actor = des_spawn(
    machine->node,
    &(struct des_job){
      .program = run_rank, .refuse = refuse_rank, .argument = spe, .name = "rank", .number = spe->index},
    0);
}

static void start_ppe(struct model_machine *machine) {
  machine->ppe = des_spawn(machine->node,
                           &(struct des_job){.program = run_ppe,
                                             .refuse = refuse_ppe,
                                             .argument = machine,
                                             .name = "PPE 0",
                                             .number = machine->shape->nspes},
                           0);
}

void model_machine_begin_host(struct model_machine *machine, struct coll_group *group,
                              void (*program)(void *)) {
  group->port = &model_port;
  group->nrepeats = 1;
  reset(machine);
  machine->group = group;
  machine->ppe_program = program;
  start_ppe(machine);
}

void model_machine_begin(struct model_machine *machine, struct coll_group *group) {
  group->port = &model_port;
  group->nrepeats = 1;
  group->shared_ea = UINT64_C(1) << MODEL_MEMORY_BITS;
  size_t stride = group->ls_bytes;
  uint8_t *stores = clear_stores(machine, group->nranks * stride);
  machine->ls_bits = ranks_ceil_log2((unsigned)stride);
  reset(machine);
  machine->group = group;
  for (unsigned r = 0; r < group->nranks; r++) {
    start_rank(machine, group, r, stores + r * stride);
  }
  if (group->call.algo->ppe) {
    start_ppe(machine);
  }
}

struct model_span model_machine_end(struct model_machine *machine, bool cut_short) {
  const struct coll_group *group = machine->group;
  struct model_span span = {UINT64_MAX, 0};
  if (cut_short) {
    collect_commands(machine);
  }
  for (unsigned r = 0; r < group->nranks; r++) {
    struct coll *c = machine->spes[group->spe_of[r]].c;
    uint64_t entered = driver_entered(c, 0), left = driver_left(c, 0);
    span.first = entered < span.first ? entered : span.first;
    span.last = left > span.last ? left : span.last;
    driver_free(c);
    reset_spe(machine, group->spe_of[r]);
  }
  return span;
}

bool model_note_end(struct model_stop *stop, struct des_result *result) {
  if (result->stuck && !stop->refused && !*stop->how) {
    snprintf(stop->how, sizeof stop->how, "deadlock on the model machine");
  }
  free(result->stuck_report);
  return !result->stuck && !result->interrupted && !stop->refused && !*stop->how;
}

double model_machine_run(struct model_machine *machine, const struct coll_group *wanted,
                         struct model_stop *stop) {
  struct coll_group group = *wanted;
  group.ls_base = 0;
  model_machine_begin(machine, &group);
  struct des_result result = des_run(machine->node);
  bool ended = model_note_end(&machine->stop, &result);
  struct model_span span = model_machine_end(machine, !ended);
  if (stop) {
    *stop = machine->stop;
  }
  return ended ? (double)(span.last - span.first) : NAN;
}
