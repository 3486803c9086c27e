/* SPDX-License-Identifier: BSD-3-Clause
 * The interface between the vocabulary of algorithms and the machine. There are two machines: the simulated
 * blade (spu_port.c), and hosts on a network (host_port.c).
 *
 * Effective addresses are addresses of the machine. All functions act for the calling program: a program of
 * the PPE for functions with ppe in the name, a program of an SPE for all others. */
#pragma once

#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

#include <stdbool.h>
#include <stdint.h>

struct combine;

/* One DMA command for data between local store and an effective address. */
struct step_dma {
  void *ls;
  uint64_t ea;
  uint32_t nbytes, tag;
  unsigned slot; /* slot with this TAG */
  bool put;      /* from local store to EA; else from EA to local store */
  bool held;     /* this command and later ones begin after all earlier commands of the tag (a barrier) */
};

/* Functions that need an MFC are NULL on hosts: DMA lists, signals, lines with reservations, mailboxes. There
 * the vocabulary stops a program. */
struct step_port {
  bool any_size; /* a transfer of data may have any size; else a size known to the MFC */

  /* local stores */
  void *(*local)(uint32_t address);                         /* the own byte at ADDRESS */
  uint64_t (*local_ea)(unsigned spe, uint32_t address);     /* byte ADDRESS of the local store of SPE */
  void (*note_store)(const volatile void *, size_t nbytes); /* as in spu_time.h, and the following */
  void (*note_load)(const volatile void *, size_t nbytes);
  void (*note_flags)(const volatile void *, size_t nbytes);
  void (*note_memory_store)(uint64_t ea, size_t nbytes); /* NULL on hosts */
  void (*note_memory_load)(uint64_t ea, size_t nbytes);
  void (*note_enter)(unsigned rank, unsigned call);
  void (*note_leave)(unsigned rank, unsigned call);
  void (*note_step)(unsigned step, const char *name);
  void (*note_barrier)(unsigned rank, unsigned call, unsigned nranks);

  /* stop the program with a fault; WHAT is the message */
  void (*fault)(const char *what) __attribute__((noreturn));

  /* time */
  void (*compute)(enum compute_reason reason, uint64_t cycles);
  void (*sync)(void);
  uint64_t (*cycles)(void);

  /* notifications, read by programs: fenced puts of NBYTES of entries; to several ranks by one DMA list; a
   * signal to register 1 of SPE */
  void (*tell)(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag);
  void (*tell_list)(const void *entries, uint64_t ea, mfc_list_element_t *list, uint32_t list_bytes,
                    uint32_t tag);
  void (*signal)(uint32_t *bits, unsigned spe, uint32_t tag);
  void (*wait_flag)(const struct spu_flag *flag);
  void (*wait_any)(const struct spu_any *any);    /* then the program looks */
  bool (*poll_flag)(const struct spu_flag *flag); /* a look at the present state, without a wait */
  /* the bits that have arrived; FROM is the expected sender, for messages */
  uint32_t (*read_signal)(unsigned from);

  /* transfers of data: no program reads the bytes to decide anything, and a prediction does not move data */
  void (*move)(const struct step_dma *dma);
  void (*wait_tags)(uint32_t mask);
  uint32_t (*poll_tags)(uint32_t mask); /* the tags of MASK without a transfer under way now */
  void (*wait_tag)(uint32_t tag);       /* any tag number; NULL: only tags of an MFC exist */

  /* the 128-byte line at EA of main memory: read with a reservation; written if the reservation holds */
  void (*load_line)(void *line, uint64_t ea);
  bool (*store_line)(void *line, uint64_t ea);
  /* read until the line satisfies the wait; NULL: the vocabulary repeats load_line */
  void (*wait_line)(const struct spu_line_wait *wait);

  /* mailboxes, seen from the SPE and from the PPE of chip 0 */
  void (*write_mailbox)(uint32_t word);
  uint32_t (*read_mailbox)(void);
  uint32_t (*ppe_read_mailbox)(unsigned spe);
  void (*ppe_write_mailbox)(unsigned spe, uint32_t word);
  void (*ppe_copy)(uint64_t to, uint64_t from, uint32_t nbytes); /* from memory to memory */
  /* wait until the word at EA of main memory has reached VALUE; FROM is the writer, for messages */
  void (*ppe_wait_word)(uint64_t ea, uint32_t value, unsigned from);
  /* combine_run with operands at effective addresses of main memory; the pointers in COMBINE are ignored */
  void (*ppe_combine)(const struct combine *combine, uint64_t into, uint64_t from);
  void (*net_put)(unsigned to, uint64_t ea, uint32_t nbytes); /* as in ppe_api.h */
  void (*net_wait)(unsigned from, uint64_t ea, uint32_t nbytes);
  void (*ppe_note_enter)(unsigned call);
  void (*ppe_note_leave)(unsigned call);

  /* hosts only, as in host_api.h */
  bool (*is_near)(unsigned spe);
  void (*tell_near)(const void *entries, uint64_t ea, uint32_t nbytes);
  void (*copy)(void *into, uint64_t ea, size_t nbytes);
  void (*use_one_rail)(bool one);
};

extern const struct step_port spu_port, host_port;
