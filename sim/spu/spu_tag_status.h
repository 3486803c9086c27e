/* SPDX-License-Identifier: BSD-3-Clause
 * The completion of an SPE program's DMA commands; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Choose the tag groups of the following status calls: bit t for tag t. */
void mfc_write_tag_mask(uint32_t mask);
uint32_t mfc_read_tag_mask(void);

/* Ask for the status of the chosen tag groups: now, or when any, or when all, of the groups have no command
 * outstanding. CONDITION of mfc_write_tag_update is MFC_TAG_UPDATE_IMMEDIATE, _ANY or _ALL. A new question
 * replaces a question without an answer, and an answer not read yet: to withdraw a question, ask for the
 * status now and read the answer.
 * faults: another CONDITION. */
void mfc_write_tag_update(uint32_t condition);
void mfc_write_tag_update_immediate(void);
void mfc_write_tag_update_any(void);
void mfc_write_tag_update_all(void);

/* Return 1: the next question can be asked without waiting. */
uint32_t mfc_stat_tag_update(void);

/* Wait for the answer to the last question; an answer can be read once. A program without a question waits
 * for ever, as on the machine.
 * returns: the chosen tag groups without outstanding commands when the condition was met. */
uint32_t mfc_read_tag_status(void);

/* Return 1 if there is an answer to be read without waiting, else 0. */
uint32_t mfc_stat_tag_status(void);

/* Ask, and wait for the answer. */
uint32_t mfc_read_tag_status_immediate(void);
uint32_t mfc_read_tag_status_any(void);
uint32_t mfc_read_tag_status_all(void);
