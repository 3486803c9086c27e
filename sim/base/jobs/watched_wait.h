/* SPDX-License-Identifier: BSD-3-Clause
 * A wait that somebody watches: it stands for the one that a program has given, and tells when that begins to
 * take time. */
#pragma once

#include "sim/base/engine/des.h"

/* Embedded first in what its owner needs to know. */
struct watched_wait {
  struct des_wait wait; /* first: what des_wait gets */
  const struct des_wait *given;
  void (*tell)(struct watched_wait *watched); /* called when it begins to take time */
  bool began;                                 /* it has */
  uint64_t since;                             /* in this cycle */
};

/* Return a wait that stands for GIVEN, which outlives it. */
struct watched_wait watched_wait(const struct des_wait *given, void (*tell)(struct watched_wait *watched));
