/* SPDX-License-Identifier: BSD-3-Clause
 * Microbenchmarks of the machine: SPE programs that measure it from inside. */
#pragma once

#include "platform/platform.h"
#include "sim/base/pack.h"
#include "sim/base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blade;
struct err;
struct ledger;
struct pattern;

/* One figure. */
struct bench_row {
  const char *parameter;
  unsigned ranks;
  size_t bytes;
  double value;
  const char *unit;
};

/* What a benchmark gets to work with. */
struct bench_run {
  struct blade *blade;
  const struct profile *profile;  /* of the benchmark's source, or the one asked for */
  const struct units_list *bytes; /* sizes asked for; empty: the benchmark's own */
  const struct units_list
    *ranks;       /* numbers of ranks asked for, on platforms of hosts; NULL or empty: the benchmark's own */
  bool no_others; /* of signature there: other numbers of ranks are not predicted */
  /* of eib-pattern: */
  const struct pattern *pattern; /* NULL or empty: its own */
  unsigned depth;                /* DMAs kept under way in a stream; 0: as many as there is room for */
  uint64_t total;                /* bytes of a stream; 0: its own */

  const char
    *subject; /* the name of the benchmark and all of the above that was asked for; NULL: nothing was */

  void (*row)(struct bench_run *run, const struct bench_row *row); /* takes a figure */
  /* asked through a ledger: wanted is also how much of the machine was used, in the only run there is */
  bool used;
  struct pack utilisation;     /* that, as the ledger knows it; see call_list_utilisation */
  struct bench_counts *counts; /* of the network, if it is wanted there; NULL: it is not */
  unsigned counted_ranks;      /* of the exchange to which that refers */
  size_t counted_bytes;
  struct err *err;
};

struct net;

/* A benchmark. */
struct bench {
  const char *name;
  const char *source; /* paper and code base, which is also the name of a software-cost profile */
  const char *doc;
  unsigned least_spes, least_chips; /* what it needs: SPEs of a chip, chips */
  bool of_host;                     /* it measures the simulator, here and now, so that no ledger is asked */
  bool of_nodes,
    of_hosts; /* it needs a platform of several nodes; it can do with hosts, which have no SPEs */
  bool
    counts_network; /* on platforms of several nodes, what it tells of how much was used is of the network */
  int (*run)(struct bench_run *run); /* 0, or -1 with run->err set */
};

/* The list of all benchmarks, and its size. */
extern const struct bench *const benches[];
extern const size_t nbenches;

/* Find the benchmark NAME.
 * errors: there is none; the nearest is suggested. NULL then. */
const struct bench *bench_find(const char *name, struct err *err);

/* Run BENCH.
 * errors: the machine has not what it needs; sizes or ranks that it cannot have. */
int bench_run(const struct bench *bench, struct bench_run *run);

/* Ask LEDGER for what BENCH tells in RUN, which must live until it is known. If it is known, the rows are
 * handed over as by bench_run, and *STATUS is what that would return; also -1 after a crash, which the ledger
 * counts.
 * returns: whether it is known. */
bool bench_ask(struct ledger *ledger, const struct bench *bench, struct bench_run *run, int *status);

/* Return the sizes to measure: those asked for, or OWN. */
const struct units_list *bench_sizes(const struct bench_run *run, const struct units_list *own);

/* Check that the microbenchmarks can move each of SIZES.
 * errors: nothing, or more than fits into a local store. */
int bench_check_sizes(const struct bench_run *run, const struct units_list *sizes);

/* Check that also one DMA can have each of SIZES.
 * errors: a size that the MFC refuses. */
int bench_check_dma_sizes(const struct bench_run *run, const struct units_list *sizes);

/* Return the mean time in SPU cycles of one message of NBYTES from rank 0 to each other one of RANKS ranks,
 * half a round trip. */
double bench_message(const struct bench_run *run, unsigned ranks, size_t nbytes);

/* Return the time in SPU cycles of a call of the algorithm called NAME on RANKS ranks with NBYTES.
 * returns: a negative number after an error.
 * errors: as catalogue_find and runner_run; the algorithm did not do its work; an interruption. */
double bench_call(const struct bench_run *run, const char *name, unsigned ranks, size_t nbytes);

/* If it is wanted, count what happens on NET, which is as new, until the other function, which tells of RANKS
 * and NBYTES; the last exchange that is counted is told. */
void bench_count(const struct bench_run *run, struct net *net);
void bench_counted(const struct bench_run *run, struct net *net, unsigned ranks, size_t nbytes);

/* Hand ROW to whoever runs the benchmark. */
void bench_report(struct bench_run *run, struct bench_row row);

/* Hand over ROW, whose value is in SPU cycles, in ns. */
void bench_report_ns(struct bench_run *run, struct bench_row row);

/* Return NBYTES per CYCLES on the blade of RUN in GB/s. */
double bench_gigabytes(const struct bench_run *run, double nbytes, double cycles);

/* Return CYCLES on the blade of RUN in ns. */
double bench_ns(const struct bench_run *run, double cycles);
