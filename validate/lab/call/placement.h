/* SPDX-License-Identifier: BSD-3-Clause
 * The SPE of each rank. */
#pragma once

#include "sim/base/units.h"

#include <stdbool.h>
#include <stdint.h>

struct algorithm;
struct platform;
struct coll_group;
struct platform;

enum placement_kind {
  PLACEMENT_PACKED,      /* rank r on chip r / s as SPE r mod s, s being the SPEs of a chip */
  PLACEMENT_ROUND_ROBIN, /* rank r on chip r mod c, c being the chips */
  PLACEMENT_LIST,        /* rank r on element r of a list */
};

/* An element of a list is the number of an SPE, counted over the blade or over all nodes one after the other;
 * or, with this bit set, a node, a chip of the node, and an SPE of the chip: three numbers below
 * PLACEMENT_MOST. */
#define PLACEMENT_NUMBERS (UINT64_C(1) << 63)
enum { PLACEMENT_MOST = 1 << 20 };

struct placement {
  enum placement_kind kind;
  struct units_list list;
};

/* Read `packed`, `round-robin`, or a list such as 0,8,1,9 or 0.0.0,1.0.0,1.1.7 (node.chip.spe).
 * errors: anything else.
 * owner: the caller frees list as units_list_fini does. */
int placement_parse(const char *text, struct placement *placement, struct err *err);

/* The shape that the elements of a list count over: nodes, chips of a node, SPEs of a chip; on hosts: nodes,
 * 1, processes of a host. */
struct placement_shape {
  unsigned nodes, chips, spes;
};

/* Append PLACEMENT of NRANKS ranks to *TEXT: the name, or the list with BETWEEN two SPEs. */
void placement_append(char **text, const struct placement *placement, unsigned nranks, const char *between);

enum { PLACEMENT_CELL = 255 }; /* characters */

/* Return the text of placement_append with blanks, for a cell of a table: cut after PLACEMENT_CELL
 * characters; a text_brief. */
const char *placement_tell(const struct placement *placement, unsigned nranks);

/* Return the shape of the places of ranks on PLATFORM; if SPREAD on all nodes of PLATFORM: packed fills one
 * node after the other, round-robin deals nodes in turn, and on each node chips. On hosts all processes have
 * a place in either case. */
struct placement_shape placement_shape(const struct platform *platform, bool spread);

/* Return the number of these places. */
unsigned placement_count(const struct platform *platform, bool spread);

/* Check that NRANKS ranks can be placed in SHAPE.
 * errors: a list with too few SPEs, with a repeated SPE, or with an SPE that does not exist. */
int placement_check(const struct placement *placement, const struct placement_shape *shape, unsigned nranks,
                    struct err *err);

/* Where a rank sits in a machine of several nodes. */
struct placement_spot {
  unsigned node, spe; /* SPE counted over the blade */
};

/* Return the number of blades of PLATFORM, with a network node per blade or behind hosts. */
unsigned placement_machine_nodes(const struct platform *platform);

/* Return how many ranks ALGORITHM can have on PLATFORM: one for each SPE of the blade, or of all nodes; on
 * hosts one for each process. */
unsigned placement_most(const struct algorithm *algorithm, const struct platform *platform);

/* Return the number of ranks for ASKED, a value of units_parse_ranks_list, on PLATFORM. */
unsigned placement_ranks(uint64_t asked, const struct platform *platform);

/* Return the place of RANK of NRANKS on all nodes; the number of nodes up to the last one with a rank. */
struct placement_spot placement_spot(const struct placement *placement, const struct platform *platform,
                                     unsigned nranks, unsigned rank);
unsigned placement_nodes(const struct placement *placement, const struct platform *platform, unsigned nranks);

/* Return the place of RANK of NRANKS, counted over SHAPE. */
unsigned placement_in(const struct placement *placement, const struct placement_shape *shape, unsigned nranks,
                      unsigned rank);

/* Place the ranks of GROUP in SHAPE; GROUP has only the number of ranks. CLUSTERS [chip of SHAPE] are the
 * chips for GROUP; NULL: the chips of SHAPE.
 * owner: the caller, with placement_fini. */
void placement_apply(const struct placement *placement, const struct placement_shape *shape,
                     const unsigned *clusters, struct coll_group *group);

/* Release the lists of placement_apply. */
void placement_fini(struct coll_group *group);
