/* SPDX-License-Identifier: BSD-3-Clause
 * What models know of a network of hosts: a message alone on it, and the contention signature of complete exchanges. */
#pragma once

#include "validate/model/signature.h"

#include <stdbool.h>

struct blade;
struct err;
struct ledger;
struct net;
struct pack;
struct platform;

/* Check that the network of PLATFORM can be read, if a file describes it.
 * errors: as fabric_new. */
int network_values_check_file(const struct platform *platform, struct err *err);

/* The exchanges from which a signature is taken here: five sizes, each drawn three times, on 24 hosts, or all if there are fewer. `bench signature` takes
 * more of each. */
enum { NETWORK_VALUES_RANKS = 24, NETWORK_VALUES_LEAST_RANKS = 3 };

/* How long a message takes alone, in cycles: a short one, the work of the processors included; and each byte more of a long one. */
struct network_message {
  double latency, byte;
};

/* Measure MESSAGE over one rail of PLATFORM, whose nodes are hosts, from its first host to the second one.
 * errors: as net_new; one host; hosts of several clusters. */
int network_values_message(const struct platform *platform, struct network_message *message, struct err *err);

/* Ask LEDGER for all values of the network of BLADE's platform.
 * returns: whether they are known; then *WHY is why there are none, or NULL, and VALUES are set. */
bool network_values_ask(struct ledger *ledger, struct blade *blade, struct signature *values,
                        const char **why);

/* Some hosts of a network that have numbers in a row. */
struct network_cluster {
  unsigned first, hosts;
};

/* Return the network of PLATFORM, whose nodes are hosts, with one rail.
 * errors: as net_new.
 * owner: the caller, with net_free. */
struct net *network_values_net(const struct platform *platform, struct err *err);

/* Measure alpha and beta on NET, which is as new: a line through the times of messages of all sizes from host FROM to host TO. */
void network_values_line(struct net *net, unsigned from, unsigned to, struct signature *values);

/* Take the rest of the signature of CLUSTER of PLATFORM, whose alpha and beta VALUES has.
 * errors: as net_new; fewer than NETWORK_VALUES_LEAST_RANKS processes. */
int network_values_exchanges(const struct platform *platform, const struct network_cluster *cluster,
                             struct signature *values, struct err *err);

/* Append VALUES to RESULT; take them from there. */
void network_values_pack(struct pack *result, const struct signature *values);
void network_values_unpack(struct pack *result, struct signature *values);
