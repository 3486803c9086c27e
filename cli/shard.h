/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a sweep for this process: --shard, or the place among the processes of a launcher. */
#pragma once

struct err;

/* --shard I/N|auto[/N]. */
struct shard {
  unsigned part, parts; /* from 0 on; parts = 0: everything */
};

/* Parse TEXT: I/N, or auto, or auto/N. With auto, I (and N) come from Slurm, Open MPI or GNU parallel through
 * the environment.
 * errors: malformed text, I outside 1 to N; auto without a launcher, or with another N. */
int shard_parse(const char *text, struct shard *shard, struct err *err);

/* Replace every %s in PATH, the name of a store, by the number of SHARD, from 1 on; without a shard or a %s
 * PATH stays.
 * owner: the caller. */
char *shard_path(const struct shard *shard, const char *path);
