/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of a program on a host without SPEs: a process, which reaches the memory of other processes
 * through the NIC. Processes are numbered over the machine, host by host. An effective address names a byte
 * in the memory of any process.
 *
 * A tag is a small number; a program waits for all transfers of a tag together. A tell becomes visible at the
 * receiver after all that the sender has put there before. Memory, time, flags and
 * notes for observers: sim/spu/spu_time.h.
 * source: Qian, Afsahi 2006, section 2. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Networks are slower than buses: holds and stalls of processes last so many times longer. */
enum { HOST_SLOWNESS = 16 };

/* Return the effective address of byte ADDRESS of the memory of PROCESS. */
uint64_t host_ea(unsigned process, uint32_t address);

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
 * faults: no such process or bytes, at both ends. */
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

/* Return the tags in MASK without a transfer under way at the cycle of the program's clock. */
uint32_t host_poll_tags(uint32_t mask);

/* ONE: all messages of the program from now on take one NIC. Otherwise messages are striped by
 * network.stripe. */
void host_use_one_rail(bool one);

/* Copy NBYTES from EA, in the memory of this process or of a process on the same host, at the rate host.copy.
 * faults: as host_put. */
void host_copy(void *into, uint64_t ea, size_t nbytes);
