/* SPDX-License-Identifier: BSD-3-Clause
 * How a program, of an SPE or of a host, waits for a flag in its own memory. */
#pragma once

#include "sim/base/des.h"
#include "sim/spu/spu_flag.h"

struct flag_wait {
  struct des_wait wait;
  const struct spu_flag *flag;
};

/* Return a wait, for des_wait, until FLAG is up; pokes of KINDS say that the memory of the flag has
 * changed. */
struct flag_wait flag_wait(const struct spu_flag *flag, unsigned kinds);
