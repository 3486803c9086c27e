/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-one reduce in three phases that do not overlap: when all ranks have signalled the root, the root
 * gets the operands of all ranks at once and combines the operands; then the root signals all ranks.
 *
 *   ready    1 2 3 ... p-1  >  0     signals
 *   gather   1 2 3 ... p-1  >  0     data
 *   go       0  >  1 2 3 ... p-1     signals
 *
 * rounds: 3.
 * source: ATORed of Gaona, Fernandez, Acacio 2009, section 3.3. */
#include "algos/phase/ready_go.h"

const struct algo reduce_all_to_one = {
  .collective = COLL_REDUCE,
  .name = "all-to-one",
  .source = "gaona2009",
  .idea = "all signal the root and it gets the operands of all",
  .needs = NEED_SIGNAL_BITS | NEED_512_ELEMENTS,
  .scratch = child_transfers_scratch,
  .neighbours = neighbours_star,
  .run = child_transfers_up_in_phases,
};
