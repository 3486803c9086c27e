/* SPDX-License-Identifier: BSD-3-Clause
 * What an SPE program has on a simulated machine and real code has for free: time, its local store, and
 * waiting for a flag in it or for a line of main memory. */
#pragma once

#include "sim/hw/compute_reason.h"
#include "sim/spu/spu_flag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Let CYCLES of computing pass. The program runs ahead of the machine by what it has computed, until it next
 * waits: what it issues happens at the right cycle, but what it stores into its local store is there at once.
 * Call spu_catch_up before storing where a DMA may still read, or another program look.
 * faults: more than COMPUTE_MAX. */
void spu_compute(uint64_t cycles);

/* The same, saying what for, for those who watch. */
void spu_compute_for(enum compute_reason reason, uint64_t cycles);

/* Let the machine catch up with the program. */
void spu_catch_up(void);

/* Return the current cycle, as the program sees it. */
uint64_t spu_cycles(void);

/* Return the local store bytes from address ADDRESS on, as a pointer.
 * faults: ADDRESS outside the local store. */
void *spu_ls(uint32_t address);

/* Stop the calling program with a fault that says WHAT is wrong, as a bad command does. */
void spu_fault(const char *what) __attribute__((noreturn));

/* Return the bytes of the local store. */
uint32_t spu_ls_bytes(void);

/* Return the effective address of byte ADDRESS of the local store of SPE, and that of its signal register (1
 * or 2), and that of its inbound mailbox. */
uint64_t spu_ls_ea(unsigned spe, uint32_t address);
uint64_t spu_signal_ea(unsigned spe, unsigned which);
uint64_t spu_mailbox_ea(unsigned spe);

/* Say which rank should send the signal that the program waits for next, for messages. */
void spu_expect_signal_from(unsigned rank);

/* Say that the program writes, or reads, NBYTES of its local store from POINTER on, for observers that look
 * for DMAs that are under way there; takes no time. */
void spu_note_store(const volatile void *pointer, size_t nbytes);
void spu_note_load(const volatile void *pointer, size_t nbytes);

/* The same for main memory from effective address EA on, which a program on a PPE would touch for the SPE
 * between the calls of a collective; told to observers of orders only. */
void spu_note_memory_store(uint64_t ea, size_t nbytes);
void spu_note_memory_load(uint64_t ea, size_t nbytes);

/* Say that NBYTES from POINTER on are flags: others write them by DMA while the program polls them, on
 * purpose. Flags are zero before anybody has written them, as static data is; other scratch of a collective
 * may hold anything. */
void spu_note_flags(const volatile void *pointer, size_t nbytes);

/* Say that the program, as rank RANK, enters, or leaves, a call of a collective after CALL others, or that it
 * begins step STEP of that, counted from 1; takes no time. */
void spu_note_enter(unsigned rank, unsigned call);
void spu_note_leave(unsigned rank, unsigned call);
void spu_note_step(unsigned step);

/* Block until FLAG is up. */
void spu_wait_flag(const struct spu_flag *flag);

/* What a program waits for in a line of main memory. FOUND depends on nothing but the LINE, in local store,
 * and CONTEXT. */
struct spu_line_wait {
  volatile void *ls;
  uint64_t ea;
  bool (*found)(const void *line, const void *context);
  const void *context;
  enum compute_reason reason; /* what it computes after each load, before it looks, and for how long */
  uint64_t cycles;
};

/* Load a line again and again until what WAIT looks for is in it. This is, cycle by cycle,
 *
 *   do {
 *     mfc_getllar(ls, ea, 0, 0);
 *     mfc_read_atomic_status();
 *     spu_compute_for(reason, cycles);
 *   } while (!found(ls, context));
 *
 * but loads that find what the one before has found take no time of the simulator: a long wait costs no more
 * than a short one. Whoever changes the line does so by DMA, atomic commands or ppe_memcpy.
 * faults: as mfc_getllar. */
void spu_wait_line(const struct spu_line_wait *wait);
