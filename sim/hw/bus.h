/* SPDX-License-Identifier: BSD-3-Clause
 * The interface of a bus: what carries a transfer from the MFC that may begin the transfer to the target where
 * its bytes can be seen.
 *
 * For each transfer that begins, a bus calls dma_issued (dma.h) when all of the transfer has gone out, and
 * dma_transfer_delivered later, when all bytes can be seen. */
#pragma once

struct bus_transfer;
struct dma;

/* A bus is a struct that begins with this one. */
struct bus {
  /* Carry TRANSFER, which its MFC may begin now; also called by dma_issued for the next transfer of a
   * command. */
  void (*begin)(struct bus *bus, struct bus_transfer *transfer);
  /* Let nothing more of DMA go out, which has stopped; what has gone out arrives. */
  void (*stop)(struct bus *bus, struct dma *dma);
  /* Make BUS idle; all MFCs are. */
  void (*reset)(struct bus *bus);
  /* Release BUS. */
  void (*free)(struct bus *bus);
};
