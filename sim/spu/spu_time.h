/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that an SPE program needs only on a simulated machine, for things that real code has without a call:
 * time, the local store, and waiting for a flag in the local store or for a line of main memory. A program of
 * a process on a host (sim/node/host_api.h) makes the same calls, except for calls about an MFC: the memory
 * of the process takes the place of the local store. */
#pragma once

#include "sim/hw/watch/compute_reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A condition on the local store, or the memory of a process: in real code a loop that polls a flag. */
struct spu_flag {
  const volatile uint32_t *word; /* counts up, wrapping round */
  uint32_t value;                /* the flag is up when the word has reached this value */
  int peer;                      /* rank expected to write the flag, for messages; -1 unknown */
  const char *what;              /* for messages */
};

/* Flags, and tag groups of the program's own transfers: each alone ends a wait. */
struct spu_any {
  const struct spu_flag *flags;
  unsigned nflags;
  uint32_t tags; /* bit t for tag t */
};

/* Let CYCLES of computing pass. Until the next wait the program runs ahead of the machine by the computed
 * cycles. Commands are issued at the right cycle, but a store into the local store takes effect at once. Call
 * spu_catch_up before a store to bytes still read by a DMA, or looked at by another program. If nothing else
 * has taken time since the call before, the machine catches up: a loop of spu_compute and loads sees new
 * bytes.
 * faults: more than COMPUTE_MAX. */
void spu_compute(uint64_t cycles);

/* As spu_compute, with a REASON for the observers. */
void spu_compute_for(enum compute_reason reason, uint64_t cycles);

/* Let the machine catch up with the program. */
void spu_catch_up(void);

/* Return the cycle of the program's clock. */
uint64_t spu_cycles(void);

/* Return the local store bytes from address ADDRESS on, as a pointer.
 * faults: ADDRESS outside the local store. */
void *spu_ls(uint32_t address);

/* Stop the calling program with a fault and the message WHAT, as an invalid command does. */
void spu_fault(const char *what) __attribute__((noreturn));

/* Return the bytes of the local store. */
uint32_t spu_ls_bytes(void);

/* Return the effective address of byte ADDRESS of the local store of SPE, of the signal register WHICH (1 or
 * 2) of SPE, or of the inbound mailbox of SPE. */
uint64_t spu_ls_ea(unsigned spe, uint32_t address);
uint64_t spu_signal_ea(unsigned spe, unsigned which);
uint64_t spu_mailbox_ea(unsigned spe);

/* Name the rank expected to send the next signal that the program waits for; for messages. */
void spu_expect_signal_from(unsigned rank);

/* Tell the observers that the program writes, or reads, NBYTES of the local store from POINTER on; such
 * observers look for a DMA in progress there. Takes no time. */
void spu_note_store(const volatile void *pointer, size_t nbytes);
void spu_note_load(const volatile void *pointer, size_t nbytes);

/* As spu_note_store and spu_note_load, for main memory from effective address EA on, touched by a PPE program
 * on behalf of the SPE between the calls of a collective; told to observers of orders only. */
void spu_note_memory_store(uint64_t ea, size_t nbytes);
void spu_note_memory_load(uint64_t ea, size_t nbytes);

/* Declare NBYTES from POINTER on as flags: other SPEs write flags by DMA while the program polls the flags,
 * on purpose. Flags are zero before the first write, as static data is; other scratch of a collective may
 * hold any value. */
void spu_note_flags(const volatile void *pointer, size_t nbytes);

/* Tell the observers that the program, as RANK, enters, or leaves, a call of a collective, after CALL earlier
 * calls; or begins step STEP of the call, counted from 1, or goes on with the step NAME, and STEP is 0. NAME
 * outlives the run; NULL: none. Takes no time. */
void spu_note_enter(unsigned rank, unsigned call);
void spu_note_leave(unsigned rank, unsigned call);
void spu_note_step(unsigned step, const char *name);

/* As spu_note_enter (NRANKS is 0) and spu_note_leave, for a barrier of NRANKS; told to observers of orders
 * only. */
void spu_note_barrier(unsigned rank, unsigned call, unsigned nranks);

/* Block until FLAG is up. */
void spu_wait_flag(const struct spu_flag *flag);

/* Look at FLAG once, at the cycle of the program's clock; takes no time. Between two looks a program calls
 * spu_compute or spu_wait_any.
 * returns: whether FLAG is up. */
bool spu_poll_flag(const struct spu_flag *flag);

/* Block until a flag of ANY is up, or a tag group of ANY has no outstanding command. Then the program looks,
 * by spu_poll_flag or mfc_read_tag_status_immediate: a hazard is ruled out by the look, not by the wait. */
void spu_wait_any(const struct spu_any *any);

/* A wait for a condition on a line of main memory. The result of FOUND may depend only on LINE, in local
 * store, and CONTEXT. */
struct spu_line_wait {
  volatile void *ls;
  uint64_t ea;
  bool (*found)(const void *line, const void *context);
  const void *context;
  enum compute_reason reason; /* computing of the program after each load, before FOUND is called */
  uint64_t cycles;
};

/* Load a line again and again until FOUND of WAIT returns true for the line. Cycle by cycle the wait is
 *
 *   do {
 *     mfc_getllar(ls, ea, 0, 0);
 *     mfc_read_atomic_status();
 *     spu_compute_for(reason, cycles);
 *   } while (!found(ls, context));
 *
 * but a load of an unchanged line takes no time of the simulator: a long wait costs no more than a short
 * wait. A change of the line must come from DMA, atomic commands or ppe_memcpy.
 * faults: as mfc_getllar. */
void spu_wait_line(const struct spu_line_wait *wait);
