/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-one barrier for blades: all ranks of a chip signal the chip's leader, the leaders signal one
 * another, and each leader releases its chip. No other signal leaves a chip.
 *
 *   ready          1 2 .. 7 > 0     9 10 .. 15 > 8
 *   between chips             0 = 8
 *   go             0 > 1 2 .. 7     8 > 9 10 .. 15
 *
 * With more than two chips every leader signals every other leader: one crossing, as with two chips, where a
 * report to the first leader and its answer would take two.
 *
 * rounds: 3; on one chip the all-to-one barrier.
 * source: ATOBarB of Gaona, Fernandez, Acacio 2009, section 3.1, figure 2(b); more chips: this project. */
#include "algos/phase/ready_go.h"

const struct algo barrier_all_to_one_blade = {
  .collective = COLL_BARRIER,
  .name = "all-to-one-blade",
  .source = "gaona2009",
  .idea = "all-to-one on every chip and one exchange of signals between the chips",
  .needs = NEED_SIGNAL_BITS,
  .neighbours = neighbours_star_on_chip,
  .run = ready_go_on_chips,
};
