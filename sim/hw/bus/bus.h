/* SPDX-License-Identifier: BSD-3-Clause
 * The interface of a bus. A bus carries a transfer from its begin at an MFC to the target, where all bytes
 * can be seen.
 *
 * For each transfer a bus calls dma_issued (dma.h) when all of the transfer has gone out, and
 * dma_transfer_delivered later, when all bytes can be seen. */
#pragma once

struct board;
struct bus_transfer;
struct dma;

/* The first member of each kind of bus. */
struct bus {
  /* Carry TRANSFER from now on; dma_issued calls this too, for the next transfer of a command. */
  void (*begin)(struct bus *bus, struct bus_transfer *transfer);
  /* DMA has stopped: let nothing more of DMA go out; bytes on their way arrive. */
  void (*stop)(struct bus *bus, struct dma *dma);
  /* Make BUS idle; all MFCs are. */
  void (*reset)(struct bus *bus);
  /* Release BUS. */
  void (*free)(struct bus *bus);
};

/* Make the idle exact bus, or the idle bus of rates, of BOARD, after the MFCs, the memories and the BIF.
 * owner: the caller, with `free`. */
struct bus *exact_bus_new(struct board *board);
struct bus *rates_new(struct board *board);
