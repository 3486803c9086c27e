/* SPDX-License-Identifier: BSD-3-Clause
 * See dma_list.h. The MFC reads elements late, one after the other; each element begins on the next 16 bytes
 * of local store. Behind an element with its notify bit the MFC reads no element before the program has
 * acknowledged that all bytes up to this element have been moved. Assumptions: the notification means the
 * same as a tag status; an acknowledgement takes as long as a command to reach the MFC, mfc.to-bus.
 * source: Cell Broadband Engine Architecture, MFC list commands. */
#include "sim/hw/spe/dma_list.h"

#include "sim/base/engine/des.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"

#include <string.h>

/* Tell the observers of TRANSFER, an element of the list of COMMAND. */
static void see_element(struct dma_command *command, const struct dma_transfer *transfer) {
  board_see_detail(command->dma->board,
                   &(struct probe_event){.kind = PROBE_ELEMENT,
                                         .element = {.dma = dma_command_name(command),
                                                     .is_put = transfer->direction == DMA_PUT,
                                                     .arrives = &command->arrives,
                                                     .before = &command->before,
                                                     .ls = transfer->ls,
                                                     .ea = transfer->ea,
                                                     .offset = command->begun,
                                                     .nbytes = transfer->nbytes}});
}

/* The next element of the list is there: check and issue the element, or skip an empty element. A fault stops
 * the SPE. */
static void read_element(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  struct dma *dma = command->dma;
  struct dma_list_element element;
  struct fault fault, cause;
  struct bus_end far;
  uint32_t index = (command->nbytes - command->list_left) / (uint32_t)sizeof element;
  memcpy(&element, dma->spe->ls + command->list + index * sizeof element, sizeof element);
  command->ls = (command->ls & ~UINT32_C(15)) | (element.eal & 15);
  command->ea = (command->ea & ~UINT64_C(0xffffffff)) | element.eal;
  struct dma_transfer transfer = {command->direction, command->ls, element.size, command->ea};
  if (dma_check_transfer(dma, &transfer, &far, &cause)) {
    spe_stop(dma->spe, fault_set(&fault, "DMA list element %u: %s", index, cause.text));
    return;
  }
  see_element(command, &transfer);
  command->list_left -= (uint32_t)sizeof element;
  command->stops = element.notify;
  if (element.size) {
    dma_move(command, &far, element.size);
  }
  command->ls = (command->ls + element.size + 15) & ~UINT32_C(15);
  if (!element.size) {
    dma_issued(command);
  }
}

/* The next element of a list is there. */
static void arrive(struct event *event) {
  dma_begin(EVENT_OWNER(event, struct dma_command, event), read_element);
}

void dma_list_fetch(struct dma_command *command) {
  const struct spe *spe = command->dma->spe;
  command->event.run = arrive;
  des_schedule(&command->event, des_now() + spe->board->parameters->mfc_list_element, DES_ISSUE, spe->index);
}

/* Tell the observers that the list of COMMAND stops, or goes on. */
static void tell_of_list(const struct dma_command *command, enum probe_kind kind) {
  uint32_t begin = command->list + command->nbytes - command->list_left;
  board_see_detail(
    command->dma->board,
    &(struct probe_event){
      .kind = kind, .stall = {.dma = dma_command_name(command), .ls = begin, .left = command->list_left}});
}

void dma_list_stall(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  struct dma *dma = command->dma;
  struct probe_cause cause = {.kind = PROBE_BY_STALL, .who = dma->issuer, .number = command->number};
  command->stalled = command->has_stopped = true;
  if (dma->list_stalls == 0) {
    spe_note_event(dma->spe, SPE_EVENT_LIST_STALL, cause);
  }
  dma->list_stalls |= UINT32_C(1) << command->tag;
  tell_of_list(command, PROBE_STALL);
  if (des_poke(dma->spe->actor, SPE_POKE_DMA | SPE_POKE_EVENT)) {
    program_woken(dma->spe->actor, cause);
  }
}

/* The acknowledgement has come to the list of the command of EVENT. */
static void go_on(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  command->stops = false;
  if (command->list_left) {
    dma_list_fetch(command);
  } else {
    dma_complete(command);
  }
}

void dma_list_resume(struct dma *dma, uint32_t tag) {
  const struct dma_queue *queue = &dma->queues[DMA_SPU];
  for (uint32_t left = queue->used; left; left &= left - 1) {
    struct dma_command *command = &queue->commands[__builtin_ctz(left)];
    if (command->stalled && command->tag == tag) {
      command->stalled = false;
      tell_of_list(command, PROBE_RESUME);
      command->event.run = go_on;
      des_schedule(&command->event, des_now() + dma->board->parameters->mfc_to_bus, DES_ISSUE, dma->issuer);
    }
  }
}

uint32_t dma_list_stopped(const struct dma *dma) {
  const struct dma_queue *queue = &dma->queues[DMA_SPU];
  uint32_t tags = 0;
  for (uint32_t left = queue->used; left; left &= left - 1) {
    const struct dma_command *command = &queue->commands[__builtin_ctz(left)];
    tags |= command->stalled ? UINT32_C(1) << command->tag : 0;
  }
  return tags;
}
