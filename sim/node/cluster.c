/* SPDX-License-Identifier: BSD-3-Clause
 * See cluster.h and message.h. */
#include "sim/node/cluster.h"

#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/machine.h"
#include "sim/hw/ppe.h"
#include "sim/net/net_probe.h"
#include "sim/node/message.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages in some order. */
struct messages {
  struct message *first, *last;
};

/* One direction of a link between a blade and its host. */
struct pcie {
  uint64_t free_at;
  char *name; /* NULL: nobody has watched */
};

enum { OUT, IN, DIRECTIONS };

struct cluster {
  unsigned nnodes;
  struct blade **blades;
  struct net *net;
  unsigned blades_per_host;         /* of a triblade; 0: each blade has a NIC */
  struct pcie (*links)[DIRECTIONS]; /* one per blade of a triblade */
  bool watched;
  uint64_t pcie_latency, pcie_byte_mcyc;
  struct messages *inboxes; /* one per node: what is on its way there, or has arrived and is not yet taken */
};

struct cluster *
cluster_new(const struct platform *platform, unsigned nnodes, uint64_t seed, struct err *err)
{
  struct cluster *cluster = xcalloc(1, sizeof *cluster);
  cluster->blades = xcalloc(nnodes, sizeof(struct blade *));
  cluster->inboxes = xcalloc(nnodes, sizeof *cluster->inboxes);
  if (strcmp(platform->node.kind, "triblade") == 0) {
    cluster->blades_per_host = platform->node.blades;
    cluster->links = xcalloc(nnodes, sizeof *cluster->links);
    cluster->pcie_latency = (uint64_t)llround(platform->pcie.latency * 1e3 * platform->clock.spu);
    cluster->pcie_byte_mcyc = (uint64_t)llround(1e3 * platform->clock.spu / platform->pcie.bandwidth);
  }
  if (cluster->blades_per_host && cluster->pcie_latency == 0) {
    err_set(err, "pcie.latency is less than an SPU cycle, expected at least 1");
    cluster_free(cluster);
    return NULL;
  }
  cluster->net = net_new(platform, seed, err);
  if (!cluster->net) {
    cluster_free(cluster);
    return NULL;
  }
  for (; cluster->nnodes < nnodes; cluster->nnodes++) {
    struct blade *blade = blade_new(platform, err);
    if (!blade) {
      cluster_free(cluster);
      return NULL;
    }
    blade_set_number(blade, cluster->nnodes);
    blade_set_cluster(blade, cluster);
    cluster->blades[cluster->nnodes] = blade;
  }
  return cluster;
}

/* Put MESSAGE behind all others of LIST, or take it out. */
static void
append(struct messages *list, struct message *message)
{
  message->next = NULL;
  message->before = list->last;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
}

static void
take_out(struct messages *list, struct message *message)
{
  *(message->next ? &message->next->before : &list->last) = message->before;
  *(message->before ? &message->before->next : &list->first) = message->next;
}

/* Forget the messages of LIST. */
static void
forget(struct messages *list)
{
  while (list->first) {
    struct message *message = list->first;
    take_out(list, message);
    free(message);
  }
}

void
cluster_free(struct cluster *cluster)
{
  if (!cluster) {
    return;
  }
  for (unsigned i = 0; i < cluster->nnodes; i++) {
    blade_free(cluster->blades[i]);
  }
  net_free(cluster->net);
  for (unsigned i = 0; cluster->watched && cluster->links && i < cluster->nnodes; i++) {
    free(cluster->links[i][OUT].name);
    free(cluster->links[i][IN].name);
  }
  free(cluster->blades);
  free(cluster->inboxes);
  free(cluster->links);
  free(cluster);
}

unsigned
cluster_nnodes(const struct cluster *cluster)
{
  return cluster->nnodes;
}

struct blade *
cluster_blade(const struct cluster *cluster, unsigned node)
{
  return cluster->blades[node];
}

struct cluster_traffic
cluster_traffic(const struct cluster *cluster)
{
  const struct net_totals *totals = net_totals(cluster->net);
  return (struct cluster_traffic){.messages = totals->nmessages,
                                  .bytes = totals->nbytes,
                                  .retransmissions = totals->nretransmissions,
                                  .drops = totals->ndrops,
                                  .timeouts = totals->ntimeouts};
}

uint64_t
cluster_look_ahead(const struct cluster *cluster)
{
  return cluster->blades_per_host ? cluster->pcie_latency : net_horizon(cluster->net);
}

void
cluster_attach(struct cluster *cluster, struct net_probe *probe)
{
  for (unsigned i = 0; !cluster->watched && cluster->links && i < cluster->nnodes; i++) {
    cluster->links[i][OUT].name = xasprintf("node%u-pcie-up", i);
    cluster->links[i][IN].name = xasprintf("node%u-pcie-down", i);
  }
  cluster->watched = true;
  net_attach(cluster->net, probe);
}

void
cluster_detach(struct cluster *cluster, struct net_probe *probe)
{
  net_detach(cluster->net, probe);
}

/* --- messages --- */

/* MESSAGE is in the main memory of its node. */
static void
arrive(struct message *message)
{
  struct cluster *cluster = message->cluster;
  struct probe_cause cause = {.kind = PROBE_BY_MESSAGE, .who = message->from, .number = message->way.number};
  message->arrived = true;
  ppe_poke_all(blade_machine(cluster->blades[message->to]), PPE_POKE_MESSAGE, &cause);
}

static struct message *
message_of(struct net_message *way)
{
  return (struct message *)((char *)way - offsetof(struct message, way));
}

static void
arrive_by_network(struct net_message *way)
{
  arrive(message_of(way));
}

/* --- triblades: a message passes the hosts of both nodes, which run with the network --- */

/* Let MESSAGE go over the link of NODE in DIRECTION from now on.
 * returns: the cycle at which its last byte is there. */
static uint64_t
pass(struct message *message, unsigned node, unsigned direction)
{
  struct cluster *cluster = message->cluster;
  struct pcie *link = &cluster->links[node][direction];
  uint64_t now = des_now(), start = link->free_at > now ? link->free_at : now;
  uint64_t queued = (start - now) * 1000 / cluster->pcie_byte_mcyc, after = message->way.after;
  link->free_at = start + (message->nbytes * cluster->pcie_byte_mcyc + 999) / 1000;
  message->way.after = net_step(cluster->net);
  if (link->name) {
    net_tell(cluster->net, &(struct net_event){
                             .kind = NET_SERVICE,
                             .cycle = now,
                             .message = message->way.number,
                             .from = message->from,
                             .to = message->to,
                             .nbytes = message->nbytes,
                             .step = message->way.after,
                             .after = after,
                             .service = {.server = net_nservers(cluster->net) + DIRECTIONS * node + direction,
                                         .name = link->name,
                                         .kind = NET_PCIE,
                                         .nbytes = message->nbytes,
                                         .queued = queued,
                                         .came = now,
                                         .begin = start,
                                         .end = link->free_at,
                                         .latency = cluster->pcie_latency}});
  }
  return link->free_at + cluster->pcie_latency;
}

static void
arrive_at_blade(struct event *event)
{
  arrive(EVENT_OWNER(event, struct message, hop));
}

/* MESSAGE is at the host of its receiver. */
static void
leave_for_blade(struct message *message)
{
  struct cluster *cluster = message->cluster;
  uint64_t at = pass(message, message->to, IN);
  message->hop.run = arrive_at_blade;
  des_schedule_on(blade_machine(cluster->blades[message->to])->node, &message->hop, at,
                  des_order(DES_DELIVER, message->from));
  net_tell_of(cluster->net, &message->way,
              (struct net_event){.kind = NET_ARRIVE, .cycle = at, .after = message->way.after, .told = at});
}

static void
arrive_at_far_host(struct net_message *way)
{
  leave_for_blade(message_of(way));
}

static void
arrive_at_host(struct event *event)
{
  struct message *message = EVENT_OWNER(event, struct message, hop);
  if (message->way.from == message->way.to) {
    leave_for_blade(message);
  } else {
    net_send(message->cluster->net, &message->way, des_now());
  }
}

/* Let MESSAGE go from its blade to the host. */
static void
leave_blade(struct cluster *cluster, struct message *message)
{
  message->way.from /= cluster->blades_per_host;
  message->way.to /= cluster->blades_per_host;
  message->way.receiver = net_node(cluster->net);
  message->way.relayed = true;
  message->way.arrived = arrive_at_far_host;
  message->hop.run = arrive_at_host;
  des_schedule_on(net_node(cluster->net), &message->hop, pass(message, message->from, OUT),
                  des_order(DES_DELIVER, message->from));
}

/* --- messages of programs --- */

void
message_send(struct cluster *cluster, const struct message *head, const void *bytes)
{
  struct message *message = xcalloc(1, sizeof *message + head->nbytes);
  *message = *head;
  message->cluster = cluster;
  message->way = (struct net_message){.from = head->from,
                                      .to = head->to,
                                      .nbytes = head->nbytes,
                                      .receiver = blade_machine(cluster->blades[head->to])->node,
                                      .arrived = arrive_by_network,
                                      .number = net_number(cluster->net),
                                      .from_node = head->from,
                                      .to_node = head->to};
  if (head->nbytes) {
    memcpy(message->bytes, bytes, head->nbytes);
  }
  append(&cluster->inboxes[head->to], message);
  net_tell_of(cluster->net, &message->way, (struct net_event){.kind = NET_SEND, .cycle = des_now()});
  if (cluster->blades_per_host) {
    leave_blade(cluster, message);
  } else {
    net_send(cluster->net, &message->way, des_now());
  }
}

const struct message *
message_look(const struct cluster *cluster, unsigned node, unsigned from)
{
  const struct message *message = cluster->inboxes[node].first;
  while (message && message->from != from) {
    message = message->next;
  }
  return message && message->arrived ? message : NULL;
}

struct message *
message_take(struct cluster *cluster, unsigned node, unsigned from)
{
  struct message *message = (struct message *)message_look(cluster, node, from);
  assert(message);
  take_out(&cluster->inboxes[node], message);
  return message;
}

uint64_t
message_send_cycles(const struct cluster *cluster)
{
  return cluster->blades_per_host ? 0 : net_send_cycles(cluster->net);
}

/* --- running --- */

/* Append TEXT, lines about programs of NODE, to *WHOLE, each with its node before it if there are several. */
static void
append_lines(const struct cluster *cluster, FILE *whole, unsigned node, const char *text)
{
  while (text && *text) {
    size_t length = strcspn(text, "\n");
    if (cluster->nnodes > 1) {
      fprintf(whole, "node %u: ", node);
    }
    fprintf(whole, "%.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

/* Return the lines of RESULTS, one for each node, that are at OFFSET in them; NULL: there are none. */
static char *
join_lines(const struct cluster *cluster, const struct blade_result *results, bool stuck)
{
  char *whole = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&whole, &size);
  if (!stream) {
    xalloc_fail("messages");
  }
  for (unsigned i = 0; i < cluster->nnodes; i++) {
    append_lines(cluster, stream, i, stuck ? results[i].stuck : results[i].faults);
  }
  fclose(stream);
  if (size == 0) {
    free(whole);
    whole = NULL;
  }
  return whole;
}

struct blade_result
cluster_run(struct cluster *cluster)
{
  struct blade_result *results = xcalloc(cluster->nnodes, sizeof *results), whole = {0};
  net_reset(cluster->net);
  for (unsigned i = 0; cluster->links && i < cluster->nnodes; i++) {
    cluster->links[i][OUT].free_at = cluster->links[i][IN].free_at = 0;
  }
  blade_run_all(&(struct blade_company){.blades = cluster->blades,
                                        .n = cluster->nnodes,
                                        .beside = net_node(cluster->net),
                                        .look_ahead = cluster_look_ahead(cluster)},
                results);
  for (unsigned i = 0; i < cluster->nnodes; i++) {
    whole.cycles = results[i].cycles > whole.cycles ? results[i].cycles : whole.cycles;
    whole.interrupted |= results[i].interrupted;
    forget(&cluster->inboxes[i]);
  }
  whole.faults = join_lines(cluster, results, false);
  whole.stuck = join_lines(cluster, results, true);
  for (unsigned i = 0; i < cluster->nnodes; i++) {
    blade_result_fini(&results[i]);
  }
  free(results);
  return whole;
}
