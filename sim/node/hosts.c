/* SPDX-License-Identifier: BSD-3-Clause
 * See machine.h and host_api.h: machines of processes of hosts without SPEs. All processes and the network
 * run on one node of the event core, the network's: one order of events holds for all. */
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/node/hosts_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t hosts_cycles(const struct hosts *hosts, double us) {
  return (uint64_t)llround(us * 1e3 * hosts->machine.platform->clock.spu);
}

/* --- memory --- */

static void reset(struct machine *machine, const struct machine_memory *memory) {
  struct hosts *hosts = (struct hosts *)machine;
  if (hosts->memories.bytes) {
    pages_fini(&hosts->memories, hosts->memories.nbytes);
  }
  hosts->memories = (struct pages){.bytes = NULL};
  if (memory->nprocesses) {
    pages_init(&hosts->memories, memory->nprocesses * memory->nbytes, "memory of processes");
  }
  pool_reset(&hosts->transfers);
  hosts->memory = *memory;
  machine->ntransfers = machine->ncrossing = machine->calls = 0;
  for (unsigned i = 0; i < hosts->machine.nprocesses; i++) {
    free(hosts->processes[i].fault);
    free(hosts->processes[i].title);
    free(hosts->processes[i].under_way);
    hosts->processes[i] =
      (struct process){.hosts = hosts,
                       .number = i,
                       .host = i / machine->platform->node.processes,
                       .memory = i < memory->nprocesses ? hosts->memories.bytes + i * memory->nbytes : NULL};
    hosts->names[i] = NULL;
  }
  hosts_see(hosts, (struct probe_event){.kind = PROBE_RESET});
}

static uint8_t *memory_of(const struct machine *machine, struct place place) {
  return ((const struct hosts *)machine)->processes[place.node].memory;
}

/* --- processes --- */

static void run_process(void *argument) {
  const struct process *self = argument;
  self->job.main(self->job.argument);
  struct probe_exit end = {.by = {.kind = PROBE_BY_PROGRAM, .number = 1}, .at = des_local(self->actor)};
  process_see(self, des_now(), (struct probe_event){.kind = PROBE_EXIT, .exit = end});
}

/* The program of a process has called something of an SPE. */
static void refuse_call(void *argument, const char *call) {
  (void)argument;
  process_fault("%s, which is a call of an SPE, on a host", call);
}

static void start(struct machine *machine, struct place place, struct machine_program *program) {
  struct hosts *hosts = (struct hosts *)machine;
  struct process *self = &hosts->processes[place.node];
  const char *const *names = machine->platform->host_names;
  self->job = *program;
  self->title = names ? xasprintf("%s on %s", program->name, names[self->host]) : xstrdup(program->name);
  hosts->names[place.node] = program->name;
  process_see(
    self, 0,
    (struct probe_event){.kind = PROBE_START, .start = {.spe = PROBE_NOBODY, .name = self->job.name}});
  self->actor = des_spawn(machine->net->node,
                          &(struct des_job){.program = run_process,
                                            .refuse = refuse_call,
                                            .argument = self,
                                            .name = self->title,
                                            .number = place.node},
                          0);
}

/* Return the faults of all processes, one a line; NULL: there are none. */
static char *join_faults(const struct hosts *hosts) {
  char *all = NULL;
  for (unsigned i = 0; i < hosts->memory.nprocesses; i++) {
    if (hosts->processes[i].fault) {
      xappend(&all, "%s\n", hosts->processes[i].fault);
    }
  }
  return all;
}

static struct blade_result run(struct machine *machine) {
  struct des_result result = des_run(machine->net->node);
  return (struct blade_result){
    .cycles = result.cycles, .faults = join_faults((struct hosts *)machine), .stuck = result.stuck};
}

/* --- the machine --- */

static void release(struct machine *machine) {
  struct hosts *hosts = (struct hosts *)machine;
  reset(machine, &(struct machine_memory){.nprocesses = 0});
  pool_fini(&hosts->transfers);
  net_free(machine->net);
  free(hosts->processes);
  free(machine->probes.items);
  free(hosts->names);
  free(hosts);
}

static const struct machine_kind processes = {
  .free = release, .reset = reset, .start = start, .memory = memory_of, .run = run};

struct machine *hosts_new(const struct platform *platform, struct net *net) {
  struct hosts *hosts = xcalloc(1, sizeof *hosts);
  hosts->machine = (struct machine){.kind = &processes,
                                    .platform = platform,
                                    .net = net,
                                    .look_ahead = UINT64_MAX, /* programs run ahead without a limit */
                                    .nprocesses = platform->node.count * platform->node.processes};
  hosts->copy_byte = 1e3 * platform->clock.spu / platform->host.copy;
  hosts->receive = hosts_cycles(hosts, platform->nic.receive);
  hosts->flag = hosts_cycles(hosts, platform->host.flag);
  hosts->processes = xcalloc(hosts->machine.nprocesses, sizeof *hosts->processes);
  hosts->names = xcalloc(hosts->machine.nprocesses, sizeof *hosts->names);
  transfers_init(&hosts->transfers);
  return &hosts->machine;
}
