/* SPDX-License-Identifier: BSD-3-Clause
 * Findings about processes on hosts with two rails: 16 processes on 4 hosts. */
#include "validate/papers/findings_decide.h"

enum { RANKS = 16 };

/* With so many BYTES one algorithm is faster. */
struct duel {
  size_t bytes;
  bool first_wins;
};

/* Require of algorithms NAMES the results of the N DUELS. */
static void require_duels(struct decision *d, const char *const names[2], const struct duel *duels,
                          size_t n) {
  for (size_t i = 0; i < n; i++) {
    double first = finding_time(d, names[0], RANKS, duels[i].bytes),
           second = finding_time(d, names[1], RANKS, duels[i].bytes);
    finding_point(d, duels[i].first_wins ? first < second : second < first, "%zu B: %.1f/%.1f us",
                  duels[i].bytes, first * 1e-3, second * 1e-3);
  }
}

void finding_multi_port_beats_native(struct decision *d) {
  static const struct duel gathers[] = {{4, true},     {32, true},     {64, false},
                                        {1024, false}, {16384, false}, {1048576, false}},
                           alltoalls[] = {{4, true},     {256, true},    {512, false},    {16384, false},
                                          {32768, true}, {65536, false}, {1048576, false}};
  finding_say(d, "gather: native/two ports");
  require_duels(d, (const char *const[]){"gather:elan", "gather:binomial:ports=2"}, gathers,
                sizeof gathers / sizeof *gathers);
  finding_say(d, "all-to-all");
  require_duels(d, (const char *const[]){"alltoall:elan", "alltoall:direct:ports=2"}, alltoalls,
                sizeof alltoalls / sizeof *alltoalls);
}

void finding_binomial_scatter_for_short_sequential_for_long(struct decision *d) {
  static const struct duel duels[] = {{4, true},      {64, true},      {1024, true},
                                      {65536, false}, {262144, false}, {1048576, false}};
  finding_say(d, "binomial/sequential");
  require_duels(d, (const char *const[]){"scatter:binomial:ports=2", "scatter:sequential:ports=2"}, duels,
                sizeof duels / sizeof *duels);
}
