/* SPDX-License-Identifier: BSD-3-Clause
 * What the machines of a call on several nodes are called: "node 3"; "host 1", of a triblade, behind all
 * nodes; or "process 7" of a host. Where the hosts of a network file have names, the name follows: "node 3
 * (griffon-4.nancy.grid5000.fr)". */
#pragma once

#include <stdbool.h>

enum { NODE_NAME_SIZE = 112 };

struct node_names {
  bool processes;           /* all are processes of hosts */
  unsigned first_host;      /* machines from this number on are hosts; 0: there are none */
  const char *const *hosts; /* names of the hosts of the network; NULL: none */
  unsigned per_host;        /* with names: how many blades or processes each of these hosts has */
};

/* Tell whether MACHINE is a host by NAMES, which has one processor and no chips. */
bool node_is_host(const struct node_names *names, unsigned machine);

/* Return the name of the host of MACHINE in the network; NULL: hosts have no names. */
const char *node_host(const struct node_names *names, unsigned machine);

/* Return what MACHINE is called by NAMES, in less than NODE_NAME_SIZE bytes; a text_brief. */
const char *node_name(const struct node_names *names, unsigned machine);
