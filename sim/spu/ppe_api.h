/* SPDX-License-Identifier: BSD-3-Clause
 * What a PPE program may call, under names like those of libspe2; SPEs are numbers here, addresses effective
 * addresses. Each call that reaches a register of an SPE costs ppe.mmio per access; the SPE may be on any
 * chip. All calls stop the program with a fault if there is no such SPE.
 * Any number of programs may run on a PPE, as threads do: each computes, accesses registers and waits on its
 * own (assumption: as fast as alone). They share what belongs to an SPE: a word of a mailbox goes to the one
 * that reads it first, a proxy queue has room for so many commands of all of them, and who waits for a proxy
 * tag group waits for the commands of all.
 * source: SPE Runtime Management Library (libspe2). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct spu;

/* How a call waits. */
enum {
  SPE_MBOX_ALL_BLOCKING = 1,    /* until all words are through */
  SPE_MBOX_ANY_BLOCKING = 2,    /* until at least one is */
  SPE_MBOX_ANY_NONBLOCKING = 3, /* not at all */
};

enum {
  SPE_SIG_NOTIFY_REG_1 = 1,
  SPE_SIG_NOTIFY_REG_2 = 2,
};

enum {
  SPE_TAG_ALL = 1,
  SPE_TAG_ANY = 2,
  SPE_TAG_IMMEDIATE = 3,
};

/* --- mailboxes and signals --- */

/* Write COUNT words from DATA into the inbound mailbox of SPE, as far as BEHAVIOR wants to wait for room. A
 * word, or finding no room for one, is one access.
 * returns: the words written. */
int spe_in_mbox_write(unsigned spe, const uint32_t *data, int count, unsigned behavior);

/* Return how many words the inbound mailbox of SPE can still take. */
int spe_in_mbox_status(unsigned spe);

/* Read up to COUNT words from the outbound mailbox of SPE, without waiting.
 * returns: the words read. */
int spe_out_mbox_read(unsigned spe, uint32_t *data, int count);

/* Return how many words are in the outbound mailbox of SPE. */
int spe_out_mbox_status(unsigned spe);

/* Read COUNT words from the outbound interrupt mailbox of SPE, as far as BEHAVIOR wants to wait for them.
 * returns: the words read. */
int spe_out_intr_mbox_read(unsigned spe, uint32_t *data, int count, unsigned behavior);

/* Return how many words are in the outbound interrupt mailbox of SPE. */
int spe_out_intr_mbox_status(unsigned spe);

/* Wait until one of the outbound mailboxes of COUNT SPEs, numbers at SPES, has a word: a loop that polls
 * them, in real code, of which only the access that finds the word is charged.
 * returns: the place in SPES of the first one that has. */
unsigned ppe_wait_out_mbox(const unsigned *spes, unsigned count);

/* Write DATA into signal notification register SIGNAL_REG (1 or 2) of SPE.
 * faults: there is no such register.
 * returns: 0. */
int spe_signal_write(unsigned spe, unsigned signal_reg, uint32_t data);

/* --- proxy DMA: the PPE uses the MFC of an SPE --- */

/* Queue a DMA of SIZE bytes from byte LSA of the local store of SPE to effective address EA (put), or back
 * (get), in the proxy queue of its MFC; `f` and `b` forms as in spu_mfcio.h. One access; waits while that
 * queue is full. TAG belongs to the tag groups of the proxy queue, apart from those of the program on SPE.
 * faults: as mfc_put.
 * returns: 0. */
int spe_mfcio_put(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid,
                  uint32_t rid);
int spe_mfcio_putf(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid,
                   uint32_t rid);
int spe_mfcio_putb(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid,
                   uint32_t rid);
int spe_mfcio_get(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid,
                  uint32_t rid);
int spe_mfcio_getf(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid,
                   uint32_t rid);
int spe_mfcio_getb(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid,
                   uint32_t rid);

/* Wait, as BEHAVIOR says, for the proxy tag groups of MASK on SPE; *TAG_STATUS becomes those without
 * outstanding commands.
 * returns: 0. */
int spe_mfcio_tag_status_read(unsigned spe, uint32_t mask, unsigned behavior, uint32_t *tag_status);

/* --- programs --- */

/* Start the program of SPU, whose SPE must be idle: the fields for spu_run, of which start is ignored, say
 * which. One access; loading the program takes no time (assumption).
 * faults: that SPE has a program. */
void ppe_start_spu(struct spu *spu);

/* Wait until the program of SPU, which ppe_start_spu has started, on this PPE or another one, has ended. One
 * access.
 * faults: it has not been started.
 * returns: 0, or -1 if a fault stopped it. */
int ppe_join_spu(struct spu *spu);

/* Let CYCLES (of an SPU) of computing pass, at most COMPUTE_MAX. */
void ppe_compute(uint64_t cycles);

/* Return the current cycle, as the program sees it. */
uint64_t ppe_cycles(void);

/* Say that the program enters, or leaves, a call of a collective after CALL others; takes no time. */
void ppe_note_enter(unsigned call);
void ppe_note_leave(unsigned call);

/* Copy NBYTES from effective address FROM to TO, in main memory or local stores, at the rate
 * ppe.copy-bandwidth.
 * faults: no single memory or local store covers one of the two. */
void ppe_memcpy(uint64_t to, uint64_t from, uint32_t nbytes);
