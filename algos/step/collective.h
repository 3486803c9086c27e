/* SPDX-License-Identifier: BSD-3-Clause
 * The collectives: names and properties. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum collective {
  COLL_BARRIER,
  COLL_BCAST,
  COLL_REDUCE,
  COLL_ALLREDUCE,
  COLL_REDUCESCATTER,
  COLL_ALLGATHER,
  COLL_ALLGATHERV,
  COLL_SCAN,
  COLL_GATHER,
  COLL_GATHERV,
  COLL_SCATTER,
  COLL_ALLTOALL,
  COLL_ALLTOALLV,
  COLL_COUNT,
};

/* Return the name of COLLECTIVE as typed on the command line, and a description of its result. */
const char *collective_name(enum collective collective);
const char *collective_description(enum collective collective);

/* Return the collective with the name of N letters at the front of TEXT; COLL_COUNT: none. */
enum collective collective_find(const char *text, size_t n);

/* Return the name of the collective called WORD elsewhere, such as broadcast or MPI_Bcast; NULL: none. */
const char *collective_meant(const char *word);

/* Tell whether COLLECTIVE moves data, has a root, combines elements, has a block for each rank instead of a
 * vector. */
bool collective_has_data(enum collective collective);
bool collective_has_root(enum collective collective);
bool collective_combines(enum collective collective);
bool collective_has_blocks(enum collective collective);
