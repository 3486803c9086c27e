/* SPDX-License-Identifier: BSD-3-Clause
 * The channels of an SPU by number, for the intrinsics of the compiler; part of spu_mfcio.h.
 * source: Cell Broadband Engine Architecture; numbers of the channels and of the MFC commands as in the
 * SDK. */
#pragma once

#include <stdint.h>

enum {
  SPU_RdEventStat = 0,
  SPU_WrEventMask = 1,
  SPU_WrEventAck = 2,
  SPU_RdSigNotify1 = 3,
  SPU_RdSigNotify2 = 4,
  SPU_WrDec = 7,
  SPU_RdDec = 8,
  MFC_WrMSSyncReq = 9,
  SPU_RdEventMask = 11,
  MFC_RdTagMask = 12,
  SPU_RdMachStat = 13,
  SPU_WrSRR0 = 14,
  SPU_RdSRR0 = 15,
  MFC_LSA = 16,
  MFC_EAH = 17,
  MFC_EAL = 18, /* of a list command: the local store address of the list */
  MFC_Size = 19,
  MFC_TagID = 20,
  MFC_Cmd = 21,
  MFC_WrTagMask = 22,
  MFC_WrTagUpdate = 23,
  MFC_RdTagStat = 24,
  MFC_RdListStallStat = 25,
  MFC_WrListStallAck = 26,
  MFC_RdAtomicStat = 27,
  SPU_WrOutMbox = 28,
  SPU_RdInMbox = 29,
  SPU_WrOutIntrMbox = 30,
};

/* Commands for channel MFC_Cmd; sending a signal is a put of 4 bytes. A result form (R) is a put. The classes
 * of transfer and replacement, the high half of the word, have no effect. */
#define MFC_CMD_WORD(tid, rid, command) ((uint32_t)(tid) << 24 | (uint32_t)(rid) << 16 | (uint32_t)(command))
enum {
  MFC_BARRIER_ENABLE = 0x01,
  MFC_FENCE_ENABLE = 0x02,
  MFC_LIST_ENABLE = 0x04,
  MFC_RESULT_ENABLE = 0x10,
  MFC_PUT_CMD = 0x20,
  MFC_PUTB_CMD = 0x21,
  MFC_PUTF_CMD = 0x22,
  MFC_PUTL_CMD = 0x24,
  MFC_PUTLB_CMD = 0x25,
  MFC_PUTLF_CMD = 0x26,
  MFC_PUTR_CMD = 0x30,
  MFC_PUTRB_CMD = 0x31,
  MFC_PUTRF_CMD = 0x32,
  MFC_PUTRL_CMD = 0x34,
  MFC_PUTRLB_CMD = 0x35,
  MFC_PUTRLF_CMD = 0x36,
  MFC_GET_CMD = 0x40,
  MFC_GETB_CMD = 0x41,
  MFC_GETF_CMD = 0x42,
  MFC_GETL_CMD = 0x44,
  MFC_GETLB_CMD = 0x45,
  MFC_GETLF_CMD = 0x46,
  MFC_SDCRT_CMD = 0x80,
  MFC_SDCRTST_CMD = 0x81,
  MFC_SDCRZ_CMD = 0x89,
  MFC_SDCRST_CMD = 0x8d,
  MFC_SDCRF_CMD = 0x8f,
  MFC_SNDSIG_CMD = 0xa0,
  MFC_SNDSIGB_CMD = 0xa1,
  MFC_SNDSIGF_CMD = 0xa2,
  MFC_PUTLLUC_CMD = 0xb0,
  MFC_PUTLLC_CMD = 0xb4,
  MFC_PUTQLLUC_CMD = 0xb8,
  MFC_BARRIER_CMD = 0xc0,
  MFC_EIEIO_CMD = 0xc8,
  MFC_SYNC_CMD = 0xcc,
  MFC_GETLLAR_CMD = 0xd0,
};

/* Values for channel MFC_WrTagUpdate: when a read of MFC_RdTagStat returns. */
enum {
  MFC_TAG_UPDATE_IMMEDIATE = 0,
  MFC_TAG_UPDATE_ANY = 1,
  MFC_TAG_UPDATE_ALL = 2,
};

/* Read channel CHANNEL; waits as the named call does.
 * faults: a channel that cannot be read. */
uint32_t spu_readch(unsigned channel);

/* Write VALUE to channel CHANNEL; waits as the named call does.
 * faults: a channel that cannot be written; for MFC_Cmd also the faults of the command, and an unknown
 * command. */
void spu_writech(unsigned channel, uint32_t value);

/* Return how often CHANNEL can be read or written without waiting.
 * faults: an unknown channel. */
uint32_t spu_readchcnt(unsigned channel);
