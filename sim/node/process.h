/* SPDX-License-Identifier: BSD-3-Clause
 * A process of a host as its program and the NIC see it: transfers under way, and what they change.
 *
 *   put    the NIC writes bytes into the memory of another process; it is over once the acknowledgement of
 *          the NIC there is back, after the latency of the links of the way back (that it takes no bandwidth
 *          is an assumption)
 *   get    a message asks the other NIC for bytes, which come without any work of a processor there
 *   tell   a few bytes that the processor hands to its NIC, so that nobody waits for them; they become
 *          visible after all that this process has put into that memory before
 *
 * source: Qian, Afsahi 2006, section 2: RDMA engine, short transactions, events. */
#pragma once

#include "sim/hw/probe.h"
#include "sim/node/machine.h"

enum { PROCESS_TELL_BYTES = 16 /* at most */ };

/* What can end the wait of a process: bytes in its memory, the end of transfers. */
enum process_poke { PROCESS_POKE_MEMORY = 1, PROCESS_POKE_TAGS = 2 };

struct hosts;

struct process {
  struct hosts *hosts;
  unsigned number, host;
  uint8_t *memory;
  struct des_actor *actor; /* NULL: it has no program */
  struct machine_program job;
  char *title;         /* the program, with the name of the host; NULL: no program */
  unsigned *under_way; /* [tag]: transfers that are not over */
  unsigned ntags;      /* that have been used, and all below */
  bool one_rail;       /* its messages all take rail 0 */
  char *fault;         /* what has stopped it; NULL: nothing */
  struct transfer *first,
    *last; /* on their way into its memory, or there before others that have been sent earlier */
};

/* Bytes between a place in the own memory and one of process PEER, with TAG; those that are not striped take
 * rail RAIL mod rails. */
struct process_transfer {
  void *here;
  unsigned peer;
  size_t there, nbytes;
  unsigned tag, rail;
};

/* Start a put or a get of WANTED by SELF, which is busy for nic.send. */
void process_put(struct process *self, const struct process_transfer *wanted);
void process_get(struct process *self, const struct process_transfer *wanted);

/* Tell WANTED, at most PROCESS_TELL_BYTES; SELF is busy for nic.send. */
void process_tell(struct process *self, const struct process_transfer *wanted);

/* The same to a process of the same host through memory that both share: the other one sees it after
 * host.flag, and SELF is not busy. */
void process_tell_near(struct process *self, const struct process_transfer *wanted);

/* Return how many transfers of SELF with TAG are not over. */
unsigned process_under_way(const struct process *self, unsigned tag);

/* Return process NUMBER of the machine of SELF; NULL: there is none with memory. */
struct process *process_find(const struct process *self, unsigned number);

/* Return for how many cycles a processor is busy that copies NBYTES. */
uint64_t process_copy_cycles(const struct process *self, size_t nbytes);

/* Tell whether each process of the machine of SELF has NBYTES of memory from byte AT on. */
bool process_has(const struct process *self, size_t at, size_t nbytes);

/* Stop SELF, which calls, because of WHAT. */
void process_fault(struct process *self, const char *what) __attribute__((noreturn));

/* Say that the program of SELF, which calls, touches NBYTES of its own memory from POINTER on: KIND is
 * PROBE_STORE, PROBE_LOAD or PROBE_FLAGS. */
void process_note_bytes(const struct process *self, enum probe_kind kind, const volatile void *pointer,
                        size_t nbytes);

/* Say that it copies NBYTES from effective address FROM to INTO, in this cycle. */
void process_note_copy(const struct process *self, uint64_t from, const void *into, size_t nbytes);

/* --- what observers are told of --- */

/* SELF begins; its program has ended; it has stopped. */
void process_see_start(const struct process *self);
void process_see_end(const struct process *self);
void process_see_fault(const struct process *self);

/* The program of SELF, which calls, enters or leaves call CALL as RANK; begins STEP of it. */
void process_note_call(const struct process *self, unsigned rank, unsigned call, bool enters);
void process_note_step(const struct process *self, unsigned step);

/* Let CYCLES of the time of SELF, which calls, pass because of REASON. */
void process_compute(const struct process *self, enum compute_reason reason, uint64_t cycles);

/* Let SELF, which calls, wait as des_wait does, for something of SUBJECT. */
void process_wait(struct process *self, struct des_wait *wait, enum probe_subject subject);

/* Something of KIND has happened to SELF, by message number MESSAGE, which SENDER has sent. */
void process_poke(const struct process *self, enum process_poke kind, const struct process *sender,
                  uint64_t message);

/* Tell whether transfers move data on the machine of SELF. */
bool process_moves_data(const struct process *self);
