/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_channel.h. The named calls do the work, so that a channel by number and the named call take the
 * same time. */
#include "sim/spu/spu_channel.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"

#include <stdio.h>

static void fault(const char *format, unsigned value) __attribute__((noreturn));

static void fault(const char *format, unsigned value) {
  char what[96];
  snprintf(what, sizeof what, format, value);
  spe_fault(spu_self()->hw, what);
}

uint32_t spu_readch(unsigned channel) {
  switch (channel) {
  case SPU_RdEventStat:
    return spu_read_event_status();
  case SPU_RdEventMask:
    return spu_read_event_mask();
  case SPU_RdSigNotify1:
    return spu_read_signal1();
  case SPU_RdSigNotify2:
    return spu_read_signal2();
  case SPU_RdDec:
    return spu_read_decrementer();
  case MFC_RdTagMask:
    return mfc_read_tag_mask();
  case SPU_RdMachStat:
    return spu_read_machine_status();
  case SPU_RdSRR0:
    return spu_read_srr0();
  case MFC_RdTagStat:
    return mfc_read_tag_status();
  case MFC_RdListStallStat:
    return mfc_read_list_stall_status();
  case MFC_RdAtomicStat:
    return mfc_read_atomic_status();
  case SPU_RdInMbox:
    return spu_read_in_mbox();
  default:
    fault("read of channel %u, expected one that can be read", channel);
  }
}

/* The last values written to the channels before MFC_Cmd. */
enum { LSA, EAH, EAL, SIZE, TAG };

/* Give a DMA command; the lower bits of the command are l (list), f, b. */
static void give_dma(uint32_t command) {
  static void (*const single[2][3])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t) = {
    {mfc_put, mfc_putb, mfc_putf}, {mfc_get, mfc_getb, mfc_getf}};
  static void (*const list[2][3])(volatile void *, uint64_t, volatile mfc_list_element_t *, uint32_t,
                                  uint32_t, uint32_t, uint32_t) = {{mfc_putl, mfc_putlb, mfc_putlf},
                                                                   {mfc_getl, mfc_getlb, mfc_getlf}};
  const uint32_t *r = spu_self()->registers;
  uint8_t *store = spu_self()->hw->ls;
  unsigned way = command >= MFC_GET_CMD && command <= MFC_GETLF_CMD, order = command & 3;
  uint64_t high = (uint64_t)r[EAH] << 32;
  if (command < MFC_SNDSIG_CMD && (command & 4)) {
    list[way][order](store + r[LSA], high, (mfc_list_element_t *)(void *)(store + r[EAL]), r[SIZE], r[TAG], 0,
                     0);
  } else {
    uint32_t nbytes = command >= MFC_SNDSIG_CMD ? 4 : r[SIZE];
    single[way][order](store + r[LSA], high | r[EAL], nbytes, r[TAG], 0, 0);
  }
}

static void give_command(uint32_t word) {
  uint32_t command = word & 0xffff;
  const uint32_t *r = spu_self()->registers;
  uint8_t *ls = spu_self()->hw->ls + r[LSA];
  uint64_t ea = (uint64_t)r[EAH] << 32 | r[EAL];
  switch (command) {
  case MFC_GETLLAR_CMD:
    mfc_getllar(ls, ea, 0, 0);
    break;
  case MFC_PUTLLC_CMD:
    mfc_putllc(ls, ea, 0, 0);
    break;
  case MFC_PUTLLUC_CMD:
    mfc_putlluc(ls, ea, 0, 0);
    break;
  case MFC_PUTQLLUC_CMD:
    mfc_putqlluc(ls, ea, r[TAG], 0, 0);
    break;
  case MFC_BARRIER_CMD:
    mfc_barrier(r[TAG]);
    break;
  case MFC_EIEIO_CMD:
    mfc_eieio(r[TAG], 0, 0);
    break;
  case MFC_SYNC_CMD:
    mfc_sync(r[TAG]);
    break;
  case MFC_SDCRT_CMD:
    mfc_sdcrt(ea, r[SIZE], r[TAG], 0, 0);
    break;
  case MFC_SDCRTST_CMD:
    mfc_sdcrtst(ea, r[SIZE], r[TAG], 0, 0);
    break;
  case MFC_SDCRZ_CMD:
    mfc_sdcrz(ea, r[SIZE], r[TAG], 0, 0);
    break;
  case MFC_SDCRST_CMD:
    mfc_sdcrst(ea, r[SIZE], r[TAG], 0, 0);
    break;
  case MFC_SDCRF_CMD:
    mfc_sdcrf(ea, r[SIZE], r[TAG], 0, 0);
    break;
  default:
    command &= (command & ~7U) == MFC_PUTR_CMD ? ~(uint32_t)MFC_RESULT_ENABLE : UINT32_MAX;
    if ((command & 3) == 3 || ((command & ~7U) != MFC_PUT_CMD && (command & ~7U) != MFC_GET_CMD &&
                               (command & ~3U) != MFC_SNDSIG_CMD)) {
      fault("MFC command 0x%x, expected one that there is", word & 0xffff);
    }
    give_dma(command);
  }
}

void spu_writech(unsigned channel, uint32_t value) {
  struct spu *spu = spu_self();
  switch (channel) {
  case SPU_WrEventMask:
    spu_write_event_mask(value);
    break;
  case SPU_WrEventAck:
    spu_write_event_ack(value);
    break;
  case SPU_WrDec:
    spu_write_decrementer(value);
    break;
  case MFC_WrMSSyncReq:
    mfc_write_multi_src_sync_request();
    break;
  case SPU_WrSRR0:
    spu_write_srr0(value);
    break;
  case MFC_LSA:
  case MFC_EAH:
  case MFC_EAL:
  case MFC_Size:
  case MFC_TagID:
    spu->registers[channel - MFC_LSA] = value;
    break;
  case MFC_Cmd:
    give_command(value);
    break;
  case MFC_WrTagMask:
    mfc_write_tag_mask(value);
    break;
  case MFC_WrTagUpdate:
    mfc_write_tag_update(value);
    break;
  case MFC_WrListStallAck:
    mfc_write_list_stall_ack(value);
    break;
  case SPU_WrOutMbox:
    spu_write_out_mbox(value);
    break;
  case SPU_WrOutIntrMbox:
    spu_write_out_intr_mbox(value);
    break;
  default:
    fault("write of channel %u, expected one that can be written", channel);
  }
}

uint32_t spu_readchcnt(unsigned channel) {
  switch (channel) {
  case SPU_RdEventStat:
    return spu_stat_event_status();
  case SPU_RdSigNotify1:
    return spu_stat_signal1();
  case SPU_RdSigNotify2:
    return spu_stat_signal2();
  case MFC_Cmd:
    return mfc_stat_cmd_queue();
  case MFC_RdTagStat:
    return mfc_stat_tag_status();
  case MFC_RdListStallStat:
    return mfc_stat_list_stall_status();
  case MFC_RdAtomicStat:
    return mfc_stat_atomic_status();
  case SPU_RdInMbox:
    return spu_stat_in_mbox();
  case SPU_WrOutMbox:
    return spu_stat_out_mbox();
  case SPU_WrOutIntrMbox:
    return spu_stat_out_intr_mbox();
  case SPU_WrEventMask:
  case SPU_WrEventAck:
  case SPU_RdEventMask:
  case SPU_WrDec:
  case SPU_RdDec:
  case MFC_RdTagMask:
  case MFC_WrMSSyncReq:
  case SPU_RdMachStat:
  case SPU_WrSRR0:
  case SPU_RdSRR0:
  case MFC_LSA:
  case MFC_EAH:
  case MFC_EAL:
  case MFC_Size:
  case MFC_TagID:
  case MFC_WrTagMask:
  case MFC_WrTagUpdate:
  case MFC_WrListStallAck:
    spu_look();
    return 1;
  default:
    fault("count of channel %u, expected one that there is", channel);
  }
}
