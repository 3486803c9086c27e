/* SPDX-License-Identifier: BSD-3-Clause
 * Latency and gap of messages.
 *
 *   gnode(m)   the interval at which messages of m bytes from one PPE arrive at that of another node: what eight more of them take
 *   Lnode(m)   how long one takes, less that gap, so that both together are the time of a message
 *   gnode-in(m) how much later a message of m bytes is there if a third node sends one to the same receiver at the same time
 *   g3, L3     the same between the PPE of a blade and its host
 *   g4, L4, g4-in   the same as those of nodes between hosts, by messages that all are sent at once, without programs
 *   o4         for how long the program of a host is busy that sends nothing to another one
 *   gammaHost m   a host combines m bytes of its memory with as many others, by the first operator on the first type
 *
 * How long a message takes is a round trip, in which nothing comes back, less half of the round trip of nothing. Where messages pass
 * a switch in packets, a gap from round trips alone, as logp_mpi takes it, would count a packet once for each link.
 * source: Kielmann, Bal, Verstoep 2000 (latency and gap); Ali, Midkiff, Pai 2010, section 6. */
#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "algos/step/spu_port.h"
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "sim/net/net.h"
#include "sim/node/cluster.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/ppe_net.h"
#include "sim/spu/spu.h"
#include "validate/model/plogp.h"
#include "validate/model/plogp_nodes.h"

#include <math.h>
#include <stdlib.h>

/* Messages whose time makes the gap: as many again. */
enum { STREAM = 8, ENDS = 3 };

/* --- between programs --- */

/* One end of a conversation: sends or receives COUNT messages, and answers, or awaits, nothing at the end. */
struct end {
  unsigned peer, count;
  uint32_t nbytes;
  uint64_t ea;
  bool sends;
  double cycles;
};

static void
talk(void *argument)
{
  struct end *end = argument;
  uint64_t start = ppe_cycles();
  for (unsigned i = 0; i < end->count; i++) {
    (end->sends ? net_put : net_wait)(end->peer, end->ea, end->nbytes);
  }
  (end->sends ? net_wait : net_put)(end->peer, end->ea, 0);
  end->cycles = (double)(ppe_cycles() - start);
}

/* Return how long COUNT messages of NBYTES between the first node of CLUSTER and machine PEER take, and the answer; NaN: a program has
 * stopped. */
static double
round_trip(struct cluster *cluster, unsigned peer, uint32_t nbytes, unsigned count)
{
  const unsigned machines[2] = {0, peer};
  struct end ends[ENDS];
  struct ppu programs[ENDS];
  for (unsigned i = 0; i < 2; i++) {
    struct blade *blade = cluster_machine(cluster, machines[i]);
    blade_reset(blade);
    ends[i] = (struct end){.peer = machines[!i],
                           .count = count,
                           .nbytes = nbytes,
                           .ea = blade_allocate(blade, 0, nbytes + 1),
                           .sends = i == 0,
                           .cycles = NAN};
    programs[i] = (struct ppu){.main = talk, .argument = &ends[i], .name = "PPE 0"};
    spu_start(blade, &(struct spu_programs){.ppus = &programs[i], .nppus = 1});
  }
  struct blade_result result = cluster_run(cluster);
  blade_result_fini(&result);
  return ends[0].cycles;
}

/* The end at which messages of COUNT peers arrive, of which the nearest is the first. */
static void
collect(void *argument)
{
  struct end *end = argument;
  uint64_t start = ppe_cycles();
  for (unsigned i = 0; i < end->count; i++) {
    net_wait(1 + i, end->ea, end->nbytes);
  }
  end->cycles = (double)(ppe_cycles() - start);
}

static void
send_one(void *argument)
{
  const struct end *end = argument;
  net_put(0, end->ea, end->nbytes);
}

/* Return how long it takes until a message of NBYTES of each of COUNT nodes of CLUSTER is at the first one. */
static double
meeting(struct cluster *cluster, uint32_t nbytes, unsigned count)
{
  struct end ends[ENDS];
  struct ppu programs[ENDS];
  for (unsigned i = 0; i <= count; i++) {
    struct blade *blade = cluster_machine(cluster, i);
    blade_reset(blade);
    ends[i] = (struct end){
      .count = count, .nbytes = nbytes, .ea = blade_allocate(blade, 0, nbytes + 1), .cycles = NAN};
    programs[i] = (struct ppu){.main = i ? send_one : collect, .argument = &ends[i], .name = "PPE 0"};
    spu_start(blade, &(struct spu_programs){.ppus = &programs[i], .nppus = 1});
  }
  struct blade_result result = cluster_run(cluster);
  blade_result_fini(&result);
  return ends[0].cycles;
}

/* Latency and gap, and the gap of several senders. */
struct pair {
  double latency, gap, into;
};

/* Measure messages between the PPEs of two nodes, or between one and its HOST. */
static struct pair
between_programs(const struct plogp *plogp, uint32_t nbytes, bool host)
{
  struct err err = {""};
  bool three = !host && plogp_exists(plogp->blade, COST_G_NODE_IN);
  unsigned nnodes = host ? 1 : three ? ENDS : ENDS - 1;
  struct cluster *cluster = cluster_new(blade_platform(plogp->blade), nnodes, 0, &err);
  if (!cluster) {
    return (struct pair){NAN, NAN, NAN};
  }
  double one = round_trip(cluster, 1, nbytes, 1) - round_trip(cluster, 1, 0, 1) / 2;
  double gap = (round_trip(cluster, 1, nbytes, 2 * STREAM) - round_trip(cluster, 1, nbytes, STREAM)) / STREAM;
  double into = three ? meeting(cluster, nbytes, 2) - meeting(cluster, nbytes, 1) : NAN;
  cluster_free(cluster);
  return (struct pair){one - gap, gap, into};
}

/* --- programs of hosts --- */

/* What a host does for so many cycles: it combines NBYTES at EA, or sends nothing to host PEER. */
struct work {
  bool combines;
  unsigned peer;
  uint64_t ea;
  uint32_t nbytes;
  double cycles;
};

static void
do_work(void *argument)
{
  struct work *work = argument;
  uint64_t start = ppe_cycles();
  if (work->combines) {
    spu_port.ppe_combine(&(struct combine){.nbytes = work->nbytes}, work->ea, work->ea + work->nbytes);
  } else {
    net_put(work->peer, work->ea, 0);
  }
  work->cycles = (double)(ppe_cycles() - start);
}

/* Return how long a host is busy that COMBINES NBYTES, else sends nothing to another one. */
static double
busy(const struct plogp *plogp, bool combines, uint32_t nbytes)
{
  struct err err = {""};
  const struct platform *platform = blade_platform(plogp->blade);
  unsigned nnodes = combines ? 1 : platform_blades_per_host(platform) + 1;
  struct cluster *cluster = cluster_new(platform, nnodes, 0, &err);
  if (!cluster) {
    return NAN;
  }
  struct blade *host = cluster_machine(cluster, nnodes);
  struct work work = {.combines = combines, .peer = nnodes + 1, .nbytes = nbytes, .cycles = NAN};
  struct ppu program = {.main = do_work, .argument = &work, .name = "host 0"};
  blade_reset(host);
  work.ea = blade_allocate(host, 0, 2 * (uint64_t)nbytes + 1);
  spu_start(host, &(struct spu_programs){.ppus = &program, .nppus = 1});
  struct blade_result result = cluster_run(cluster);
  blade_result_fini(&result);
  cluster_free(cluster);
  return work.cycles;
}

/* --- between hosts --- */

/* A message, and where it notes when it arrives. */
struct letter {
  struct net_message message; /* first: what arrives */
  uint64_t *latest;
};

static void
note(struct net_message *message)
{
  const struct letter *letter = (const struct letter *)message;
  *letter->latest = des_now() > *letter->latest ? des_now() : *letter->latest;
}

/* Messages of NBYTES, sent at once: COUNT from host FROM, and AS_WELL from the host before it, to host TO. */
struct traffic {
  unsigned from, to, count, as_well;
  uint32_t nbytes;
};

/* Return when the last message of TRAFFIC on NET arrives. */
static double
last_arrival(struct net *net, const struct traffic *traffic)
{
  uint64_t latest = 0;
  unsigned count = traffic->count + traffic->as_well;
  struct letter *letters = xcalloc(count, sizeof *letters);
  for (unsigned i = 0; i < count; i++) {
    letters[i] = (struct letter){.message = {.from = traffic->from - (i < traffic->count ? 0 : 1),
                                             .to = traffic->to,
                                             .nbytes = traffic->nbytes,
                                             .receiver = net_node(net),
                                             .arrived = note},
                                 .latest = &latest};
    net_send(net, &letters[i].message, 0);
  }
  struct des_result result = des_run(net_node(net));
  free(result.stuck_report);
  net_reset(net);
  free(letters);
  return (double)latest;
}

static struct pair
between_hosts(const struct plogp *plogp, uint32_t nbytes, unsigned nhosts)
{
  struct err err = {""};
  struct net *net = net_new(blade_platform(plogp->blade), 0, &err);
  if (!net) {
    return (struct pair){NAN, NAN, NAN};
  }
  unsigned last = nhosts > 1 ? nhosts - 1 : 1;
  struct traffic twice = {.to = last, .count = 2 * STREAM, .nbytes = nbytes}, once = twice, one = twice;
  struct traffic alone = {.from = 2, .count = 1, .nbytes = nbytes}, two = alone;
  once.count = STREAM;
  one.count = 1;
  two.as_well = 1;
  double gap = (last_arrival(net, &twice) - last_arrival(net, &once)) / STREAM;
  struct pair pair = {.latency = last_arrival(net, &one) - gap, .gap = gap, .into = NAN};
  if (plogp_exists(plogp->blade, COST_G4_IN)) {
    pair.into = last_arrival(net, &two) - last_arrival(net, &alone);
  }
  net_free(net);
  return pair;
}

double
plogp_net(const struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned nhosts)
{
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
