/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/network/node_name.h"

#include "sim/base/text.h"

bool node_is_host(const struct node_names *names, unsigned machine) {
  return names->first_host && machine >= names->first_host;
}

const char *node_host(const struct node_names *names, unsigned machine) {
  if (!names->hosts) {
    return NULL;
  }
  return names->hosts[node_is_host(names, machine) ? machine - names->first_host : machine / names->per_host];
}

const char *node_name(const struct node_names *names, unsigned machine) {
  bool is_host = node_is_host(names, machine);
  const char *host = node_host(names, machine);
  const char *kind = is_host ? "host" : "node";
  return text_brief("%s %u%s%.80s%s", names->processes ? "process" : kind,
                    is_host ? machine - names->first_host : machine, host ? " (" : "", host ? host : "",
                    host ? ")" : "");
}
