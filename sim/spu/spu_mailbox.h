/* SPDX-License-Identifier: BSD-3-Clause
 * The mailboxes of an SPE program; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Take the oldest word out of the inbound mailbox; wait while the mailbox is empty. */
uint32_t spu_read_in_mbox(void);

/* Return how many words are in the inbound mailbox. */
uint32_t spu_stat_in_mbox(void);

/* Put DATA into the outbound mailbox, or into the outbound interrupt mailbox; wait while the mailbox is
 * full. */
void spu_write_out_mbox(uint32_t data);
void spu_write_out_intr_mbox(uint32_t data);

/* Return how many words the outbound mailbox, or the outbound interrupt mailbox, can still take. */
uint32_t spu_stat_out_mbox(void);
uint32_t spu_stat_out_intr_mbox(void);
