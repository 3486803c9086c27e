/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/bus/bus_transfer.h"

#include "sim/hw/board/board.h"
#include "sim/hw/board/chip_ways.h"

/* Tell whether bus requests take turns at END. */
static bool takes_turns(const struct bus_end *end, const struct parameters *parameters) {
  return end->kind == BUS_END_MEMORY || (end->kind == BUS_END_LS && parameters->ls_port_mcyc);
}

/* Work out the way of the bus requests of TRANSFER. */
static void find_way(struct bus_transfer *transfer, const struct parameters *parameters, bool is_put) {
  const struct bus_end *source = &transfer->source, *target = &transfer->target;
  transfer->source_takes_turns = takes_turns(source, parameters);
  transfer->target_takes_turns = takes_turns(target, parameters);
  transfer->is_far_put = source->chip != target->chip && is_put;
  transfer->needs_credits = source->chip != target->chip && source->kind != BUS_END_MEMORY &&
                            target->kind != BUS_END_MEMORY &&
                            (parameters->bif_mfc_requests || parameters->bif_chip_requests);
}

/* Compute the times of the bus requests of TRANSFER, whose way is known. */
static void find_times(struct bus_transfer *transfer, const struct board *board) {
  const struct parameters *parameters = board->parameters;
  const struct bus_end *source = &transfer->source, *target = &transfer->target;
  bool is_coherent = source->kind == BUS_END_MEMORY || target->kind == BUS_END_MEMORY;
  uint64_t crossings = chip_ways_distance(board->ways, source->chip, target->chip);
  uint64_t delay = parameters->eib_command_phase + crossings * parameters->bif_command;
  transfer->delay = (uint32_t)(delay + (transfer->source_takes_turns ? 0 : parameters->ls_read));
  transfer->interval =
    (uint32_t)(is_coherent ? parameters->memory_interval : parameters->eib_command_interval);
  transfer->visible = (uint32_t)parameters->mfc_visible;
  transfer->hold = (uint32_t)(parameters->mfc_retire - parameters->mfc_visible);
}

/* Count the traffic of TRANSFER. Chips between source and target pass requests from link to link
 * (bus_request.c), so a request is on the rings of two chips at most. */
static void count(const struct bus_transfer *transfer, struct board *board) {
  uint64_t crossings = chip_ways_distance(board->ways, transfer->source.chip, transfer->target.chip);
  board->traffic.bus_requests += bus_transfer_requests(transfer, board->parameters->eib_request_bytes);
  board->traffic.eib_bytes += (crossings > 0 ? 2 : 1) * (uint64_t)transfer->left;
  board->traffic.bif_bytes += crossings * transfer->left;
}

void bus_transfer_begin(struct bus_transfer *transfer, struct board *board, bool is_put, uint64_t ea,
                        uint32_t nbytes) {
  uint32_t line = board->parameters->eib_request_bytes, line_left = line - (uint32_t)(ea % line);
  transfer->offset = 0;
  transfer->nbytes = nbytes < line_left ? nbytes : line_left;
  transfer->left = transfer->undelivered = nbytes;
  find_way(transfer, board->parameters, is_put);
  find_times(transfer, board);
  count(transfer, board);
}
