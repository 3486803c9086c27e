/* SPDX-License-Identifier: BSD-3-Clause
 * Microbenchmarks of the machine: SPE programs that measure the machine from inside. */
#pragma once

#include "platform/platform.h"
#include "sim/base/units.h"
#include "validate/lab/ledger/ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- measurements other than the benchmarks: measure.c --- */

/* A measurement, with the call of an experiment: ranks, bytes, profile. COUNT and BUFFER are numbers of the
 * experiment. */
enum measure {
  MEASURE_NONE,
  /* from the call until the first child of the root has the data, rank p / 2 of a binomial tree */
  MEASURE_ARRIVAL,
  /* one SPE gets the bytes from the local store of a neighbour in COUNT DMAs at once */
  MEASURE_PIECES,
  /* from main memory to main memory through COUNT buffers of BUFFER bytes */
  MEASURE_COPY,
  /* a get while COUNT messages cross between chips, all in loops; all start in one cycle */
  MEASURE_CROSSING,
  MEASURE_BURST,
  /* of all streams of the subject together, with COUNT DMAs of each under way; the share of bus requests on
   * clockwise rings; the same for one DMA of each, enough to find a direction */
  MEASURE_RATE,
  MEASURE_SHARE,
  MEASURE_DIRECTION,
  /* a message from rank 0 to each other rank, half a round trip, in cycles; on hosts from the first host to
   * the second one, over COUNT rails, 0: all */
  MEASURE_MESSAGE,
  /* a complete exchange among hosts with the seed COUNT, in cycles; a second row has the number of
   * retransmission timeouts */
  MEASURE_EXCHANGE,
};

/* Indices of an experiment's numbers. */
enum { MEASURE_KIND, MEASURE_COUNT, MEASURE_BUFFER };

/* Ask LEDGER for MEASURE, with machine, call, subject and numbers of EXPERIMENT.
 * returns: as ledger_ask. The reason for no row: as call_run, rig_init, net_new. */
bool measure_ask(struct ledger *ledger, enum measure measure, struct experiment *experiment,
                 struct result *result);

/* --- benchmarks --- */

/* The input of a benchmark. */
struct bench_run {
  struct machine *machine;
  const struct profile *profile;  /* profile of the benchmark's source, or the profile asked for */
  const struct units_list *bytes; /* sizes asked for; empty: bench_run takes the benchmark's own */
  /* numbers of ranks asked for, on platforms of hosts; NULL or empty: the benchmark's own */
  const struct units_list *ranks;
  bool no_others; /* for signature on hosts: no predictions of further numbers of ranks */
  /* of eib-pattern: */
  const struct pattern *pattern; /* NULL or empty: the benchmark's own */
  unsigned depth;                /* DMAs kept under way in a stream; 0: as many as there is room for */
  uint64_t total;                /* bytes of a stream; 0: the benchmark's own */

  const char *subject; /* name of the benchmark with all options above that are set; NULL: none set */

  struct pack rows; /* the figures, for result_take; the caller releases them with pack_fini */
  /* through a ledger: rows with the use of the machine are also wanted, see call_add_counters, and the
   * benchmark runs only once */
  bool used;
  struct ledger *parts;        /* of a benchmark in parts: what asks for the parts */
  size_t mark;                 /* of `parts`, see bench_is_known */
  struct bench_counts *counts; /* counters of the network; NULL: not wanted */
  struct err *err;
};

struct net;
struct signature;

/* A benchmark. */
struct bench {
  const char *name;
  const char *source; /* paper and code base; also the name of a software-cost profile */
  const char *doc;
  unsigned least_spes, least_chips; /* least machine: SPEs of a chip, chips; 0: one */
  bool of_nodes, of_hosts;          /* needs a platform of several nodes; also runs on hosts, without SPEs */
  bool counts_network;              /* on platforms of several nodes, the use reported is of the network */
  /* each measurement is an experiment of the ledger; `run` is called until all are known */
  bool in_parts;
  const struct units_list *sizes; /* unless others are asked for; NULL: `run` chooses */
  /* 0, or -1 with run->err set; check, of the sizes, may be NULL */
  int (*check)(const struct bench_run *run), (*run)(struct bench_run *run);
};

/* All benchmarks, and their number. */
extern const struct bench *const benches[];
extern const size_t nbenches;

/* Find the benchmark NAME.
 * errors: no such benchmark; the nearest is suggested. NULL then. */
const struct bench *bench_find(const char *name, struct err *err);

/* Run BENCH; RUN then has the rows.
 * errors: the machine lacks a requirement of BENCH; impossible sizes or ranks. */
int bench_run(const struct bench *bench, struct bench_run *run);

/* Ask LEDGER for the rows of BENCH in RUN; RUN must live until the rows are known. Then RUN has the rows, and
 * *STATUS is the result of bench_run; also -1 after a crash, counted by the ledger.
 * returns: whether the rows are known. */
bool bench_ask(struct ledger *ledger, const struct bench *bench, struct bench_run *run, int *status);

/* Check that the microbenchmarks can move each of the sizes of RUN.
 * errors: a size of 0, or more than fits into a local store. */
int bench_check_sizes(const struct bench_run *run);

/* Check that one DMA can also have each of the sizes of RUN.
 * errors: a size refused by the MFC. */
int bench_check_dma_sizes(const struct bench_run *run);

/* For benchmarks in parts: measure messages of SIZES, of which BENCH_SIZES_MAX count, as MEASURE_MESSAGE of
 * EXPERIMENT says. Once the times are known, alpha and beta of SIGNATURE fit the times.
 * errors: as net_new. */
enum { BENCH_SIZES_MAX = 32 };
int bench_messages(struct bench_run *run, struct experiment experiment, const struct units_list *sizes,
                   struct signature *signature);

/* For benchmarks in parts: return the time in SPU cycles of a call of the algorithm called NAME with the
 * ranks and bytes of POINT. USE, unless NULL, becomes the use of the machine, see call_take_counter.
 * returns: NaN for an unknown time; a negative number after an error.
 * errors: as catalogue_find and call_run; a stop of the algorithm; a wrong result. */
double bench_call(struct bench_run *run, const char *name, struct result_row point, struct pack *use);

/* For benchmarks in parts: tell whether all parts asked for are known; otherwise the rows do not
 * count. */
bool bench_is_known(const struct bench_run *run);

/* For benchmarks in parts: ask for MEASURE of EXPERIMENT, with the machine and the profile of RUN.
 * returns: the value of the first row of RESULT; NaN: not known; a negative number after an error.
 * errors: as measure_ask. */
double bench_part(struct bench_run *run, enum measure measure, struct experiment experiment,
                  struct result *result);

/* Begin and end to count on NET, a new or reset network, if counters are wanted. RANKS and NBYTES describe
 * the exchange counted; the last exchange counted is reported. */
void bench_count(const struct bench_run *run, struct net *net);
void bench_counted(const struct bench_run *run, struct net *net, unsigned ranks, size_t nbytes);

/* Report a figure: the members of a struct result_row but `part`. */
#define bench_report(run, ...) result_add(&(run)->rows, &(struct result_row){__VA_ARGS__, .part = NULL})

/* The same for a figure of CYCLES, in ns. */
#define bench_report_ns(run, parameter, ranks, bytes, cycles) \
  bench_report(run, parameter, ranks, bytes, bench_ns(run, cycles), "ns")

/* Return NBYTES per CYCLES on the machine of RUN in GB/s. */
double bench_gigabytes(const struct bench_run *run, double nbytes, double cycles);

/* Return CYCLES on the machine of RUN in ns. */
double bench_ns(const struct bench_run *run, double cycles);
