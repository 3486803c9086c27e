/* SPDX-License-Identifier: BSD-3-Clause
 * The speed of the simulator on typical requests of users: whole calls, points of `check`, predictions, and
 * barriers on machines larger than any ever built. Part of the benchmark simulator-speed. */
#pragma once

struct bench_run;

/* A repeated work, measured per second of processor time, and its number of ranks. */
struct speed {
  const char *parameter, *unit;
  unsigned ranks;
  double nbytes; /* bytes of each repetition */
  /* Do the work with CONTEXT once, or several times.
   * returns: the number of times. */
  double (*work)(void *context);
  void *context;
};

/* Repeat SPEED for a while, at least once, and report the rate in RUN. */
void speed_measure(struct bench_run *run, const struct speed *speed);

/* Measure calls of the collectives with data in local stores (one call of each algorithm, with 1 KiB, made
 * and verified as by `run`), the same calls as points of `check`, and the predictions of the calls by the
 * refined model; on the first 16 SPEs of RUN, or on all of fewer SPEs. */
void speed_of_calls(struct bench_run *run);

/* Measure barriers on all SPEs of machines made of built-in blades: 32 chips of 8, 64 chips of 16, and 64
 * blades of 16.
 * errors: such a machine cannot be made. */
int speed_of_barriers(struct bench_run *run);
