/* SPDX-License-Identifier: BSD-3-Clause
 * DMA lists: the format in local store, and the progress of the MFC through a list. */
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

struct dma;
struct dma_command;
struct event;

/* Read the next element of the list of COMMAND; at least one element is left. */
void dma_list_fetch(struct dma_command *command);

/* The list command of EVENT has moved all bytes up to an element with its notify bit: tell the program. */
void dma_list_stall(struct event *event);

/* Let the stopped lists of tag TAG go on. */
void dma_list_resume(struct dma *dma, uint32_t tag);

/* Return the tags of stopped lists. */
uint32_t dma_list_stopped(const struct dma *dma);
