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

static const size_t sizes[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18};
enum { SIZES = VEC_LENGTH(sizes), SEEDS = 3, RANKS = 24, LEAST_RANKS = 3, SHORT_BYTES = 16 };

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

int network_values_message(const struct platform *platform, struct network_message *message,
                           struct err *err) {
  struct net *net = net_exchange_rails(platform, 1, err);
  unsigned hosts = net ? net->fabric->nhosts : 0;
  size_t less = sizes[SIZES - 2], more = sizes[SIZES - 1];
  int status = net ? 0 : -1;
  if (net && hosts < 2) {
    status = err_set(err, "platform %s has one host", platform->name);
  } else if (net && hosts_together(net, 0) < hosts) {
    status = err_set(err, "hosts of several clusters");
  }
  if (status == 0) {
    double longer = (double)net_exchange_one(net, more, 0, 1) - (double)net_exchange_one(net, less, 0, 1);
    message->byte = longer / (double)(more - less);
    message->latency = (double)net_exchange_one(net, SHORT_BYTES, 0, 1) - SHORT_BYTES * message->byte;
  }
  net_free(net);
  return status;
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
  LOWER(ranks, RANKS);
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

/* Append VALUES of a cluster of HOSTS to ROWS; the row of delta has the threshold as bytes. */
static void add_signature(struct pack *rows, unsigned hosts, const struct signature *values) {
  result_add(rows, &(struct result_row){"alpha", hosts, 0, values->alpha, "cycles", NULL});
  result_add(rows, &(struct result_row){"beta", hosts, 0, values->beta, "cycles/byte", NULL});
  result_add(rows, &(struct result_row){"gamma", hosts, 0, values->gamma, "ratio", NULL});
  result_add(rows, &(struct result_row){"delta", hosts, values->threshold, values->delta, "cycles", NULL});
}

/* Take VALUES from ROWS.
 * returns: the hosts of the cluster. */
static unsigned take_signature(struct pack *rows, struct signature *values) {
  struct result_row row[4];
  for (unsigned i = 0; i < 4; i++) {
    result_take(rows, &row[i]);
  }
  *values = (struct signature){row[0].value, row[1].value, row[2].value, row[3].value, row[3].bytes};
  return row->ranks;
}

/* Measure each of the N CLUSTERS of PLATFORM, and the connection of two clusters, on NET, the network reduced
 * to one rail. */
static void measure_clusters(const struct platform *platform, struct net *net, const struct cluster *clusters,
                             unsigned n, struct pack *rows, struct err *why) {
  for (unsigned i = 0; i < n; i++) {
    struct signature values = {0};
    if (clusters[i].hosts < 2) {
      err_set(why, "a cluster of one host");
      return;
    }
    measure_line(net, clusters[i].first, clusters[i].first + 1, &values);
    if (measure_exchanges(platform, &clusters[i], &values, why) != 0) {
      return;
    }
    add_signature(rows, clusters[i].hosts, &values);
  }
  struct signature between = {0};
  if (n > 1) {
    measure_line(net, 0, clusters[1].first, &between);
    add_signature(rows, 0, &between);
  }
}

static void run(const struct experiment *experiment, struct pack *rows, struct err *why) {
  const struct platform *platform = machine_platform(experiment->machine);
  struct net *net = net_exchange_rails(platform, 1, why);
  unsigned n = net ? net->fabric->nhosts : 0, hosts = net ? hosts_together(net, 0) : 0;
  struct cluster clusters[2] = {{0, hosts}, {hosts, n - hosts}};
  if (net && n < 2) {
    err_set(why, "platform %s has one host", platform->name);
  } else if (net && hosts < n && hosts + hosts_together(net, hosts) < n) {
    err_set(why, "hosts of more than two clusters, or not numbered one cluster after the other");
  } else if (net) {
    measure_clusters(platform, net, clusters, hosts < n ? 2 : 1, rows, why);
  }
  net_free(net);
}

bool network_values_ask(struct ledger *ledger, struct machine *machine, unsigned nclusters,
                        struct signature_area *area, const char **why) {
  static const struct experiment_kind kind = {.name = "network", .run = run, .shared = true};
  struct experiment experiment = {.kind = &kind, .machine = machine};
  struct result result;
  if (!ledger_ask(ledger, &experiment, &result)) {
    return false;
  }
  *why = *result.why ? result.why : NULL;
  if (*why) {
    return true;
  }
  area->hosts = take_signature(&result.rows, &area->clusters[0]);
  bool one = area->hosts == machine_platform(machine)->node.count;
  if (!one) {
    take_signature(&result.rows, &area->clusters[1]);
    take_signature(&result.rows, &area->between);
  }
  *why = one == (nclusters == 1) ? NULL : one ? "hosts of one cluster" : "hosts of several clusters";
  return true;
}
