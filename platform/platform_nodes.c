/* SPDX-License-Identifier: BSD-3-Clause
 * Platforms of several nodes: defaults, and the consistency of the values. */
#include "platform/network_shape.h"
#include "platform/platform_slot.h"
#include "sim/base/err.h"
#include "sim/base/network/node_name.h"
#include "sim/base/suggest.h"

#include <stdlib.h>
#include <string.h>

void platform_complete_nodes(struct platform *platform, int line) {
  for (size_t i = platform_nrequired; i < platform_nparams; i++) {
    if (!platform->origins[i].source) {
      struct platform_slot slot;
      struct err err = {.text = ""};
      platform_slot(platform, i, &slot);
      if (platform_slot_parse(&slot, platform_params[i].value, "default", &err)) {
        abort();
      }
      platform_slot_trace(&slot, "assumption: the default", line);
      slot.origin->own = false;
    }
  }
}

bool platform_has_spes(const struct platform *platform) {
  return !platform->has_nodes || strcmp(platform->node.kind, "host") != 0;
}

unsigned platform_blades_per_host(const struct platform *platform) {
  return platform->has_nodes && strcmp(platform->node.kind, "triblade") == 0 ? platform->node.blades : 0;
}

struct node_names platform_node_names(const struct platform *platform) {
  unsigned blades = platform_blades_per_host(platform);
  bool processes = !platform_has_spes(platform);
  return (struct node_names){.processes = processes,
                             .hosts = platform->host_names,
                             .per_host = processes ? platform->node.processes
                                         : blades  ? blades
                                                   : 1};
}

/* Check that VALUE, the value of KEY, is one of the words allowed for KEY. */
static int check_word(const struct platform *platform, const char *key, const char *value, struct err *err) {
  static const char *const kinds[] = {"blade", "triblade", "host"};
  static const char *const transports[] = {"lossless", "wormhole", "tcp", "signature"};
  bool is_kind = strcmp(key, "node.kind") == 0;
  const char *const *words = is_kind ? kinds : transports;
  size_t n = is_kind ? sizeof kinds / sizeof *kinds : sizeof transports / sizeof *transports;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(words[i], value) == 0) {
      return 0;
    }
  }
  const char *nearest = suggest_nearest(value, words, n);
  return platform_err_set(platform, key, err, "%s is '%.60s', expected %s", key, value,
                          nearest   ? nearest
                          : is_kind ? "blade, triblade or host"
                                    : "lossless, wormhole, tcp or signature");
}

/* Check the sizes of packets, windows and buffers in the network. */
static int check_room(const struct platform *platform, struct err *err) {
  double packet = platform->network.packet, whole = packet + platform->network.header;
  bool tcp = strcmp(platform->network.transport, "tcp") == 0,
       lossless = strcmp(platform->network.transport, "lossless") == 0;
  if (tcp && platform->network.window * 1024 < packet) {
    return platform_err_set(platform, "network.window", err,
                            "network.window is %g KiB, expected at least network.packet, %g bytes",
                            platform->network.window, packet);
  }
  bool limited = lossless && platform->network.buffer > 0;
  if ((tcp || limited) && platform->network.buffer * 1024 < whole) {
    return platform_err_set(platform, "network.buffer", err,
                            "network.buffer is %g KiB, expected at least a packet and its header, %g bytes",
                            platform->network.buffer, whole);
  }
  if (limited && strcmp(platform->network.topology, "file") == 0) {
    return platform_err_set(platform, "network.buffer", err,
                            "network.buffer is %g KiB with transport lossless and topology file, expected 0: "
                            "its ways may form circles, in which packets wait for each other's room for ever",
                            platform->network.buffer);
  }
  return 0;
}

/* Check that the transport can serve the rails and the bus of the NICs. */
static int check_transport(const struct platform *platform, struct err *err) {
  const char *transport = platform->network.transport;
  if (check_word(platform, "network.transport", transport, err)) {
    return -1;
  }
  if (strcmp(transport, "lossless") != 0 && (platform->nic.rails > 1 || platform->nic.bus > 0)) {
    return platform_err_set(platform, "network.transport", err,
                            "network.transport is %s, expected lossless where nic.rails is over 1 or "
                            "nic.bus over 0",
                            transport);
  }
  return 0;
}

/* Check that a message takes at least a cycle to reach another node: otherwise the nodes could not run one
 * after the other. */
static int check_delay(const struct platform *platform, struct err *err) {
  bool bus = platform->nic.bus > 0;
  double us = platform->nic.receive + (bus ? 0 : platform->network.latency);
  const char *key = bus ? "nic.receive" : "network.latency";
  if (us * 1e3 * platform->clock.spu < 1) {
    return platform_err_set(
      platform, key, err, "%s %g us, expected at least an SPU cycle",
      bus ? "nic.receive, behind a bus, is" : "network.latency and nic.receive are together", us);
  }
  if (platform->nic.send * 1e3 * platform->clock.spu < 1) {
    return platform_err_set(platform, "nic.send", err, "nic.send is %g us, expected at least an SPU cycle",
                            platform->nic.send);
  }
  if (platform_blades_per_host(platform) && platform->pcie.latency * 1e3 * platform->clock.spu < 1) {
    return platform_err_set(platform, "pcie.latency", err,
                            "pcie.latency is %g us, expected at least an SPU cycle", platform->pcie.latency);
  }
  return 0;
}

int platform_check_nodes(const struct platform *platform, struct err *err) {
  if (check_word(platform, "node.kind", platform->node.kind, err) || check_transport(platform, err) ||
      check_room(platform, err) || check_delay(platform, err)) {
    return -1;
  }
  struct network_shape shape;
  return network_shape(platform, &shape, err);
}
