/* SPDX-License-Identifier: BSD-3-Clause
 * See net_bed.h. */
#include "tests/net_bed.h"

#include "sim/base/network/network_reader.h"
#include "tests/bed.h"
#include "tests/suite.h"

#include <unistd.h>

void net_bed_start(void) {
  network_reader_prepare();
  des_init();
}

struct platform *net_bed_platform(const char *name, const char *settings, ...) {
  char text[512];
  va_list values;
  va_start(values, settings);
  vsnprintf(text, sizeof text, settings, values);
  va_end(values);
  return bed_platform(name, text);
}

struct net *net_bed_net(const struct platform *platform, uint64_t seed) {
  struct err err = {.text = ""};
  struct net *net = net_new(platform, seed, &err);
  ck_assert_msg(net != NULL, "%s", err.text);
  return net;
}

struct fabric *net_bed_fabric(const struct platform *platform, uint64_t seed) {
  struct err err = {.text = ""};
  struct fabric *fabric = fabric_new(platform, seed, &err);
  ck_assert_msg(fabric != NULL, "%s", err.text);
  return fabric;
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

void net_bed_drop(void) {
  net_free(round_net.net);
  platform_free(round_net.platform);
}

static void note(struct net_message *message) {
  struct letter *letter = (struct letter *)(void *)message;
  letter->at = des_now();
  letter->place = round_net.narrived++;
}

void net_bed_send(unsigned index, unsigned from, unsigned to, size_t nbytes, uint64_t at) {
  struct letter *letter = &round_net.letters[index];
  *letter = (struct letter){.message = {.from = from,
                                        .to = to,
                                        .port = index,
                                        .nbytes = nbytes,
                                        .receiver = round_net.net->node,
                                        .arrived = note}};
  net_send(round_net.net, &letter->message, at);
}

void net_bed_run(void) {
  round_net.narrived = 0;
  des_run(round_net.net->node);
}
