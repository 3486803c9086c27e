/* SPDX-License-Identifier: BSD-3-Clause
 * Which part of a sweep this process makes: --shard, or its place among the processes that a launcher has
 * started. */
#pragma once

#include <stdbool.h>

struct err;

/* --shard I/N|auto[/N]. */
struct shard {
  unsigned part, parts; /* from 0 on; parts = 0: everything */
};

/* Parse TEXT: I/N, or auto, or auto/N: then I (and N) are what Slurm, Open MPI or GNU parallel say in the
 * environment.
 * errors: it is malformed, I is not 1 to N; no launcher says anything, or says another N. */
int shard_parse(const char *text, struct shard *shard, struct err *err);

/* Replace every %s in the name PATH of a store by the number of SHARD, from 1 on; where nothing is shared, or
 * there is none, it stays as it is.
 * owner: the caller. */
char *shard_path(const struct shard *shard, const char *path);
