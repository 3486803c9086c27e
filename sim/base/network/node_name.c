/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/network/node_name.h"

#include "sim/base/text.h"

bool node_is_host(const struct node_names *names, unsigned machine) {
  return names->first_host && machine >= names->first_host;
}

const char *node_host(const struct node_names *names, unsigned machine) {
  return !names->hosts                  ? NULL
         : node_is_host(names, machine) ? names->hosts[machine - names->first_host]
                                        : names->hosts[machine / names->per_host];
}

const char *node_name(const struct node_names *names, unsigned machine) {
  bool is_host = node_is_host(names, machine);
  const char *host = node_host(names, machine);
  return text_brief("%s %u%s%.80s%s",
                    names->processes ? "process"
                    : is_host        ? "host"
                                     : "node",
                    is_host ? machine - names->first_host : machine, host ? " (" : "", host ? host : "",
                    host ? ")" : "");
}
