/* SPDX-License-Identifier: BSD-3-Clause
 * See spu.h. */
#include "sim/spu/spu.h"

#include "sim/hw/board.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"

uint32_t spu_ls_address(const struct spu *spu, volatile const void *pointer) {
  ptrdiff_t offset = (volatile const uint8_t *)pointer - spu->hw->ls;
  uint32_t end = spu->hw->board->parameters->ls_bytes;
  return offset >= 0 && offset < (ptrdiff_t)end ? (uint32_t)offset : end;
}

struct spe *spu_look(void) {
  struct spe *spe = spu_self()->hw;
  program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->channel_read);
  des_sync(spe->actor);
  return spe;
}
