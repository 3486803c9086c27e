/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid, loaded when a process is about to run the first program: to load SimGrid takes fifteen times the
 * instructions of all else in a start. Here and in simgrid_calls.def alone the versions of SimGrid differ. */
#pragma once

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/version.h>
#include <simgrid/zone.h>
#include <xbt/config.h>
#include <xbt/log.h>

#include <stdbool.h>

#if SIMGRID_VERSION < 40000
#include <xbt/dict.h>
#include <xbt/dynar.h>
#endif

struct err;

/* The functions of SimGrid by their names; NULL before simgrid_load. */
struct simgrid_calls {
#define SIMGRID_CALL(name) __typeof__(name) *name;
#include "sim/base/engine/simgrid_calls.def"
};
extern struct simgrid_calls simgrid;

/* Load SimGrid, once in a process; the copies of the process have SimGrid as well.
 * errors: there is no SimGrid of the version that cellcoll was built with; another part of the process has
 *   started SimGrid. */
int simgrid_load(struct err *err);

/* Let SimGrid, which is loaded, read the platform TEXT.
 * errors: a temporary file cannot be written, or /proc is not mounted. */
int simgrid_read_platform(const char *text, struct err *err);

/* Tell whether simgrid_load has failed. */
bool simgrid_is_missing(void);

#if SIMGRID_VERSION < 40000

#include "sim/base/xalloc.h"

#include <string.h>

/* Return the pointers in DYNAR, N of them, and free DYNAR. */
static inline void *simgrid_taken(xbt_dynar_t dynar, int *n) {
  *n = (int)simgrid.xbt_dynar_length(dynar);
  void *pointers = xcalloc((size_t)*n + 1, sizeof(void *));
  memcpy(pointers, *n ? simgrid.xbt_dynar_get_ptr(dynar, 0) : pointers, (size_t)*n * sizeof(void *));
  simgrid.xbt_dynar_free(&dynar);
  return pointers;
}

static inline const_sg_link_t *simgrid_route(sg_host_t from, sg_host_t to, int *n) {
  xbt_dynar_t route = simgrid.xbt_dynar_new(sizeof(void *), NULL);
  simgrid.sg_host_get_route(from, to, route);
  return simgrid_taken(route, n);
}

static inline const_sg_host_t *simgrid_hosts(sg_netzone_t zone, int *n) {
  xbt_dynar_t hosts = simgrid.xbt_dynar_new(sizeof(void *), NULL);
  simgrid.sg_zone_get_hosts(zone, hosts);
  return simgrid_taken(hosts, n);
}

static inline sg_netzone_t *simgrid_zones(sg_netzone_t zone, int *n) {
  xbt_dict_t named = simgrid.xbt_dict_new_homogeneous(NULL);
  xbt_dynar_t zones = simgrid.xbt_dynar_new(sizeof(void *), NULL);
  xbt_dict_cursor_t cursor = NULL;
  char *name;
  void *child;
  simgrid.sg_zone_get_sons(zone, named);
  for (simgrid.xbt_dict_cursor_first(named, &cursor);
       simgrid.xbt_dict_cursor_get_or_free(&cursor, &name, &child); simgrid.xbt_dict_cursor_step(cursor)) {
    simgrid.xbt_dynar_push(zones, &child);
  }
  simgrid.xbt_dict_free(&named);
  return simgrid_taken(zones, n);
}

#else
#define simgrid_route simgrid.sg_host_get_route_links
#define simgrid_hosts simgrid.sg_zone_get_all_hosts
#define simgrid_zones simgrid.sg_zone_get_childs
#endif
