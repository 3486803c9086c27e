/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/model/measured/network_values.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/network/network_reader.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/measured/net_exchange.h"

#include <string.h>

static const size_t sizes[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18};
enum { SIZES = sizeof sizes / sizeof *sizes, SEEDS = 3, RANKS = 24, LEAST_RANKS = 3, SHORT_BYTES = 16 };

int network_values_check_file(const struct platform *platform, struct err *err) {
  if (!platform_has_network_file(platform)) {
    return 0;
  }
  network_reader_prepare();
  struct fabric *fabric = fabric_new(platform, 1, err);
  int status = fabric ? fabric_check_routes(fabric, NULL, err) : -1;
  fabric_free(fabric);
  return status;
}

/* Return how many hosts of NET, from number FIRST on, are in one cluster. */
static unsigned hosts_together(const struct net *net, unsigned first) {
  const struct fabric *fabric = net->fabric;
  const unsigned *zones = &fabric->zones[first];
  return (unsigned)VEC_INDEX(zones, fabric->nhosts - first, *item != *zones);
}

/* Return the network of PLATFORM, hosts of one cluster, reduced to one rail.
 * errors: as network_values_message.
 * owner: the caller, with net_free. */
static struct net *make_cluster_net(const struct platform *platform, struct err *err) {
  struct net *net = net_exchange_rails(platform, 1, err);
  unsigned hosts = net ? net->fabric->nhosts : 0;
  if (net && hosts < 2) {
    err_set(err, "platform %s has one host", platform->name);
  } else if (net && hosts_together(net, 0) < hosts) {
    err_set(err, "hosts of several clusters");
  } else {
    return net;
  }
  net_free(net);
  return NULL;
}

int network_values_message(const struct platform *platform, struct network_message *message,
                           struct err *err) {
  struct net *net = make_cluster_net(platform, err);
  if (!net) {
    return -1;
  }
  size_t less = sizes[SIZES - 2], more = sizes[SIZES - 1];
  double longer = (double)net_exchange_one(net, more, 0, 1) - (double)net_exchange_one(net, less, 0, 1);
  message->byte = longer / (double)(more - less);
  message->latency = (double)net_exchange_one(net, SHORT_BYTES, 0, 1) - SHORT_BYTES * message->byte;
  net_free(net);
  return 0;
}

/* Measure alpha and beta on NET, which is as new: a line through the times of messages of all sizes from host
 * FROM to host TO. */
static void measure_line(struct net *net, unsigned from, unsigned to, struct signature *values) {
  struct signature_point points[SIZES];
  for (unsigned i = 0; i < SIZES; i++) {
    points[i] = (struct signature_point){sizes[i], (double)net_exchange_one(net, sizes[i], from, to)};
  }
  signature_fit_message(values, points, SIZES);
}

/* Hosts of a network with consecutive numbers. */
struct cluster {
  unsigned first, hosts;
};

/* Measure gamma, delta and the threshold of CLUSTER of PLATFORM; VALUES has alpha and beta already.
 * errors: as net_new; fewer than LEAST_RANKS processes. */
static int measure_exchanges(const struct platform *platform, const struct cluster *cluster,
                             struct signature *values, struct err *err) {
  struct signature_point points[SIZES];
  unsigned ranks = cluster->hosts * platform->node.processes;
  ranks = ranks < RANKS ? ranks : RANKS;
  if (ranks < LEAST_RANKS) {
    return err_set(err, "fewer than %d processes", LEAST_RANKS);
  }
  for (unsigned i = 0; i < SIZES; i++) {
    points[i] = (struct signature_point){sizes[i], 0};
  }
  for (unsigned seed = 1; seed <= SEEDS; seed++) {
    struct net *net = net_new(platform, seed, err);
    if (!net) {
      return -1;
    }
    struct net_exchange exchange = {
      .platform = platform, .ranks = ranks, .first = cluster->first, .seed = seed};
    for (unsigned i = 0; i < SIZES && !des_interrupted(); i++) {
      exchange.nbytes = sizes[i];
      points[i].cycles += (double)net_exchange_all(net, &exchange) / SEEDS;
    }
    net_free(net);
  }
  signature_fit(values, points, SIZES, ranks);
  return 0;
}

/* --- through the ledger --- */

/* Make RESULT the reason WHY there are no values, and NBYTES of VALUES.
 * returns: as `run` of a kind. */
static int pack_values(struct pack *result, const char *why, const void *values, size_t nbytes) {
  pack_add_text(result, why);
  pack_add_bytes(result, values, nbytes);
  return des_interrupted() ? -1 : 0;
}

/* Ask LEDGER for the result of EXPERIMENT: WHY, and NBYTES of VALUES.
 * returns: as network_values_ask. */
static bool ask(struct ledger *ledger, const struct experiment *experiment, const char **why, void *values,
                size_t nbytes) {
  struct pack result;
  if (!ledger_ask(ledger, experiment, &result)) {
    return false;
  }
  const char *text = pack_take_text(&result);
  *why = *text ? text : NULL;
  pack_take_bytes(&result, values, nbytes);
  return true;
}

static int run(const struct experiment *experiment, struct pack *result) {
  const struct platform *platform = machine_platform(experiment->machine);
  struct cluster all = {.hosts = platform->node.count};
  struct signature values = {0};
  struct err err = {""};
  struct net *net = make_cluster_net(platform, &err);
  if (net) {
    measure_line(net, 0, 1, &values);
    measure_exchanges(platform, &all, &values, &err);
  }
  net_free(net);
  return pack_values(result, err.text, &values, sizeof values);
}

bool network_values_ask(struct ledger *ledger, struct machine *machine, struct signature *values,
                        const char **why) {
  static const struct experiment_kind kind = {.name = "network", .run = run, .shared = true};
  struct experiment experiment = {.kind = &kind, .machine = machine};
  return ask(ledger, &experiment, why, values, sizeof *values);
}

/* --- two clusters --- */

/* Measure both clusters of AREA, whose `hosts` is set, and the connection of the clusters, on NET, the
 * network of PLATFORM reduced to one rail. */
static int measure_area(struct signature_area *area, struct net *net, const struct platform *platform,
                        struct err *err) {
  unsigned hosts = (unsigned)area->hosts;
  struct cluster clusters[2] = {{.first = 0, .hosts = hosts},
                                {.first = hosts, .hosts = platform->node.count - hosts}};
  measure_line(net, 0, hosts, &area->between);
  for (unsigned i = 0; i < 2; i++) {
    if (clusters[i].hosts < 2) {
      return err_set(err, "a cluster of one host");
    }
    measure_line(net, clusters[i].first, clusters[i].first + 1, &area->clusters[i]);
    if (measure_exchanges(platform, &clusters[i], &area->clusters[i], err) != 0) {
      return -1;
    }
  }
  return 0;
}

static int run_area(const struct experiment *experiment, struct pack *result) {
  const struct platform *platform = machine_platform(experiment->machine);
  struct signature_area area = {0};
  struct err err = {""};
  struct net *net = net_exchange_rails(platform, 1, &err);
  unsigned n = net ? net->fabric->nhosts : 0, hosts = net ? hosts_together(net, 0) : 0;
  if (net && hosts == n) {
    err_set(&err, "hosts of one cluster");
  } else if (net && hosts + hosts_together(net, hosts) < n) {
    err_set(&err, "hosts of more than two clusters, or not numbered one cluster after the other");
  } else if (net) {
    area.hosts = hosts;
    measure_area(&area, net, platform, &err);
  }
  net_free(net);
  return pack_values(result, err.text, &area, sizeof area);
}

bool network_values_ask_area(struct ledger *ledger, struct machine *machine, struct signature_area *area,
                             const char **why) {
  static const struct experiment_kind kind = {.name = "wide area", .run = run_area, .shared = true};
  struct experiment experiment = {.kind = &kind, .machine = machine};
  return ask(ledger, &experiment, why, area, sizeof *area);
}
