/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a network of hosts for models: a message alone on the network, and the contention signature
 * of complete exchanges. */
#pragma once

#include "validate/model/measured/signature.h"

#include <stdbool.h>

struct machine;
struct err;
struct ledger;
struct platform;

/* Check that the network file of PLATFORM, if any, can be read.
 * errors: as fabric_new. */
int network_values_check_file(const struct platform *platform, struct err *err);

/* How long a message takes alone, in cycles: a short one, the work of the processors included; and each byte
 * more of a long one. */
struct network_message {
  double latency, byte;
};

/* Measure MESSAGE over one rail of PLATFORM, a platform of hosts, from the first host to the second.
 * errors: as net_new; one host; hosts of several clusters. */
int network_values_message(const struct platform *platform, struct network_message *message, struct err *err);

/* Ask LEDGER for the contention signature of the network of MACHINE, whose hosts are NCLUSTERS clusters: one,
 * the first one of AREA, or two. The values come from exchanges of five sizes, each on three random networks,
 * on 24 hosts of a cluster (or all hosts if fewer); `bench signature` measures more of each.
 * returns: whether the result is known. *WHY is then the reason for missing values; NULL: AREA is set. */
bool network_values_ask(struct ledger *ledger, struct machine *machine, unsigned nclusters,
                        struct signature_area *area, const char **why);
