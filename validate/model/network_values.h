/* SPDX-License-Identifier: BSD-3-Clause
 * What models know of a network of hosts: a message alone on it, and the contention signature of complete
 * exchanges. */
#pragma once

#include "validate/model/signature.h"

#include <stdbool.h>

struct blade;
struct err;
struct ledger;
struct platform;

/* Check that the network of PLATFORM can be read, if a file describes it.
 * errors: as fabric_new. */
int network_values_check_file(const struct platform *platform, struct err *err);

/* How long a message takes alone, in cycles: a short one, the work of the processors included; and each byte
 * more of a long one. */
struct network_message {
  double latency, byte;
};

/* Measure MESSAGE over one rail of PLATFORM, whose nodes are hosts, from its first host to the second one.
 * errors: as net_new; one host; hosts of several clusters. */
int network_values_message(const struct platform *platform, struct network_message *message, struct err *err);

/* Ask LEDGER for the contention signature of the network of BLADE's platform, whose nodes are hosts of one
 * cluster; or for those of two clusters and what joins them. They are taken from exchanges of five sizes,
 * each drawn three times, on 24 hosts, or all if there are fewer; `bench signature` takes more of each.
 * returns: whether they are known; then *WHY is why there are none, or NULL, and VALUES, or AREA, are set. */
bool network_values_ask(struct ledger *ledger, struct blade *blade, struct signature *values,
                        const char **why);
bool network_values_ask_area(struct ledger *ledger, struct blade *blade, struct signature_area *area,
                             const char **why);
