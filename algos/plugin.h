/* SPDX-License-Identifier: BSD-3-Clause
 * What a shared object exports so that `cellcoll --plugin` adds its algorithms to the catalogue:
 *
 *   #include "algos/plugin.h"
 *   static const struct algo mine = {...};
 *   CELLCOLL_PLUGIN(&mine);
 *
 * It is compiled with the flags that `pkg-config --cflags cellcoll` prints, and not linked with anything: all
 * functions are in the program. examples/ has a whole one. */
#pragma once

#include "algos/cost/cost.h"
#include "algos/step/coll.h"

/* For which interface it was compiled. The version changes when something changes its meaning or its
 * header; the sizes notice the rest. */
struct cellcoll_abi {
  unsigned version;
  unsigned algo, coll, group, cost; /* bytes of these structures */
};

/* What is understood here. */
#define CELLCOLL_ABI \
  { 5, sizeof(struct algo), sizeof(struct coll), sizeof(struct coll_group), sizeof(struct cost) }

/* The exported symbols; the list ends with NULL. */
extern const struct cellcoll_abi cellcoll_abi;
extern const struct algo *const cellcoll_algorithms[];

/* Export pointers to one or more struct algo. */
#define CELLCOLL_PLUGIN(...) \
  const struct cellcoll_abi cellcoll_abi = CELLCOLL_ABI; \
  const struct algo *const cellcoll_algorithms[] = {__VA_ARGS__, NULL}
