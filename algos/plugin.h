/* SPDX-License-Identifier: BSD-3-Clause
 * The exports of a shared object whose algorithms `cellcoll --plugin` adds to the catalogue:
 *
 *   #include "algos/plugin.h"
 *   static const struct algo mine = {...};
 *   CELLCOLL_PLUGIN(&mine);
 *
 * A plugin is compiled with the flags that `pkg-config --cflags cellcoll` prints, and not linked with
 * anything: all functions are in the program. examples/ has a complete plugin. */
#pragma once

#include "algos/cost/cost.h"
#include "algos/step/coll.h"

/* The interface that a plugin was compiled for. The version changes with the meaning of an interface or a
 * header; the sizes notice other changes. */
struct cellcoll_abi {
  unsigned version;
  unsigned algo, coll, group, cost; /* bytes of these structures */
};

/* The interface of this program. */
#define CELLCOLL_ABI \
  { 6, sizeof(struct algo), sizeof(struct coll), sizeof(struct coll_group), sizeof(struct cost) }

/* The exported symbols; the list ends with NULL. */
extern const struct cellcoll_abi cellcoll_abi;
extern const struct algo *const cellcoll_algorithms[];

/* Export pointers to one or more struct algo. */
#define CELLCOLL_PLUGIN(...) \
  const struct cellcoll_abi cellcoll_abi = CELLCOLL_ABI; \
  const struct algo *const cellcoll_algorithms[] = {__VA_ARGS__, NULL}
