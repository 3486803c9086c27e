/* SPDX-License-Identifier: BSD-3-Clause
 * The counters of a machine, one by one; see utilisation.h. */
#include "platform/platform.h"
#include "sim/base/vec.h"
#include "traces/utilisation.h"

#include <stdio.h>

/* The parts of the machine being shown. */
struct listing {
  struct utilisation_show show;
  const struct utilisation *utilisation;
};

void utilisation_show_count(const struct utilisation_show *show, const char *counter, uint64_t value,
                            const char *unit) {
  show->show(show->context, &(struct utilisation_row){show->where, counter, (double)value, 0, unit});
}

void utilisation_show_share(const struct utilisation_show *show, const char *counter, double percent) {
  show->show(show->context, &(struct utilisation_row){show->where, counter, percent, 2, "%"});
}

/* Show the traffic of a part, with its busy share. */
static void show_traffic(const struct listing *listing, const char *served,
                         const struct utilisation_server *server) {
  utilisation_show_count(&listing->show, served, server->served, "1");
  utilisation_show_count(&listing->show, "bytes", server->nbytes, "B");
  utilisation_show_share(&listing->show, "busy", 100 * utilisation_share(listing->utilisation, server));
}

static void show_waiting(const struct listing *listing, const struct utilisation_server *server) {
  utilisation_show_count(&listing->show, "waiting", server->waited, "cycles");
  utilisation_show_count(&listing->show, "longest-wait", server->waited_max, "cycles");
}

static void list_rings(struct listing *listing) {
  const struct utilisation *utilisation = listing->utilisation;
  unsigned nrings = utilisation->parameters.nrings;
  for (unsigned i = 0; i < utilisation->parameters.nchips * nrings; i++) {
    const struct utilisation_ring *ring = &utilisation->rings[i];
    snprintf(listing->show.where, sizeof listing->show.where, "chip %u ring %u", i / nrings, i % nrings);
    if (ring->served) {
      utilisation_show_count(&listing->show, "transfers", ring->served, "1");
      utilisation_show_count(&listing->show, "bytes", ring->nbytes, "B");
      utilisation_show_share(&listing->show, "busy", 100 * utilisation_ring_share(utilisation, i));
    }
  }
}

/* Show the ramps of UNIT (a name) of CHIP. */
static void list_ramps(struct listing *listing, const struct utilisation_ramps *ramps, unsigned chip,
                       const char *unit) {
  static const char *const conflicts[] = {"conflicts-own-ramp", "conflicts-receiver", "conflicts-ring"};
  static const char *const waits[] = {"waiting-own-ramp", "waiting-receiver", "waiting-ring"};
  if (ramps->out.served) {
    snprintf(listing->show.where, sizeof listing->show.where, "chip %u %.32s out", chip, unit);
    show_traffic(listing, "transfers", &ramps->out);
    show_waiting(listing, &ramps->out);
    utilisation_show_count(&listing->show, "longest-queue", ramps->queued_max, "requests");
    for (unsigned cause = 0; cause < WAITED_CAUSES; cause++) {
      utilisation_show_count(&listing->show, conflicts[cause], ramps->conflicts[cause], "1");
      utilisation_show_count(&listing->show, waits[cause], ramps->cycles[cause], "cycles");
    }
  }
  if (ramps->in.served) {
    snprintf(listing->show.where, sizeof listing->show.where, "chip %u %.32s in", chip, unit);
    show_traffic(listing, "transfers", &ramps->in);
  }
}

static void list_units(struct listing *listing) {
  const struct utilisation *utilisation = listing->utilisation;
  const struct platform *platform = utilisation->platform;
  unsigned n = platform->nunits, most = platform->spes_per_chip;
  for (unsigned i = 0; i < platform->blade.chips * n; i++) {
    char name[32];
    unsigned spe = (unsigned)VEC_INDEX(platform->spe_units, most, *item == i % n);
    snprintf(name, sizeof name, "SPE %u", i / n * most + spe);
    list_ramps(listing, &utilisation->ramps[i], i / n, spe < most ? name : platform->units[i % n]);
  }
}

/* Show SERVER if used: a link or a memory, for which requests wait, or a command bus. */
static void list_server(const struct listing *listing, const struct utilisation_server *server, bool waits) {
  if (server->served) {
    show_traffic(listing, "requests", server);
  }
  if (server->served && waits) {
    show_waiting(listing, server);
  }
}

static void list_servers(struct listing *listing) {
  const struct utilisation *utilisation = listing->utilisation;
  char *where = listing->show.where;
  unsigned n = utilisation->parameters.nchips;
  for (unsigned i = 0; i < n; i++) {
    snprintf(where, sizeof listing->show.where, "chip %u command bus", i);
    list_server(listing, &utilisation->command_buses[i], false);
  }
  for (unsigned i = 0; i < n * n; i++) {
    snprintf(where, sizeof listing->show.where, "link %u-%u", i / n, i % n);
    list_server(listing, &utilisation->links[i], true);
  }
  for (unsigned i = 0; i < n; i++) {
    snprintf(where, sizeof listing->show.where, "memory %u", i);
    list_server(listing, &utilisation->memories[i], true);
  }
}

static void list_mfcs(struct listing *listing) {
  const struct utilisation *utilisation = listing->utilisation;
  const struct parameters *parameters = &utilisation->parameters;
  double cycles = utilisation_cycles(utilisation);
  for (unsigned i = 0; i < parameters->nspes; i++) {
    const struct utilisation_mfc *mfc = &utilisation->mfcs[i];
    if (mfc->commands) {
      snprintf(listing->show.where, sizeof listing->show.where, "chip %u SPE %u MFC",
               i / parameters->spes_per_chip, i);
      utilisation_show_count(&listing->show, "commands", mfc->commands, "1");
      utilisation_show_count(&listing->show, "requests", mfc->requests, "1");
      utilisation_show_count(&listing->show, "bytes", mfc->nbytes, "B");
      utilisation_show_count(&listing->show, "longest-queue", mfc->queued_max, "commands");
      listing->show.show(listing->show.context,
                         &(struct utilisation_row){listing->show.where, "window-mean",
                                                   cycles > 0 ? (double)mfc->cycles_in / cycles : 0, 2,
                                                   "requests"});
      utilisation_show_count(&listing->show, "window-max", mfc->flying_max, "requests");
    }
  }
}

void utilisation_list(const struct utilisation *utilisation,
                      void (*show)(void *context, const struct utilisation_row *row), void *context) {
  struct listing listing = {.utilisation = utilisation, .show = {.show = show, .context = context}};
  list_rings(&listing);
  list_units(&listing);
  list_servers(&listing);
  list_mfcs(&listing);
}
