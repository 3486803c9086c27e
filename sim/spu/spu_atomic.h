/* SPDX-License-Identifier: BSD-3-Clause
 * The atomic commands of an SPE program; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Bits of the status of an atomic command. */
enum {
  MFC_PUTLLC_STATUS = 1,  /* putllc wrote nothing: the reservation was lost */
  MFC_PUTLLUC_STATUS = 2, /* putlluc is done */
  MFC_GETLLAR_STATUS = 4, /* getllar is done */
};

/* getllar: load the 128-byte line at EA of main memory to LS and reserve the line. putllc: store the line
 * from LS if the reservation is still held; a write of any unit to the line ends the reservation. putlluc:
 * store the line in any case. The SPU stalls while the last atomic command is in progress.
 * faults: LS or EA not aligned to 128 bytes, EA not in main memory. */
void mfc_getllar(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid);
void mfc_putllc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid);
void mfc_putlluc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid);

/* Wait for the completion of the last atomic command.
 * returns: the status of the command; of a putllc that stored the line, 0. */
uint32_t mfc_read_atomic_status(void);

/* Return 1 if there is a status to be read without waiting, else 0. */
uint32_t mfc_stat_atomic_status(void);
