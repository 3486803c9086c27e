/* SPDX-License-Identifier: BSD-3-Clause
 * See hosts.h and process.h. Processes run with the network, on its node of the event core: there is one
 * order for all of them. */
#include "sim/node/hosts.h"

#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/node/hosts_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t hosts_cycles(const struct hosts *hosts, double us) {
  return (uint64_t)llround(us * 1e3 * hosts->platform->clock.spu);
}

struct hosts *hosts_new(const struct platform *platform, uint64_t seed, struct err *err) {
  struct net *net = net_new(platform, seed, err);
  if (!net) {
    return NULL;
  }
  struct hosts *hosts = xcalloc(1, sizeof *hosts);
  *hosts = (struct hosts){.platform = platform_copy(platform),
                          .net = net,
                          .nprocesses = platform->node.count * platform->node.processes,
                          .copy_byte = 1e3 * platform->clock.spu / platform->host.copy};
  hosts->receive = hosts_cycles(hosts, platform->nic.receive);
  hosts->flag = hosts_cycles(hosts, platform->host.flag);
  hosts->processes = xcalloc(hosts->nprocesses, sizeof *hosts->processes);
  hosts->names = xcalloc(hosts->nprocesses, sizeof *hosts->names);
  transfers_init(&hosts->transfers);
  return hosts;
}

void hosts_free(struct hosts *hosts) {
  if (hosts) {
    hosts_reset(hosts, 0, 0, false);
    pool_fini(&hosts->transfers);
    net_free(hosts->net);
    platform_free(hosts->platform);
    free(hosts->processes);
    free(hosts->probes.items);
    free(hosts->names);
    free(hosts);
  }
}

unsigned hosts_nprocesses(const struct hosts *hosts) {
  return hosts->nprocesses;
}

unsigned hosts_cluster(const struct hosts *hosts, unsigned process) {
  return net_fabric(hosts->net)->zones[process / hosts->platform->node.processes];
}

void hosts_reset(struct hosts *hosts, unsigned nprocesses, size_t nbytes, bool has_data) {
  if (hosts->memories.bytes) {
    pages_fini(&hosts->memories);
  }
  for (unsigned i = 0; i < hosts->nprocesses; i++) {
    free(hosts->processes[i].fault);
    free(hosts->processes[i].title);
    free(hosts->processes[i].under_way);
  }
  hosts->memories = (struct pages){.bytes = NULL};
  if (nprocesses) {
    pages_init(&hosts->memories, nprocesses * nbytes, "memory of processes");
  }
  net_reset(hosts->net);
  pool_reset(&hosts->transfers);
  hosts->memory_bytes = nbytes;
  hosts->nwith_memory = nprocesses;
  hosts->has_data = has_data;
  hosts->traffic = (struct hosts_traffic){0};
  for (unsigned i = 0; i < hosts->nprocesses; i++) {
    hosts->processes[i] = (struct process){.hosts = hosts,
                                           .number = i,
                                           .host = i / hosts->platform->node.processes,
                                           .memory = i < nprocesses ? hosts_memory(hosts, i) : NULL};
    hosts->names[i] = NULL;
  }
  if (hosts_are_accessed(hosts)) {
    hosts_see_access(hosts, (struct probe_event){.kind = PROBE_RESET});
  }
}

uint8_t *hosts_memory(const struct hosts *hosts, unsigned process) {
  return hosts->memories.bytes + process * hosts->memory_bytes;
}

struct hosts_traffic hosts_traffic(const struct hosts *hosts) {
  const struct net_totals *totals = net_totals(hosts->net);
  struct hosts_traffic traffic = hosts->traffic;
  traffic.network = (struct cluster_traffic){.messages = totals->nmessages,
                                             .bytes = totals->nbytes,
                                             .retransmissions = totals->nretransmissions,
                                             .drops = totals->ndrops,
                                             .timeouts = totals->ntimeouts};
  return traffic;
}

/* --- processes --- */

struct process *process_find(const struct process *self, unsigned number) {
  return number < self->hosts->nwith_memory ? &self->hosts->processes[number] : NULL;
}

bool process_has(const struct process *self, size_t at, size_t nbytes) {
  return at <= self->hosts->memory_bytes && nbytes <= self->hosts->memory_bytes - at;
}

uint64_t process_copy_cycles(const struct process *self, size_t nbytes) {
  return (uint64_t)llround((double)nbytes * self->hosts->copy_byte);
}

bool process_moves_data(const struct process *self) {
  return self->hosts->has_data;
}

void process_fault(struct process *self, const char *what) {
  if (!self->fault) {
    self->fault = xasprintf("%s: %s", self->title, what);
    process_see_fault(self);
  }
  des_park(self->actor);
}

static void run_process(void *argument) {
  const struct process *self = argument;
  self->job.main(self->job.argument);
  process_see_end(self);
}

/* The program of a process has called something of an SPE. */
static void refuse(void *argument, const char *call) {
  char what[96];
  snprintf(what, sizeof what, "%s, which is a call of an SPE, on a host", call);
  process_fault(argument, what);
}

void hosts_start(struct hosts *hosts, unsigned process, const struct host_job *job) {
  struct process *self = &hosts->processes[process];
  char *const *names = hosts->platform->network.names;
  self->job = *job;
  self->title = names ? xasprintf("%s on %s", job->name, names[self->host]) : xstrdup(job->name);
  hosts->names[process] = job->name;
  process_see_start(self);
  self->actor = des_spawn(
    net_node(hosts->net),
    &(struct des_job){
      .program = run_process, .refuse = refuse, .argument = self, .name = self->title, .number = process},
    0);
}

/* Return the faults of all processes, one a line; NULL: there are none. */
static char *join_faults(const struct hosts *hosts) {
  char *all = NULL;
  for (unsigned i = 0; i < hosts->nwith_memory; i++) {
    if (hosts->processes[i].fault) {
      char *longer = xasprintf("%s%s\n", all ? all : "", hosts->processes[i].fault);
      free(all);
      all = longer;
    }
  }
  return all;
}

struct blade_result hosts_run(struct hosts *hosts) {
  struct des_result result = des_run(net_node(hosts->net));
  return (struct blade_result){.cycles = result.cycles,
                               .faults = join_faults(hosts),
                               .stuck = result.stuck_report,
                               .interrupted = result.interrupted};
}
