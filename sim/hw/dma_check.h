/* SPDX-License-Identifier: BSD-3-Clause
 * What the DMA engine refuses: sizes, alignment, addresses of a transfer. */
#pragma once

#include "sim/hw/dma.h"

#include <stdint.h>

/* Check what a command or a list element wants to move.
 * returns: as dma_check; *FAR becomes what the effective address names. */
const char *dma_check_transfer(const struct dma *dma, const struct dma_transfer *transfer,
                               struct bus_end *far, struct fault *fault);
