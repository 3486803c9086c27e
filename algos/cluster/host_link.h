/* SPDX-License-Identifier: BSD-3-Clause
 * The link between a blade and the host of its triblade: the moves of data on the link in each collective. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* A blade's link, seen by the program at one end. */
struct host_link {
  const struct coll_group *group;    /* group of this program */
  const struct cluster_place *place; /* place of a blade behind the host; `node` is replaced by `blade` */
  unsigned blade;                    /* outer rank of the link's blade */
  bool at_host;
  bool sends;
};

/* Move the data of the blade that the host needs. The programs at both ends call this function. */
void host_link_up(const struct host_link *link);

/* Move the data of the blade from the host; as host_link_up. */
void host_link_down(const struct host_link *link);

/* On the host: receive a vector from the blade and combine the vector with the data of the host. */
void host_link_combine(const struct host_link *link);
