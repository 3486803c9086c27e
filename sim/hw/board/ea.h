/* SPDX-License-Identifier: BSD-3-Clause
 * The map of effective addresses: local stores, signal registers and main memory in the 64-bit space.
 * source: the layout within an SPE's area follows the Cell Broadband Engine Architecture (local store,
 * problem state with its inbound mailbox and signal notification registers); the bases and the strides are
 * ours, as an operating system would choose. */
#pragma once

#include <stdint.h>

#define EA_SPE_BASE UINT64_C(0x100000000)
#define EA_SPE_STRIDE UINT64_C(0x2000000)
#define EA_PROBLEM_STATE UINT64_C(0x1000000) /* within the area of an SPE: behind the largest local store */
#define EA_MAILBOX_IN (EA_PROBLEM_STATE + 0x400c)
#define EA_SIGNAL_1 (EA_PROBLEM_STATE + 0x1400c)
#define EA_SIGNAL_2 (EA_PROBLEM_STATE + 0x1c00c)

#define EA_MEMORY_BASE UINT64_C(0x100000000000) /* main memory: chip by chip, without gaps */

/* On a machine of plain hosts there are only the memories of processes, one after the other. */
#define EA_PROCESS_BASE (UINT64_C(1) << 40)
#define EA_PROCESS_STRIDE (UINT64_C(1) << 40)

/* Return the effective address of byte OFFSET of the memory of PROCESS. */
static inline uint64_t ea_of_process(unsigned process, uint64_t offset) {
  return EA_PROCESS_BASE + process * EA_PROCESS_STRIDE + offset;
}

/* Return the effective address of byte OFFSET of the local store of SPE. */
static inline uint64_t ea_of_ls(unsigned spe, uint32_t offset) {
  return EA_SPE_BASE + spe * EA_SPE_STRIDE + offset;
}

/* Return the effective address of the inbound mailbox of SPE. */
static inline uint64_t ea_of_mailbox(unsigned spe) {
  return EA_SPE_BASE + spe * EA_SPE_STRIDE + EA_MAILBOX_IN;
}

/* Return the effective address of signal notification register WHICH (1 or 2) of SPE. */
static inline uint64_t ea_of_signal(unsigned spe, unsigned which) {
  return EA_SPE_BASE + spe * EA_SPE_STRIDE + (which == 1 ? EA_SIGNAL_1 : EA_SIGNAL_2);
}
