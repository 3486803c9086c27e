/* SPDX-License-Identifier: BSD-3-Clause
 * See cluster.h and message.h. */
#include "sim/node/cluster.h"

#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board.h"
#include "sim/hw/ppe.h"
#include "sim/node/cluster_state.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cluster *cluster_new(const struct platform *platform, unsigned nnodes, uint64_t seed,
                            struct err *err) {
  struct cluster *cluster = xcalloc(1, sizeof *cluster);
  cluster->machines = xcalloc(2 * (size_t)nnodes, sizeof(struct blade *));
  cluster->inboxes = xcalloc(2 * (size_t)nnodes, sizeof *cluster->inboxes);
  cluster->net = net_new(platform, seed, err);
  bool built = cluster->net != NULL;
  for (; built && cluster->nnodes < nnodes; cluster->nnodes += built) {
    struct blade *blade = cluster->machines[cluster->nnodes] = blade_new(platform, err);
    built = blade != NULL;
    if (built) {
      blade_set_number(blade, cluster->nnodes);
      blade_set_cluster(blade, cluster);
    }
  }
  if (built && platform_blades_per_host(platform)) {
    built = triblade_init(cluster, platform, err) == 0;
  }
  if (!built) {
    cluster_free(cluster);
    return NULL;
  }
  return cluster;
}

/* Put MESSAGE behind all others of LIST, or take it out. */
static void append(struct messages *list, struct message *message) {
  message->next = NULL;
  message->before = list->last;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
}

static void take_out(struct messages *list, struct message *message) {
  *(message->next ? &message->next->before : &list->last) = message->before;
  *(message->before ? &message->before->next : &list->first) = message->next;
}

/* Forget the messages of LIST. */
static void forget(struct messages *list) {
  while (list->first) {
    struct message *message = list->first;
    take_out(list, message);
    free(message);
  }
}

void cluster_free(struct cluster *cluster) {
  if (cluster) {
    triblade_fini(cluster);
    for (unsigned i = 0; i < cluster->nnodes; i++) {
      blade_free(cluster->machines[i]);
    }
    net_free(cluster->net);
    free(cluster->machines);
    free(cluster->inboxes);
    free(cluster);
  }
}

unsigned cluster_nnodes(const struct cluster *cluster) {
  return cluster->nnodes;
}

unsigned cluster_nhosts(const struct cluster *cluster) {
  return cluster->nhosts;
}

struct blade *cluster_machine(const struct cluster *cluster, unsigned number) {
  return cluster->machines[number];
}

struct cluster_traffic cluster_traffic(const struct cluster *cluster) {
  const struct net_totals *totals = net_totals(cluster->net);
  return (struct cluster_traffic){.messages = totals->nmessages,
                                  .bytes = totals->nbytes,
                                  .retransmissions = totals->nretransmissions,
                                  .drops = totals->ndrops,
                                  .timeouts = totals->ntimeouts};
}

uint64_t cluster_look_ahead(const struct cluster *cluster) {
  uint64_t horizon = net_horizon(cluster->net);
  return cluster->blades_per_host && cluster->pcie_latency < horizon ? cluster->pcie_latency : horizon;
}

void cluster_attach(struct cluster *cluster, struct probe *probe) {
  if (cluster->blades_per_host && !cluster->links[0][PCIE_UP].name) {
    triblade_name_links(cluster);
  }
  net_attach(cluster->net, probe);
  for (unsigned i = 0; i < cluster->nnodes + cluster->nhosts; i++) {
    blade_attach(cluster->machines[i], probe);
  }
}

void cluster_detach(struct cluster *cluster, struct probe *probe) {
  net_detach(cluster->net, probe);
  for (unsigned i = 0; i < cluster->nnodes + cluster->nhosts; i++) {
    blade_detach(cluster->machines[i], probe);
  }
}

/* --- messages --- */

void message_arrive(struct message *message) {
  struct cluster *cluster = message->cluster;
  struct probe_cause cause = {.kind = PROBE_BY_MESSAGE, .who = message->from, .number = message->way.number};
  message->arrived = true;
  ppe_poke_all(blade_board(cluster->machines[message->to]), PPE_POKE_MESSAGE, &cause);
}

struct message *message_of_way(struct net_message *way) {
  return (struct message *)((char *)way - offsetof(struct message, way));
}

static void arrive_by_network(struct net_message *way) {
  message_arrive(message_of_way(way));
}

bool message_can_be(const struct cluster *cluster, unsigned from, unsigned to) {
  unsigned low = from < to ? from : to, high = from < to ? to : from, n = cluster->nnodes;
  bool of_host = low < n && high >= n; /* one is a host, the other a blade */
  return low != high && high < n + cluster->nhosts &&
         (!of_host || low / cluster->blades_per_host == high - n);
}

void message_send(struct cluster *cluster, const struct message *head, const void *bytes) {
  struct message *message = xcalloc(1, sizeof *message + head->nbytes);
  *message = *head;
  message->cluster = cluster;
  message->way = (struct net_message){.from = head->from,
                                      .to = head->to,
                                      .nbytes = head->nbytes,
                                      .receiver = blade_board(cluster->machines[head->to])->node,
                                      .arrived = arrive_by_network,
                                      .number = net_number(cluster->net),
                                      .from_node = head->from,
                                      .to_node = head->to};
  if (head->nbytes) {
    memcpy(message->bytes, bytes, head->nbytes);
  }
  append(&cluster->inboxes[head->to], message);
  net_see(cluster->net, &message->way, (struct probe_event){.kind = PROBE_MESSAGE_SEND, .cycle = des_now()});
  if (cluster->blades_per_host) {
    triblade_send(message);
  } else {
    net_send(cluster->net, &message->way, des_now());
  }
}

const struct message *message_look(const struct cluster *cluster, unsigned board, unsigned from) {
  const struct message *message = cluster->inboxes[board].first;
  while (message && message->from != from) {
    message = message->next;
  }
  return message && message->arrived ? message : NULL;
}

struct message *message_take(struct cluster *cluster, unsigned board, unsigned from) {
  struct message *message = (struct message *)message_look(cluster, board, from);
  assert(message);
  take_out(&cluster->inboxes[board], message);
  return message;
}

uint64_t message_send_cycles(const struct cluster *cluster, unsigned from, unsigned to) {
  bool by_nic = !cluster->blades_per_host || (from >= cluster->nnodes && to >= cluster->nnodes);
  return by_nic ? net_send_cycles(cluster->net) : 0;
}

struct node_names cluster_names(const struct cluster *cluster) {
  struct node_names names = platform_node_names(blade_platform(cluster->machines[0]));
  names.first_host = cluster->nhosts ? cluster->nnodes : 0;
  return names;
}

/* --- running --- */

/* Append TEXT, lines about programs of BOARD, to WHOLE, each with its node before it if there are several;
 * programs of hosts only where hosts have names. */
static void append_lines(const struct cluster *cluster, FILE *whole, unsigned board, const char *text) {
  struct node_names names = cluster_names(cluster);
  char name[NODE_NAME_SIZE];
  node_name(&names, board, name);
  while (text && *text) {
    size_t length = strcspn(text, "\n");
    if (names.hosts || (cluster->nnodes > 1 && board < cluster->nnodes)) {
      fprintf(whole, "%s: ", name);
    }
    fprintf(whole, "%.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

/* Return the lines of RESULTS, one for each machine, about what is STUCK, else about faults; NULL: there are
 * none. */
static char *join_lines(const struct cluster *cluster, const struct blade_result *results, bool stuck) {
  char *whole = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&whole, &size);
  if (!stream) {
    xalloc_fail("messages");
  }
  for (unsigned i = 0; i < cluster->nnodes + cluster->nhosts; i++) {
    append_lines(cluster, stream, i, stuck ? results[i].stuck : results[i].faults);
  }
  fclose(stream);
  if (size == 0) {
    free(whole);
    whole = NULL;
  }
  return whole;
}

struct blade_result cluster_run(struct cluster *cluster) {
  unsigned n = cluster->nnodes + cluster->nhosts;
  struct blade_result *results = xcalloc(n, sizeof *results), whole = {0};
  net_reset(cluster->net);
  if (cluster->blades_per_host) {
    triblade_reset(cluster);
  }
  blade_run_all(&(struct blade_company){.blades = cluster->machines,
                                        .n = n,
                                        .beside = net_node(cluster->net),
                                        .look_ahead = cluster_look_ahead(cluster)},
                results);
  for (unsigned i = 0; i < n; i++) {
    whole.cycles = results[i].cycles > whole.cycles ? results[i].cycles : whole.cycles;
    whole.interrupted |= results[i].interrupted;
    forget(&cluster->inboxes[i]);
  }
  whole.faults = join_lines(cluster, results, false);
  whole.stuck = join_lines(cluster, results, true);
  for (unsigned i = 0; i < n; i++) {
    blade_result_fini(&results[i]);
  }
  free(results);
  return whole;
}
