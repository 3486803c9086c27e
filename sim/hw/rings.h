/* SPDX-License-Identifier: BSD-3-Clause
 * The ring plan and the routes of a platform, which all blades with the same ring parameters share. */
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

/* Return the plan and the routes for PARAMETERS, made if nobody has them yet.
 * owner: all who have asked, each of whom calls rings_release. */
struct rings *rings_share(const struct ring_parameters *parameters);

/* Give RINGS back; the last of its users frees them. */
void rings_release(struct rings *rings);
