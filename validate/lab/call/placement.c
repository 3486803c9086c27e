/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/call/placement.h"

#include "algos/step/group.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* --- lists --- */

enum { NUMBER_BITS = 20, NUMBERS = 3 };

/* Return number INDEX of ELEMENT, which has a node, a chip and an SPE: 0, 1, 2. */
static unsigned number_of(uint64_t element, unsigned index) {
  return (unsigned)(element >> (NUMBERS - 1 - index) * NUMBER_BITS) & (PLACEMENT_MOST - 1);
}

/* Read TEXT of the form node.chip.spe.
 * returns: false if TEXT has another form. */
static bool parse_numbers(char *text, uint64_t *element) {
  char *rest = text;
  unsigned n = 0;
  *element = 0;
  for (char *word; (word = strsep(&rest, ".")); n++) {
    uint64_t number;
    if (units_parse_count(word, &number, NULL) != 0 || number >= PLACEMENT_MOST) {
      return false;
    }
    *element = *element << NUMBER_BITS | number;
  }
  *element |= PLACEMENT_NUMBERS;
  return n == NUMBERS;
}

/* Append the elements of WORD to LIST: an SPE, a range of SPEs, or node.chip.spe. */
static int parse_word(struct units_list *list, char *word) {
  struct units_list more = {0};
  uint64_t element;
  const char *dot = strchr(word, '.');
  if (dot && dot[1] != '.') {
    if (!parse_numbers(word, &element)) {
      return -1;
    }
    more = (struct units_list){xcalloc(1, sizeof element), 1};
    more.values[0] = element;
  } else if (units_parse_count_list(word, &more, NULL) != 0) {
    return -1;
  }
  list->values = xrealloc(list->values, list->n + more.n, sizeof *list->values);
  memcpy(list->values + list->n, more.values, more.n * sizeof *more.values);
  list->n += more.n;
  units_list_fini(&more);
  return list->n <= PLACEMENT_MOST ? 0 : -1;
}

static int parse_elements(const char *text, struct units_list *list) {
  SCOPED char *copy = xstrdup(text);
  char *rest = copy;
  int status = 0;
  *list = (struct units_list){0};
  for (char *word; status == 0 && (word = strsep(&rest, ","));) {
    status = parse_word(list, word);
  }
  if (status != 0) {
    units_list_fini(list);
  }
  return status;
}

/* Return ELEMENT as on the command line, a text_brief. */
static const char *tell_element(uint64_t element) {
  return element & PLACEMENT_NUMBERS
           ? text_brief("%u.%u.%u", number_of(element, 0), number_of(element, 1), number_of(element, 2))
           : text_brief("%llu", (unsigned long long)element);
}

/* Return the place of ELEMENT of a list, counted over SHAPE. */
static uint64_t place_of(uint64_t element, const struct placement_shape *shape) {
  if (!(element & PLACEMENT_NUMBERS)) {
    return element;
  }
  return ((uint64_t)number_of(element, 0) * shape->chips + number_of(element, 1)) * shape->spes +
         number_of(element, 2);
}

struct placement_shape placement_shape(const struct platform *platform, bool spread) {
  if (!platform_has_spes(platform)) {
    return (struct placement_shape){
      .nodes = platform->node.count, .chips = 1, .spes = platform->node.processes};
  }
  unsigned chip = platform->spes_per_chip;
  return (struct placement_shape){
    .nodes = spread ? placement_machine_nodes(platform) : 1, .chips = platform->nspes / chip, .spes = chip};
}

unsigned placement_count(const struct platform *platform, bool spread) {
  struct placement_shape shape = placement_shape(platform, spread);
  return shape.nodes * shape.chips * shape.spes;
}

int placement_parse(const char *text, struct placement *placement, struct err *err) {
  *placement = (struct placement){0};
  if (strcmp(text, "packed") == 0) {
    return 0;
  }
  if (strcmp(text, "round-robin") == 0) {
    placement->kind = PLACEMENT_ROUND_ROBIN;
    return 0;
  }
  placement->kind = PLACEMENT_LIST;
  if (parse_elements(text, &placement->list) != 0) {
    return err_set(err,
                   "'%s', expected packed, round-robin or a list of SPEs such as 0,8,1,9 or 0.0.0,1.1.7 "
                   "(node.chip.spe)",
                   text);
  }
  return 0;
}

void placement_append(char **text, const struct placement *placement, unsigned nranks, const char *between) {
  static const char *const words[] = {
    [PLACEMENT_PACKED] = "packed", [PLACEMENT_ROUND_ROBIN] = "round-robin", [PLACEMENT_LIST] = ""};
  xappend(text, "%s", words[placement->kind]);
  for (unsigned r = 0; placement->kind == PLACEMENT_LIST && r < nranks; r++) {
    xappend(text, "%s%s", r ? between : "", tell_element(placement->list.values[r]));
  }
}

const char *placement_tell(const struct placement *placement, unsigned nranks) {
  SCOPED char *text = NULL;
  placement_append(&text, placement, nranks, " ");
  return text_brief("%.*s", PLACEMENT_CELL, text);
}

unsigned placement_in(const struct placement *placement, const struct placement_shape *shape, unsigned nranks,
                      unsigned rank) {
  unsigned nodes = MIN(shape->nodes, nranks);
  if (placement->kind == PLACEMENT_LIST) {
    return (unsigned)place_of(placement->list.values[rank], shape);
  }
  if (placement->kind == PLACEMENT_ROUND_ROBIN) {
    unsigned on_node = rank / nodes, chip = on_node % shape->chips;
    return (rank % nodes * shape->chips + chip) * shape->spes + on_node / shape->chips;
  }
  return rank;
}

/* Check that the place ELEMENT of RANK exists in SHAPE. */
static int check_element(uint64_t element, const struct placement_shape *shape, unsigned rank,
                         struct err *err) {
  unsigned nspes = shape->nodes * shape->chips * shape->spes;
  const unsigned ends[NUMBERS] = {shape->nodes, shape->chips, shape->spes};
  static const char *const names[NUMBERS] = {"a node", "a chip", "an SPE"};
  if (!(element & PLACEMENT_NUMBERS)) {
    return element < nspes ? 0
                           : err_set(err, "placement of rank %u on SPE %llu, expected one below %u", rank,
                                     (unsigned long long)element, nspes);
  }
  for (unsigned index = 0; index < NUMBERS; index++) {
    if (number_of(element, index) >= ends[index]) {
      return err_set(err, "placement of rank %u on %s, expected %s below %u", rank, tell_element(element),
                     names[index], ends[index]);
    }
  }
  return 0;
}

int placement_check(const struct placement *placement, const struct placement_shape *shape, unsigned nranks,
                    struct err *err) {
  const struct units_list *list = &placement->list;
  if (placement->kind != PLACEMENT_LIST) {
    return 0;
  }
  if (list->n < nranks) {
    return err_set(err, "placement of %zu ranks, expected one SPE for each of %u", list->n, nranks);
  }
  for (unsigned r = 0; r < nranks; r++) {
    if (check_element(list->values[r], shape, r, err) != 0) {
      return -1;
    }
    uint64_t place = place_of(list->values[r], shape);
    for (unsigned other = 0; other < r; other++) {
      if (place_of(list->values[other], shape) == place) {
        return err_set(err, "placement of ranks %u and %u on SPE %s, expected one each", other, r,
                       tell_element(list->values[r]));
      }
    }
  }
  return 0;
}

/* --- several nodes --- */

unsigned placement_machine_nodes(const struct platform *platform) {
  bool several = platform->has_nodes && platform_has_spes(platform);
  unsigned blades = platform_blades_per_host(platform);
  return several ? platform->node.count * (blades ? blades : 1) : 1;
}

unsigned placement_most(const struct algorithm *algorithm, const struct platform *platform) {
  unsigned all = placement_count(platform, algorithm->algo->spans_nodes), own = algorithm->algo->ranks;
  return own && own < all ? own : all;
}

unsigned placement_ranks(uint64_t asked, const struct platform *platform) {
  return asked == UNITS_ALL ? placement_count(platform, true) : (unsigned)asked;
}

struct placement_spot placement_spot(const struct placement *placement, const struct platform *platform,
                                     unsigned nranks, unsigned rank) {
  struct placement_shape shape = placement_shape(platform, true);
  unsigned place = placement_in(placement, &shape, nranks, rank), nspes = platform->nspes;
  return (struct placement_spot){place / nspes, place % nspes};
}

unsigned placement_nodes(const struct placement *placement, const struct platform *platform,
                         unsigned nranks) {
  unsigned nodes = 0;
  for (unsigned r = 0; r < nranks; r++) {
    unsigned node = placement_spot(placement, platform, nranks, r).node;
    nodes = node >= nodes ? node + 1 : nodes;
  }
  return nodes;
}

void placement_apply(const struct placement *placement, const struct placement_shape *shape,
                     const unsigned *clusters, struct coll_group *group) {
  unsigned n = group->nranks, chips = shape->nodes * shape->chips;
  group_make_places(group, chips);
  for (unsigned r = 0; r < n; r++) {
    group->spe_of[r] = placement_in(placement, shape, n, r);
    unsigned chip = group->spe_of[r] / shape->spes;
    group->chip_of[r] = clusters ? clusters[chip] : chip;
  }
  group_list_chips(group, chips);
}

void placement_fini(struct coll_group *group) {
  free(group->spe_of);
}
