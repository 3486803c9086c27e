/* SPDX-License-Identifier: BSD-3-Clause
 * A machine as the library keeps it. This folder only. */
#pragma once

struct cellcoll_machine {
  struct platform *platform;
  struct blade *blade; /* one of its nodes */
};
