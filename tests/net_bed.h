/* SPDX-License-Identifier: BSD-3-Clause
 * What tests of networks begin with. Settings are "key=value;...", with values as for printf. */
#pragma once

#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "tests/bed.h"

/* Start SimGrid, and the process that reads network files. */
void net_bed_start(void);

/* Read platform NAME with SETTINGS, as bed_platform does. */
__attribute__((format(printf, 2, 3))) struct platform *net_bed_platform(const char *name,
                                                                        const char *settings, ...);

/* Make the network, or the fabric, of PLATFORM from SEED; the test fails where that cannot be.
 * owner: this module, up to net_bed_end. */
struct net *net_bed_net(const struct platform *platform, uint64_t seed);
struct fabric *net_bed_fabric(const struct platform *platform, uint64_t seed);

/* The end of all, as bed_end. */
void net_bed_end(void);

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

/* A letter between two hosts, sent at cycle `at`, and its cycle of arrival; 0: at any. */
struct net_bed_sent {
  unsigned from, to;
  size_t nbytes;
  uint64_t at, arrives;
};

/* Send N letters on the network as new, and check their arrivals. */
void net_bed_expect(const struct net_bed_sent sent[], unsigned n);
#define EXPECT_ARRIVALS(...) \
  net_bed_expect((const struct net_bed_sent[]){__VA_ARGS__}, \
                 sizeof((const struct net_bed_sent[]){__VA_ARGS__}) / sizeof(struct net_bed_sent))
