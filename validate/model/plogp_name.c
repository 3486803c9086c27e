/* SPDX-License-Identifier: BSD-3-Clause
 * See plogp.h: names of the parameters. */
#include "validate/model/plogp.h"

const char *
plogp_name(enum cost_parameter parameter)
{
  static const char *const names[COST_PARAMETERS] = {[COST_L] = "L",
                                                     [COST_L1] = "L1",
                                                     [COST_L2] = "L2",
                                                     [COST_G] = "g",
                                                     [COST_G1] = "g1",
                                                     [COST_G2] = "g2",
                                                     [COST_G_ACK] = "gAck",
                                                     [COST_G1_ACK] = "g1Ack",
                                                     [COST_G2_ACK] = "g2Ack",
                                                     [COST_C] = "C",
                                                     [COST_GAMMA] = "gamma",
                                                     [COST_SERVE1] = "serve1",
                                                     [COST_SERVE2] = "serve2",
                                                     [COST_BESIDE] = "beside",
                                                     [COST_DELAY1] = "delay1",
                                                     [COST_DELAY2] = "delay2",
                                                     [COST_ISSUE] = "issue",
                                                     [COST_HANDLE] = "handle",
                                                     [COST_ISSUE2] = "issue2",
                                                     [COST_ISSUE_MORE] = "issue-more",
                                                     [COST_START] = "start",
                                                     [COST_READ1] = "read1",
                                                     [COST_READ2] = "read2",
                                                     [COST_WRITE1] = "write1",
                                                     [COST_WRITE2] = "write2",
                                                     [COST_COPY1] = "copy1",
                                                     [COST_COPY2] = "copy2",
                                                     [COST_BLOCKS1] = "blocks1",
                                                     [COST_BLOCKS2] = "blocks2",
                                                     [COST_BEHIND1] = "behind1",
                                                     [COST_BEHIND2] = "behind2",
                                                     [COST_PPE_COPY] = "ppe-copy",
                                                     [COST_MAIL] = "mail",
                                                     [COST_HEAR] = "hear",
                                                     [COST_ANSWER] = "answer",
                                                     [COST_STEP1] = "step1",
                                                     [COST_STEP2] = "step2",
                                                     [COST_CLASSIC_G1] = "classic-g1",
                                                     [COST_CLASSIC_G2] = "classic-g2"};
  return names[parameter];
}
