/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of a simulator with the bus left to SimGrid, for comparison only. */
#pragma once

/* Let ACTORS SimGrid actors sleep SLEEPS times each for as long as a bus request takes on a ring. */
void naive_loop_run(unsigned actors, unsigned sleeps);
