/* SPDX-License-Identifier: BSD-3-Clause
 * See collective.h. */
#include "algos/step/collective.h"

#include <stddef.h>
#include <strings.h>

static const struct {
  const char *name, *description;
  bool has_root, combines;
} collectives[COLL_COUNT] = {
  [COLL_BARRIER] = {"barrier", "no rank leaves before the last one has entered", false, false},
  [COLL_BCAST] = {"bcast", "all ranks get the bytes of the root", true, false},
  [COLL_REDUCE] = {"reduce", "the root gets the elements of all ranks combined", true, true},
  [COLL_ALLREDUCE] = {"allreduce", "all ranks get the elements of all ranks combined", false, true},
  [COLL_ALLGATHER] = {"allgather", "all ranks get the blocks of all ranks", false, false},
  [COLL_ALLGATHERV] = {"allgatherv", "the same with blocks of different sizes", false, false},
  [COLL_SCAN] = {"scan", "rank r gets the elements of ranks 0 to r combined", false, true},
  [COLL_GATHER] = {"gather", "the root gets the blocks of all ranks", true, false},
  [COLL_GATHERV] = {"gatherv", "the same with blocks of different sizes", true, false},
  [COLL_SCATTER] = {"scatter", "each rank gets its block from the root", true, false},
  [COLL_ALLTOALL] = {"alltoall", "each rank gets its block from every rank", false, false},
  [COLL_ALLTOALLV] = {"alltoallv", "the same with blocks of different sizes", false, false},
};

const char *collective_name(enum collective collective) {
  return collectives[collective].name;
}

const char *collective_description(enum collective collective) {
  return collectives[collective].description;
}

const char *collective_meant(const char *word) {
  static const struct {
    const char *word;
    enum collective collective;
  } others[] = {{"broadcast", COLL_BCAST},         {"reduction", COLL_REDUCE},
                {"all-reduction", COLL_ALLREDUCE}, {"gather-all", COLL_ALLGATHER},
                {"concat", COLL_ALLGATHER},        {"collect", COLL_GATHER},
                {"distribute", COLL_SCATTER},      {"exchange", COLL_ALLTOALL},
                {"total-exchange", COLL_ALLTOALL}, {"complete-exchange", COLL_ALLTOALL},
                {"transpose", COLL_ALLTOALL},      {"prefix", COLL_SCAN},
                {"prefix-sum", COLL_SCAN},         {"synchronize", COLL_BARRIER}};
  static const char mpi[] = "MPI_";
  word += strncasecmp(word, mpi, sizeof mpi - 1) == 0 ? sizeof mpi - 1 : 0;
  for (size_t i = 0; i < COLL_COUNT; i++) {
    if (strcasecmp(word, collectives[i].name) == 0) {
      return collectives[i].name;
    }
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (strcasecmp(word, others[i].word) == 0) {
      return collectives[others[i].collective].name;
    }
  }
  return NULL;
}

bool collective_has_data(enum collective collective) {
  return collective != COLL_BARRIER;
}

bool collective_has_root(enum collective collective) {
  return collectives[collective].has_root;
}

bool collective_combines(enum collective collective) {
  return collectives[collective].combines;
}
