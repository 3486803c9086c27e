/* SPDX-License-Identifier: BSD-3-Clause
 * A machine of processes from inside; this folder only. */
#pragma once

#include "sim/base/pages.h"
#include "sim/base/pool.h"
#include "sim/net/net.h"
#include "sim/node/machine_state.h"
#include "sim/node/process.h"

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

/* Tell whether anybody watches accesses to memory of processes of HOSTS. */
static inline bool hosts_are_accessed(const struct hosts *hosts) {
  return hosts->machine.probes.n > hosts->machine.probes.followed;
}

/* Tell the observers of accesses to memory (at least one) of EVENT, which happens now. */
void hosts_see_access(const struct hosts *hosts, struct probe_event event);

/* Return US microseconds in cycles. */
uint64_t hosts_cycles(const struct hosts *hosts, double us);
