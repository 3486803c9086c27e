/* SPDX-License-Identifier: BSD-3-Clause
 * Machines of blades and of hosts of triblades.
 *
 * A host is a separate node with main memory and one processor; programs of a host are PPE programs. A
 * message between a blade and the blade's host passes the link between the two. A message between two blades
 * passes the hosts, which relay the message without a program. Events at a host run on the host's node of the
 * event core. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/ppe.h"
#include "sim/node/machine_state.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Forget the messages of LIST. */
static void forget(struct messages *list) {
  struct message *next;
  for (struct message *message = list->first; message; message = next) {
    next = message->next;
    free(message);
  }
  *list = (struct messages){.end = &list->first};
}

/* --- arrival of messages --- */

/* MESSAGE arrives in the main memory of the receiver, now. */
static void message_arrive(struct message *message) {
  struct machine *machine = message->machine;
  struct probe_cause cause = {.kind = PROBE_BY_MESSAGE, .who = message->from, .number = message->way.number};
  message->arrived = true;
  ppe_poke_all(blade_board(machine->blades[message->to]), PPE_POKE_MESSAGE, &cause);
}

static void arrive_by_network(struct net_message *way) {
  message_arrive(EVENT_OWNER(way, struct message, way));
}

/* --- hosts of triblades --- */

/* Maximum MiB of main memory of a host: with thousands of hosts, each host reserves this many addresses. */
enum { HOST_MEMORY = 4096 };

/* Return the platform of one host node of PLATFORM: one chip, whose PPE combines at the rate of a host, with
 * the minimum of units.
 * owner: the caller. */
static struct platform *make_host_platform(const struct platform *platform, struct err *err) {
  struct platform *host = platform_copy(platform);
  char combine[40], memory[40];
  SCOPED char *units = xasprintf("PPE SPE0 %s %s", platform->chip.bif, platform->chip.memory);
  snprintf(combine, sizeof combine, "%.17g", platform->host.combine);
  unsigned size = MIN(platform->memory.size, HOST_MEMORY);
  snprintf(memory, sizeof memory, "%u", size);
  const struct platform_setting settings[] = {
    {"blade.chips", "1"},  {"blade.topology", "mesh"}, {"chip.units", units},   {"chip.usable-spes", "all"},
    {"eib.max-hops", "2"}, {"memory.size", memory},    {"ppe.combine", combine}};
  if (platform_set_all(host, settings, sizeof settings / sizeof *settings, err) != 0) {
    platform_free(host);
    host = NULL;
  }
  return host;
}

/* Build node NUMBER of MACHINE, a blade of PLATFORM. */
static void add_blade(struct machine *machine, unsigned number, const struct platform *platform) {
  struct blade *blade = machine->blades[number] = blade_new(platform);
  blade_join(blade, machine->net ? machine : NULL, number);
}

/* Add the hosts and links of the triblades of PLATFORM to MACHINE, which has the blades already.
 * errors: no host with the units of PLATFORM is possible. */
static int triblade_init(struct machine *machine, const struct platform *platform, struct err *err) {
  unsigned per_host = platform->node.blades, nnodes = machine->nblades,
           nhosts = (nnodes + per_host - 1) / per_host;
  machine->blades_per_host = per_host;
  machine->links = xcalloc(nnodes, sizeof *machine->links);
  machine->pcie_latency = net_cycles(machine->net, platform->pcie.latency);
  LOWER(machine->look_ahead, machine->pcie_latency);
  machine->pcie_byte_ucyc = (uint64_t)fmax(1, round(1e6 * platform->clock.spu / platform->pcie.bandwidth));
  machine->host_platform = make_host_platform(platform, err);
  for (; machine->host_platform && machine->nhosts < nhosts; machine->nhosts++) {
    add_blade(machine, nnodes + machine->nhosts, machine->host_platform);
  }
  return machine->host_platform ? 0 : -1;
}

/* Return the index, from 0 on, of the host of node NUMBER, where node NUMBER is a blade or a host. */
static unsigned host_of(const struct machine *machine, unsigned number) {
  return number < machine->nblades ? number / machine->blades_per_host : number - machine->nblades;
}

/* Return the node of the event core of node NUMBER. */
static struct des_node *node_of(const struct machine *machine, unsigned number) {
  return blade_board(machine->blades[number])->node;
}

/* --- links between blades and hosts --- */

/* The product of any number of bytes or cycles and any pace. */
__extension__ typedef unsigned __int128 wide;
enum { MILLION = 1000000 };

/* Let MESSAGE pass the link of blade NODE in DIRECTION from now on.
 * returns: the cycle of the last byte's arrival. */
static uint64_t pass(struct message *message, unsigned node, unsigned direction) {
  struct machine *machine = message->machine;
  struct pcie *link = &machine->links[node][direction];
  uint64_t now = des_now(), start = MAX(link->free_at, now);
  uint64_t queued = (uint64_t)((wide)(start - now) * MILLION / machine->pcie_byte_ucyc),
           after = message->way.after;
  link->free_at =
    start + (uint64_t)(((wide)message->nbytes * machine->pcie_byte_ucyc + MILLION - 1) / MILLION);
  message->way.after = ++machine->net->nsteps;
  if (machine->net->probes.n) {
    link->name =
      link->name ? link->name : xasprintf("node%u-pcie-%s", node, direction == PCIE_UP ? "up" : "down");
    net_tell(machine->net, &message->way,
             (struct probe_event){
               .kind = PROBE_PACKET,
               .cycle = now,
               .packet = {.message = {.step = message->way.after, .after = after},
                          .server = {.number = machine->net->nservers + PCIE_DIRECTIONS * node + direction,
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

static void arrive_by_link(struct event *event) {
  message_arrive(EVENT_OWNER(event, struct message, hop));
}

/* Let MESSAGE pass the last link, the link of blade NODE in DIRECTION, and then arrive. */
static void pass_last(struct message *message, unsigned node, unsigned direction) {
  struct machine *machine = message->machine;
  uint64_t at = pass(message, node, direction) + des_lateness();
  message->hop.run = arrive_by_link;
  des_schedule_on(node_of(machine, message->to), &message->hop, at, des_order(DES_DELIVER, message->from));
  net_see(machine->net, &message->way,
          (struct probe_event){.kind = PROBE_MESSAGE_ARRIVE,
                               .cycle = at,
                               .arrive = {.message.after = message->way.after, .told = at}});
}

/* --- messages from blade to blade, relayed by hosts --- */

static void arrive_at_far_host(struct net_message *way) {
  struct message *message = EVENT_OWNER(way, struct message, way);
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

/* Send MESSAGE, allowed by message_can_be, between nodes of triblades. */
static void triblade_send(struct message *message) {
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

/* --- messages --- */

bool message_can_be(const struct machine *machine, unsigned from, unsigned to) {
  unsigned low = MIN(from, to), high = MAX(to, from), n = machine->nblades;
  bool of_host = low < n && high >= n; /* one is a host, the other a blade */
  return low != high && high < n + machine->nhosts &&
         (!of_host || low / machine->blades_per_host == high - n);
}

uint64_t message_send(struct machine *machine, const struct message *head, const void *bytes) {
  struct message *message = xcalloc(1, sizeof *message + head->nbytes);
  *message = *head;
  message->machine = machine;
  message->way = (struct net_message){.from = head->from,
                                      .to = head->to,
                                      .nbytes = head->nbytes,
                                      .receiver = blade_board(machine->blades[head->to])->node,
                                      .arrived = arrive_by_network,
                                      .from_node = head->from,
                                      .to_node = head->to};
  if (head->nbytes) {
    memcpy(message->bytes, bytes, head->nbytes);
  }
  struct messages *inbox = &machine->inboxes[head->to];
  *inbox->end = message;
  inbox->end = &message->next;
  net_number(machine->net, &message->way, des_now(), (struct probe_send){.asks = false});
  uint64_t number = message->way.number;
  if (machine->blades_per_host) {
    triblade_send(message);
  } else {
    net_send(machine->net, &message->way, des_now());
  }
  return number;
}

/* Return the place of the pointer to the next message from node FROM in INBOX, or the end. */
static struct message **find(struct messages *inbox, unsigned from) {
  struct message **link = &inbox->first;
  while (*link && (*link)->from != from) {
    link = &(*link)->next;
  }
  return link;
}

const struct message *message_look(const struct machine *machine, unsigned node, unsigned from) {
  const struct message *message = *find(&machine->inboxes[node], from);
  return message && message->arrived ? message : NULL;
}

struct message *message_take(struct machine *machine, unsigned node, unsigned from) {
  struct messages *inbox = &machine->inboxes[node];
  struct message **link = find(inbox, from), *message = *link;
  assert(message && message->arrived);
  *link = message->next;
  inbox->end = message->next ? inbox->end : link;
  return message;
}

uint64_t message_send_cycles(const struct machine *machine, unsigned from, unsigned to) {
  bool by_nic = !machine->blades_per_host || (from >= machine->nblades && to >= machine->nblades);
  return by_nic ? machine->net->send : 0;
}

/* --- runs --- */

static void reset(struct machine *machine, const struct machine_memory *memory) {
  (void)memory;
  for (unsigned i = 0; i < machine->nblades + machine->nhosts; i++) {
    blade_reset(machine->blades[i]);
  }
  for (unsigned i = 0; machine->links && i < machine->nblades; i++) {
    machine->links[i][PCIE_UP].free_at = machine->links[i][PCIE_DOWN].free_at = 0;
  }
}

static void connect(struct machine *machine, struct probe *probe, bool on) {
  for (unsigned i = 0; i < machine->nblades + machine->nhosts; i++) {
    (on ? blade_attach : blade_detach)(machine->blades[i], probe);
  }
}

static void start(struct machine *machine, struct place place, struct machine_program *program) {
  const struct board *board = blade_board(machine->blades[place.node]);
  if (place.kind == PLACE_SPE) {
    program->spu = (struct spu){.spe = place.number,
                                .main = program->main,
                                .argument = program->argument,
                                .name = program->name,
                                .start = program->start};
    spu_start(board, &program->spu);
  } else {
    program->ppu = (struct ppu){.chip = place.number,
                                .main = program->main,
                                .argument = program->argument,
                                .name = program->name,
                                .start = program->start};
    ppu_start(board, &program->ppu);
  }
}

static uint8_t *memory_of(const struct machine *machine, struct place place) {
  return blade_ls(machine_blade(machine, place.node), place.number);
}

/* Return one text of all lines in RESULTS (one result per node): the lines about STUCK programs, otherwise
 * the lines about faults; NULL: no lines. A line about a program of a blade begins with the name of the node;
 * a line about a program of a host only where hosts have names. */
static char *join_lines(const struct machine *machine, const struct blade_result *results, bool stuck) {
  char *whole = NULL;
  const struct node_names names = machine_nodes(machine).names;
  for (unsigned i = 0; i < machine->nblades + machine->nhosts; i++) {
    char *text = stuck ? results[i].stuck : results[i].faults, *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
      bool named = names.hosts || i < machine->nblades;
      xappend(&whole, "%s%s%s\n", named ? node_name(&names, i) : "", named ? ": " : "", line);
    }
  }
  return whole;
}

static struct blade_result run(struct machine *machine) {
  unsigned n = machine->nblades + machine->nhosts;
  if (!machine->net) {
    return blade_run(machine->blades[0]);
  }
  SCOPED struct blade_result *results = xcalloc(n, sizeof *results);
  struct blade_result whole = {0};
  blade_run_all(
    &(struct blade_company){
      .blades = machine->blades, .n = n, .beside = machine->net->node, .look_ahead = machine->look_ahead},
    results);
  for (unsigned i = 0; i < n; i++) {
    RAISE(whole.cycles, results[i].cycles);
    forget(&machine->inboxes[i]);
  }
  whole.faults = join_lines(machine, results, false);
  whole.stuck = join_lines(machine, results, true);
  for (unsigned i = 0; i < n; i++) {
    blade_result_fini(&results[i]);
  }
  return whole;
}

/* --- the machine --- */

static void release(struct machine *machine) {
  machine_free(machine->twin);
  for (unsigned i = 0; i < machine->nblades + machine->nhosts; i++) {
    blade_free(machine->blades[i]);
  }
  for (unsigned i = 0; machine->links && i < machine->nblades; i++) {
    free(machine->links[i][PCIE_UP].name);
    free(machine->links[i][PCIE_DOWN].name);
  }
  free(machine->links);
  platform_free(machine->host_platform);
  if (machine->net) {
    net_free(machine->net);
  }
  free(machine->blades);
  free(machine->inboxes);
  platform_free(machine->own);
  free(machine);
}

static const struct machine_kind blades = {
  .free = release, .connect = connect, .reset = reset, .start = start, .memory = memory_of, .run = run};

struct machine *blades_new(const struct platform *platform, unsigned nnodes, struct net *net,
                           struct err *err) {
  struct machine *machine = xcalloc(1, sizeof *machine);
  *machine = (struct machine){
    .kind = &blades, .platform = platform, .net = net, .look_ahead = net ? net_horizon(net) : UINT64_MAX};
  machine->blades = xcalloc(2 * (size_t)nnodes, sizeof(struct blade *));
  machine->inboxes = xcalloc(2 * (size_t)nnodes, sizeof *machine->inboxes);
  for (unsigned i = 0; i < 2 * nnodes; i++) {
    forget(&machine->inboxes[i]);
  }
  for (; machine->nblades < nnodes; machine->nblades++) {
    add_blade(machine, machine->nblades, platform);
  }
  if (net && platform_blades_per_host(platform) && triblade_init(machine, platform, err) != 0) {
    release(machine);
    return NULL;
  }
  return machine;
}
