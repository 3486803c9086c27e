/* SPDX-License-Identifier: BSD-3-Clause
 * A message as SimGrid's flow model sees it. */
#pragma once

struct network_flow {
  unsigned from, to; /* hosts */
  double nbytes;
};
