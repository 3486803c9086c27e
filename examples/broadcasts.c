/* SPDX-License-Identifier: BSD-3-Clause
 * A program of your own on libcellcoll: broadcasts, the parts of their time, and the times at which ranks
 * leave.
 *
 *   cc -std=gnu17 broadcasts.c $(pkg-config --cflags --libs cellcoll) -o broadcasts */
#include <cellcoll.h>

#include <stdio.h>
#include <stdlib.h>

static void fail(void) {
  fprintf(stderr, "broadcasts: %s\n", cellcoll_error());
  exit(1);
}

/* Count the lines of a trace. */
static void count(void *context, const char *line) {
  unsigned *lines = context;
  (void)line;
  ++*lines;
}

static void show(struct cellcoll_machine *machine, const char *algorithm) {
  unsigned lines = 0;
  struct cellcoll_call call = {.size = sizeof call,
                               .algorithm = algorithm,
                               .ranks = 8,
                               .bytes = 16384,
                               .wanted = CELLCOLL_PATH,
                               .observer = count,
                               .context = &lines};
  struct cellcoll_result *result = cellcoll_run(machine, &call);
  if (!result) {
    fail();
  }
  printf("%s: %s, %.0f cycles, %.0f ns, %u lines of trace\n", result->algorithm, result->outcome,
         result->cycles, result->ns, lines);
  for (size_t i = 0; i < result->nshares; i++) {
    printf("  %8llu cycles  %s: %s\n", (unsigned long long)result->shares[i].cycles, result->shares[i].group,
           result->shares[i].text);
  }
  for (unsigned rank = 0; rank < result->ranks; rank++) {
    printf("  rank %u leaves after %llu cycles\n", rank,
           (unsigned long long)(result->left[rank] - result->entered[rank]));
  }
  cellcoll_result_free(result);
}

int main(int argc, char **argv) {
  const char *settings[] = {"eib.hop=2", NULL};
  struct cellcoll_machine *machine = cellcoll_machine_new("qs20", settings);
  if (!machine) {
    fail();
  }
  show(machine, "bcast:binomial-simple");
  show(machine, "bcast:one-to-all");
  if (argc > 1) { /* a plugin, such as ./bcast_chain.so */
    if (cellcoll_load_plugin(argv[1]) != 0) {
      fail();
    }
    show(machine, "bcast:chain");
  }
  cellcoll_machine_free(machine);
  return 0;
}
