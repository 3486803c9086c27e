/* SPDX-License-Identifier: BSD-3-Clause
 * Complete exchanges between two clusters of hosts that a wide area separates:
 *
 *   T = max(T_1, T_2) + ceil(n2 / n1) (alpha + beta m n)        n1 <= n2
 *
 * T_i is what an exchange among the ni ranks of cluster i takes by its contention signature (signature.h), alpha and beta are those of a message
 * from one cluster to the other, m the bytes of a block. The equation is printed with n = n1 + n2; a message of the algorithm that it describes
 * carries n1 blocks.
 * source: Steffenel, Martinasso, Trystram 2007, section 7.1, equation 6. */
#pragma once

#include "validate/model/signature.h"

#include <stdbool.h>

struct blade;
struct ledger;

/* Two clusters: the first one is that of the first host. */
struct wide_area {
  unsigned hosts; /* of the first cluster; the second one has all others */
  struct signature clusters[2];
  struct signature between; /* alpha and beta of a message from one to the other; nothing else */
};

/* Ask LEDGER for the values of BLADE's platform, whose nodes are hosts.
 * returns: whether they are known; then *WHY is why there are none, or NULL, and AREA is set. */
bool wide_area_ask(struct ledger *ledger, struct blade *blade, struct wide_area *area, const char **why);

/* Return what the equation says of blocks of NBYTES, with n = BLOCKS, for RANKS[0] ranks in the first and RANKS[1] in the second cluster,
 * at least one in each. */
double wide_area_predict(const struct wide_area *area, const unsigned ranks[2], unsigned blocks,
                         size_t nbytes);
