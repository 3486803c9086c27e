/* SPDX-License-Identifier: BSD-3-Clause
 * A machine of hosts from inside; for this folder only. */
#pragma once

#include "sim/base/pages.h"
#include "sim/base/pool.h"
#include "sim/net/net.h"
#include "sim/node/process.h"

struct hosts {
  struct platform *platform; /* a copy */
  struct net *net;
  struct process *processes;
  struct probes probes; /* who watches */
  const char **names;   /* [process]: of its program; NULL: it has none */
  unsigned nprocesses, nwith_memory;
  struct pages memories;
  size_t memory_bytes; /* of a process */
  bool has_data;
  uint64_t receive, flag; /* cycles */
  double copy_byte;       /* cycles */
  struct pool transfers;
  struct hosts_traffic traffic;
};

/* Make POOL one of transfers. */
void transfers_init(struct pool *pool);

/* Tell whether anybody watches accesses to memory of processes of HOSTS. */
static inline bool hosts_are_accessed(const struct hosts *hosts) {
  return hosts->probes.n > hosts->probes.followed;
}

/* Tell who watches accesses to memory of EVENT, which happens now; somebody does. */
void hosts_see_access(const struct hosts *hosts, struct probe_event event);

/* Return US microseconds in cycles. */
uint64_t hosts_cycles(const struct hosts *hosts, double us);
