/* SPDX-License-Identifier: BSD-3-Clause
 * See dma.h: checks of sizes, alignment and addresses.
 *
 * source: Cell Broadband Engine Architecture (sizes, alignment, tags). */
#include "sim/hw/board/board.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/board/fault.h"

static bool size_is_legal(uint32_t nbytes) {
  bool small = nbytes == 1 || nbytes == 2 || nbytes == 4 || nbytes == 8;
  return nbytes == 0 || small || (nbytes % 16 == 0 && nbytes <= DMA_BYTES_MAX);
}

const char *dma_check_transfer(const struct dma *dma, const struct dma_transfer *transfer,
                               struct bus_end *far, struct fault *fault) {
  uint32_t n = transfer->nbytes, alignment = n < 16 ? n : 16;
  unsigned long long ls = transfer->ls, ea = transfer->ea;
  const char *way = transfer->direction == DMA_PUT ? "put" : "get";
  struct board *board = dma->board;
  if (!size_is_legal(n)) {
    fault_set(fault, "size of %u bytes, expected 1, 2, 4, 8 or a multiple of 16 up to %d", n, DMA_BYTES_MAX);
  } else if (n && (ls % alignment || ea % alignment || ls % 16 != ea % 16)) {
    fault_set(fault,
              "local store address 0x%llx and effective address 0x%llx for %u bytes, "
              "expected both aligned to %u bytes and equal in their low 4 bits",
              ls, ea, n, alignment);
  } else if (ls + n > board->parameters->ls_size) {
    fault_set(fault, "local store bytes 0x%llx to 0x%llx, expected them below 0x%x", ls, ls + n,
              board->parameters->ls_size);
  } else if (board_resolve(board, transfer->ea, n, far) != 0) {
    fault_set(fault, "effective addresses 0x%llx to 0x%llx, expected a local store, register or memory", ea,
              ea + n);
  } else if (far->kind == BUS_END_MAILBOX && (n != 4 || transfer->direction != DMA_PUT)) {
    fault_set(fault, "inbound mailbox accessed by a %s of %u bytes, expected a put of 4", way, n);
  } else if (far->kind == BUS_END_SIGNAL && (n != 4 || transfer->direction != DMA_PUT)) {
    fault_set(fault, "signal notification register accessed by a %s of %u bytes, expected a put of 4", way,
              n);
  } else {
    return NULL;
  }
  return fault->text;
}

const char *dma_check(const struct dma *dma, const struct dma_command *command, struct fault *fault) {
  struct bus_end far;
  if (command->tag >= DMA_TAGS) {
    return fault_set(fault, "tag %u, expected 0 to %d", command->tag, DMA_TAGS - 1);
  }
  if (command->kind == DMA_SYNC) {
    return NULL;
  }
  if (command->kind == DMA_DATA) {
    struct dma_transfer transfer = {command->direction, command->ls, command->nbytes, command->ea};
    return dma_check_transfer(dma, &transfer, &far, fault);
  }
  uint32_t element = sizeof(struct dma_list_element), list = command->list, n = command->nbytes;
  if (n % element != 0 || n > DMA_LIST_BYTES_MAX) {
    return fault_set(fault, "DMA list of %u bytes, expected a multiple of %u up to %d", n, element,
                     DMA_LIST_BYTES_MAX);
  }
  if (list % element != 0 || list + n > dma->parameters->ls_size) {
    return fault_set(fault, "DMA list at local store address 0x%x, expected a multiple of %u inside", list,
                     element);
  }
  return NULL;
}
