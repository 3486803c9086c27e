/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes of several SPEs, and lanes of several nodes; see timeline.h. */
#include "draw/timeline/timeline.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Add CURVE times SHARE to SUM. */
static void add_share(const struct timeline *timeline, struct timeline_curve *sum,
                      const struct timeline_curve *curve, double share) {
  for (size_t i = 0; i < curve->n; i++) {
    double from = (double)((curve->first + i) * timeline->bin);
    timeline_curve_add(
      timeline, sum,
      (struct timeline_span){from, from + (double)timeline->bin, (double)curve->shares[i] * share});
  }
}

/* Add LANE, one of N, to the means of INTO. */
static void fold_into(const struct timeline *timeline, struct timeline_lane *into,
                      const struct timeline_lane *lane, unsigned n) {
  for (size_t i = 0; i < lane->nparts; i++) {
    const struct timeline_part *part = &lane->parts[i];
    timeline_curve_add(timeline, &into->states[part->ink],
                       (struct timeline_span){(double)part->from, (double)part->to, 1.0 / n});
  }
  for (size_t i = 0; i < lane->nbars; i++) {
    add_share(timeline, &into->data, &lane->bars[i].curve, 1.0 / n);
  }
}

/* Let the ends of the N LINES be PLACES of lanes. */
static void fold_lines(struct timeline_line *lines, size_t n, const unsigned *places) {
  for (size_t i = 0; i < n; i++) {
    lines[i].from = places[lines[i].from];
    lines[i].to = places[lines[i].to];
  }
}

/* Return the place of each lane of TIMELINE once the SPEs of each chip or node share one lane, and the number
 * of places in *N.
 * owner: the caller. */
static unsigned *find_places(const struct timeline *timeline, unsigned *n) {
  unsigned *places = xcalloc(timeline->nlanes + 1, sizeof *places);
  *n = 0;
  for (size_t i = 0, shared = 0; i < timeline->nlanes; i++) {
    bool same = i > 0 && timeline->lanes[i].chip == timeline->lanes[i - 1].chip;
    shared = same ? shared : TIMELINE_NOBODY;
    if (timeline->lanes[i].nspes == 0) {
      places[i] = (*n)++;
    } else if (shared == TIMELINE_NOBODY) {
      places[i] = (*n)++;
      shared = places[i];
    } else {
      places[i] = (unsigned)shared;
    }
  }
  return places;
}

/* Make INTO the lane of all lanes of TIMELINE at PLACE of PLACES: the lanes of one chip or node, or
 * one lane. */
static void fold_place(struct timeline *timeline, struct timeline_lane *into, const unsigned *places,
                       unsigned place) {
  unsigned n = 0;
  size_t first = 0;
  for (size_t i = timeline->nlanes; i-- > 0;) {
    n += places[i] == place;
    first = places[i] == place ? i : first;
  }
  if (n == 1) {
    *into = timeline->lanes[first];
    timeline->lanes[first] = (struct timeline_lane){.nspes = 1};
    return;
  }
  *into = (struct timeline_lane){
    .chip = timeline->lanes[first].chip, .node = timeline->lanes[first].node, .left = UINT64_MAX, .nspes = n};
  snprintf(into->name, sizeof into->name, timeline->spans_nodes ? "%u SPEs" : "chip %u",
           timeline->spans_nodes ? n : into->chip);
  for (size_t i = first; i < timeline->nlanes; i++) {
    if (places[i] == place) {
      fold_into(timeline, into, &timeline->lanes[i], n);
    }
  }
}

void timeline_fold(struct timeline *timeline) {
  unsigned n, *places = find_places(timeline, &n);
  struct timeline_lane *folded = xcalloc(n + 1, sizeof *folded);
  for (unsigned place = 0; place < n; place++) {
    fold_place(timeline, &folded[place], places, place);
  }
  fold_lines(timeline->path, timeline->npath, places);
  fold_lines(timeline->notes, timeline->nnotes, places);
  for (size_t i = 0; i < timeline->nlanes; i++) {
    timeline_free_lane(&timeline->lanes[i]);
  }
  free(timeline->lanes);
  free(places);
  timeline->folded = n < timeline->nlanes;
  timeline->lanes = folded;
  timeline->nlanes = n;
}

void timeline_append(struct timeline *timeline, struct timeline *other, unsigned node) {
  unsigned place = timeline->nlanes ? timeline->lanes[timeline->nlanes - 1].chip + 1 : 0;
  timeline->lanes = xrealloc(timeline->lanes, timeline->nlanes + other->nlanes + 1, sizeof *timeline->lanes);
  for (size_t i = 0; i < other->nlanes; i++) {
    timeline->lanes[timeline->nlanes] = other->lanes[i];
    timeline->lanes[timeline->nlanes].chip = place;
    timeline->lanes[timeline->nlanes++].node = node;
  }
  other->nlanes = 0;
  timeline->spans_nodes = true;
  timeline_free(other);
}
