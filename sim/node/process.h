/* SPDX-License-Identifier: BSD-3-Clause
 * A process of a host as seen by the program and the NIC: transfers in transit, and the effects of transfers.
 *
 *   put    the NIC writes bytes into the memory of another process; the put is over when the acknowledgement
 *          of the other NIC is back, after the latency of the links of the way back (assumption: the
 *          acknowledgement takes no bandwidth)
 *   get    a message asks the other NIC for bytes; no processor works on the other side
 *   tell   a few bytes that the processor hands to the NIC; a program cannot wait for the end of a tell;
 *          the bytes become visible after all that this process has put into that memory before
 *
 * source: Qian, Afsahi 2006, section 2: RDMA engine, short transactions, events. */
#pragma once

#include "sim/hw/probe.h"
#include "sim/node/machine.h"

enum { PROCESS_TELL_BYTES = 16 /* at most */ };

/* Events that can end the wait of a process: new bytes in memory, the end of transfers. */
enum process_poke { PROCESS_POKE_MEMORY = 1, PROCESS_POKE_TAGS = 2 };

struct hosts;

struct process {
  struct hosts *hosts;
  unsigned number, host;
  uint8_t *memory;
  struct des_actor *actor; /* NULL: the process has no program */
  struct machine_program job;
  char *title;         /* the program, with the name of the host; NULL: no program */
  unsigned *under_way; /* [tag]: puts and gets that are not over */
  unsigned ntags;      /* one more than the highest tag used */
  bool one_rail;       /* all messages of the process take rail 0 */
  char *fault;         /* the reason for which the process was stopped; NULL: not stopped */
  struct transfer *first,
    /* list of transfers into the memory of this process: in transit, or arrived before a transfer sent
     * earlier */
    *last;
};

/* Bytes between a place in the process's memory (`here`) and a place in the memory of process PEER (`there`),
 * with TAG. A transfer that is not striped takes rail RAIL mod rails. */
struct process_transfer {
  void *here;
  unsigned peer;
  size_t there, nbytes;
  unsigned tag, rail;
};

/* Start a put or a get of WANTED by SELF. SELF is busy for nic.send. */
void process_put(struct process *self, const struct process_transfer *wanted);
void process_get(struct process *self, const struct process_transfer *wanted);

/* Tell WANTED, at most PROCESS_TELL_BYTES; SELF is busy for nic.send. */
void process_tell(struct process *self, const struct process_transfer *wanted);

/* As process_tell, to a process of the same host through shared memory: the bytes become visible after
 * host.flag, and SELF is not busy. */
void process_tell_near(struct process *self, const struct process_transfer *wanted);

/* Return how many transfers of SELF with TAG are not over. */
unsigned process_under_way(const struct process *self, unsigned tag);

/* Return process NUMBER of the machine of SELF; NULL: there is none with memory. */
struct process *process_find(const struct process *self, unsigned number);

/* Return for how many cycles copying NBYTES occupies a processor. */
uint64_t process_copy_cycles(const struct process *self, size_t nbytes);

/* Tell whether each process of the machine of SELF has NBYTES of memory from byte AT on. */
bool process_has(const struct process *self, size_t at, size_t nbytes);

/* Stop SELF, the running process, because of WHAT. */
void process_fault(struct process *self, const char *what) __attribute__((noreturn));

/* Tell the observers that SELF, the running process, touches NBYTES of its memory from POINTER on: KIND is
 * PROBE_STORE, PROBE_LOAD or PROBE_FLAGS. */
void process_note_bytes(const struct process *self, enum probe_kind kind, const volatile void *pointer,
                        size_t nbytes);

/* Tell the observers that SELF copies NBYTES from effective address FROM to INTO, in this cycle. */
void process_note_copy(const struct process *self, uint64_t from, const void *into, size_t nbytes);

/* --- events for observers --- */

/* Tell the observers that SELF begins, that the program of SELF has ended, that SELF was stopped by a
 * fault. */
void process_see_start(const struct process *self);
void process_see_end(const struct process *self);
void process_see_fault(const struct process *self);

/* Tell the observers that SELF, the running process, enters or leaves call CALL as RANK, or begins STEP of
 * the call. */
void process_note_call(const struct process *self, unsigned rank, unsigned call, bool enters);
void process_note_step(const struct process *self, unsigned step);

/* Let CYCLES of the time of SELF, the running process, pass because of REASON. */
void process_compute(const struct process *self, enum compute_reason reason, uint64_t cycles);

/* Let SELF, the running process, wait for an event of SUBJECT, as des_wait does. */
void process_wait(struct process *self, struct des_wait *wait, enum probe_subject subject);

/* Check the wait of SELF after an event of KIND, caused by message number MESSAGE of SENDER. */
void process_poke(const struct process *self, enum process_poke kind, const struct process *sender,
                  uint64_t message);

/* Tell whether transfers move data on the machine of SELF. */
bool process_moves_data(const struct process *self);
