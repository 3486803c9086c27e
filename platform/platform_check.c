/* SPDX-License-Identifier: BSD-3-Clause
 * Consistency of a platform's values: see platform_check in platform.h.
 *
 * Each value is already within the bounds of platform.def. A failed check complains at the value to be
 * changed. */
#include "platform/network_shape.h"
#include "platform/platform.h"
#include "platform/platform_slot.h"
#include "sim/base/err.h"
#include "sim/base/network/node_name.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 128, NOT_AN_SPE = -1, BAD_SPE = -2 };

/* The number of the SPE called NAME, NOT_AN_SPE for any other unit, BAD_SPE for SPE without a proper
 * number. */
static int spe_number(const char *name) {
  if (strncmp(name, "SPE", 3) != 0) {
    return NOT_AN_SPE;
  }
  const char *digits = name + 3;
  bool zero_ahead = digits[0] == '0' && digits[1];
  unsigned number;
  return !zero_ahead && text_take_number(&digits, 4, &number) && !*digits ? (int)number : BAD_SPE;
}

/* Check the SPEs: at least one, numbered from 0 without gaps; the names are unique already. */
static int check_spes(const struct platform *platform, const struct platform_names *units, struct err *err) {
  int nspes = 0;
  for (size_t i = 0; i < units->n; i++) {
    int number = spe_number(units->names[i]);
    if (number == BAD_SPE) {
      return platform_err_set(platform, "chip.units", err,
                              "unit '%.60s' in chip.units, expected SPE0, SPE1 and so on", units->names[i]);
    }
    nspes += number != NOT_AN_SPE;
  }
  if (nspes == 0) {
    return platform_err_set(platform, "chip.units", err, "no SPE in chip.units, expected at least SPE0");
  }
  for (int number = 0; number < nspes; number++) {
    char name[16];
    snprintf(name, sizeof name, "SPE%d", number);
    if (platform_names_find(units, name) == units->n) {
      return platform_err_set(platform, "chip.units", err,
                              "no %s among the %d SPEs in chip.units, expected SPE0 to SPE%d, each once",
                              name, nspes, nspes - 1);
    }
  }
  return 0;
}

static int check_units(const struct platform *platform, const struct platform_names *units, struct err *err) {
  if (units->n < 2 || units->n > RING_UNITS_MAX) {
    return platform_err_set(platform, "chip.units", err,
                            "number of units in chip.units is %zu, expected 2 to %d", units->n,
                            RING_UNITS_MAX);
  }
  for (size_t i = 0; i < units->n; i++) {
    if (!platform_is_name(units->names[i])) {
      return platform_err_set(platform, "chip.units", err,
                              "unit '%.60s' in chip.units, expected at most 40 letters, digits, - and _",
                              units->names[i]);
    }
    if (platform_names_find(units, units->names[i]) < i) {
      return platform_err_set(platform, "chip.units", err,
                              "unit %s in chip.units given again, expected each unit once", units->names[i]);
    }
  }
  return check_spes(platform, units, err);
}

/* Read the list of usable SPEs: "all", or each SPE named once. Programs count these SPEs by number. */
static int read_usable(struct platform *platform, const struct platform_names *units, struct err *err) {
  struct platform_names usable = platform_names_split(platform->chip.usable_spes);
  bool all = strcmp(platform->chip.usable_spes, "all") == 0;
  for (size_t i = 0; i < usable.n && !all; i++) {
    const char *name = usable.names[i];
    if (spe_number(name) < 0 || platform_names_find(units, name) == units->n) {
      return platform_err_set(platform, "chip.usable-spes", err,
                              "'%.60s' in chip.usable-spes, expected all or SPEs in chip.units", name);
    }
    if (platform_names_find(&usable, name) < i) {
      return platform_err_set(platform, "chip.usable-spes", err,
                              "%s in chip.usable-spes given again, expected each SPE once", name);
    }
  }
  char spe[16] = "SPE0";
  platform->spes_per_chip = 0;
  for (unsigned number = 1; platform_names_find(units, spe) < units->n; number++) {
    if (all || platform_names_find(&usable, spe) < usable.n) {
      platform->spe_units[platform->spes_per_chip++] = (unsigned)platform_names_find(units, spe);
    }
    snprintf(spe, sizeof spe, "SPE%u", number);
  }
  platform->nspes = platform->blade.chips * platform->spes_per_chip;
  return 0;
}

/* A value and the allowed names. */
struct named {
  const char *key, *value;
  const struct platform_names *names;
  const char *expected; /* for the message if no name is near */
};

static int check_named(const struct platform *platform, struct named named, struct err *err) {
  if (platform_names_find(named.names, named.value) < named.names->n) {
    return 0;
  }
  const char *nearest = suggest_nearest(named.value, named.names->names, named.names->n);
  return platform_refuse(platform, named.key, err, ", expected %s", nearest ? nearest : named.expected);
}

/* Check the value of PLACE: one of UNITS, and no SPE. */
static int check_place(const struct platform *platform, const struct platform_names *units,
                       struct named place, struct err *err) {
  place.names = units;
  place.expected = "one of the units in chip.units";
  if (check_named(platform, place, err)) {
    return -1;
  }
  if (spe_number(place.value) != NOT_AN_SPE) {
    return platform_err_set(platform, place.key, err, "%s is %s, expected a unit that is no SPE", place.key,
                            place.value);
  }
  return 0;
}

/* Check that eib.max-hops is half of the number of units: each unit then reaches every other unit by the
 * shorter way, and only by the shorter way. */
static int check_hops(const struct platform *platform, const struct platform_names *units, struct err *err) {
  size_t hops = platform->eib.max_hops, half = units->n / 2;
  if (hops < half) {
    return platform_refuse(platform, "eib.max-hops", err,
                           ", expected %zu: with less than half the %zu units some cannot be reached", half,
                           units->n);
  }
  if (hops > half) {
    return platform_refuse(platform, "eib.max-hops", err,
                           ", expected %zu: half of the %zu units is the longest way", half, units->n);
  }
  return 0;
}

static int read_ring(struct platform *platform, struct err *err) {
  struct platform_names units = platform_names_split(platform->chip.units);
  const struct named memory = {.key = "chip.memory", .value = platform->chip.memory},
                     bif = {.key = "chip.bif", .value = platform->chip.bif};
  if (check_units(platform, &units, err) || read_usable(platform, &units, err) ||
      check_place(platform, &units, memory, err) ||
      (platform->blade.chips > 1 && check_place(platform, &units, bif, err)) ||
      check_hops(platform, &units, err)) {
    return -1;
  }
  size_t link = platform_names_find(&units, platform->chip.bif);
  platform->has_ppe = false;
  for (size_t i = 0; i < units.n; i++) {
    platform->units[i] = units.names[i];
    platform->has_ppe |= strncmp(units.names[i], "PPE", 3) == 0;
  }
  platform->nunits = (unsigned)units.n;
  platform->bif_unit = link < units.n ? (unsigned)link : 0;
  platform->memory_unit = (unsigned)platform_names_find(&units, platform->chip.memory);
  return 0;
}

/* Check the values of SPEs, of the bus and of memory. */
static int check_chip(const struct platform *platform, struct err *err) {
  unsigned request = platform->eib.request_bytes, beat = platform->eib.beat_bytes;
  if ((request & (request - 1)) != 0) {
    return platform_refuse(platform, "eib.request-bytes", err, ", expected a power of two up to %d",
                           LINE_BYTES);
  }
  if (request % beat != 0) {
    return platform_refuse(platform, "eib.beat-bytes", err, ", expected a divisor of eib.request-bytes, %u",
                           request);
  }
  if (platform->ls.size % LINE_BYTES != 0) {
    return platform_refuse(platform, "ls.size", err, ", expected a multiple of %d", LINE_BYTES);
  }
  if (platform->ls.reserve >= platform->ls.size) {
    return platform_refuse(platform, "ls.reserve", err, ", expected less than ls.size, %u",
                           platform->ls.size);
  }
  /* data becomes visible in the target before the issuer sees the completion */
  double visible = platform->mfc.visible;
  const char *early = platform->mfc.complete < visible ? "mfc.complete" : NULL;
  early = platform->mfc.retire < visible ? "mfc.retire" : early;
  if (early) {
    return platform_refuse(platform, early, err, ", expected at least mfc.visible, %g", visible);
  }
  const char *placement = platform->memory.placement;
  bool good = strcmp(placement, "first") == 0 || strcmp(placement, "own") == 0;
  return good ? 0 : platform_refuse(platform, "memory.placement", err, ", expected first or own");
}

/* Check the names of profiles in PLATFORM. */
static int check_profiles(const struct platform *platform, struct err *err) {
  struct platform_names profiles = {.n = 0}, all = {{"source"}, 1};
  for (size_t i = 0; i < platform->nprofiles; i++) {
    platform_names_add(&profiles, platform->profiles[i].name);
    platform_names_add(&all, platform->profiles[i].name);
  }
  const struct named profile = {"software.profile", platform->software.profile, &all,
                                "source or the name of a profile in this platform"},
                     comparison = {PLATFORM_COMPARISON, platform->software.comparison, &profiles,
                                   "the name of a profile in this platform"};
  if (!platform_profile(platform, profile.value) && check_named(platform, profile, err)) {
    return -1;
  }
  return platform_profile(platform, comparison.value) ? 0 : check_named(platform, comparison, err);
}

/* --- several nodes --- */

void platform_complete_nodes(struct platform *platform, int line) {
  for (size_t i = PLATFORM_NREQUIRED; i < PLATFORM_NPARAMS; i++) {
    if (!platform->origins[i].source) {
      struct platform_slot slot;
      platform_slot(platform, i, &slot);
      if (platform_slot_parse(&slot, platform_params[i].value, "default", NULL)) {
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
  blades = blades ? blades : 1;
  return (struct node_names){.processes = processes,
                             .hosts = platform->host_names,
                             .per_host = processes ? platform->node.processes : blades};
}

/* Check the sizes of packets, windows and buffers in the network. */
static int check_room(const struct platform *platform, struct err *err) {
  double packet = platform->network.packet, whole = packet + platform->network.header;
  bool tcp = strcmp(platform->network.transport, "tcp") == 0,
       lossless = strcmp(platform->network.transport, "lossless") == 0;
  if (tcp && platform->network.window * 1024 < packet) {
    return platform_refuse(platform, "network.window", err,
                           " KiB, expected at least network.packet, %g bytes", packet);
  }
  bool limited = lossless && platform->network.buffer > 0;
  if ((tcp || limited) && platform->network.buffer * 1024 < whole) {
    return platform_refuse(platform, "network.buffer", err,
                           " KiB, expected at least a packet and its header, %g bytes", whole);
  }
  if (limited && platform_has_network_file(platform)) {
    return platform_refuse(platform, "network.buffer", err,
                           " KiB with transport lossless and topology file, expected 0: its ways may form "
                           "circles, in which packets wait for each other's room for ever");
  }
  return 0;
}

/* Check that the transport can serve the rails and the bus of the NICs. */
static int check_transport(const struct platform *platform, struct err *err) {
  static const struct platform_names names = {{"lossless", "wormhole", "tcp", "signature"}, 4};
  const char *transport = platform->network.transport;
  const struct named named = {"network.transport", transport, &names, "lossless, wormhole, tcp or signature"};
  if (check_named(platform, named, err)) {
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
  double us = platform->nic.receive + (bus ? 0 : platform->network.latency),
         cycle = 1e-3 / platform->clock.spu;
  if (us < cycle) {
    return platform_err_set(
      platform, bus ? "nic.receive" : "network.latency", err, "%s %g us, expected at least an SPU cycle",
      bus ? "nic.receive, behind a bus, is" : "network.latency and nic.receive are together", us);
  }
  bool early_link = platform_blades_per_host(platform) && platform->pcie.latency < cycle;
  const char *early = early_link ? "pcie.latency" : NULL;
  early = platform->nic.send < cycle ? "nic.send" : early;
  return early ? platform_refuse(platform, early, err, " us, expected at least an SPU cycle") : 0;
}

/* Check the values of nodes and network of PLATFORM, a platform of nodes. */
static int check_nodes(const struct platform *platform, struct err *err) {
  static const struct platform_names kinds = {{"blade", "triblade", "host"}, 3};
  const struct named kind = {"node.kind", platform->node.kind, &kinds, "blade, triblade or host"};
  struct network_shape shape;
  if (check_named(platform, kind, err) || check_transport(platform, err) || check_room(platform, err) ||
      check_delay(platform, err)) {
    return -1;
  }
  return network_shape(platform, &shape, err);
}

int platform_check(struct platform *platform, struct err *err) {
  if (read_ring(platform, err) || check_chip(platform, err) || check_profiles(platform, err) ||
      (platform->has_nodes && check_nodes(platform, err))) {
    return -1;
  }
  return topology_read(platform, err);
}
