/* SPDX-License-Identifier: BSD-3-Clause
 * A machine of processes from inside, for files of sim/node.
 *
 * A put is over when the acknowledgement of the other NIC is back, after the latency of the links of the way
 * back (assumption: the acknowledgement takes no bandwidth). A get asks the other NIC for bytes; no processor
 * works on the other side. A tell is a few bytes that the processor hands to the NIC.
 *
 * source: Qian, Afsahi 2006, section 2: RDMA engine, short transactions, events. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/base/pages.h"
#include "sim/base/pool.h"
#include "sim/net/net.h"
#include "sim/node/host_api.h"
#include "sim/node/machine_state.h"

/* Events that can end the wait of a process: new bytes in memory, the end of transfers. */
enum process_poke { PROCESS_POKE_MEMORY = 1, PROCESS_POKE_TAGS = 2 };

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
  /* list of transfers into the memory of this process: in transit, or arrived before a transfer sent
   * earlier */
  struct transfer *first, *last;
  struct transfer *held; /* list of lazy puts and gets of this process before the begin */
  uint64_t near_until;   /* the latest cycle at which a tell of this process in shared memory is visible */
};

struct hosts {
  struct machine machine; /* first */
  struct process *processes;
  const char **names; /* [process]: name of the program; NULL: no program */
  struct pages memories;
  struct machine_memory memory;
  uint64_t receive, flag; /* cycles */
  double copy_byte;       /* cycles */
  struct pool transfers;
};

/* Make POOL one of transfers. */
void transfers_init(struct pool *pool);

/* Return the process whose program is running. */
static inline struct process *process_self(void) {
  return des_argument(des_self());
}

/* Return process NUMBER of HOSTS; NULL: there is none with memory. */
static inline struct process *process_find(const struct hosts *hosts, uint64_t number) {
  return number < hosts->memory.nprocesses ? &hosts->processes[number] : NULL;
}

/* Stop the running process because of the formatted text. */
void process_fault(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Return the process with effective address EA, and the place of EA in the memory in *THERE.
 * faults: no process has NBYTES there. */
struct process *process_reach(uint64_t ea, size_t nbytes, size_t *there);

/* Stop a running process on another host than PEER. */
void process_check_near(const struct process *peer);

/* Let the lazy puts and gets of SELF with the tags in MASK begin: the running program asks for the end of
 * these tags. Bit t is tag FIRST + t. */
void transfers_let_go(struct process *self, uint32_t first, uint32_t mask);

/* Networks are slower than buses: all holds and stalls of processes last so many times longer. */
enum { HOST_SLOWNESS = 16 };

/* Let the running process stand still for a drawn time, in a shuffled run, before a transfer or a wait. */
static inline void process_stall(void) {
  if (des_is_shuffled()) {
    host_compute_for(COMPUTE_OTHER, HOST_SLOWNESS * des_stall());
  }
}

/* Check the wait of SELF after an event of KIND, caused by message number MESSAGE of SENDER. */
void process_poke(const struct process *self, enum process_poke kind, const struct process *sender,
                  uint64_t message);

/* Tell whether anybody watches accesses to memory of processes of HOSTS. */
static inline bool hosts_are_accessed(const struct hosts *hosts) {
  return hosts->machine.probes.n > hosts->machine.probes.followed || hosts->machine.probes.ordering;
}

/* Tell the observers of accesses to memory of EVENT, which happens now. */
void hosts_tell_access(const struct hosts *hosts, struct probe_event event);

/* Tell the observers of orders of EVENT, which happens now. */
void hosts_tell_order(const struct hosts *hosts, struct probe_event event);

/* The same by TELL, where somebody looks (SEEN); without an observer the event is not even built. */
#define hosts_see_if(seen, tell, hosts, ...) \
  do { \
    if (seen) { \
      tell((hosts), __VA_ARGS__); \
    } \
  } while (0)
#define hosts_see(hosts, ...) hosts_see_if(hosts_are_accessed(hosts), hosts_tell_access, hosts, __VA_ARGS__)
#define hosts_see_order(hosts, ...) \
  hosts_see_if((hosts)->machine.probes.ordering, hosts_tell_order, hosts, __VA_ARGS__)

/* Tell the observers of the program of SELF of EVENT, in cycle CYCLE. */
void process_see(const struct process *self, uint64_t cycle, struct probe_event event);

/* Return US microseconds in cycles. */
uint64_t hosts_cycles(const struct hosts *hosts, double us);
