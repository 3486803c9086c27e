/* SPDX-License-Identifier: BSD-3-Clause
 * Latency and gap of messages.
 *
 *   gnode(m)   the interval at which messages of m bytes from one PPE arrive at the PPE of another node: an
 *              eighth of the time of eight more messages
 *   Lnode(m)   the time of a message less that gap: latency and gap add up to the time of a message
 *   gnode-in(m) the delay of a message of m bytes by a message of a third node to the same receiver at the
 *              same time
 *   g3, L3     the same between the PPE of a blade and its host
 *   g4, L4, g4-in   the same as those of nodes between hosts, by messages that all are sent at once, without
 *                   programs
 *   o4         the time for which sending an empty message occupies the program of a host
 *   gammaHost m   a host combines m bytes of its memory with as many others, by the first operator on the
 *                 first type
 *
 * The time of a message is a round trip with an empty answer, less half of an empty round trip. Where
 * messages pass a switch in packets, a gap from round trips alone, as logp_mpi measures, would count a packet
 * once for each link.
 * source: Kielmann, Bal, Verstoep 2000 (latency and gap); Ali, Midkiff, Pai 2010, section 6. */
#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/node/machine.h"
#include "sim/net/net.h"
#include "sim/spu/ppe_api.h"
#include "validate/model/measured/net_exchange.h"
#include "validate/model/measured/plogp.h"

#include <math.h>

/* STREAM: the gap is the extra time of STREAM more messages, divided by STREAM. */
enum { STREAM = 8, TASKS = 3 };

/* --- between programs --- */

/* A timed program of a PPE or a host: `act` works on NBYTES at EA, followed by ROOM bytes. */
struct task {
  void (*act)(const struct task *task);
  unsigned node, peer, count;
  uint32_t nbytes;
  uint64_t ea, room;
  double cycles;
};

/* Send COUNT messages, and await an empty answer. */
static void send_stream(const struct task *task) {
  for (unsigned i = 0; i < task->count; i++) {
    net_put(task->peer, task->ea, task->nbytes);
  }
  net_wait(task->peer, task->ea, 0);
}

static void take_stream(const struct task *task) {
  for (unsigned i = 0; i < task->count; i++) {
    net_wait(task->peer, task->ea, task->nbytes);
  }
  net_put(task->peer, task->ea, 0);
}

static void send_one(const struct task *task) {
  net_put(task->peer, task->ea, task->nbytes);
}

/* Await a message of each of COUNT peers, the nearest peer first. */
static void collect(const struct task *task) {
  for (unsigned i = 0; i < task->count; i++) {
    net_wait(1 + i, task->ea, task->nbytes);
  }
}

static void combine(const struct task *task) {
  step_ppe_combine(&(struct combine){.nbytes = task->nbytes}, task->ea, task->ea + task->nbytes);
}

static void run_task(void *argument) {
  struct task *task = argument;
  uint64_t start = ppe_cycles();
  task->act(task);
  task->cycles = (double)(ppe_cycles() - start);
}

/* Let COUNT tasks, at most TASKS, run together on nodes of MACHINE.
 * returns: the time of the first task; NaN: the task was stopped. */
static double run_tasks(struct machine *machine, struct task tasks[], unsigned count) {
  struct machine_program programs[TASKS];
  machine_reset(machine, NULL);
  for (unsigned i = 0; i < count; i++) {
    struct place ppe = {.kind = PLACE_PPE, .node = tasks[i].node};
    tasks[i].ea = blade_allocate(machine_blade(machine, ppe.node), 0, tasks[i].nbytes + tasks[i].room + 1);
    tasks[i].cycles = NAN;
    programs[i] = (struct machine_program){.main = run_task, .argument = &tasks[i], .name = "PPE 0"};
    machine_start(machine, ppe, &programs[i]);
  }
  struct blade_result result = machine_run(machine);
  blade_result_fini(&result);
  return tasks[0].cycles;
}

/* Return how long COUNT messages of NBYTES from the first node of MACHINE to node 1 take, and the
 * answer. */
static double round_trip(struct machine *machine, uint32_t nbytes, unsigned count) {
  struct task tasks[] = {{.act = send_stream, .peer = 1, .count = count, .nbytes = nbytes},
                         {.act = take_stream, .node = 1, .count = count, .nbytes = nbytes}};
  return run_tasks(machine, tasks, 2);
}

/* Return the time until a message of NBYTES from each of COUNT nodes of MACHINE has arrived at the first
 * node. */
static double meeting(struct machine *machine, uint32_t nbytes, unsigned count) {
  struct task tasks[TASKS] = {{.act = collect, .count = count, .nbytes = nbytes}};
  for (unsigned i = 1; i <= count; i++) {
    tasks[i] = (struct task){.act = send_one, .node = i, .nbytes = nbytes};
  }
  return run_tasks(machine, tasks, count + 1);
}

/* Latency and gap, and the gap of several senders. */
struct pair {
  double latency, gap, into;
};

/* Measure messages between the PPEs of two nodes, or between a PPE and its HOST. */
static struct pair between_programs(const struct plogp *plogp, uint32_t nbytes, bool host) {
  struct err err = {""};
  bool three = !host && plogp_exists(plogp->platform, COST_G_NODE_IN);
  unsigned nnodes = host ? 1 : three ? 3 : 2;
  struct machine *machine = machine_of_nodes(plogp->platform, nnodes, 0, &err);
  if (!machine) {
    return (struct pair){NAN, NAN, NAN};
  }
  double one = round_trip(machine, nbytes, 1) - round_trip(machine, 0, 1) / 2;
  double gap = (round_trip(machine, nbytes, 2 * STREAM) - round_trip(machine, nbytes, STREAM)) / STREAM;
  double into = three ? meeting(machine, nbytes, 2) - meeting(machine, nbytes, 1) : NAN;
  machine_free(machine);
  return (struct pair){one - gap, gap, into};
}

/* Return for how long a host is busy that COMBINES NBYTES, otherwise sends an empty message to another
 * host. */
static double busy(const struct plogp *plogp, bool combines, uint32_t nbytes) {
  struct err err = {""};
  unsigned host = combines ? 1 : platform_blades_per_host(plogp->platform) + 1;
  struct machine *machine = machine_of_nodes(plogp->platform, host, 0, &err);
  if (!machine) {
    return NAN;
  }
  struct task sending = {.act = send_one, .node = host, .peer = host + 1},
              combining = {.act = combine, .node = host, .nbytes = nbytes, .room = nbytes};
  double cycles = run_tasks(machine, combines ? &combining : &sending, 1);
  machine_free(machine);
  return cycles;
}

/* --- between hosts --- */

static struct pair between_hosts(const struct plogp *plogp, uint32_t nbytes, unsigned nhosts) {
  struct err err = {""};
  struct net *net = net_new(plogp->platform, 0, &err);
  if (!net) {
    return (struct pair){NAN, NAN, NAN};
  }
  unsigned last = nhosts > 1 ? nhosts - 1 : 1;
  struct net_stream streams[] = {{0, last, STREAM}, {0, last, STREAM}};
  double once = (double)net_exchange_streams(net, nbytes, streams, 1),
         gap = ((double)net_exchange_streams(net, nbytes, streams, 2) - once) / STREAM;
  struct pair pair = {(double)net_exchange_one(net, nbytes, 0, last) - gap, gap, NAN};
  if (plogp_exists(plogp->platform, COST_G4_IN)) {
    struct net_stream two[] = {{2, 0, 1}, {1, 0, 1}};
    pair.into =
      (double)net_exchange_streams(net, nbytes, two, 2) - (double)net_exchange_one(net, nbytes, 2, 0);
  }
  net_free(net);
  return pair;
}

double plogp_net(const struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned nhosts) {
  uint32_t nbytes = m == COST_ACK ? 0 : (uint32_t)m;
  if (parameter == COST_O4 || parameter == COST_GAMMA_HOST) {
    return busy(plogp, parameter == COST_GAMMA_HOST, nbytes);
  }
  bool inside = parameter == COST_L3 || parameter == COST_G3;
  struct pair pair =
    parameter >= COST_L4 ? between_hosts(plogp, nbytes, nhosts) : between_programs(plogp, nbytes, inside);
  switch (parameter) {
  case COST_L_NODE:
  case COST_L3:
  case COST_L4:
    return pair.latency;
  case COST_G_NODE_IN:
  case COST_G4_IN:
    return pair.into;
  default:
    return pair.gap;
  }
}
