/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of SimGrid 4.0, made of calls of SimGrid 3.32 where SimGrid is older; used inside this folder and by
 * tests only. */
#pragma once

#include <simgrid/host.h>
#include <simgrid/version.h>
#include <simgrid/zone.h>

#if SIMGRID_VERSION < 40000

#include "sim/base/xalloc.h"

#include <string.h>
#include <xbt/dict.h>
#include <xbt/dynar.h>

/* Return the pointers in DYNAR, N of them, and free DYNAR. */
static inline void *simgrid_taken(xbt_dynar_t dynar, int *n) {
  *n = (int)xbt_dynar_length(dynar);
  void *pointers = xcalloc((size_t)*n + 1, sizeof(void *));
  memcpy(pointers, *n ? xbt_dynar_get_ptr(dynar, 0) : pointers, (size_t)*n * sizeof(void *));
  xbt_dynar_free(&dynar);
  return pointers;
}

static inline const_sg_link_t *sg_host_get_route_links(sg_host_t from, sg_host_t to, int *n) {
  xbt_dynar_t route = xbt_dynar_new(sizeof(void *), NULL);
  sg_host_get_route(from, to, route);
  return simgrid_taken(route, n);
}

static inline const_sg_host_t *sg_zone_get_all_hosts(sg_netzone_t zone, int *n) {
  xbt_dynar_t hosts = xbt_dynar_new(sizeof(void *), NULL);
  sg_zone_get_hosts(zone, hosts);
  return simgrid_taken(hosts, n);
}

static inline sg_netzone_t *sg_zone_get_childs(sg_netzone_t zone, int *n) {
  xbt_dict_t named = xbt_dict_new_homogeneous(NULL);
  xbt_dynar_t zones = xbt_dynar_new(sizeof(void *), NULL);
  xbt_dict_cursor_t cursor = NULL;
  char *name;
  sg_netzone_t child;
  sg_zone_get_sons(zone, named);
  xbt_dict_foreach(named, cursor, name, child) {
    xbt_dynar_push(zones, &child);
  }
  xbt_dict_free(&named);
  return simgrid_taken(zones, n);
}

#endif
