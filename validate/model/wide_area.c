/* SPDX-License-Identifier: BSD-3-Clause
 * See wide_area.h. */
#include "validate/model/wide_area.h"

#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "validate/lab/ledger.h"
#include "validate/model/network_values.h"

#include <math.h>

/* Count the hosts of NET that are in the first of two clusters.
 * returns: how many; 0 with an error: there are not two, or their hosts do not follow one another. */
static unsigned
split(const struct net *net, struct err *err)
{
  const struct fabric *fabric = net_fabric(net);
  unsigned n = fabric->nhosts, hosts = 1;
  while (hosts < n && fabric->zones[hosts] == fabric->zones[0]) {
    hosts++;
  }
  if (hosts == n) {
    err_set(err, "hosts of one cluster");
    return 0;
  }
  for (unsigned i = hosts; i < n; i++) {
    if (fabric->zones[i] != fabric->zones[hosts]) {
      err_set(err, "hosts of more than two clusters, or not numbered one cluster after the other");
      return 0;
    }
  }
  return hosts;
}

/* Measure both clusters of AREA, the hosts of whose first one are known, and what joins them, on NET, the network of PLATFORM with one rail. */
static int
measure(struct wide_area *area, struct net *net, const struct platform *platform, struct err *err)
{
  struct network_cluster clusters[2] = {{.first = 0, .hosts = area->hosts},
                                        {.first = area->hosts, .hosts = platform->node.count - area->hosts}};
  network_values_line(net, 0, area->hosts, &area->between);
  for (unsigned i = 0; i < 2; i++) {
    if (clusters[i].hosts < 2) {
      return err_set(err, "a cluster of one host");
    }
    network_values_line(net, clusters[i].first, clusters[i].first + 1, &area->clusters[i]);
    if (network_values_exchanges(platform, &clusters[i], &area->clusters[i], err) != 0) {
      return -1;
    }
  }
  return 0;
}

static int
run(const struct experiment *experiment, struct pack *result)
{
  const struct platform *platform = blade_platform(experiment->blade);
  struct wide_area area = {0};
  struct err err = {""};
  struct net *net = network_values_net(platform, &err);
  area.hosts = net ? split(net, &err) : 0;
  if (area.hosts) {
    measure(&area, net, platform, &err);
  }
  net_free(net);
  pack_add_text(result, err.text);
  pack_add_count(result, area.hosts);
  pack_add_real(result, area.between.alpha);
  pack_add_real(result, area.between.beta);
  for (unsigned i = 0; i < 2; i++) {
    network_values_pack(result, &area.clusters[i]);
  }
  return des_interrupted() ? -1 : 0;
}

bool
wide_area_ask(struct ledger *ledger, struct blade *blade, struct wide_area *area, const char **why)
{
  static const struct experiment_kind kind = {.name = "wide area", .run = run, .shared = true};
  struct experiment experiment = {.kind = &kind, .blade = blade};
  struct pack result;
  if (!ledger_ask(ledger, &experiment, &result)) {
    return false;
  }
  const char *text = pack_take_text(&result);
  *why = *text ? text : NULL;
  area->hosts = (unsigned)pack_take_count(&result);
  area->between.alpha = pack_take_real(&result);
  area->between.beta = pack_take_real(&result);
  for (unsigned i = 0; i < 2; i++) {
    network_values_unpack(&result, &area->clusters[i]);
  }
  return true;
}

double
wide_area_predict(const struct wide_area *area, const unsigned ranks[2], unsigned blocks, size_t nbytes)
{
  unsigned fewer = ranks[0] < ranks[1] ? ranks[0] : ranks[1], more = ranks[0] + ranks[1] - fewer;
  double first = signature_predict(&area->clusters[0], ranks[0], nbytes),
         second = signature_predict(&area->clusters[1], ranks[1], nbytes);
  unsigned steps = (more + fewer - 1) / fewer;
  return fmax(first, second) + steps * (area->between.alpha + area->between.beta * (double)nbytes * blocks);
}
