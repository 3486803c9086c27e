/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of a program on a host without SPEs: a process, which reaches the memory of other processes
 * through the NIC. Processes are numbered over the machine, host by host. An effective address names a byte
 * in the memory of any process.
 *
 * A tag is a small number; a program waits for all transfers of a tag together. A tell becomes visible at the
 * receiver after all that the sender has put there before. A tag counts the transfers in transit; a wait for
 * bytes is as in an SPE program.
 * source: Qian, Afsahi 2006, section 2. */
#pragma once

#include "sim/hw/watch/compute_reason.h"
#include "sim/node/spu_flag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return a pointer to byte ADDRESS of the calling process's memory; or the effective address of byte ADDRESS
 * of PROCESS.
 * faults: no such process, or no such byte. */
void *host_memory(size_t address);
uint64_t host_ea(unsigned process, size_t address);

/* Tell whether PROCESS is on the same host. */
bool host_is_near(unsigned process);

/* Bytes between HERE and an effective address. A transfer that is not striped over all NICs takes NIC number
 * RAIL. */
struct host_transfer {
  void *here;
  uint64_t ea;
  size_t nbytes;
  unsigned tag, rail;
};

/* Start to put bytes to the effective address, or to get bytes from the effective address. The program is
 * busy for nic.send.
 * faults: as host_memory, for both ends. */
void host_put(const struct host_transfer *transfer);
void host_get(const struct host_transfer *transfer);

/* Wait until no transfer of the tags in MASK, a bit for each of 0 to 31, is under way; or none of TAG. */
void host_wait_tags(uint32_t mask);
void host_wait_tag(uint32_t tag);

/* Send the present bytes of TRANSFER, at most 16; a program cannot wait for the end of a tell. NEAR: through
 * memory that processes of a host share, which takes host.flag.
 * faults: as host_put; for NEAR also a process on another host. */
void host_tell(const struct host_transfer *transfer);
void host_tell_near(const struct host_transfer *transfer);

/* Block until FLAG, in the own memory, is up; or until a flag of ANY is up or a tag of ANY has no transfer
 * under way. Or only look at FLAG, or at the tags in MASK, at the cycle of the program's clock.
 * returns: whether FLAG is up; the tags without a transfer under way. */
void host_wait_flag(const struct spu_flag *flag);
void host_wait_any(const struct spu_any *any);
bool host_poll_flag(const struct spu_flag *flag);
uint32_t host_poll_tags(uint32_t mask);

/* ONE: all messages of the program from now on take one NIC. Otherwise messages are striped by
 * network.stripe. */
void host_use_one_rail(bool one);

/* Copy NBYTES from EA, in the memory of this process or of a process on the same host, at the rate host.copy.
 * faults: as host_put. */
void host_copy(void *into, uint64_t ea, size_t nbytes);

/* Let CYCLES of the program's time pass for REASON; let the machine catch up with the program; return the
 * cycle of the program's clock. */
void host_compute_for(enum compute_reason reason, uint64_t cycles);
void host_sync(void);
uint64_t host_cycles(void);

/* Tell the observers that the program writes, or reads, NBYTES of the process's memory from POINTER on; or
 * that these bytes are flags, written by other processes while this program polls. */
void host_note_store(const volatile void *pointer, size_t nbytes);
void host_note_load(const volatile void *pointer, size_t nbytes);
void host_note_flags(const volatile void *pointer, size_t nbytes);

/* Tell the observers that the program enters, or leaves, call CALL as RANK; or begins STEP of the call, or
 * goes on with the step NAME, as spu_note_step. */
void host_note_enter(unsigned rank, unsigned call);
void host_note_leave(unsigned rank, unsigned call);
void host_note_step(unsigned step, const char *name);

/* As spu_note_barrier. */
void host_note_barrier(unsigned rank, unsigned call, unsigned nranks);

/* Stop the program because of WHAT. */
void host_fault(const char *what) __attribute__((noreturn));
