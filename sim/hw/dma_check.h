/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of the DMA engine: sizes, alignment, addresses of a transfer. */
#pragma once

#include "sim/hw/dma.h"

/* Check the transfer of a command or a list element.
 * returns: as dma_check; *FAR becomes the end at the effective address. */
const char *dma_check_transfer(const struct dma *dma, const struct dma_transfer *transfer,
                               struct bus_end *far, struct fault *fault);
