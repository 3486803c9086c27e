/* SPDX-License-Identifier: BSD-3-Clause
 * See host_api.h. */
#include "sim/spu/host_api.h"

#include "sim/base/engine/des.h"
#include "sim/hw/ea.h"
#include "sim/node/process.h"
#include "sim/spu/waits.h"

#include <stdio.h>
#include <string.h>

/* Return the process whose program is running. */
static struct process *self(void) {
  return des_argument(des_self());
}

void host_fault(const char *what) {
  process_fault(self(), what);
}

/* Return the place of effective address EA, from which on NBYTES are wanted. */
static struct process_transfer reach(uint64_t ea, size_t nbytes) {
  uint64_t number = (ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE;
  size_t there = (ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE;
  if (ea < EA_PROCESS_BASE || !process_find(self(), (unsigned)number) ||
      !process_has(self(), there, nbytes)) {
    char what[96];
    snprintf(what, sizeof what, "%zu bytes at effective address 0x%llx, expected those of a process", nbytes,
             (unsigned long long)ea);
    host_fault(what);
  }
  return (struct process_transfer){.peer = (unsigned)number, .there = there, .nbytes = nbytes};
}

void *host_memory(size_t address) {
  reach(host_ea(self()->number, address), 1);
  return self()->memory + address;
}

uint64_t host_ea(unsigned process, size_t address) {
  return ea_of_process(process, address);
}

bool host_is_near(unsigned process) {
  const struct process *peer = process_find(self(), process);
  return peer && peer->host == self()->host;
}

/* Return TRANSFER in the form of the machine. */
static struct process_transfer wanted_of(const struct host_transfer *transfer) {
  struct process_transfer wanted = reach(transfer->ea, transfer->nbytes);
  wanted.here = transfer->here;
  wanted.tag = transfer->tag;
  wanted.rail = transfer->rail;
  return wanted;
}

/* As wanted_of, for a transfer whose near end must lie in the process's own memory, as the NIC requires. */
static struct process_transfer checked_of(const struct host_transfer *transfer) {
  size_t here = (size_t)((uintptr_t)transfer->here - (uintptr_t)self()->memory);
  if (!process_has(self(), here, transfer->nbytes)) {
    char what[96];
    snprintf(what, sizeof what, "%zu bytes that are not in the own memory, expected those of host_memory",
             transfer->nbytes);
    host_fault(what);
  }
  return wanted_of(transfer);
}

void host_put(const struct host_transfer *transfer) {
  struct process_transfer wanted = checked_of(transfer);
  process_put(self(), &wanted);
}

void host_get(const struct host_transfer *transfer) {
  struct process_transfer wanted = checked_of(transfer);
  process_get(self(), &wanted);
}

void host_tell(const struct host_transfer *transfer) {
  struct process_transfer wanted = wanted_of(transfer);
  process_tell(self(), &wanted);
}

/* Check that the peer of WANTED is on the same host. */
static void check_near(const struct process_transfer *wanted) {
  if (!host_is_near(wanted->peer)) {
    char what[96];
    snprintf(what, sizeof what, "process %u is on another host than process %u, expected the same",
             wanted->peer, self()->number);
    host_fault(what);
  }
}

void host_tell_near(const struct host_transfer *transfer) {
  struct process_transfer wanted = wanted_of(transfer);
  check_near(&wanted);
  process_tell_near(self(), &wanted);
}

void host_copy(void *into, uint64_t ea, size_t nbytes) {
  struct process_transfer wanted = reach(ea, nbytes);
  check_near(&wanted);
  host_sync();
  process_note_copy(self(), ea, into, nbytes);
  if (host_moves_data()) {
    memmove(into, process_find(self(), wanted.peer)->memory + wanted.there, nbytes);
  }
  host_compute_for(COMPUTE_COPY, process_copy_cycles(self(), nbytes));
}

void host_use_one_rail(bool one) {
  self()->one_rail = one;
}

bool host_moves_data(void) {
  return process_moves_data(self());
}

/* --- time --- */

void host_compute_for(enum compute_reason reason, uint64_t cycles) {
  process_compute(self(), reason, cycles);
}

void host_compute(uint64_t cycles) {
  if (cycles > COMPUTE_MAX) {
    host_fault(COMPUTE_FAULT);
  }
  host_compute_for(COMPUTE_OTHER, cycles);
}

void host_sync(void) {
  des_sync(des_self());
}

uint64_t host_cycles(void) {
  return des_local(des_self());
}

void host_note_store(const volatile void *pointer, size_t nbytes) {
  process_note_bytes(self(), PROBE_STORE, pointer, nbytes);
}

void host_note_load(const volatile void *pointer, size_t nbytes) {
  process_note_bytes(self(), PROBE_LOAD, pointer, nbytes);
}

void host_note_flags(const volatile void *pointer, size_t nbytes) {
  process_note_bytes(self(), PROBE_FLAGS, pointer, nbytes);
}

void host_note_enter(unsigned rank, unsigned call) {
  process_note_call(self(), rank, call, true);
}

void host_note_leave(unsigned rank, unsigned call) {
  process_note_call(self(), rank, call, false);
}

void host_note_step(unsigned step) {
  process_note_step(self(), step);
}

/* --- waits --- */

void host_wait_flag(const struct spu_flag *flag) {
  wait_in_process(WAIT_PROCESS_FLAG, self(), &(struct wait){.flag = flag});
}

/* Wait for the transfers of the tags in MASK: bit i is tag FIRST + i. */
static void wait_tags(uint32_t first, uint32_t mask) {
  struct process *process = self();
  wait_in_process(WAIT_PROCESS_TAGS, process,
                  &(struct wait){.process = process, .first = first, .number = mask});
}

void host_wait_tags(uint32_t mask) {
  wait_tags(0, mask);
}

void host_wait_tag(uint32_t tag) {
  wait_tags(tag, 1);
}
