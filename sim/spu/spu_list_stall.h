/* SPDX-License-Identifier: BSD-3-Clause
 * DMA lists that stop after an element with the notify bit; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Wait until a DMA list has stopped. All elements up to the element with the notify bit have then been
 * transferred, and the program may change the later elements.
 * returns: the tag groups with lists that have stopped since the last call. */
uint32_t mfc_read_list_stall_status(void);

/* Return 1 if there is such a tag group, else 0. */
uint32_t mfc_stat_list_stall_status(void);

/* Let the stopped lists of tag group TAG go on; without a stopped list nothing happens (assumption).
 * faults: tag. */
void mfc_write_list_stall_ack(uint32_t tag);
