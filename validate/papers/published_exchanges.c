/* SPDX-License-Identifier: BSD-3-Clause
 * See published_exchanges.h. */
#include "validate/papers/published_exchanges.h"

#include "validate/bench/bench.h"

#include <stdio.h>
#include <string.h>

static const struct units_list short_sizes = {.values =
                                                (uint64_t[]){512, 1024, 2048, 4096, 8192, 16384, 32768},
                                              .n = 7},
                               long_sizes = {.values = (uint64_t[]){16384, 65536, 262144, 524288, 1048576},
                                             .n = 5};

void published_exchanges_ask(struct published_exchanges *exchanges, struct bench_run *run,
                             const char *parameter, unsigned ranks) {
  bool timeouts = strcmp(parameter, "timeouts-from") == 0;
  exchanges->nranks = ranks;
  exchanges->ranks = (struct units_list){.values = &exchanges->nranks, .n = 1};
  snprintf(exchanges->subject, sizeof exchanges->subject, "signature of %s messages alone ranks=%u",
           timeouts ? "short" : "long", ranks);
  run->bytes = timeouts ? &short_sizes : &long_sizes;
  run->ranks = &exchanges->ranks;
  run->no_others = true;
  run->subject = exchanges->subject;
}
