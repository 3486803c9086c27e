/* SPDX-License-Identifier: BSD-3-Clause
 * The library under a locale of the user: `locale NETWORK [NAME]` prints values, a result, lines of a trace,
 * a published row, and a result on the network of a file. With WITH_PLUGIN a plugin whose algorithm changes
 * the locale of the process to $LOCALE_OF_PLUGIN. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_PLUGIN
#include "algos/plugin.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  setlocale(LC_ALL, getenv("LOCALE_OF_PLUGIN"));
  for (unsigned d = 1; d < c->nranks; d *= 2) {
    step_notify(c, (c->rank + d) % c->nranks);
    step_await(c, (c->rank + c->nranks - d) % c->nranks);
  }
}

static const struct algo turncoat = {
  .collective = COLL_BARRIER, .name = "turncoat", .source = "ali2010", .idea = "dissemination", .run = run};
CELLCOLL_PLUGIN(&turncoat);
#else
#include <cellcoll.h>

/* A number of the user: written with the decimal point of the user's locale. */
static void print_own(const char *where) {
  fprintf(stderr, "%s %.1f\n", where, 1.5);
}

static void take_line(void *context, const char *line) {
  static int nlines;
  (void)context;
  if (nlines++ < 3) {
    print_own("observer");
    puts(line);
  }
}

static void take_row(void *context, const struct cellcoll_published *row) {
  static int nrows;
  (void)context;
  if (nrows++ == 0) {
    print_own("published");
    printf("%s %ld %ld\n", row->id, (long)(1000 * row->published), (long)(1000 * row->simulated));
  }
}

/* Make a call on the network of file PATH. */
static void call_on_network(const char *path) {
  char file[512];
  snprintf(file, sizeof file, "network.file=%s", path);
  struct cellcoll_machine *machine = cellcoll_machine_new("grid", (const char *[]){file, NULL});
  struct cellcoll_call call = {.size = sizeof call, .algorithm = "barrier:bruck", .ranks = 40};
  struct cellcoll_result *result = machine ? cellcoll_run(machine, &call) : NULL;
  if (result) {
    printf("network %llu\n", (unsigned long long)result->cycles);
  } else {
    puts(cellcoll_error());
  }
  print_own("network");
  cellcoll_result_free(result);
  cellcoll_machine_free(machine);
}

int main(int argc, char **argv) {
  if (argc > 2 && !setlocale(LC_ALL, argv[2])) {
    return 77;
  }
  const char *set[] = {"clock.spu=2.5", "eib.hop=1.25", NULL};
  struct cellcoll_machine *machine = cellcoll_machine_new("qs20", set);
  if (!machine) {
    puts(cellcoll_error());
    return 1;
  }
  print_own("made");
  struct cellcoll_call call = {.size = sizeof call,
                               .algorithm = "bcast:binomial-opt",
                               .ranks = 16,
                               .bytes = 4096,
                               .observer = take_line};
  struct cellcoll_result *result = cellcoll_run(machine, &call);
  if (!result) {
    puts(cellcoll_error());
    return 1;
  }
  printf("%s %s %llu\n", cellcoll_machine_value(machine, "clock.spu"),
         cellcoll_machine_value(machine, "eib.hop"), (unsigned long long)result->cycles);
  print_own("run");
  cellcoll_result_free(result);
  cellcoll_machine_new("qs20", (const char *[]){"clock.spu=0.0001", NULL});
  puts(cellcoll_error());
  cellcoll_machine_free(machine);
  machine = cellcoll_machine_new("qs20", NULL); /* where something was measured */
  if (cellcoll_published(machine, take_row, NULL) != 0) {
    puts(cellcoll_error());
  }
  cellcoll_machine_free(machine);
  call_on_network(argv[1]);
  print_own("end");
  return 0;
}
#endif
