/* SPDX-License-Identifier: BSD-3-Clause
 * See net_bed.h. */
#include "tests/net_bed.h"

#include "sim/base/network/network_reader.h"

#include <unistd.h>

void net_bed_start(void) {
  network_reader_prepare();
  SUCCEEDS(machine_begin(&failure));
}

struct platform *net_bed_platform(const char *name, const char *settings, ...) {
  char text[512];
  va_list values;
  va_start(values, settings);
  vsnprintf(text, sizeof text, settings, values);
  va_end(values);
  return bed_platform(name, text);
}

static struct net *nets[16];
static struct fabric *fabrics[16];
static size_t nnets, nfabrics;

struct net *net_bed_net(const struct platform *platform, uint64_t seed) {
  struct net *net = net_new(platform, seed, &failure);
  ck_assert_msg(net && nnets < sizeof nets / sizeof *nets, "%s", failure.text);
  return nets[nnets++] = net;
}

struct fabric *net_bed_fabric(const struct platform *platform, uint64_t seed) {
  struct fabric *fabric = fabric_new(platform, seed, &failure);
  ck_assert_msg(fabric && nfabrics < sizeof fabrics / sizeof *fabrics, "%s", failure.text);
  return fabrics[nfabrics++] = fabric;
}

void net_bed_end(void) {
  while (nnets > 0) {
    net_free(nets[--nnets]);
  }
  while (nfabrics > 0) {
    fabric_free(fabrics[--nfabrics]);
  }
  bed_end();
}

static char folder[] = "/tmp/cellcoll-network-XXXXXX", path[64];

const char *net_bed_file(const char *text) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/net.xml", folder);
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  return path;
}

void net_bed_drop_file(void) {
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

struct round_net round_net;

void net_bed_make(const char *settings) {
  round_net.platform = bed_platform("blades", "network.bandwidth=100 network.latency=1 network.packet=1000 "
                                              "network.header=100 nic.send=1 nic.receive=1");
  bed_apply(round_net.platform, settings);
  round_net.net = net_bed_net(round_net.platform, 1);
}

static void note(struct net_message *message) {
  struct letter *letter = (struct letter *)(void *)message;
  letter->at = des_now();
  letter->place = round_net.narrived++;
}

void net_bed_expect(const struct net_bed_sent sent[], unsigned n) {
  net_reset(round_net.net);
  round_net.narrived = 0;
  for (unsigned i = 0; i < n; i++) {
    round_net.letters[i] = (struct letter){.message = {.from = sent[i].from,
                                                       .to = sent[i].to,
                                                       .port = i,
                                                       .nbytes = sent[i].nbytes,
                                                       .receiver = round_net.net->node,
                                                       .arrived = note}};
    net_send(round_net.net, &round_net.letters[i].message, sent[i].at);
  }
  des_run(round_net.net->node);
  ck_assert_uint_eq(round_net.narrived, n);
  for (unsigned i = 0; i < n; i++) {
    ck_assert_msg(!sent[i].arrives || round_net.letters[i].at == sent[i].arrives,
                  "letter %u from %u to %u: arrives at %llu, expected %llu", i, sent[i].from, sent[i].to,
                  (unsigned long long)round_net.letters[i].at, (unsigned long long)sent[i].arrives);
  }
}
