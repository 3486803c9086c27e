/* SPDX-License-Identifier: BSD-3-Clause
 * Draws for the points of check: seeds from algorithm and grid, sizes around borders, placements. */
#include "validate/lab/check/check_grid.h"

#include "algos/catalogue.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "platform/platform.h"

uint64_t check_draw_seed(const struct algorithm *algorithm, uint64_t seed) {
  char name[CATALOGUE_NAME_SIZE];
  catalogue_format(algorithm, name, sizeof name);
  for (const char *c = name; *c; c++) {
    seed = random_next(&seed) ^ (unsigned char)*c;
  }
  return random_next(&seed);
}

static bool is_round(size_t size) {
  size_t odd = size, digit = size;
  while (odd % 2 == 0) {
    odd /= 2;
  }
  while (digit % 10 == 0) {
    digit /= 10;
  }
  return odd <= 7 || digit == 1 || digit == 2 || digit == 5;
}

size_t check_round_sizes(size_t sizes[CHECK_ROUND_SIZES_MAX]) {
  size_t n = 0;
  for (size_t size = 1; size <= CHECK_LARGEST; size++) {
    if (is_round(size)) {
      sizes[n++] = size;
    }
  }
  return n;
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

struct placement check_draw_placement(const struct platform *platform, bool spread, unsigned nranks,
                                      uint64_t *state) {
  static const enum placement_kind kinds[] = {PLACEMENT_PACKED, PLACEMENT_PACKED, PLACEMENT_ROUND_ROBIN,
                                              PLACEMENT_LIST};
  struct placement placement = {.kind = kinds[random_next(state) % (sizeof kinds / sizeof *kinds)]};
  unsigned each = platform->nspes, there = spread ? placement_machine_nodes(platform) : 1;
  unsigned wanted = (nranks - 1) / each + 2, nspes = each * (wanted < there ? wanted : there);
  if (nranks > nspes) {
    placement.kind = PLACEMENT_PACKED;
  }
  if (placement.kind == PLACEMENT_LIST) {
    placement.list = draw_spes(nspes, nranks, state);
  }
  return placement;
}
