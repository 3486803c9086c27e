/* SPDX-License-Identifier: BSD-3-Clause
 * See check_grid.h. */
#include "validate/lab/check/check_grid.h"

#include "algos/catalogue.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"

#include <stdlib.h>

uint64_t check_draw_seed(const struct algo_call *call, uint64_t seed) {
  char name[CATALOGUE_NAME_SIZE];
  catalogue_format(call, name, sizeof name);
  for (const char *c = name; *c; c++) {
    seed = random_next(&seed) ^ (unsigned char)*c;
  }
  return random_next(&seed);
}

static int compare_sizes(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

size_t check_round_sizes(size_t sizes[CHECK_ROUND_SIZES_MAX]) {
  static const size_t twos[] = {1, 3, 5, 7}, tens[] = {1, 2, 5};
  size_t n = 0, different = 0;
  for (size_t i = 0; i < sizeof twos / sizeof *twos; i++) {
    for (size_t size = twos[i]; size <= CHECK_LARGEST; size *= 2) {
      sizes[n++] = size;
    }
  }
  for (size_t i = 0; i < sizeof tens / sizeof *tens; i++) {
    for (size_t size = tens[i]; size <= CHECK_LARGEST; size *= 10) {
      sizes[n++] = size;
    }
  }
  qsort(sizes, n, sizeof *sizes, compare_sizes);
  for (size_t i = 0; i < n; i++) {
    if (different == 0 || sizes[i] != sizes[different - 1]) {
      sizes[different++] = sizes[i];
    }
  }
  return different;
}

size_t check_draw_size(uint64_t *state) {
  size_t power = (size_t)1 << random_next(state) % 16;
  return power + random_next(state) % power + 1;
}

/* Return a list of NRANKS of NSPES SPEs, each at most once.
 * owner: the caller frees values. */
static struct units_list draw_spes(unsigned nspes, unsigned nranks, uint64_t *state) {
  uint64_t *spes = xcalloc(nspes, sizeof *spes);
  for (unsigned i = 0; i < nspes; i++) {
    spes[i] = i;
  }
  for (unsigned i = 0; i < nranks; i++) {
    unsigned other = i + (unsigned)(random_next(state) % (nspes - i));
    uint64_t spe = spes[other];
    spes[other] = spes[i];
    spes[i] = spe;
  }
  return (struct units_list){.values = spes, .n = nranks};
}

/* Let the stream of STATE choose the placement of NRANKS ranks on NSPES SPEs. */
static struct placement draw(unsigned nspes, unsigned nranks, uint64_t *state) {
  static const enum placement_kind kinds[] = {PLACEMENT_PACKED, PLACEMENT_PACKED, PLACEMENT_ROUND_ROBIN,
                                              PLACEMENT_LIST};
  struct placement placement = {.kind = kinds[random_next(state) % (sizeof kinds / sizeof *kinds)]};
  if (nranks > nspes) {
    placement.kind = PLACEMENT_PACKED;
  }
  if (placement.kind == PLACEMENT_LIST) {
    placement.list = draw_spes(nspes, nranks, state);
  }
  return placement;
}

struct placement check_draw_placement(const struct blade *blade, unsigned nranks, uint64_t *state) {
  return draw(blade_nspes(blade), nranks, state);
}

struct placement check_draw_of_nodes(const struct blade *blade, unsigned nranks, uint64_t *state) {
  unsigned each = blade_nspes(blade), nodes = placement_machine_nodes(blade),
           needed = (nranks - 1) / each + 2;
  return draw(each * (needed < nodes ? needed : nodes), nranks, state);
}
