/* SPDX-License-Identifier: BSD-3-Clause
 * The ring plan and the routes of a platform, shared by all blades with the same ring parameters. */
#pragma once

struct ring_parameters;
struct ring_plan;
struct route;

struct rings {
  struct ring_plan *plan;
  struct route *routes; /* see routes_new */
  struct rings *next;
  unsigned nusers;
};

/* Return the plan and the routes for PARAMETERS, made on the first call.
 * owner: all callers; each calls rings_release. */
struct rings *rings_share(const struct ring_parameters *parameters);

/* Give RINGS back; the last user frees RINGS. */
void rings_release(struct rings *rings);
