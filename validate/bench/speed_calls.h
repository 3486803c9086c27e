/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the simulator serves what its users ask for: whole calls, points of `check`, predictions, and
 * barriers on machines larger than any that was built. Part of the benchmark simulator-speed. */
#pragma once

struct bench_run;

/* How often something is repeated per second of processor time, and on how many ranks. */
struct speed {
  const char *parameter, *unit;
  unsigned ranks;
  double nbytes; /* of each of them */
  /* Do it with CONTEXT once, or several times.
   * returns: how many times. */
  double (*work)(void *context);
  void *context;
};

/* Repeat SPEED for a while, at least once, and report its rate in RUN. */
void speed_measure(struct bench_run *run, const struct speed *speed);

/* Measure calls of the collectives whose data lies in local stores (one of each algorithm, with 1 KiB, made
 * and verified as by `run`), the points of `check` that they are, and their predictions by the refined model;
 * on the first 16 SPEs of RUN, or on all if there are fewer. */
void speed_of_calls(struct bench_run *run);

/* Measure barriers on all SPEs of machines made of blades that are built in: 32 chips of 8, 64 chips of 16,
 * and 64 blades of 16.
 * errors: such a machine cannot be made. */
int speed_of_barriers(struct bench_run *run);
