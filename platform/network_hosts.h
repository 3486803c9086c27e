/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes of a platform among the hosts of a network file; for this folder only. */
#pragma once

struct err;
struct platform;

/* Find the nodes of PLATFORM with a network file: the choice of network.hosts, and the first node.count hosts
 * of the choice; all hosts of the choice where node.count is older than network.file or network.hosts. Set
 * the names of the nodes and the ignored parts of the file.
 * errors: a word of network.hosts without a host, a host in two words, fewer hosts than node.count, as
 *   platform_err_set; PLATFORM_BAD_NETWORK with the errors of network_file_read. */
int network_hosts_find(struct platform *platform, struct err *err);
