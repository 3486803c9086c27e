/* SPDX-License-Identifier: BSD-3-Clause
 * See dma_list.h. The elements are read late, one after the other; each begins on the next 16 bytes of local store.
 * source: Cell Broadband Engine Architecture, MFC list commands. */
#include "sim/hw/dma_list.h"

#include "sim/base/des.h"
#include "sim/hw/blade.h"
#include "sim/hw/dma_check.h"

#include <string.h>

/* Tell the observers of TRANSFER, an element of the list of COMMAND. */
static void
see_element(const struct dma_command *command, const struct dma_transfer *transfer)
{
  blade_see_detail(command->dma->blade,
                   &(struct probe_event){.kind = PROBE_ELEMENT,
                                         .element = {.dma = dma_command_name(command),
                                                     .is_put = transfer->direction == DMA_PUT,
                                                     .ls = transfer->ls,
                                                     .ea = transfer->ea,
                                                     .offset = command->begun,
                                                     .nbytes = transfer->nbytes}});
}

/* The next element of the list is there: check it and let it issue, or skip it if it is empty. A fault stops the SPE. */
static void
read_element(struct event *event)
{
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
  if (element.size) {
    dma_move(command, &far, element.size);
  }
  command->ls = (command->ls + element.size + 15) & ~UINT32_C(15);
  if (!element.size) {
    dma_issued(command);
  }
}

void
dma_list_fetch(struct dma_command *command)
{
  const struct spe *spe = command->dma->spe;
  command->event.run = read_element;
  des_schedule(&command->event, des_now() + spe->blade->parameters.list_element, DES_ISSUE, spe->index);
}
