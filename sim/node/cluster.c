/* SPDX-License-Identifier: BSD-3-Clause
 * See cluster.h and message.h. */
#include "sim/node/cluster.h"

#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/machine.h"
#include "sim/hw/ppe.h"
#include "sim/node/message.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages in some order. */
struct messages {
  struct message *first, *last;
};

struct cluster {
  unsigned nnodes;
  struct blade **blades;
  struct net *net;
  struct messages *inboxes; /* one per node: what is on its way there, or has arrived and is not yet taken */
  struct cluster_traffic traffic;
};

struct cluster *
cluster_new(const struct platform *platform, unsigned nnodes, uint64_t seed, struct err *err)
{
  struct cluster *cluster = xcalloc(1, sizeof *cluster);
  cluster->blades = xcalloc(nnodes, sizeof(struct blade *));
  cluster->inboxes = xcalloc(nnodes, sizeof *cluster->inboxes);
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
  free(cluster->blades);
  free(cluster->inboxes);
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
  return cluster->traffic;
}

/* --- messages --- */

static void
arrive(struct net_message *way)
{
  struct message *message = (struct message *)((char *)way - offsetof(struct message, way));
  struct cluster *cluster = message->cluster;
  struct probe_cause cause = {.kind = PROBE_BY_MESSAGE, .who = message->from};
  message->arrived = true;
  ppe_poke_all(blade_machine(cluster->blades[message->to]), PPE_POKE_MESSAGE, &cause);
}

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
                                      .arrived = arrive};
  if (head->nbytes) {
    memcpy(message->bytes, bytes, head->nbytes);
  }
  cluster->traffic.messages++;
  cluster->traffic.bytes += head->nbytes;
  append(&cluster->inboxes[head->to], message);
  net_send(cluster->net, &message->way, des_now());
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
  return net_send_cycles(cluster->net);
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
  cluster->traffic = (struct cluster_traffic){0};
  net_reset(cluster->net);
  blade_run_all(&(struct blade_company){.blades = cluster->blades,
                                        .n = cluster->nnodes,
                                        .beside = net_node(cluster->net),
                                        .look_ahead = net_horizon(cluster->net)},
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
