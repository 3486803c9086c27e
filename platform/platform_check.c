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
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS = 32, LINE_BYTES = 128, NOT_AN_SPE = -1, BAD_SPE = -2 };

/* The units of a chip as separate names. */
struct units {
  char *text;
  const char *names[MOST_UNITS];
  unsigned n; /* may exceed MOST_UNITS; later names are not kept */
};

static void units_split(struct units *units, const char *list) {
  char *rest = NULL;
  units->n = 0;
  units->text = xstrdup(list);
  for (char *name = strtok_r(units->text, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
    if (units->n < MOST_UNITS) {
      units->names[units->n] = name;
    }
    units->n++;
  }
}

static bool units_have(const struct units *units, const char *name, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(units->names[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* The number of the SPE called NAME, NOT_AN_SPE for any other unit, BAD_SPE for SPE without a proper
 * number. */
static int spe_number(const char *name) {
  if (strncmp(name, "SPE", 3) != 0) {
    return NOT_AN_SPE;
  }
  const char *digits = name + 3;
  size_t length = strlen(digits);
  bool zero_ahead = digits[0] == '0' && length > 1;
  if (length == 0 || length > 4 || strspn(digits, "0123456789") != length || zero_ahead) {
    return BAD_SPE;
  }
  return atoi(digits);
}

/* Check the SPEs: at least one, numbered from 0 without gaps; the names are unique already. */
static int check_spes(const struct platform *platform, const struct units *units, struct err *err) {
  int nspes = 0;
  for (unsigned i = 0; i < units->n; i++) {
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
    if (!units_have(units, name, units->n)) {
      return platform_err_set(platform, "chip.units", err,
                              "no %s among the %d SPEs in chip.units, expected SPE0 to SPE%d, each once",
                              name, nspes, nspes - 1);
    }
  }
  return 0;
}

static int check_units(const struct platform *platform, const struct units *units, struct err *err) {
  if (units->n < 2 || units->n > MOST_UNITS) {
    return platform_err_set(platform, "chip.units", err,
                            "number of units in chip.units is %u, expected 2 to %d", units->n, MOST_UNITS);
  }
  for (unsigned i = 0; i < units->n; i++) {
    if (!platform_is_name(units->names[i])) {
      return platform_err_set(platform, "chip.units", err,
                              "unit '%.60s' in chip.units, expected at most 40 letters, digits, - and _",
                              units->names[i]);
    }
    if (units_have(units, units->names[i], i)) {
      return platform_err_set(platform, "chip.units", err,
                              "unit %s in chip.units given again, expected each unit once", units->names[i]);
    }
  }
  return check_spes(platform, units, err);
}

/* Check the list of usable SPEs: "all", or each SPE named once. */
static int check_usable(const struct platform *platform, const struct units *units, struct err *err) {
  struct units usable;
  int status = 0;
  if (strcmp(platform->chip.usable_spes, "all") == 0) {
    return 0;
  }
  units_split(&usable, platform->chip.usable_spes);
  for (unsigned i = 0; i < usable.n && status == 0; i++) {
    const char *name = i < MOST_UNITS ? usable.names[i] : usable.names[0];
    if (spe_number(name) < 0 || !units_have(units, name, units->n)) {
      status = platform_err_set(platform, "chip.usable-spes", err,
                                "'%.60s' in chip.usable-spes, expected all or SPEs in chip.units", name);
    } else if (i >= MOST_UNITS || units_have(&usable, name, i)) {
      status = platform_err_set(platform, "chip.usable-spes", err,
                                "%s in chip.usable-spes given again, expected each SPE once", name);
    }
  }
  free(usable.text);
  return status;
}

/* A value and the N allowed names. */
struct named {
  const char *key, *value, *const *names, *expected; /* expected: for the message if no name is near */
  size_t n;
};

static int check_named(const struct platform *platform, const struct named *named, struct err *err) {
  for (size_t i = 0; i < named->n; i++) {
    if (strcmp(named->names[i], named->value) == 0) {
      return 0;
    }
  }
  const char *nearest = suggest_nearest(named->value, named->names, named->n);
  return platform_refuse(platform, named->key, err, ", expected %s", nearest ? nearest : named->expected);
}

/* Check the value of PLACE: one of UNITS, and no SPE. */
static int check_place(const struct platform *platform, const struct units *units, struct named place,
                       struct err *err) {
  place.names = units->names;
  place.n = units->n;
  place.expected = "one of the units in chip.units";
  if (check_named(platform, &place, err)) {
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
static int check_hops(const struct platform *platform, const struct units *units, struct err *err) {
  unsigned hops = platform->eib.max_hops, half = units->n / 2;
  return hops < half
           ? platform_refuse(platform, "eib.max-hops", err,
                             ", expected %u: with less than half the %u units some cannot be reached", half,
                             units->n)
         : hops > half
           ? platform_refuse(platform, "eib.max-hops", err,
                             ", expected %u: half of the %u units is the longest way", half, units->n)
           : 0;
}

static int check_ring(const struct platform *platform, struct err *err) {
  struct units units;
  units_split(&units, platform->chip.units);
  const struct named memory = {.key = "chip.memory", .value = platform->chip.memory},
                     bif = {.key = "chip.bif", .value = platform->chip.bif};
  int status = check_units(platform, &units, err) || check_usable(platform, &units, err) ||
                   check_place(platform, &units, memory, err) ||
                   (platform->blade.chips > 1 && check_place(platform, &units, bif, err)) ||
                   check_hops(platform, &units, err)
                 ? -1
                 : 0;
  free(units.text);
  return status;
}

static int check_sizes(const struct platform *platform, struct err *err) {
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
  return 0;
}

/* Check that data becomes visible in the target before the issuer sees the completion. */
static int check_instants(const struct platform *platform, struct err *err) {
  double visible = platform->mfc.visible;
  const char *early = platform->mfc.retire < visible     ? "mfc.retire"
                      : platform->mfc.complete < visible ? "mfc.complete"
                                                         : NULL;
  return early ? platform_refuse(platform, early, err, ", expected at least mfc.visible, %g", visible) : 0;
}

static int check_placement(const struct platform *platform, struct err *err) {
  const char *placement = platform->memory.placement;
  bool good = strcmp(placement, "first") == 0 || strcmp(placement, "own") == 0;
  return good ? 0 : platform_refuse(platform, "memory.placement", err, ", expected first or own");
}

/* Check the names of profiles in PLATFORM. */
static int check_profiles(const struct platform *platform, struct err *err) {
  const char **names = xcalloc(platform->nprofiles + 1, sizeof *names);
  for (size_t i = 0; i < platform->nprofiles; i++) {
    names[i] = platform->profiles[i].name;
  }
  names[platform->nprofiles] = "source";
  const struct named profile = {"software.profile", platform->software.profile, names,
                                "source or the name of a profile in this platform", platform->nprofiles + 1},
                     comparison = {PLATFORM_COMPARISON, platform->software.comparison, names,
                                   "the name of a profile in this platform", platform->nprofiles};
  int status = check_named(platform, &profile, err) || check_named(platform, &comparison, err) ? -1 : 0;
  free(names);
  return status;
}

/* --- several nodes --- */

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
  if (limited && strcmp(platform->network.topology, "file") == 0) {
    return platform_refuse(platform, "network.buffer", err,
                           " KiB with transport lossless and topology file, expected 0: its ways may form "
                           "circles, in which packets wait for each other's room for ever");
  }
  return 0;
}

/* Check that the transport can serve the rails and the bus of the NICs. */
static int check_transport(const struct platform *platform, struct err *err) {
  static const char *const names[] = {"lossless", "wormhole", "tcp", "signature"};
  const char *transport = platform->network.transport;
  const struct named named = {"network.transport", transport, names, "lossless, wormhole, tcp or signature",
                              sizeof names / sizeof *names};
  if (check_named(platform, &named, err)) {
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
  const char *early = platform->nic.send < cycle                                             ? "nic.send"
                      : platform_blades_per_host(platform) && platform->pcie.latency < cycle ? "pcie.latency"
                                                                                             : NULL;
  return early ? platform_refuse(platform, early, err, " us, expected at least an SPU cycle") : 0;
}

/* Check the values of nodes and network of PLATFORM, a platform of nodes. */
static int check_nodes(const struct platform *platform, struct err *err) {
  static const char *const kinds[] = {"blade", "triblade", "host"};
  const struct named kind = {"node.kind", platform->node.kind, kinds, "blade, triblade or host",
                             sizeof kinds / sizeof *kinds};
  struct network_shape shape;
  return check_named(platform, &kind, err) || check_transport(platform, err) || check_room(platform, err) ||
             check_delay(platform, err)
           ? -1
           : network_shape(platform, &shape, err);
}

int platform_check(const struct platform *platform, struct err *err) {
  if (check_ring(platform, err) || check_sizes(platform, err) || check_instants(platform, err) ||
      check_placement(platform, err) || check_profiles(platform, err) ||
      (platform->has_nodes && check_nodes(platform, err))) {
    return -1;
  }
  unsigned(*links)[2] = NULL;
  size_t nlinks = 0;
  if (topology_links(platform, &links, &nlinks, err)) {
    return -1;
  }
  free(links);
  return 0;
}
