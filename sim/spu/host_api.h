/* SPDX-License-Identifier: BSD-3-Clause
 * What a program on a plain host may call: a process, which reaches the memory of the others by its NIC.
 * Processes are numbered over the machine, host by host; effective addresses name a byte of any of their
 * memories.
 *
 * Transfers of a tag are waited for together; tags are small numbers. What a process tells another one is
 * seen there after all that it has put there before. A tag counts; a wait for bytes is that of an SPE
 * program.
 * source: Qian, Afsahi 2006, section 2. */
#pragma once

#include "sim/hw/compute_reason.h"
#include "sim/spu/spu_flag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return byte ADDRESS of the own memory; and the effective address of that of PROCESS.
 * faults: there is no such process, or no such byte. */
void *host_memory(size_t address);
uint64_t host_ea(unsigned process, size_t address);

/* Tell whether PROCESS is on the same host. */
bool host_is_near(unsigned process);

/* Bytes between HERE and an effective address. Those that are not striped over all NICs take that of number
 * RAIL. */
struct host_transfer {
  void *here;
  uint64_t ea;
  size_t nbytes;
  unsigned tag, rail;
};

/* Start to put bytes there, or to get them from there; the program is busy for nic.send.
 * faults: as host_memory, for both ends. */
void host_put(const struct host_transfer *transfer);
void host_get(const struct host_transfer *transfer);

/* Wait until no transfer of the tags in MASK, a bit for each of 0 to 31, is under way; or none of TAG. */
void host_wait_tags(uint32_t mask);
void host_wait_tag(uint32_t tag);

/* Tell what TRANSFER says, at most 16 bytes, as they are now; nobody waits for that. NEAR: through memory
 * that processes of a host share, which takes host.flag.
 * faults: as host_put; the other process is on another host. */
void host_tell(const struct host_transfer *transfer);
void host_tell_near(const struct host_transfer *transfer);

/* Block until FLAG, in the own memory, is up. */
void host_wait_flag(const struct spu_flag *flag);

/* Let all messages that the program sends from now on take one NIC, or stripe them as network.stripe says. */
void host_use_one_rail(bool one);

/* Copy NBYTES from EA, in the own memory or that of a process on the same host, as fast as host.copy.
 * faults: as host_put. */
void host_copy(void *into, uint64_t ea, size_t nbytes);

/* Let CYCLES of the program's time pass, at most COMPUTE_MAX, for REASON if there is one; let the machine
 * catch up with it; return the cycle, as the program sees it. */
void host_compute(uint64_t cycles);
void host_compute_for(enum compute_reason reason, uint64_t cycles);
void host_sync(void);
uint64_t host_cycles(void);

/* Tell who watches that the program writes or reads NBYTES of its own memory from POINTER on; that others
 * write these while it polls them. */
void host_note_store(const volatile void *pointer, size_t nbytes);
void host_note_load(const volatile void *pointer, size_t nbytes);
void host_note_flags(const volatile void *pointer, size_t nbytes);

/* Tell who watches that the program enters or leaves call CALL as RANK; that it begins STEP of it. */
void host_note_enter(unsigned rank, unsigned call);
void host_note_leave(unsigned rank, unsigned call);
void host_note_step(unsigned step);

/* Tell whether transfers move data: some measurements are of time only. */
bool host_moves_data(void);

/* Stop the program, because of WHAT. */
void host_fault(const char *what) __attribute__((noreturn));
