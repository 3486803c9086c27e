/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/bus/bus.h"

#include "sim/base/minmax.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/chip_ways.h"

/* Tell whether bus requests take turns at END. */
static bool takes_turns(const struct bus_end *end, const struct parameters *parameters) {
  return end->kind == BUS_END_MEMORY || (end->kind == BUS_END_LS && parameters->ls_port_mcyc);
}

void bus_transfer_begin(struct bus_transfer *transfer, struct board *board, bool is_put, uint64_t ea,
                        uint32_t nbytes) {
  const struct parameters *parameters = board->parameters;
  const struct bus_end *source = &transfer->source, *target = &transfer->target;
  uint32_t line = parameters->eib_request_bytes, line_left = line - (uint32_t)(ea % line);
  transfer->offset = 0;
  transfer->nbytes = MIN(nbytes, line_left);
  transfer->left = transfer->undelivered = nbytes;
  uint64_t crossings = chip_ways_distance(board->ways, source->chip, target->chip);
  board->traffic.bus_requests += bus_transfer_requests(transfer, line);
  /* chips in between pass requests from link to link, so a request is on the rings of two chips at most */
  board->traffic.eib_bytes += (crossings ? 2 : 1) * (uint64_t)nbytes;
  board->traffic.bif_bytes += crossings * nbytes;
  bool is_coherent = source->kind == BUS_END_MEMORY || target->kind == BUS_END_MEMORY;
  transfer->is_far_put = crossings && is_put;
  transfer->needs_credits =
    crossings && !is_coherent && (parameters->bif_mfc_requests || parameters->bif_chip_requests);
  transfer->source_takes_turns = takes_turns(source, parameters);
  transfer->target_takes_turns = takes_turns(target, parameters);
  uint64_t delay = parameters->eib_command_phase + crossings * parameters->bif_command;
  transfer->delay = (uint32_t)(delay + (transfer->source_takes_turns ? 0 : parameters->ls_read));
  transfer->interval =
    (uint32_t)(is_coherent ? parameters->memory_interval : parameters->eib_command_interval);
  transfer->visible = (uint32_t)parameters->mfc_visible;
  transfer->hold = (uint32_t)(parameters->mfc_retire - parameters->mfc_visible);
}
