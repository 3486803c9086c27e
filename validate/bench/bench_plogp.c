/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of the extended PLogP model, as measured by plogp.c. Notifications have bytes 16; for C the
 * column `ranks` is the number of messages that cross. On platforms of several nodes the parameters between
 * SPEs and the PPE and the parameters of messages follow; an empty message has bytes 0. For these parameters
 * `ranks` is the number of nodes, or hosts, that stand for the whole machine: the last node is the other end.
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 7.1, figure 7. */
#include "sim/node/machine.h"
#include "sim/spu/spu_mfcio.h"
#include "validate/bench/bench.h"
#include "validate/lab/call/usual_ranks.h"
#include "validate/model/measured/plogp.h"

#include <math.h>

/* Tell whether PARAMETER belongs to messages between nodes, or to hosts. */
static bool is_of_messages(enum cost_parameter parameter) {
  return parameter >= COST_L_NODE && parameter <= COST_O4;
}

static bool is_of_hosts(enum cost_parameter parameter) {
  return parameter >= COST_L4 && parameter <= COST_G4_IN;
}

/* Report PARAMETER, measured with RANKS ranks or messages, for NBYTES; COST_ACK: a notification. */
static void report_value(struct bench_run *run, struct plogp *plogp, enum cost_parameter parameter,
                         struct result_row row) {
  bool counts = parameter == COST_C || is_of_hosts(parameter), ack = row.bytes == COST_ACK;
  row.value = bench_ns(run, plogp_get(plogp, parameter, row.bytes, counts ? row.ranks : 0));
  row.parameter = plogp_name(parameter);
  row.bytes = !ack ? row.bytes : is_of_messages(parameter) ? 0 : MFC_MIN_DMA_SIZE;
  row.unit = "ns";
  if (!isnan(row.value)) { /* NaN: elements to combine would be cut */
    result_add(&run->rows, &row);
  }
}

/* Return the number of ranks, nodes or hosts in the measurement of PARAMETER. */
static unsigned ranks_of(const struct platform *platform, enum cost_parameter parameter) {
  switch (parameter) {
  case COST_GAMMA:
    return 1;
  case COST_L:
  case COST_L1:
  case COST_L2:
    return 2;
  case COST_G:
  case COST_G_ACK:
    return platform->spes_per_chip;
  case COST_G_SPE_PPE:
    return platform->nspes;
  case COST_G_NODE_IN:
    return 3;
  default:
    return is_of_hosts(parameter)        ? (unsigned)platform->node.count
           : is_of_messages(parameter)   ? 2
           : parameter >= COST_L_SPE_PPE ? 1
                                         : 2 * platform->spes_per_chip;
  }
}

/* Report PARAMETER of a machine of several nodes: for a notification without data, or an empty message, then
 * for SIZES. */
static void report_nodes(struct bench_run *run, struct plogp *plogp, enum cost_parameter parameter,
                         const struct units_list *sizes) {
  struct result_row row = {.ranks = ranks_of(machine_platform(run->machine), parameter), .bytes = COST_ACK};
  if (parameter != COST_GAMMA_PPE && parameter != COST_GAMMA_HOST) {
    report_value(run, plogp, parameter, row);
  }
  for (size_t i = 0; i < sizes->n && parameter != COST_G_SPE_PPE && parameter != COST_O4; i++) {
    row.bytes = sizes->values[i];
    report_value(run, plogp, parameter, row);
  }
}

static int run(struct bench_run *run) {
  const struct platform *platform = machine_platform(run->machine);
  const struct units_list *sizes = run->bytes;
  static const enum cost_parameter of_data[] = {COST_L,  COST_L1, COST_L2, COST_G,
                                                COST_G1, COST_G2, COST_C,  COST_GAMMA};
  struct plogp plogp;
  plogp_init(&plogp, run->machine, run->profile);
  for (enum cost_parameter parameter = COST_L; parameter < COST_C; parameter++) {
    if (plogp_exists(platform, parameter)) {
      struct result_row row = {.ranks = ranks_of(platform, parameter), .bytes = COST_ACK};
      report_value(run, &plogp, parameter, row);
    }
  }
  for (size_t p = 0; p < sizeof of_data / sizeof *of_data; p++) {
    for (size_t i = 0; i < sizes->n && plogp_exists(platform, of_data[p]); i++) {
      unsigned most = ranks_of(platform, of_data[p]), least = of_data[p] == COST_C ? 4 : most;
      for (unsigned n = least; n <= most; n += 2) {
        report_value(run, &plogp, of_data[p], (struct result_row){.ranks = n, .bytes = sizes->values[i]});
      }
    }
  }
  for (enum cost_parameter parameter = COST_L_SPE_PPE; parameter < COST_PARAMETERS; parameter++) {
    if (plogp_exists(platform, parameter)) {
      report_nodes(run, &plogp, parameter, sizes);
    }
  }
  plogp_fini(&plogp);
  return 0;
}

const struct bench bench_plogp = {
  .name = "plogp",
  .source = "ali2010",
  .doc = "latency; gap; congestion and combining parameters of the extended PLogP model",
  .least_spes = 2,
  .sizes = &usual_bytes,
  .check = bench_check_sizes,
  .run = run,
};
