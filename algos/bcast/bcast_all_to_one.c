/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-one broadcast in three phases that do not overlap: when all ranks have signalled the root, the root
 * puts the data into the buffers of all ranks at once; when all data has arrived the root signals all ranks.
 *
 *   ready       1 2 3 ... p-1  >  0     signals
 *   broadcast   0  >  1 2 3 ... p-1     data
 *   go          0  >  1 2 3 ... p-1     signals
 *
 * rounds: 3.
 * source: ATOBcast of Gaona, Fernandez, Acacio 2009, section 3.2, figure 3(a). */
#include "algos/phase/ready_go.h"

const struct algo bcast_all_to_one = {
  .collective = COLL_BCAST,
  .name = "all-to-one",
  .source = "gaona2009",
  .idea = "all signal the root and it puts the data to all and signals them",
  .needs = NEED_SIGNAL_BITS | NEED_ONE_DMA,
  .neighbours = neighbours_star,
  .run = child_transfers_down_in_phases,
};
