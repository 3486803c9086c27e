/* SPDX-License-Identifier: BSD-3-Clause
 * See machine.h: hosts with blades. A host is a separate node with main memory and one processor; programs of
 * a host are PPE programs. A message between a blade and the blade's host passes the link between the two. A
 * message between two blades passes the hosts, which relay the message without a program. Events at a host
 * run on the host's node of the event core. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board.h"
#include "sim/node/machine_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- hosts --- */

/* Maximum MiB of main memory of a host: with thousands of hosts, each host reserves this many addresses. */
enum { HOST_MEMORY = 4096 };

/* Return the platform of one host node of PLATFORM: one chip, whose PPE combines at the rate of a host, with
 * the minimum of units.
 * owner: the caller. */
static struct platform *make_host_platform(const struct platform *platform, struct err *err) {
  struct platform *host = platform_copy(platform);
  char combine[40], memory[40],
    *units = xasprintf("PPE SPE0 %s %s", platform->chip.bif, platform->chip.memory);
  snprintf(combine, sizeof combine, "%.17g", platform->host.combine);
  unsigned size = platform->memory.size < HOST_MEMORY ? platform->memory.size : HOST_MEMORY;
  snprintf(memory, sizeof memory, "%u", size);
  const struct platform_setting settings[] = {
    {"blade.chips", "1"},  {"blade.topology", "mesh"}, {"chip.units", units},   {"chip.usable-spes", "all"},
    {"eib.max-hops", "2"}, {"memory.size", memory},    {"ppe.combine", combine}};
  if (platform_set_all(host, settings, sizeof settings / sizeof *settings, err) != 0) {
    platform_free(host);
    host = NULL;
  }
  free(units);
  return host;
}

int triblade_init(struct machine *machine, const struct platform *platform, struct err *err) {
  unsigned per_host = platform->node.blades, nnodes = machine->nblades,
           nhosts = (nnodes + per_host - 1) / per_host;
  machine->blades_per_host = per_host;
  machine->links = xcalloc(nnodes, sizeof *machine->links);
  machine->pcie_latency = (uint64_t)llround(platform->pcie.latency * 1e3 * platform->clock.spu);
  machine->look_ahead =
    machine->pcie_latency < machine->look_ahead ? machine->pcie_latency : machine->look_ahead;
  machine->pcie_byte_ucyc = (uint64_t)fmax(1, round(1e6 * platform->clock.spu / platform->pcie.bandwidth));
  machine->host_platform = make_host_platform(platform, err);
  for (; machine->host_platform && machine->nhosts < nhosts; machine->nhosts++) {
    struct blade *host = blade_new(machine->host_platform, err);
    if (!host) {
      return -1;
    }
    blade_set_number(host, nnodes + machine->nhosts);
    blade_set_machine(host, machine);
    machine->blades[nnodes + machine->nhosts] = host;
  }
  return machine->host_platform ? 0 : -1;
}

void triblade_fini(struct machine *machine) {
  for (unsigned i = 0; i < machine->nhosts; i++) {
    blade_free(machine->blades[machine->nblades + i]);
  }
  for (unsigned i = 0; machine->links && i < machine->nblades; i++) {
    free(machine->links[i][PCIE_UP].name);
    free(machine->links[i][PCIE_DOWN].name);
  }
  free(machine->links);
  platform_free(machine->host_platform);
}

void triblade_reset(struct machine *machine) {
  for (unsigned i = 0; machine->links && i < machine->nblades; i++) {
    machine->links[i][PCIE_UP].free_at = machine->links[i][PCIE_DOWN].free_at = 0;
  }
}

/* Return the index, from 0 on, of the host of node NUMBER, where node NUMBER is a blade or a host. */
static unsigned host_of(const struct machine *machine, unsigned number) {
  return number < machine->nblades ? number / machine->blades_per_host : number - machine->nblades;
}

/* Return the node of the event core of node NUMBER. */
static struct des_node *node_of(const struct machine *machine, unsigned number) {
  return blade_board(machine->blades[number])->node;
}

/* --- links --- */

/* The product of any number of bytes or cycles and any pace. */
__extension__ typedef unsigned __int128 wide;
enum { MILLION = 1000000 };

/* Let MESSAGE pass the link of blade NODE in DIRECTION from now on.
 * returns: the cycle of the last byte's arrival. */
static uint64_t pass(struct message *message, unsigned node, unsigned direction) {
  struct machine *machine = message->machine;
  struct pcie *link = &machine->links[node][direction];
  uint64_t now = des_now(), start = link->free_at > now ? link->free_at : now;
  uint64_t queued = (uint64_t)((wide)(start - now) * MILLION / machine->pcie_byte_ucyc),
           after = message->way.after;
  link->free_at =
    start + (uint64_t)(((wide)message->nbytes * machine->pcie_byte_ucyc + MILLION - 1) / MILLION);
  message->way.after = net_step(machine->net);
  if (net_is_seen(machine->net)) {
    link->name =
      link->name ? link->name : xasprintf("node%u-pcie-%s", node, direction == PCIE_UP ? "up" : "down");
    net_tell(machine->net, &message->way,
             (struct probe_event){.kind = PROBE_PACKET,
                                  .cycle = now,
                                  .packet = {.message = {.step = message->way.after, .after = after},
                                             .server = {.number = net_nservers(machine->net) +
                                                                  PCIE_DIRECTIONS * node + direction,
                                                        .name = link->name,
                                                        .kind = PROBE_SERVER_PCIE},
                                             .nbytes = message->nbytes,
                                             .queued = queued,
                                             .came = now,
                                             .begin = start,
                                             .end = link->free_at,
                                             .latency = machine->pcie_latency}});
  }
  return link->free_at + machine->pcie_latency;
}

static void arrive(struct event *event) {
  message_arrive(EVENT_OWNER(event, struct message, hop));
}

/* Let MESSAGE pass the last link, the link of blade NODE in DIRECTION, and then arrive. */
static void pass_last(struct message *message, unsigned node, unsigned direction) {
  struct machine *machine = message->machine;
  uint64_t at = pass(message, node, direction) + des_lateness();
  message->hop.run = arrive;
  des_schedule_on(node_of(machine, message->to), &message->hop, at, des_order(DES_DELIVER, message->from));
  net_see(machine->net, &message->way,
          (struct probe_event){.kind = PROBE_MESSAGE_ARRIVE,
                               .cycle = at,
                               .arrive = {.message.after = message->way.after, .told = at}});
}

/* --- messages from blade to blade, relayed by hosts --- */

static void arrive_at_far_host(struct net_message *way) {
  struct message *message = message_of_way(way);
  pass_last(message, message->to, PCIE_DOWN);
}

static void arrive_at_host(struct event *event) {
  struct message *message = EVENT_OWNER(event, struct message, hop);
  if (message->way.from == message->way.to) {
    pass_last(message, message->to, PCIE_DOWN);
  } else {
    net_send(message->machine->net, &message->way, des_now());
  }
}

/* Let MESSAGE go from the sending blade to the blade's host. */
static void leave_blade(struct message *message) {
  struct machine *machine = message->machine;
  message->way.receiver = node_of(machine, machine->nblades + message->way.to);
  message->way.relayed = true;
  message->way.arrived = arrive_at_far_host;
  message->hop.run = arrive_at_host;
  des_schedule_on(node_of(machine, machine->nblades + message->way.from), &message->hop,
                  pass(message, message->from, PCIE_UP), des_order(DES_DELIVER, message->from));
}

/* --- all messages --- */

void triblade_send(struct message *message) {
  struct machine *machine = message->machine;
  bool from_host = message->from >= machine->nblades, to_host = message->to >= machine->nblades;
  message->way.from = host_of(machine, message->from);
  message->way.to = host_of(machine, message->to);
  if (from_host && to_host) {
    net_send(machine->net, &message->way, des_now());
  } else if (from_host) {
    pass_last(message, message->to, PCIE_DOWN);
  } else if (to_host) {
    pass_last(message, message->from, PCIE_UP);
  } else {
    leave_blade(message);
  }
}
