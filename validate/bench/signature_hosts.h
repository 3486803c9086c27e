/* SPDX-License-Identifier: BSD-3-Clause
 * Contention signatures of a network of hosts; see bench_signature.c. */
#pragma once

struct bench_run;

/* Take the signatures of the network of RUN's platform, of hosts, for the numbers of ranks asked for, and
 * predict others.
 * errors: as fabric_new; more ranks than the hosts have processes; too few sizes. */
int signature_hosts_run(struct bench_run *run);
