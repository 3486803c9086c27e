/* SPDX-License-Identifier: BSD-3-Clause
 * What rows of complete exchanges among hosts ask the benchmark `signature` for: no more than they need,
 * since most of its time goes into the largest messages and the numbers of ranks that it predicts. */
#pragma once

#include "sim/base/units.h"

#include <stdint.h>

struct bench_run;

/* A question for one number of ranks; it must live as long as the run. */
struct published_exchanges {
  uint64_t nranks;
  struct units_list ranks;
  char subject[96];
};

/* Let RUN ask for what PARAMETER of RANKS ranks is taken from, in EXCHANGES: short messages, doubling, to
 * find the size from which they have timeouts, or long ones to fit the signature to. */
void published_exchanges_ask(struct published_exchanges *exchanges, struct bench_run *run,
                             const char *parameter, unsigned ranks);
