/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-one reduce for blades, optimised: the leader of each chip reduces the operands of its chip, and the
 * root also the operands of the other leaders; one message crosses from each chip. Every get starts when its
 * rank is ready.
 *
 *   8 and ranks 9 .. 15       at each signal: start the get from the sender
 *                             after all signals, in the same order: wait for the get, combine, signal
 *   0 and ranks 1 .. 7, 8     the same; 8 signals when its chip is done
 *
 * rounds: 1 per chip on the way from a rank.
 * source: ATORedB_Opt of Gaona, Fernandez, Acacio 2009, section 3.3; chips beyond two are ours. */
#include "algos/phase/ready_go.h"

const struct algo reduce_all_to_one_opt_blade = {
  .collective = COLL_REDUCE,
  .name = "all-to-one-opt-blade",
  .source = "gaona2009",
  .idea = "each operand is fetched as its rank signals and one message comes from each other chip",
  .needs = NEED_SIGNAL_BITS | NEED_512_ELEMENTS,
  .scratch = child_transfers_scratch,
  .neighbours = neighbours_star_of_blade,
  .run = child_transfers_up_as_ready,
};
