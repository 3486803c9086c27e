/* SPDX-License-Identifier: BSD-3-Clause
 * The calls below the vocabulary of algorithms. A rank runs on an SPE of the simulated blade, or is a process
 * on a host. Both make the calls of spu_time.h; a port has the operations that differ. Steps for an MFC alone
 * stop a process with a fault; algorithms with such a step declare NEED_SPES.
 *
 * Effective addresses are addresses of the machine. All functions act for the calling program: a program of
 * the PPE for functions with ppe in the name, a program of an SPE, or a process, for all others. */
#pragma once

#include "sim/spu/ppe_api.h"
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

struct step_port {
  bool any_size;                                        /* transfers may have any size; else as of an MFC */
  uint64_t (*local_ea)(unsigned spe, uint32_t address); /* byte ADDRESS of the local store of SPE */
  /* a notification, read by programs: a fenced put of NBYTES of entries */
  void (*tell)(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag);
  /* a transfer of data: no program reads the bytes to decide anything, and a prediction does not move data */
  void (*move)(const struct step_dma *dma);
  void (*wait_tags)(uint32_t mask);
  uint32_t (*poll_tags)(uint32_t mask); /* the tags of MASK without a transfer under way now */
  void (*wait_tag)(uint32_t tag);       /* any tag number; NULL: only tags of an MFC exist */
};

extern const struct step_port spu_port, host_port;

/* Wait for a word from SPE on the PPE of chip 0, or send WORD to SPE, by mailboxes. */
uint32_t step_ppe_read_mailbox(unsigned spe);
void step_ppe_write_mailbox(unsigned spe, uint32_t word);

/* As combine_run, on a PPE, with operands at effective addresses INTO and FROM of main memory; the pointers
 * in COMBINE are ignored. */
void step_ppe_combine(const struct combine *combine, uint64_t into, uint64_t from);
