/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands as an SPE program gives them; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Bits of the status of an atomic command. */
enum {
  MFC_PUTLLC_STATUS = 1,  /* putllc wrote nothing: the reservation was lost */
  MFC_PUTLLUC_STATUS = 2, /* putlluc is done */
  MFC_GETLLAR_STATUS = 4, /* getllar is done */
};

/* Load the 128-byte line at EA of main memory to LS and reserve it; store it from LS if the reservation is
 * still held, which anybody's write to the line ends; or store it in any case. The SPU stalls while the last
 * atomic command is under way.
 * faults: LS or EA not aligned to 128 bytes, EA not in main memory. */
void mfc_getllar(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid);
void mfc_putllc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid);
void mfc_putlluc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid);

/* Wait until the last atomic command has completed.
 * returns: its status; of a putllc that stored the line, 0. */
uint32_t mfc_read_atomic_status(void);

/* Return 1 if there is a status to be read without waiting, else 0. */
uint32_t mfc_stat_atomic_status(void);
