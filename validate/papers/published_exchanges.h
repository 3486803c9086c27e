/* SPDX-License-Identifier: BSD-3-Clause
 * The question of rows of complete exchanges among hosts to the benchmark `signature`: only the sizes and
 * ranks needed, since the benchmark spends most of its time on the largest messages and on the ranks
 * predicted. */
#pragma once

#include "sim/base/units.h"

#include <stdint.h>

struct bench_run;

/* A question for one number of ranks; the struct must live as long as the run. */
struct published_exchanges {
  uint64_t nranks;
  struct units_list ranks;
  char subject[96];
};

/* Set up RUN and EXCHANGES for the messages behind PARAMETER of RANKS ranks: short messages, doubling in
 * size, for the size from which there are timeouts; or long messages for the fit of the signature. */
void published_exchanges_ask(struct published_exchanges *exchanges, struct bench_run *run,
                             const char *parameter, unsigned ranks);
