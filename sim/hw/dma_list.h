/* SPDX-License-Identifier: BSD-3-Clause
 * DMA lists: their format in local store, and how the MFC goes through one. */
#pragma once

#include <stdint.h>

/* One element of a DMA list, as it lies in local store.
 * source: mfc_list_element_t of the SDK (the order of the fields within the 8 bytes is the compiler's). */
struct dma_list_element {
  uint64_t notify : 1; /* the list stops behind this element until the program acknowledges that */
  uint64_t reserved : 16;
  uint64_t size : 15; /* bytes */
  uint64_t eal : 32;  /* low word of the effective address; the high word is that of the command */
};

struct dma;
struct dma_command;
struct event;

/* Have the next element of the list of COMMAND read, of which there is one left. */
void dma_list_fetch(struct dma_command *command);

/* The list command of EVENT has moved all up to an element with its notify bit: tell the program. */
void dma_list_stall(struct event *event);

/* Let the lists of tag TAG go on that have stopped. */
void dma_list_resume(struct dma *dma, uint32_t tag);

/* Return the tags of lists that have stopped and have not gone on. */
uint32_t dma_list_stopped(const struct dma *dma);
