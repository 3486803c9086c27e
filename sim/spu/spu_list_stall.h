/* SPDX-License-Identifier: BSD-3-Clause
 * DMA lists that stop on the way, behind elements with their notify bit; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Wait until a DMA list has stopped; all up to the element with the notify bit has then been moved, and the
 * elements behind it may be changed.
 * returns: the tag groups with lists that have stopped since the last call. */
uint32_t mfc_read_list_stall_status(void);

/* Return 1 if there is such a tag group, else 0. */
uint32_t mfc_stat_list_stall_status(void);

/* Let the lists of tag group TAG go on that have stopped; without one nothing happens (assumption).
 * faults: tag. */
void mfc_write_list_stall_ack(uint32_t tag);
