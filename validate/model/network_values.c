/* SPDX-License-Identifier: BSD-3-Clause
 * See network_values.h. */
#include "validate/model/network_values.h"

#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/network_reader.h"
#include "sim/hw/blade.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "validate/lab/ledger.h"
#include "validate/model/net_exchange.h"

#include <math.h>
#include <string.h>

static const size_t sizes[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18};
enum { SIZES = sizeof sizes / sizeof *sizes, DRAWS = 3, SHORT_BYTES = 16 };

int
network_values_check_file(const struct platform *platform, struct err *err)
{
  if (!platform->has_nodes || strcmp(platform->network.topology, "file") != 0) {
    return 0;
  }
  network_reader_prepare();
  struct fabric *fabric = fabric_new(platform, 1, err);
  fabric_free(fabric);
  return fabric ? 0 : -1;
}

/* Check that the hosts of NET are at least two, and of one cluster. */
static int
check(const struct net *net, const struct platform *platform, struct err *err)
{
  const struct fabric *fabric = net_fabric(net);
  if (fabric->nhosts < 2) {
    return err_set(err, "platform %s has one host", platform->name);
  }
  for (unsigned i = 1; i < fabric->nhosts; i++) {
    if (fabric->zones[i] != fabric->zones[0]) {
      return err_set(err, "hosts of several clusters");
    }
  }
  return 0;
}

struct net *
network_values_net(const struct platform *platform, struct err *err)
{
  struct platform *one_rail = platform_copy(platform);
  struct net *net = platform_set(one_rail, "nic.rails", "1", err) == 0 ? net_new(one_rail, 1, err) : NULL;
  platform_free(one_rail);
  return net;
}

/* The same for hosts of one cluster.
 * errors: as network_values_message. */
static struct net *
make_net(const struct platform *platform, struct err *err)
{
  struct net *net = network_values_net(platform, err);
  if (net && check(net, platform, err) != 0) {
    net_free(net);
    net = NULL;
  }
  return net;
}

int
network_values_message(const struct platform *platform, struct network_message *message, struct err *err)
{
  struct net *net = make_net(platform, err);
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

void
network_values_line(struct net *net, unsigned from, unsigned to, struct signature *values)
{
  struct signature_point points[SIZES];
  for (unsigned i = 0; i < SIZES; i++) {
    points[i] = (struct signature_point){sizes[i], (double)net_exchange_one(net, sizes[i], from, to)};
  }
  signature_fit_message(values, points, SIZES);
}

/* Add the times of EXCHANGE with all sizes to POINTS. */
static void
add_draw(struct net *net, struct net_exchange exchange, struct signature_point points[SIZES])
{
  for (unsigned i = 0; i < SIZES && !des_interrupted(); i++) {
    exchange.nbytes = sizes[i];
    points[i].cycles += (double)net_exchange_all(net, &exchange) / DRAWS;
  }
}

int
network_values_exchanges(const struct platform *platform, const struct network_cluster *cluster,
                         struct signature *values, struct err *err)
{
  struct signature_point points[SIZES];
  unsigned ranks = cluster->hosts * platform->node.processes;
  ranks = ranks < NETWORK_VALUES_RANKS ? ranks : NETWORK_VALUES_RANKS;
  if (ranks < NETWORK_VALUES_LEAST_RANKS) {
    return err_set(err, "fewer than %d processes", NETWORK_VALUES_LEAST_RANKS);
  }
  for (unsigned i = 0; i < SIZES; i++) {
    points[i] = (struct signature_point){sizes[i], 0};
  }
  for (unsigned draw = 1; draw <= DRAWS; draw++) {
    struct net *net = net_new(platform, draw, err);
    if (!net) {
      return -1;
    }
    add_draw(net,
             (struct net_exchange){.ranks = ranks,
                                   .first = cluster->first,
                                   .per_host = platform->node.processes,
                                   .jitter = (uint64_t)(1e3 * platform->host.jitter * platform->clock.spu),
                                   .seed = draw},
             points);
    net_free(net);
  }
  signature_fit(values, points, SIZES, ranks);
  return 0;
}

void
network_values_pack(struct pack *result, const struct signature *values)
{
  pack_add_real(result, values->alpha);
  pack_add_real(result, values->beta);
  pack_add_real(result, values->gamma);
  pack_add_real(result, values->delta);
  pack_add_count(result, values->threshold);
}

void
network_values_unpack(struct pack *result, struct signature *values)
{
  values->alpha = pack_take_real(result);
  values->beta = pack_take_real(result);
  values->gamma = pack_take_real(result);
  values->delta = pack_take_real(result);
  values->threshold = pack_take_count(result);
}

static int
run(const struct experiment *experiment, struct pack *result)
{
  const struct platform *platform = blade_platform(experiment->blade);
  struct network_cluster all = {.hosts = platform->node.count};
  struct signature values = {0};
  struct err err = {""};
  struct net *net = make_net(platform, &err);
  if (net) {
    network_values_line(net, 0, 1, &values);
    network_values_exchanges(platform, &all, &values, &err);
  }
  net_free(net);
  pack_add_text(result, err.text);
  network_values_pack(result, &values);
  return des_interrupted() ? -1 : 0;
}

bool
network_values_ask(struct ledger *ledger, struct blade *blade, struct signature *values, const char **why)
{
  static const struct experiment_kind kind = {.name = "network", .run = run, .shared = true};
  struct experiment experiment = {.kind = &kind, .blade = blade};
  struct pack result;
  if (!ledger_ask(ledger, &experiment, &result)) {
    return false;
  }
  const char *text = pack_take_text(&result);
  *why = *text ? text : NULL;
  network_values_unpack(&result, values);
  return true;
}
