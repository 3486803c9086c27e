/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of a PPE program, under names like those of libspe2. SPEs are numbers here, addresses effective
 * addresses. Each access to a register of an SPE costs ppe.mmio; the SPE may be on any chip. Every call stops
 * the program with a fault if the number of the SPE is too high.
 * Any number of programs may run on a PPE, as threads do: each program computes, accesses registers and waits
 * independently (assumption: as fast as alone). The programs share the state of an SPE: the first program to
 * read a mailbox takes the word, the commands of all programs fill one proxy queue, and waiting for a proxy
 * tag group means waiting for the commands of all programs.
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

/* Read COUNT words from the outbound interrupt mailbox of SPE; BEHAVIOR says whether to wait for words.
 * returns: the number of words read. */
int spe_out_intr_mbox_read(unsigned spe, uint32_t *data, int count, unsigned behavior);

/* Return how many words are in the outbound interrupt mailbox of SPE. */
int spe_out_intr_mbox_status(unsigned spe);

/* Wait until one of the outbound mailboxes of the COUNT SPEs in SPES has a word. Real code polls the
 * mailboxes in a loop; here only the access that finds the word is charged.
 * returns: the index in SPES of the first SPE with a word. */
unsigned ppe_wait_out_mbox(const unsigned *spes, unsigned count);

/* Write DATA into signal notification register SIGNAL_REG (1 or 2) of SPE.
 * faults: there is no such register.
 * returns: 0. */
int spe_signal_write(unsigned spe, unsigned signal_reg, uint32_t data);

/* --- proxy DMA: the PPE uses the MFC of an SPE --- */

/* Queue a DMA of SIZE bytes from byte LSA of the local store of SPE to effective address EA (put), or back
 * (get), in the proxy queue of the MFC of SPE; `f` and `b` forms as in spu_mfcio.h. Costs one access; waits
 * while the proxy queue is full. TAG belongs to the tag groups of the proxy queue, which are separate from
 * the tag groups of the program on SPE.
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

/* Wait, as BEHAVIOR says, for the proxy tag groups of MASK on SPE; store the tag groups without outstanding
 * commands in *TAG_STATUS.
 * returns: 0. */
int spe_mfcio_tag_status_read(unsigned spe, uint32_t mask, unsigned behavior, uint32_t *tag_status);

/* --- programs --- */

/* Start the program of SPU on an idle SPE; SPU has the fields for spu_start, but `start` is ignored. Costs
 * one access; loading the program takes no time (assumption).
 * faults: the SPE has a program. */
void ppe_start_spu(struct spu *spu);

/* Wait for the end of the program of SPU, started by ppe_start_spu on any PPE. Costs one access.
 * faults: the program has not been started.
 * returns: 0; -1 if a fault stopped the program. */
int ppe_join_spu(struct spu *spu);

/* Let CYCLES (of an SPU) of computing pass, at most COMPUTE_MAX, as spu_compute. */
void ppe_compute(uint64_t cycles);

/* Return the cycle of the program's clock. */
uint64_t ppe_cycles(void);

/* Tell the observers that the program enters, or leaves, a call of a collective, after CALL earlier calls.
 * Takes no time. */
void ppe_note_enter(unsigned call);
void ppe_note_leave(unsigned call);

/* Copy NBYTES from effective address FROM to TO, in main memory or local stores, at the rate
 * ppe.copy-bandwidth.
 * faults: no single memory or local store covers one of the two. */
void ppe_memcpy(uint64_t to, uint64_t from, uint32_t nbytes);

/* --- main memory, which a PPE program accesses by loads and stores --- */

/* Wait until the 32-bit word at effective address EA of main memory has reached VALUE, where 0 follows 2^32 -
 * 1. Real code polls the word's line in the cache of the PPE; here only the load that finds VALUE is charged,
 * ppe.poll. FROM is the rank that writes the word, for messages.
 * faults: EA is no address of main memory. */
void ppe_wait_word(uint64_t ea, uint32_t value, unsigned from);

/* Return a pointer to the NBYTES of main memory from effective address EA on. Loads and stores through the
 * pointer take no time by themselves.
 * faults: the bytes are not in main memory. */
uint8_t *ppe_bytes(uint64_t ea, uint32_t nbytes);

/* Tell the observers that the program reads, or writes, NBYTES of main memory from EA on in this cycle. */
void ppe_note_load(uint64_t ea, uint32_t nbytes);
void ppe_note_store(uint64_t ea, uint32_t nbytes);

/* Compute for the time of combining NBYTES with as many other bytes, at the rate ppe.combine.
 * faults: the platform has no ppe.combine. */
void ppe_work(uint32_t nbytes);

/* --- other nodes of the machine, for programs of chip 0: messages between main memories --- */

/* Messages from one node to another arrive in the order of sending. An arrived message waits in a buffer of
 * the system, of unlimited size (assumption), until the program receives the message. */

/* Return the own node, and how many there are; without a network there is one. */
unsigned net_rank(void);
unsigned net_size(void);

/* On triblades the hosts have numbers from net_size() on. Programs of a host call the same functions. A host
 * exchanges messages with the host's own blades and with all other hosts. */

/* Send the present NBYTES at effective address EA of main memory to node TO. The program is busy for
 * nic.send, except when the message passes the link between a blade and the blade's host.
 * faults: no such other node; the bytes are not in the main memory of one chip. */
void net_put(unsigned to, uint64_t ea, uint32_t nbytes);

/* Wait for the next message from node FROM and store the NBYTES of the message at effective address EA of
 * main memory. Storing takes no time: nic.receive is part of the time before the arrival.
 * faults: as net_put; the message has another size. */
void net_wait(unsigned from, uint64_t ea, uint32_t nbytes);
