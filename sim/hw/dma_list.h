/* SPDX-License-Identifier: BSD-3-Clause
 * DMA lists: their format in local store, and how the MFC goes through one. */
#pragma once

#include <stdint.h>

/* One element of a DMA list, as it lies in local store.
 * source: mfc_list_element_t of the SDK (the order of the fields within the 8 bytes is the compiler's). */
struct dma_list_element {
  uint64_t notify : 1; /* accepted, has no effect */
  uint64_t reserved : 16;
  uint64_t size : 15; /* bytes */
  uint64_t eal : 32;  /* low word of the effective address; the high word is that of the command */
};

struct dma_command;

/* Have the next element of the list of COMMAND read, of which there is one left. */
void dma_list_fetch(struct dma_command *command);
