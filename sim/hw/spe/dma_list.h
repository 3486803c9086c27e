/* SPDX-License-Identifier: BSD-3-Clause
 * The format of a DMA list in local store. */
#pragma once

#include <stdint.h>

/* One element of a DMA list in local store.
 * source: mfc_list_element_t of the SDK (the compiler chooses the order of the fields within the 8 bytes). */
struct dma_list_element {
  uint64_t notify : 1; /* the list stops behind this element until the program acknowledges the stop */
  uint64_t reserved : 16;
  uint64_t size : 15; /* bytes */
  uint64_t eal : 32;  /* low word of the effective address; the command has the high word */
};
