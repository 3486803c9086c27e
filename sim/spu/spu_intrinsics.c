/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_intrinsics.h. Writes of channels do the work. */
#include "sim/spu/spu_intrinsics.h"

#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

#include <stdio.h>

void spu_mfcdma64(volatile void *ls, uint32_t eah, uint32_t eal, uint32_t size, uint32_t tag,
                  uint32_t command) {
  spu_writech(MFC_LSA, spu_ls_address(spu_self(), ls));
  spu_writech(MFC_EAH, eah);
  spu_writech(MFC_EAL, eal);
  spu_writech(MFC_Size, size);
  spu_writech(MFC_TagID, tag);
  spu_writech(MFC_Cmd, command);
}

void spu_mfcdma32(volatile void *ls, uint32_t ea, uint32_t size, uint32_t tag, uint32_t command) {
  spu_mfcdma64(ls, 0, ea, size, tag, command);
}

uint32_t spu_mfcstat(uint32_t condition) {
  mfc_write_tag_update(condition);
  return mfc_read_tag_status();
}

void spu_sync(void) {
  spu_catch_up();
}

void spu_sync_c(void) {
  spu_catch_up();
}

void spu_dsync(void) {
  spu_catch_up();
}

void spu_ienable(void) {
  spu_self()->interrupts = true;
}

void spu_idisable(void) {
  spu_self()->interrupts = false;
}

void spu_stop(uint32_t type) {
  char what[96];
  snprintf(what, sizeof what, "stop 0x%x: nobody lets a stopped program go on", (unsigned)type & 0x3fff);
  spu_fault(what);
}
