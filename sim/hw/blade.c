/* SPDX-License-Identifier: BSD-3-Clause
 * See blade.h. The only file that knows all parts of a blade. */
#include "sim/hw/blade.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/pages.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/memory.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/bus/blade_plan.h"
#include "sim/hw/bus/bus.h"
#include "sim/hw/exact/bif.h"
#include "sim/hw/spe/reservation.h"
#include "sim/hw/spe/spe.h"

#include <stdlib.h>
#include <string.h>

struct blade {
  struct board board;
  const struct platform *platform;
  struct bif bif;
  struct reservation_units reservations;
  struct pages local_stores;
  bool keeps_local_stores; /* see blade_keep_local_stores */
  struct event limit;      /* see blade_limit */
  bool cut;
};

static void make_spes(struct blade *blade) {
  struct board *board = &blade->board;
  const struct parameters *parameters = board->parameters;
  size_t ls_bytes = parameters->ls_size;
  board->spes = xcalloc(parameters->nspes, sizeof *board->spes);
  board->programs = xcalloc(parameters->nspes, sizeof *board->programs);
  board->programs_room = parameters->nspes;
  board->local_stores = xcalloc(parameters->nspes, sizeof *board->local_stores);
  pages_init(&blade->local_stores, parameters->nspes * ls_bytes, "local stores");
  for (unsigned i = 0; i < parameters->nspes; i++) {
    struct spe *spe = &board->spes[i];
    *spe = (struct spe){.board = board, .index = i, .chip = i / parameters->spes_per_chip};
    spe->unit = parameters->spe_units[i % parameters->spes_per_chip];
    spe->ls = blade->local_stores.bytes + i * ls_bytes;
    board->local_stores[i] = (struct bus_end){
      .kind = BUS_END_LS, .chip = spe->chip, .unit = (uint8_t)spe->unit, .spe = spe, .bytes = spe->ls};
    dma_init(&spe->dma, spe);
    spe_reset(spe);
  }
}

/* The atomic unit of SPE INDEX of BOARD has lost its reservation by CAUSE. */
static void tell_of_loss(void *board, unsigned index, const struct probe_cause *cause) {
  struct spe *spe = &((struct board *)board)->spes[index];
  spe_note_event(spe, SPE_EVENT_LOST, *cause);
  if (spe->events.fresh) {
    spe_tell(spe);
  }
}

/* The line that SPE UNIT of BOARD polls has been written. */
static void resume_polling(void *board, unsigned unit, uint64_t at) {
  atomic_resume(&((struct board *)board)->spes[unit].atomic, at);
}

struct blade *blade_new(const struct platform *platform) {
  struct blade *blade = xcalloc(1, sizeof *blade);
  struct board *board = &blade->board;
  blade->platform = platform;
  board->plan = blade_plan_share(platform);
  board->parameters = &board->plan->parameters;
  board->node = des_node_new();
  board->ways = &board->plan->ways;
  board->bif = &blade->bif;
  board->reservations = &blade->reservations;
  reservation_init(&blade->reservations, board->parameters->nspes);
  blade->reservations.lost = tell_of_loss;
  blade->reservations.resume = resume_polling;
  blade->reservations.whom = board;
  pool_init(&board->transfers, sizeof(struct bus_transfer));
  board->memories = xcalloc(board->parameters->nchips, sizeof *board->memories);
  board->ppes = xcalloc(board->parameters->nchips, sizeof *board->ppes);
  for (unsigned i = 0; i < board->parameters->nchips; i++) {
    board->memories[i] = (struct memory){.parameters = board->parameters};
    board->ppes[i] = (struct ppe){.board = board, .chip = i};
  }
  make_spes(blade);
  bif_init(&blade->bif, board);
  board->bus = platform->bus == PLATFORM_BUS_RATES ? rates_new(board) : exact_bus_new(board);
  return blade;
}

void blade_free(struct blade *blade) {
  if (!blade) {
    return;
  }
  struct board *board = &blade->board;
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    dma_fini(&board->spes[i].dma);
  }
  for (unsigned i = 0; i < board->parameters->nchips; i++) {
    memory_fini(&board->memories[i]);
    free(board->ppes[i].actors);
  }
  pages_fini(&blade->local_stores, blade->local_stores.nbytes);
  pool_fini(&board->transfers);
  board->bus->free(board->bus);
  bif_fini(&blade->bif);
  des_node_free(board->node);
  free(board->spes);
  free(board->local_stores);
  free(board->programs);
  free(board->ppes);
  free(board->memories);
  free(board->faults);
  free(board->probes.items);
  reservation_fini(&blade->reservations);
  blade_plan_release(board->plan);
  free(blade);
}

void blade_keep_times_only(struct blade *blade) {
  blade->board.times_only = true;
}

void blade_reset(struct blade *blade) {
  struct board *board = &blade->board;
  for (unsigned i = 0; i < board->parameters->nchips; i++) {
    memory_reset(&board->memories[i]);
    ppe_end(&board->ppes[i]);
  }
  board->bus->reset(board->bus);
  pool_reset(&board->transfers);
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    spe_reset(&board->spes[i]);
  }
  reservation_reset(&blade->reservations);
  board->nactions = 0;
  board->traffic = (struct bus_traffic){.dma_commands = 0};
  if (!blade->keeps_local_stores) {
    pages_clear(&blade->local_stores, blade->local_stores.nbytes);
  }
  free(board->faults);
  board->faults = NULL;
  board_see_detail(board, &(struct probe_event){.kind = PROBE_RESET});
}

/* Stop all programs: the limit has come. */
static void stop_programs(struct event *event) {
  struct blade *blade = EVENT_OWNER(event, struct blade, limit);
  struct board *board = &blade->board;
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    struct spe *spe = &board->spes[i];
    if (spe->actor && des_stop(spe->actor)) {
      blade->cut = true;
      dma_stop(&spe->dma);
    }
  }
  for (unsigned i = 0; i < board->parameters->nchips; i++) {
    for (unsigned k = 0; k < board->ppes[i].nactors; k++) {
      blade->cut |= des_stop(board->ppes[i].actors[k]);
    }
  }
}

void blade_limit(struct blade *blade, uint64_t limit) {
  blade->limit = (struct event){.run = stop_programs};
  des_schedule_on(blade->board.node, &blade->limit, limit + 1, des_order(DES_ARRIVE, 0));
}

void blade_keep_local_stores(struct blade *blade, bool keep) {
  blade->keeps_local_stores = keep;
}

struct pages *blade_local_stores(struct blade *blade) {
  return &blade->local_stores;
}

/* Make the result of a run of BLADE from RESULT, the result of the event core. */
static struct blade_result end_run(struct blade *blade, const struct des_result *result) {
  struct board *board = &blade->board;
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    spe_end(&board->spes[i]);
  }
  for (unsigned i = 0; i < board->parameters->nchips; i++) {
    ppe_end(&board->ppes[i]);
  }
  struct blade_result outcome = {
    .cycles = result->cycles, .faults = board->faults, .stuck = result->stuck, .cut = blade->cut};
  board->faults = NULL;
  blade->cut = false;
  board_see_detail(board, &(struct probe_event){.kind = PROBE_END, .end = {.at = outcome.cycles}});
  return outcome;
}

struct blade_result blade_run(struct blade *blade) {
  struct des_result result = des_run(blade->board.node);
  return end_run(blade, &result);
}

void blade_run_all(const struct blade_company *company, struct blade_result results[]) {
  size_t n = company->n;
  struct des_node **nodes = xcalloc(n + 1, sizeof *nodes);
  struct des_result *ends = xcalloc(n + 1, sizeof *ends);
  for (size_t i = 0; i < n; i++) {
    nodes[i] = company->blades[i]->board.node;
  }
  nodes[n] = company->beside;
  des_run_all(nodes, company->beside ? n + 1 : n, company->look_ahead, ends);
  for (size_t i = 0; i < n; i++) {
    results[i] = end_run(company->blades[i], &ends[i]);
  }
  free(ends);
  free(nodes);
}

void blade_join(struct blade *blade, struct machine *machine, unsigned number) {
  blade->board.machine = machine;
  blade->board.number = number;
}

struct bus_traffic blade_bus_traffic(const struct blade *blade) {
  return blade->board.traffic;
}

void blade_result_fini(struct blade_result *result) {
  free(result->faults);
  free(result->stuck);
  result->faults = result->stuck = NULL;
}

void blade_attach(struct blade *blade, struct probe *probe) {
  probes_add(&blade->board.probes, probe);
}

void blade_detach(struct blade *blade, struct probe *probe) {
  probes_remove(&blade->board.probes, probe);
}

const struct board *blade_board(const struct blade *blade) {
  return &blade->board;
}

const struct parameters *blade_parameters(const struct blade *blade) {
  return blade->board.parameters;
}

unsigned blade_nchips(const struct blade *blade) {
  return blade->board.parameters->nchips;
}

unsigned blade_nspes(const struct blade *blade) {
  return blade->board.parameters->nspes;
}

unsigned blade_spes_per_chip(const struct blade *blade) {
  return blade->board.parameters->spes_per_chip;
}

unsigned blade_unit_of(const struct blade *blade, unsigned spe) {
  return blade->board.spes[spe].unit;
}

uint8_t *blade_ls(const struct blade *blade, unsigned spe) {
  return blade->board.spes[spe].ls;
}

unsigned blade_links_between(const struct blade *blade, unsigned from, unsigned to) {
  return chip_ways_distance(blade->board.ways, from, to);
}

unsigned blade_data_chip(const struct blade *blade, unsigned spe) {
  return strcmp(blade->platform->memory.placement, "first") == 0 ? 0 : blade->board.spes[spe].chip;
}

uint64_t blade_allocate(struct blade *blade, unsigned chip, uint64_t nbytes) {
  struct memory *memory = &blade->board.memories[chip];
  uint64_t size = blade->board.parameters->memory_bytes;
  uint64_t start =
    (memory->allocated + BUS_REQUEST_BYTES_MAX - 1) / BUS_REQUEST_BYTES_MAX * BUS_REQUEST_BYTES_MAX;
  if (start > size || nbytes > size - start) {
    return 0;
  }
  memory->allocated = start + nbytes;
  return EA_MEMORY_BASE + chip * size + start;
}

uint8_t *blade_memory(const struct blade *blade, uint64_t ea) {
  return board_memory(&blade->board, ea);
}
