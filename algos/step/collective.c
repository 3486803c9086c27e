/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/collective.h"

#include "sim/base/vec.h"

#include <string.h>
#include <strings.h>

enum property { ROOT = 1, COMBINES = 2, BLOCKS = 4 };

static const struct {
  const char *name, *description;
  unsigned properties;
  const char *elsewhere; /* names, each behind a blank */
} collectives[COLL_COUNT] = {
  [COLL_BARRIER] = {"barrier", "no rank leaves before the last one has entered", 0, " synchronize"},
  [COLL_BCAST] = {"bcast", "all ranks get the bytes of the root", ROOT, " broadcast"},
  [COLL_REDUCE] = {"reduce", "the root gets the elements of all ranks combined", ROOT | COMBINES,
                   " reduction"},
  [COLL_ALLREDUCE] = {"allreduce", "all ranks get the elements of all ranks combined", COMBINES,
                      " all-reduction"},
  [COLL_REDUCESCATTER] = {"reducescatter", "each rank gets its block of the elements of all ranks combined",
                          COMBINES | BLOCKS, " reduce-scatter reduce_scatter reduce_scatter_block"},
  [COLL_ALLGATHER] = {"allgather", "all ranks get the blocks of all ranks", BLOCKS, " gather-all concat"},
  [COLL_ALLGATHERV] = {"allgatherv", "the same with blocks of different sizes", BLOCKS, ""},
  [COLL_SCAN] = {"scan", "rank r gets the elements of ranks 0 to r combined", COMBINES, " prefix prefix-sum"},
  [COLL_GATHER] = {"gather", "the root gets the blocks of all ranks", ROOT | BLOCKS, " collect"},
  [COLL_GATHERV] = {"gatherv", "the same with blocks of different sizes", ROOT | BLOCKS, ""},
  [COLL_SCATTER] = {"scatter", "each rank gets its block from the root", ROOT | BLOCKS, " distribute"},
  [COLL_ALLTOALL] = {"alltoall", "each rank gets its block from every rank", BLOCKS,
                     " exchange total-exchange complete-exchange transpose"},
  [COLL_ALLTOALLV] = {"alltoallv", "the same with blocks of different sizes", BLOCKS, ""},
};

const char *collective_name(enum collective collective) {
  return collectives[collective].name;
}

const char *collective_description(enum collective collective) {
  return collectives[collective].description;
}

enum collective collective_find(const char *text, size_t n) {
  return (enum collective)VEC_INDEX(collectives, COLL_COUNT,
                                    strlen(item->name) == n && strncmp(item->name, text, n) == 0);
}

static bool is_among(const char *word, const char *names) {
  size_t n = strlen(word);
  while (*names && !(strncasecmp(names + 1, word, n) == 0 && (names[1 + n] == ' ' || !names[1 + n]))) {
    names += 1 + strcspn(names + 1, " ");
  }
  return *names;
}

const char *collective_meant(const char *word) {
  static const char mpi[] = "MPI_";
  word += strncasecmp(word, mpi, sizeof mpi - 1) == 0 ? sizeof mpi - 1 : 0;
  size_t i =
    VEC_INDEX(collectives, COLL_COUNT, strcasecmp(word, item->name) == 0 || is_among(word, item->elsewhere));
  return i < COLL_COUNT ? collectives[i].name : NULL;
}

bool collective_has_data(enum collective collective) {
  return collective != COLL_BARRIER;
}

bool collective_has_root(enum collective collective) {
  return collectives[collective].properties & ROOT;
}

bool collective_combines(enum collective collective) {
  return collectives[collective].properties & COMBINES;
}

bool collective_has_blocks(enum collective collective) {
  return collectives[collective].properties & BLOCKS;
}
