/* SPDX-License-Identifier: BSD-3-Clause
 * A machine in the library. This folder only. */
#pragma once

struct cellcoll_machine {
  struct platform *platform;
  struct blade *blade; /* one node */
};
