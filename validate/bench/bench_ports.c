/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives over k ports against their published equations, in which k messages cost as much as one. The
 * ports of an SPE are concurrent DMAs of its MFC; the ports share the bandwidth of the MFC.
 *
 * On hosts a port is a concurrent message of a process; startup and time per byte are measured for a message
 * over one rail. On hosts only times are simulated, without data.
 *
 * Rows: for each number of ranks startup and time per byte of one message, from round trips between rank 0
 * and the others; then for each algorithm, number of ports and size the simulated and the predicted time and
 * the error of the prediction in percent of the simulated time; `shared` and `shared-error` are the same for
 * ports that share the bandwidth of one.
 * source: Qian, Afsahi 2006, section 5. */
#include "validate/model/measured/ports.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/node/machine.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/signature.h"

#include <stdio.h>

static const struct {
  const char *name;
  double (*equation)(const struct ports *ports, unsigned n, size_t m);
} algorithms[] = {{"scatter:binomial", ports_tree},
                  {"scatter:sequential", ports_direct},
                  {"gather:binomial", ports_tree},
                  {"alltoall:direct", ports_direct}};

/* Numbers of ports with complete trees on a power of two ranks; and 2, as in the paper, on hosts only. */
static const unsigned numbers_of_ports[] = {1, 2, 3, 7, 15};

/* Report a figure of the algorithm called NAME. */
static void report_row(struct bench_run *run, const char *name, const char *what, struct result_row row) {
  row.parameter = text_brief("%s %s", name, what);
  result_add(&run->rows, &row);
}

/* Compare algorithm INDEX at the place of POINT, if the buffers fit. */
static int compare(struct bench_run *run, size_t index, struct ports ports, struct result_row point) {
  const struct platform *platform = machine_platform(run->machine);
  struct call call = {.nranks = point.ranks,
                      .nbytes = point.bytes,
                      .repeat = 1,
                      .profile = run->profile,
                      .lengths_only = rig_needs_lengths_only(platform)};
  char name[64];
  snprintf(name, sizeof name, "%s:ports=%u", algorithms[index].name, ports.k);
  if (catalogue_find(name, &call.algorithm, run->err) != 0) {
    return -1;
  }
  if (rig_check(platform, &call, NULL) != 0) {
    return 0;
  }
  double cycles = bench_call(run, name, point, NULL);
  if (cycles < 0) {
    return -1;
  }
  point.unit = "ns";
  point.value = bench_ns(run, cycles);
  report_row(run, name, "simulated", point);
  for (unsigned shared = 0; shared < 2; shared++) {
    ports.lanes = shared ? 1 : ports.k;
    double predicted = algorithms[index].equation(&ports, point.ranks, point.bytes);
    point.unit = "ns";
    point.value = bench_ns(run, predicted);
    report_row(run, name, shared ? "shared" : "predicted", point);
    point.unit = "percent";
    point.value = 100 * (predicted - cycles) / cycles;
    report_row(run, name, shared ? "shared-error" : "error", point);
  }
  return 0;
}

/* Measure startup and time per byte of a message among RANKS ranks, for PORTS, from messages of SIZES.
 * errors: as bench_messages. */
static int measure(struct bench_run *run, unsigned ranks, const struct units_list *sizes,
                   struct ports *ports) {
  struct signature line = {0};
  const struct experiment over_a_rail = {.call.nranks = ranks, .numbers = {[MEASURE_COUNT] = 1}};
  if (bench_messages(run, over_a_rail, sizes, &line) != 0) {
    return -1;
  }
  bench_report(run, "startup", ranks, 0, bench_ns(run, line.alpha), "ns");
  bench_report(run, "byte", ranks, 0, bench_ns(run, line.beta), "ns/byte");
  *ports = (struct ports){.startup = line.alpha, .byte = line.beta};
  return 0;
}

/* Compare all algorithms on RANKS ranks. */
static int compare_all(struct bench_run *run, unsigned ranks, const struct units_list *sizes) {
  struct ports ports;
  if (measure(run, ranks, sizes, &ports) != 0) {
    return -1;
  }
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
    for (size_t p = 0; p < sizeof numbers_of_ports / sizeof *numbers_of_ports; p++) {
      ports.k = numbers_of_ports[p];
      if (ports.k == 2 && platform_has_spes(machine_platform(run->machine))) {
        continue;
      }
      for (size_t i = 0; i < sizes->n && ports.k < ranks; i++) {
        if (compare(run, a, ports, (struct result_row){.ranks = ranks, .bytes = sizes->values[i]}) != 0) {
          return -1;
        }
      }
    }
  }
  return 0;
}

static int run(struct bench_run *run) {
  const struct units_list *sizes = run->bytes;
  if (sizes->n < 2) {
    return err_set(run->err, "ports: %zu sizes, expected at least 2", sizes->n);
  }
  const struct platform *platform = machine_platform(run->machine);
  bool on_hosts = !platform_has_spes(platform);
  unsigned most = placement_count(platform, false);
  if (on_hosts && platform->node.count < 2) {
    return err_set(run->err, "ports: platform %s has one host, expected at least 2", platform->name);
  }
  int status = on_hosts ? 0 : bench_check_sizes(run);
  for (unsigned ranks = 2; ranks <= most && status == 0; ranks *= 2) {
    status = compare_all(run, ranks, sizes);
  }
  return status;
}

const struct bench bench_ports = {
  .name = "ports",
  .source = "ali2010",
  .doc = "scatter; gather and all-to-all over k ports against their published equations",
  .least_spes = 2,
  .of_hosts = true,
  .in_parts = true,
  .sizes = &(const struct units_list)UNITS_OF(64, 256, 1024, 4096, 16384),
  .run = run,
};
