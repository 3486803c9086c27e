/* SPDX-License-Identifier: BSD-3-Clause
 * The events of an SPU: one wait for several things; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

/* Events, as bits of mask, status and acknowledgement. */
enum {
  MFC_TAG_STATUS_UPDATE_EVENT = 0x001,       /* a tag status can be read (mfc_stat_tag_status) */
  MFC_LIST_STALL_NOTIFY_EVENT = 0x002,       /* a DMA list has stopped */
  MFC_COMMAND_QUEUE_AVAILABLE_EVENT = 0x008, /* the command queue is no longer full (mfc_stat_cmd_queue) */
  MFC_IN_MBOX_AVAILABLE_EVENT = 0x010,       /* the inbound mailbox is no longer empty */
  MFC_DECREMENTER_EVENT = 0x020, /* the decrementer has gone from 0 to 2^32 - 1 since the last write */
  MFC_OUT_INTR_MBOX_AVAILABLE_EVENT = 0x040, /* the outbound interrupt mailbox is no longer full */
  MFC_OUT_MBOX_AVAILABLE_EVENT = 0x080,      /* the outbound mailbox is no longer full */
  MFC_SIGNAL_NOTIFY_2_EVENT = 0x100,         /* signal notification register 2 is no longer empty */
  MFC_SIGNAL_NOTIFY_1_EVENT = 0x200,
  MFC_LLR_LOST_EVENT = 0x400,        /* somebody else has written the line of the reservation */
  MFC_PRIV_ATTN_EVENT = 0x800,       /* never here: an operating system asks */
  MFC_MULTI_SRC_SYNC_EVENT = 0x1000, /* never happens here, and cannot be chosen */
};

/* Choose the events for the program; initially no event is chosen. Other events are kept until chosen. */
void spu_write_event_mask(uint32_t mask);
uint32_t spu_read_event_mask(void);

/* Wait until a chosen event has happened since the last call, or is still pending after an acknowledgement,
 * or was pending when chosen.
 * returns: all chosen events without an acknowledgement. */
uint32_t spu_read_event_status(void);

/* Return 1 if there is a status to be read without waiting, else 0. */
uint32_t spu_stat_event_status(void);

/* Acknowledge EVENTS: each event is cleared until the event happens again. */
void spu_write_event_ack(uint32_t events);
