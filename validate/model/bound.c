/* SPDX-License-Identifier: BSD-3-Clause
 * See tune.h. The bound is the largest of several times, each of which some resource needs in any case: the
 * latency of the longest way that data or a notification goes; the busiest ramp of an SPE; the links of a
 * chip; the combining of operands; the memory controllers. An all-reduce needs 2 (p - 1) / p times its data
 * on some ramp: for each element at least 2 p - 2 messages pass until all p ranks know the result.
 *
 * Of the p blocks of a reduce-scatter a rank gives its own part of the p - 1 blocks of others, alone or in a
 * sum: p - 1 blocks leave each ramp. A chip with n ranks gives a sum for each of the p - n blocks elsewhere,
 * and gets n. Each block takes p - 1 combinations, p (p - 1) in all, or p - 1 blocks for each rank. */
#include "validate/model/tune.h"

#include "platform/platform.h"
#include "sim/base/minmax.h"
#include "sim/node/machine.h"

#include <math.h>

/* In multiples of the size of a call: what goes through the busiest ramp, from and to main memory; what the
 * busiest rank combines. */
struct demand {
  double ramp, read, written, combined;
};

/* Return the demand of PROBLEM on P ranks. */
static struct demand demand_of(struct tune_problem problem, double p) {
  switch (problem.collective) {
  case COLL_BCAST:
    return (struct demand){1, 1, p - 1, 0};
  case COLL_REDUCE:
    return (struct demand){1, p, 1, (p - 1) / p};
  case COLL_ALLREDUCE:
    return (struct demand){2 * (p - 1) / p, p, p, (p - 1) / p};
  case COLL_REDUCESCATTER:
    return (struct demand){p - 1, p * p, p, p - 1};
  case COLL_SCAN:
    return (struct demand){1, p, p - 1, (p - 1) / p};
  case COLL_ALLGATHER:
    return (struct demand){p - 1, p, p * (p - 1), 0};
  case COLL_GATHER:
  case COLL_SCATTER:
    return (struct demand){p - 1, p - 1, p - 1, 0};
  case COLL_ALLTOALL:
    return (struct demand){p - 1, p * (p - 1), p * (p - 1), 0};
  case COLL_BARRIER:
    return (struct demand){0, 0, 0, 0};
  default:
    return (struct demand){.ramp = NAN};
  }
}

/* Return the multiples of the size that the links of a chip with N of P ranks carry, in the busier direction;
 * HAS_ROOT: the root is on the chip; IS_FIRST: rank 0 is. */
static double crossing(enum collective collective, double n, double p, bool has_root, bool is_first) {
  switch (collective) {
  case COLL_BCAST:
  case COLL_REDUCE:
  case COLL_ALLREDUCE:
    return 1;
  case COLL_SCAN:
    return is_first;
  case COLL_ALLGATHER:
  case COLL_REDUCESCATTER:
    return fmax(n, p - n);
  case COLL_GATHER:
  case COLL_SCATTER:
    return has_root ? p - n : n;
  case COLL_ALLTOALL:
    return n * (p - n);
  default:
    return 0;
  }
}

/* The ranks of a call on the chips of a blade. */
struct spread {
  const struct blade *blade;
  unsigned ranks, per_chip, used, root_chip; /* chips 0 to used - 1 have ranks */
};

/* Return the number of ranks on CHIP. */
static unsigned ranks_on(const struct spread *spread, unsigned chip) {
  unsigned before = chip * spread->per_chip;
  return MIN(spread->ranks - before, spread->per_chip);
}

/* Return the most links between two chips of SPREAD that a call has to join. */
static unsigned farthest(const struct spread *spread, bool from_root) {
  unsigned most = 0;
  for (unsigned a = 0; a < spread->used; a++) {
    for (unsigned b = 0; b < spread->used; b++) {
      unsigned links = blade_links_between(spread->blade, a, b);
      most = links > most && (!from_root || a == spread->root_chip) ? links : most;
    }
  }
  return most;
}

/* Return the number of links of CHIP. */
static unsigned links_of(const struct platform *platform, unsigned chip) {
  unsigned n = 0;
  for (size_t i = 0; i < platform->nlinks; i++) {
    n += platform->links[i][0] == chip || platform->links[i][1] == chip;
  }
  return n;
}

/* Note that a call takes at least CYCLES because of WHAT. */
static void at_least(double cycles, const char *what, double *bound, const char **of) {
  if (cycles > *bound) {
    *bound = cycles;
    *of = what;
  }
}

double bound_cycles(const struct machine *machine, struct tune_problem problem, unsigned ranks, unsigned root,
                    size_t nbytes, const char **of) {
  const struct platform *platform = machine_platform(machine);
  struct demand demand = demand_of(problem, ranks);
  double bound = 0, m = (double)nbytes, request = platform->eib.request_bytes, p = ranks;
  *of = "latency";
  if (platform->has_nodes || isnan(demand.ramp) || ranks > platform->nspes) {
    return NAN;
  }
  if (ranks < 2) {
    return 0;
  }
  struct spread spread = {
    .blade = machine_blade(machine, 0), .ranks = ranks, .per_chip = platform->spes_per_chip};
  spread.used = (ranks + spread.per_chip - 1) / spread.per_chip;
  spread.root_chip = root / spread.per_chip;
  double divider = platform->clock.bus_divider;
  double near = platform->mfc.issue + platform->mfc.to_bus + platform->eib.command_phase +
                platform->eib.hop * divider + fmin(platform->mfc.visible, platform->mfc.complete);
  double across = platform->bif.command + platform->bif.data;
  double far = near + farthest(&spread, collective_has_root(problem.collective)) * across;
  at_least(far, "latency", &bound, of);
  if (problem.in_memory) {
    double controllers = platform->memory.placement[0] == 'o' ? spread.used : 1; /* own, or first */
    double blocks =
      demand.read * platform->memory.read_interval + demand.written * platform->memory.write_interval;
    at_least(blocks * m / request / controllers, "memory", &bound, of);
  } else {
    at_least(near + demand.ramp * m / request * platform->eib.ramp_interval * divider, "ramp", &bound, of);
    for (unsigned chip = 0; chip < spread.used && spread.used > 1; chip++) {
      double blocks =
        crossing(problem.collective, ranks_on(&spread, chip), p, chip == spread.root_chip, chip == 0);
      double rate =
        platform->bif.bandwidth / platform->clock.spu * request / (request + platform->bif.overhead);
      at_least(near + across + blocks * m / rate / links_of(platform, chip), "link", &bound, of);
    }
  }
  if (demand.combined > 0 && nbytes) {
    at_least(near + demand.combined * m * platform->combine.int32_sum / 16, "combining", &bound, of);
  }
  return bound;
}
