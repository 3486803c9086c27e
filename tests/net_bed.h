/* SPDX-License-Identifier: BSD-3-Clause
 * What tests of networks begin with. Settings are "key=value;...", with values as for printf. */
#pragma once

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"

/* Start SimGrid, and the process that reads network files. */
void net_bed_start(void);

/* Read platform NAME with SETTINGS; the test fails where that cannot be.
 * owner: the caller, with platform_free. */
__attribute__((format(printf, 2, 3))) struct platform *net_bed_platform(const char *name,
                                                                        const char *settings, ...);

/* Make the network, or the fabric, of PLATFORM from SEED; the test fails where that cannot be.
 * owner: the caller, with net_free or fabric_free. */
struct net *net_bed_net(const struct platform *platform, uint64_t seed);
struct fabric *net_bed_fabric(const struct platform *platform, uint64_t seed);

/* Write TEXT to a file in a new folder.
 * returns: the path; owner: this module, up to net_bed_drop_file. */
const char *net_bed_file(const char *text);
void net_bed_drop_file(void);

/* A message, the cycle of its arrival, and its place in the order of arrivals. */
struct letter {
  struct net_message message;
  uint64_t at;
  unsigned place;
};

/* Four nodes on one switch, with round figures: 1 us is 3200 cycles, a byte takes 32 cycles on a link of
 * 100 MB/s, a packet has 1000 bytes. */
enum { US = 3200, BYTE = 32 };
extern struct round_net {
  struct platform *platform;
  struct net *net;
  struct letter letters[16];
  unsigned narrived;
} round_net;

/* Make that network, with SETTINGS besides. */
void net_bed_make(const char *settings);
void net_bed_drop(void);

/* Send letter INDEX of NBYTES between two hosts at cycle AT; the letter arrives in the network's own node. */
void net_bed_send(unsigned index, unsigned from, unsigned to, size_t nbytes, uint64_t at);

/* Let all letters arrive. */
void net_bed_run(void);
