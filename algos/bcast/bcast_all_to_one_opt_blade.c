/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-one broadcast for blades, optimised: the root serves its own chip and the leader of each other chip;
 * this leader serves its own chip in the same way; one message crosses to each chip. Every put starts when
 * its rank is ready.
 *
 *   0 and ranks 1 .. 7, 8     at each signal: start the sender's put
 *                             after all signals, 8 first, then in the same order: wait for the put, signal
 *   8 and ranks 9 .. 15       the same once 0 has signalled 8
 *
 * rounds: 1 per chip on the way to a rank.
 * source: ATOBcastB_Opt of Gaona, Fernandez, Acacio 2009, section 3.2, figure 3(b); chips beyond two are
 * ours. */
#include "algos/phase/ready_go.h"

const struct algo bcast_all_to_one_opt_blade = {
  .collective = COLL_BCAST,
  .name = "all-to-one-opt-blade",
  .source = "gaona2009",
  .idea = "each rank is served as it signals and each other chip by one message",
  .needs = NEED_SIGNAL_BITS | NEED_ONE_DMA,
  .neighbours = neighbours_star_of_blade,
  .run = child_transfers_down_as_ready,
};
