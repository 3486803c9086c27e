/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes of several SPEs, and lanes of several nodes; see lanes.h. */
#include "draw/lanes.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lanes of chips --- */

/* Add CURVE times SHARE to SUM. */
static void add_share(const struct lanes *lanes, struct lanes_curve *sum, const struct lanes_curve *curve,
                      double share) {
  for (size_t i = 0; i < curve->n; i++) {
    double from = (double)((curve->first + i) * lanes->bin);
    lanes_curve_add(lanes, sum,
                    (struct lanes_span){from, from + (double)lanes->bin, (double)curve->shares[i] * share});
  }
}

/* Add LANE, one of N, to the means of CHIP. */
static void fold_into(const struct lanes *lanes, struct lanes_lane *chip, const struct lanes_lane *lane,
                      unsigned n) {
  for (size_t i = 0; i < lane->nparts; i++) {
    const struct lanes_part *part = &lane->parts[i];
    lanes_curve_add(lanes, &chip->states[part->ink],
                    (struct lanes_span){(double)part->from, (double)part->to, 1.0 / n});
  }
  for (size_t i = 0; i < lane->nbars; i++) {
    add_share(lanes, &chip->data, &lane->bars[i].curve, 1.0 / n);
  }
}

/* Let the ends of LINES, N of them, be chips. */
static void fold_lines(const struct lanes *lanes, struct lanes_line *lines, size_t n) {
  for (size_t i = 0; i < n; i++) {
    lines[i].from = lanes->lanes[lines[i].from].chip;
    lines[i].to = lanes->lanes[lines[i].to].chip;
  }
}

void lanes_fold(struct lanes *lanes) {
  unsigned nchips = 0;
  for (size_t i = 0; i < lanes->nlanes; i++) {
    nchips = lanes->lanes[i].chip >= nchips ? lanes->lanes[i].chip + 1 : nchips;
  }
  struct lanes_lane *chips = xcalloc(nchips, sizeof *chips);
  for (size_t i = 0; i < lanes->nlanes; i++) {
    chips[lanes->lanes[i].chip].nspes += lanes->lanes[i].nspes;
  }
  for (size_t i = 0; i < lanes->nlanes; i++) {
    const struct lanes_lane *lane = &lanes->lanes[i];
    if (lane->nspes == 1) {
      fold_into(lanes, &chips[lane->chip], lane, chips[lane->chip].nspes);
    }
  }
  for (unsigned i = 0; i < nchips; i++) {
    snprintf(chips[i].name, sizeof chips[i].name, "chip %u", i);
    chips[i].chip = i;
    chips[i].left = UINT64_MAX;
  }
  fold_lines(lanes, lanes->path, lanes->npath);
  fold_lines(lanes, lanes->notes, lanes->nnotes);
  for (size_t i = 0; i < lanes->nlanes; i++) {
    lanes_free_lane(&lanes->lanes[i]);
  }
  free(lanes->lanes);
  lanes->nspes = (unsigned)lanes->nlanes;
  lanes->lanes = chips;
  lanes->nlanes = nchips;
}

/* --- lanes of nodes --- */

/* Return the place of each lane of LANES once the SPEs of each node share one lane, and the number of places
 * in *N.
 * owner: the caller. */
static unsigned *find_places(const struct lanes *lanes, unsigned *n) {
  unsigned *places = xcalloc(lanes->nlanes + 1, sizeof *places);
  *n = 0;
  for (size_t i = 0, shared = 0; i < lanes->nlanes; i++) {
    bool same_node = i > 0 && lanes->lanes[i].chip == lanes->lanes[i - 1].chip;
    shared = same_node ? shared : LANES_NOBODY;
    if (lanes->lanes[i].nspes == 0) {
      places[i] = (*n)++;
    } else if (shared == LANES_NOBODY) {
      places[i] = (*n)++;
      shared = places[i];
    } else {
      places[i] = (unsigned)shared;
    }
  }
  return places;
}

/* Make INTO the lane of all lanes of LANES at PLACE of PLACES: the lanes of one node, or one lane. */
static void fold_place(struct lanes *lanes, struct lanes_lane *into, const unsigned *places, unsigned place) {
  unsigned n = 0;
  size_t first = 0;
  for (size_t i = lanes->nlanes; i-- > 0;) {
    n += places[i] == place;
    first = places[i] == place ? i : first;
  }
  if (n == 1) {
    *into = lanes->lanes[first];
    lanes->lanes[first] = (struct lanes_lane){.nspes = 1};
    return;
  }
  *into = (struct lanes_lane){
    .chip = lanes->lanes[first].chip, .node = lanes->lanes[first].node, .left = UINT64_MAX, .nspes = n};
  snprintf(into->name, sizeof into->name, "%u SPEs", n);
  for (size_t i = first; i < lanes->nlanes; i++) {
    if (places[i] == place) {
      fold_into(lanes, into, &lanes->lanes[i], n);
    }
  }
}

void lanes_fold_nodes(struct lanes *lanes) {
  unsigned n, *places = find_places(lanes, &n);
  struct lanes_lane *folded = xcalloc(n + 1, sizeof *folded);
  for (unsigned place = 0; place < n; place++) {
    fold_place(lanes, &folded[place], places, place);
  }
  for (size_t i = 0; i < lanes->npath; i++) {
    lanes->path[i].from = places[lanes->path[i].from];
    lanes->path[i].to = places[lanes->path[i].to];
  }
  for (size_t i = 0; i < lanes->nnotes; i++) {
    lanes->notes[i].from = places[lanes->notes[i].from];
    lanes->notes[i].to = places[lanes->notes[i].to];
  }
  for (size_t i = 0; i < lanes->nlanes; i++) {
    lanes_free_lane(&lanes->lanes[i]);
  }
  free(lanes->lanes);
  free(places);
  lanes->lanes = folded;
  lanes->folded = n < lanes->nlanes;
  lanes->nlanes = n;
}

void lanes_append(struct lanes *lanes, struct lanes *other, unsigned node) {
  unsigned place = lanes->nlanes ? lanes->lanes[lanes->nlanes - 1].chip + 1 : 0;
  lanes->lanes = xrealloc(lanes->lanes, lanes->nlanes + other->nlanes + 1, sizeof *lanes->lanes);
  for (size_t i = 0; i < other->nlanes; i++) {
    lanes->lanes[lanes->nlanes] = other->lanes[i];
    lanes->lanes[lanes->nlanes].chip = place;
    lanes->lanes[lanes->nlanes++].node = node;
  }
  other->nlanes = 0;
  lanes->spans_nodes = true;
  lanes_free(other);
}
