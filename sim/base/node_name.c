/* SPDX-License-Identifier: BSD-3-Clause
 * See node_name.h. */
#include "sim/base/node_name.h"

#include <stdio.h>

bool node_is_host(const struct node_names *names, unsigned machine) {
  return names->first_host && machine >= names->first_host;
}

void node_name(const struct node_names *names, unsigned machine, char name[NODE_NAME_SIZE]) {
  bool is_host = node_is_host(names, machine);
  snprintf(name, NODE_NAME_SIZE, "%s %u",
           names->processes ? "process"
           : is_host        ? "host"
                            : "node",
           is_host ? machine - names->first_host : machine);
}
