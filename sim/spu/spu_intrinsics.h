/* SPDX-License-Identifier: BSD-3-Clause
 * The intrinsics of the SPU for the MFC, the channels and the state of the SPU, under the names of the SDK's
 * spu_intrinsics.h; part of spu_mfcio.h. Intrinsics for vector arithmetic are missing.
 * source: C/C++ Language Extensions for Cell Broadband Engine Architecture; Cell Broadband Engine
 * Architecture; numbers of the channels and of the MFC commands as in the SDK. */
#pragma once

#include <stdint.h>

/* Channels by number. */
enum {
#define CHANNEL(name, number, read, write, count) name = number,
#include "sim/spu/spu_channel.def"
};

/* Commands for channel MFC_Cmd, made of bits. The classes of transfer and replacement, the high half of the
 * word, have no effect. */
#define MFC_CMD_WORD(tid, rid, command) ((uint32_t)(tid) << 24 | (uint32_t)(rid) << 16 | (uint32_t)(command))
enum {
  MFC_BARRIER_ENABLE = 0x01,
  MFC_FENCE_ENABLE = 0x02,
  MFC_LIST_ENABLE = 0x04,
  MFC_RESULT_ENABLE = 0x10,
#define COMMAND(name, number, call) name = number,
#include "sim/spu/spu_channel.def"
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

/* Return how often CHANNEL can be read or written without waiting; an unknown channel: 0. */
uint32_t spu_readchcnt(unsigned channel);

/* Give command COMMAND (MFC_Cmd) with these parameters, as six writes of channels do; with 32 bits of address
 * the high word is 0. In a command on a list EAL is the local store address of the list.
 * faults: as spu_writech. */
void spu_mfcdma64(volatile void *ls, uint32_t eah, uint32_t eal, uint32_t size, uint32_t tag,
                  uint32_t command);
void spu_mfcdma32(volatile void *ls, uint32_t ea, uint32_t size, uint32_t tag, uint32_t command);

/* Ask for the status of the chosen tag groups under CONDITION, and wait for the answer. */
uint32_t spu_mfcstat(uint32_t condition);

/* Separate earlier from later accesses: the machine catches up with the program (spu_catch_up), and no time
 * passes. */
void spu_sync(void);
void spu_sync_c(void);
void spu_dsync(void);

/* Set, or clear, the lowest bit of the machine status (spu_read_machine_status). Interrupts do not come:
 * programs read the event status. */
void spu_ienable(void);
void spu_idisable(void);

/* Stop the program.
 * faults: always; the message has the 14 bits of TYPE. Nobody can let the program go on. */
void spu_stop(uint32_t type) __attribute__((noreturn));

/* A register of 16 bytes; a scalar is in the first word. */
typedef struct {
  uint32_t word[4];
} qword;

static inline qword si_from_uint(uint32_t scalar) {
  return (qword){{scalar, 0, 0, 0}};
}

static inline uint32_t si_to_uint(qword value) {
  return value.word[0];
}

static inline qword si_rdch(unsigned channel) {
  return si_from_uint(spu_readch(channel));
}

static inline void si_wrch(unsigned channel, qword value) {
  spu_writech(channel, si_to_uint(value));
}

static inline qword si_rchcnt(unsigned channel) {
  return si_from_uint(spu_readchcnt(channel));
}
