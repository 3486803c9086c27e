/* SPDX-License-Identifier: BSD-3-Clause
 * Latency and bandwidth of a platform's network between two hosts, for each number of rails.
 *
 * Rows, each with the number of rails in its name:
 *
 *   latency      of one message
 *   ping-pong    bytes over the time of one message
 *   one-way      of 8 messages, sent at once
 *   gain         of several rails: one-way bandwidth over the one-way bandwidth of one rail
 *   both-ways    of 8 messages from each of both hosts, both directions together
 *
 * source: Qian, Afsahi 2006, section 4.1. */
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "sim/net/net.h"
#include "validate/bench/bench.h"
#include "validate/model/measured/net_exchange.h"

enum { MESSAGES = 8, SHORT_BYTES = 4 };

/* Report VALUE under NAME for NRAILS rails. */
static void report(struct bench_run *run, const char *name, unsigned nrails, struct result_row row) {
  row.parameter = text_brief("%s rails=%u", name, nrails);
  result_add(&run->rows, &row);
}

/* Return MB/s of NBYTES in CYCLES. */
static double rate(const struct bench_run *run, size_t nbytes, uint64_t cycles) {
  return 1e3 * bench_gigabytes(run, (double)nbytes, (double)cycles);
}

/* Measure NET, of NRAILS, with NBYTES. *ONE_RAIL is the time in cycles of the one-way messages over one rail:
 * set here if there is one rail, else used. */
static void measure_message(struct bench_run *run, struct net *net, unsigned nrails, size_t nbytes,
                            uint64_t *one_rail) {
  const struct net_stream ways[] = {{0, 1, MESSAGES}, {1, 0, MESSAGES}};
  uint64_t one = net_exchange_one(net, nbytes, 0, 1), way = net_exchange_streams(net, nbytes, ways, 1);
  bench_count(run, net);
  uint64_t both = net_exchange_streams(net, nbytes, ways, 2);
  bench_counted(run, net, 2, nbytes);
  struct result_row row = {.ranks = 2, .bytes = nbytes, .unit = "us"};
  row.value = bench_ns(run, (double)one) * 1e-3;
  report(run, "latency", nrails, row);
  row.unit = "MB/s";
  row.value = rate(run, nbytes, one);
  report(run, "ping-pong", nrails, row);
  row.value = rate(run, MESSAGES * nbytes, way);
  report(run, "one-way", nrails, row);
  row.value = rate(run, 2 * MESSAGES * nbytes, both);
  report(run, "both-ways", nrails, row);
  if (nrails == 1) {
    *one_rail = way;
  } else {
    row.unit = "ratio";
    row.value = (double)*one_rail / (double)way;
    report(run, "gain", nrails, row);
  }
}

static int run(struct bench_run *run) {
  const struct platform *platform = machine_platform(run->machine);
  if (platform->node.count < 2) {
    return err_set(run->err, "network: platform %s has one node, expected at least 2", platform->name);
  }
  const struct units_list *sizes = run->bytes;
  SCOPED uint64_t *one_rail = xcalloc(sizes->n, sizeof *one_rail);
  int status = 0;
  for (unsigned nrails = 1; nrails <= platform->nic.rails && status == 0; nrails++) {
    struct net *net = net_exchange_rails(platform, nrails, run->err);
    for (size_t i = 0; net && i < sizes->n; i++) {
      measure_message(run, net, nrails, sizes->values[i], &one_rail[i]);
    }
    status = net ? 0 : -1;
    net_free(net);
  }
  return status;
}

const struct bench bench_network = {
  .name = "network",
  .source = "ali2010",
  .doc = "latency and bandwidth between two nodes for each number of rails",
  .of_nodes = true,
  .counts_network = true,
  .of_hosts = true,
  .sizes = &(const struct units_list)UNITS_OF(SHORT_BYTES, 1024, 16384, 131072, 1048576),
  .run = run,
};
