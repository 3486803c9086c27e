/* SPDX-License-Identifier: BSD-3-Clause
 * The MFC calls of an SPE program, under the names of IBM's SDK; the differences are in
 * docs/how-to/port-spe-code.md. Present and missing ("not") parts of spu_mfcio.h:
 *
 *   DMA, signals       all puts and gets with f, b, l, sndsig, sdcrt and its kin; not: sdcrz
 *   order              mfc_sync, mfc_eieio, mfc_barrier; not: multi-source synchronization
 *   atomics            getllar, putllc, putlluc, the status; putqlluc
 *   tags               mask, update, status; tag manager
 *   lists              stall status, acknowledgement
 *   events             of tags, lists, queue, mailboxes, signals, decrementer, lost reservations;
 *                      not: privileged attention, multi-source synchronization, interrupts
 *   registers          mailboxes, signals, decrementer, machine status, SRR0
 *   intrinsics         of channels, commands, synchronization, interrupts (spu_intrinsics.h); not: vectors
 *   channels           all of these by number (spu_intrinsics.h)
 *
 * source: C/C++ Language Extensions for Cell Broadband Engine Architecture (spu_mfcio.h); semantics: Cell
 * Broadband Engine Architecture. */
#pragma once

#include "sim/hw/spe/dma_list.h"
#include "sim/spu/spu_intrinsics.h"

#include <stdbool.h>
#include <stdint.h>

/* An element of a DMA list: fields notify, reserved, size (bytes, at most 16384), eal (low word of the
 * address). */
typedef struct dma_list_element mfc_list_element_t;

enum {
  MFC_MIN_DMA_LIST_ELEMENTS = 1,
  MFC_MAX_DMA_LIST_ELEMENTS = 2048,
  MFC_MIN_DMA_LIST_SIZE = MFC_MIN_DMA_LIST_ELEMENTS * 8, /* bytes */
  MFC_MAX_DMA_LIST_SIZE = MFC_MAX_DMA_LIST_ELEMENTS * 8,
  MFC_MIN_DMA_SIZE_SHIFT = 4,
  MFC_MAX_DMA_SIZE_SHIFT = 14,
  MFC_MIN_DMA_SIZE = 1 << MFC_MIN_DMA_SIZE_SHIFT,
  MFC_MAX_DMA_SIZE = 1 << MFC_MAX_DMA_SIZE_SHIFT,
  MFC_MIN_DMA_SIZE_MASK = MFC_MIN_DMA_SIZE - 1,
  MFC_MAX_DMA_SIZE_MASK = MFC_MAX_DMA_SIZE - 1,
};

/* Return the high or the low word of effective address EA, or the address of both words. */
static inline uint32_t mfc_ea2h(uint64_t ea) {
  return (uint32_t)(ea >> 32);
}

static inline uint32_t mfc_ea2l(uint64_t ea) {
  return (uint32_t)ea;
}

static inline uint64_t mfc_hl2ea(uint32_t high, uint32_t low) {
  return (uint64_t)high << 32 | low;
}

/* Return VALUE rounded up to a multiple of 128. */
static inline uint64_t mfc_ceil128(uint64_t value) {
  return (value + 127) / 128 * 128;
}

/* Queue a DMA from local store LS to effective address EA (put) or back (get); `f` forms are fenced, `b`
 * forms are barriers within their tag group. TID and RID (transfer and replacement class) are accepted and
 * have no effect. The SPU stalls while the queue is full.
 * units: SIZE in bytes: 1, 2, 4, 8 or a multiple of 16 up to 16384.
 * faults: size, alignment, tag, addresses outside local store, register or mapped memory. */
void mfc_put(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_putf(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_putb(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_get(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_getf(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_getb(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);

/* Queue a store of the 128-byte line at LS to EA in main memory, with or without a reservation. The store is
 * a fenced put of 128 bytes in time, order and effect: the store follows earlier commands of the tag group,
 * completes with the tag group, ends every reservation of the line, and gives no atomic status.
 * faults: LS or EA not aligned to 128 bytes, EA not in main memory, tag. */
void mfc_putqlluc(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid);

/* Queue a DMA list of LIST_SIZE bytes at LIST (in local store, aligned to 8 bytes). The elements are
 * transferred one after the other. The local store side is consecutive from LS on, each element beginning on
 * a multiple of 16 bytes. The effective address of an element has the high word of EA and the low word in the
 * element. The elements are read late: the program must not change an element before the tag group is
 * complete, or before the list has stopped in front of the element (mfc_read_list_stall_status).
 * faults: as above, for the list at once and for an element when the element is read. */
void mfc_putl(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size,
              uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_putlf(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size,
               uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_putlb(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size,
               uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_getl(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size,
              uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_getlf(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size,
               uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_getlb(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size,
               uint32_t tag, uint32_t tid, uint32_t rid);

/* Ours: a transfer of data; no program reads the bytes to decide anything. */
struct spu_data {
  volatile void *ls;
  uint64_t ea;
  uint32_t nbytes, tag;
  bool put;  /* out of the local store; otherwise into the local store */
  bool held; /* a barrier within the tag group */
};

/* Queue the transfer DATA as mfc_put, mfc_putb, mfc_get or mfc_getb do. In a prediction the transfer takes
 * the same time and moves no bytes (machine_on_rates). */
void spu_move_data(const struct spu_data *data);

/* Queue a command that moves no bytes and completes after all earlier commands of the tag group (mfc_sync,
 * mfc_eieio), or of this program with any tag (mfc_barrier). Later commands of the tag group, or of the
 * program, wait for this command. mfc_sync and mfc_eieio also go over the command bus, as far as the farthest
 * chip, and wait for stopped lists of any tag; both take equally long here (assumption).
 * faults: tag. */
void mfc_sync(uint32_t tag);
void mfc_eieio(uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_barrier(uint32_t tag);

/* Queue a command for the caches about the SIZE bytes from EA on: the program will read the bytes (sdcrt) or
 * write the bytes (sdcrtst); modified bytes go to main memory (sdcrst), or also leave the cache (sdcrf). No
 * cache is simulated: the command occupies an entry of the queue, goes over the command bus and changes
 * nothing. sdcrz, which sets the bytes to zero, is refused.
 * faults: SIZE above MFC_MAX_DMA_SIZE, EA, tag; sdcrz. */
void mfc_sdcrt(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_sdcrtst(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_sdcrst(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_sdcrf(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_sdcrz(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid);

/* Queue a signal: the 4 bytes at LS, congruent to EA modulo 16, go to the signal notification register at
 * EA. */
void mfc_sndsig(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_sndsigf(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid);
void mfc_sndsigb(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid);

/* Return how many commands the queue can still take without stalling the SPU. */
uint32_t mfc_stat_cmd_queue(void);

/* Read and clear signal notification register 1 or 2; wait while the register is empty. */
uint32_t spu_read_signal1(void);
uint32_t spu_read_signal2(void);

/* Return 1 if the signal notification register has been written since the last read, otherwise 0. */
uint32_t spu_stat_signal1(void);
uint32_t spu_stat_signal2(void);

/* Ask for the event MFC_MULTI_SRC_SYNC_EVENT.
 * faults: always; transfers of several sources are not followed. */
void mfc_write_multi_src_sync_request(void);

/* Return 1: a request can be made without waiting. */
uint32_t mfc_stat_multi_src_sync_request(void);

/* Return the machine status, whose lowest bit says whether interrupts are enabled. Or read, or write, SRR0,
 * the register that saves and restores an address; no other call uses SRR0.
 * SRR0 keeps only the bits of a local store address that is a multiple of 4. */
uint32_t spu_read_machine_status(void);
uint32_t spu_read_srr0(void);
void spu_write_srr0(uint32_t srr0);

/* Let the decrementer of the SPU count down from COUNT, with the time base of the platform; 2^32 - 1 follows
 * 0. Or return the present count. */
void spu_write_decrementer(uint32_t count);
uint32_t spu_read_decrementer(void);

/* --- atomic commands --- */

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

/* --- completion of DMA commands --- */

/* Choose the tag groups of the following status calls: bit t for tag t. */
void mfc_write_tag_mask(uint32_t mask);
uint32_t mfc_read_tag_mask(void);

/* Ask for the status of the chosen tag groups: now, or when any, or when all, of the groups have no command
 * outstanding. CONDITION of mfc_write_tag_update is MFC_TAG_UPDATE_IMMEDIATE, _ANY or _ALL. "Any" of no
 * tag group is met by none: the answer comes with a later mask. A new question replaces an open question. An
 * unread answer stays, and the next read gives the old answer unless the new condition has been met: read and
 * discard an unread answer before the next question.
 * source: Cell Broadband Engine Architecture 1.02, 9.3.
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

/* --- stopped DMA lists --- */

/* Wait until a DMA list has stopped. All elements up to the element with the notify bit have then been
 * transferred, and the program may change the later elements.
 * returns: the tag groups with lists that have stopped since the last call. */
uint32_t mfc_read_list_stall_status(void);

/* Return 1 if there is such a tag group, else 0. */
uint32_t mfc_stat_list_stall_status(void);

/* Let the stopped lists of tag group TAG go on; without a stopped list nothing happens (assumption).
 * faults: tag. */
void mfc_write_list_stall_ack(uint32_t tag);

/* --- tag manager: parts of the program share the 32 tags --- */

#define MFC_TAG_INVALID UINT32_MAX
#define MFC_TAG_VALID UINT32_C(0)

/* Reserve a free tag, or COUNT consecutive free tags.
 * returns: the tag, or the first tag; MFC_TAG_INVALID: not enough free tags. */
uint32_t mfc_tag_reserve(void);
uint32_t mfc_multi_tag_reserve(uint32_t count);

/* Release the reserved TAG, or COUNT reserved tags from FIRST on.
 * returns: MFC_TAG_VALID; MFC_TAG_INVALID, and no change, if a tag was not reserved. */
uint32_t mfc_tag_release(uint32_t tag);
uint32_t mfc_multi_tag_release(uint32_t first, uint32_t count);

/* --- mailboxes --- */

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

/* --- events: one wait for several things --- */

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
