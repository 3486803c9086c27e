/* SPDX-License-Identifier: BSD-3-Clause
 * See lanes.h. */
#include "draw/lanes.h"

#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 100 };

/* A share of a ramp above this bound is more than one, not just rounding. */
#define MORE_THAN_A_RAMP 1.05

struct lanes *lanes_new(size_t nlanes, uint64_t cycles, uint64_t bin) {
  struct lanes *lanes = xcalloc(1, sizeof *lanes);
  *lanes = (struct lanes){.cycles = cycles, .bin = bin, .nlanes = nlanes};
  lanes->lanes = xcalloc(nlanes, sizeof *lanes->lanes);
  for (size_t i = 0; i < nlanes; i++) {
    lanes->lanes[i].nspes = 1;
    lanes->lanes[i].left = UINT64_MAX;
  }
  return lanes;
}

void lanes_free_lane(struct lanes_lane *lane) {
  for (size_t i = 0; i < lane->nbars; i++) {
    free(lane->bars[i].curve.shares);
  }
  for (unsigned i = 0; i < LANES_STATES; i++) {
    free(lane->states[i].shares);
  }
  free(lane->data.shares);
  free(lane->parts);
  free(lane->bars);
}

void lanes_free(struct lanes *lanes) {
  if (!lanes) {
    return;
  }
  for (size_t i = 0; i < lanes->nlanes; i++) {
    lanes_free_lane(&lanes->lanes[i]);
  }
  for (size_t i = 0; i < lanes->nbands; i++) {
    free(lanes->bands[i].curve.shares);
  }
  free(lanes->lanes);
  free(lanes->notes);
  free(lanes->path);
  free(lanes->behind);
  free(lanes->bands);
  free(lanes->causes);
  free(lanes->title);
  free(lanes->name);
  free(lanes->subtitle);
  free(lanes);
}

/* Return ITEMS, N of them in use, with room for another item of SIZE bytes. */
static void *room_for_one(void *items, size_t n, size_t *room, size_t size) {
  if (n < *room) {
    return items;
  }
  *room = *room ? 2 * *room : 16;
  return xrealloc(items, *room, size);
}

static uint64_t cut(const struct lanes *lanes, uint64_t at) {
  return at < lanes->cycles ? at : lanes->cycles;
}

void lanes_add_part(struct lanes *lanes, unsigned number, struct lanes_part part) {
  struct lanes_lane *lane = &lanes->lanes[number];
  struct lanes_part *last = lane->nparts ? &lane->parts[lane->nparts - 1] : NULL;
  part.from = cut(lanes, part.from);
  part.to = cut(lanes, part.to);
  if (part.from == part.to) {
    return;
  }
  if (last && last->ink == part.ink && last->to == part.from) {
    last->to = part.to;
    last->what = last->what && part.what && strcmp(last->what, part.what) == 0 ? part.what : NULL;
    return;
  }
  lane->parts = room_for_one(lane->parts, lane->nparts, &lane->parts_room, sizeof part);
  lane->parts[lane->nparts++] = part;
}

size_t lanes_add_bar(struct lanes *lanes, unsigned number, const struct lanes_bar *bar) {
  struct lanes_lane *lane = &lanes->lanes[number];
  lane->bars = room_for_one(lane->bars, lane->nbars, &lane->bars_room, sizeof *bar);
  lane->bars[lane->nbars] = *bar;
  lane->bars[lane->nbars].from = cut(lanes, bar->from);
  lane->bars[lane->nbars].to = cut(lanes, bar->to);
  lane->bars[lane->nbars].curve = (struct lanes_curve){0};
  return lane->nbars++;
}

void lanes_add_note(struct lanes *lanes, struct lanes_line note) {
  note.begin = cut(lanes, note.begin);
  note.end = cut(lanes, note.end);
  lanes->notes = room_for_one(lanes->notes, lanes->nnotes, &lanes->notes_room, sizeof note);
  lanes->notes[lanes->nnotes++] = note;
}

void lanes_add_path(struct lanes *lanes, struct lanes_line line) {
  line.begin = cut(lanes, line.begin);
  line.end = cut(lanes, line.end);
  lanes->path = room_for_one(lanes->path, lanes->npath, &lanes->path_room, sizeof line);
  lanes->path[lanes->npath++] = line;
}

void lanes_add_behind(struct lanes *lanes, struct lanes_stretch stretch) {
  stretch.begin = cut(lanes, stretch.begin);
  stretch.end = cut(lanes, stretch.end);
  lanes->behind = room_for_one(lanes->behind, lanes->nbehind, &lanes->behind_room, sizeof stretch);
  lanes->behind[lanes->nbehind++] = stretch;
}

void lanes_add_cause(struct lanes *lanes, struct lanes_cause cause) {
  lanes->causes = room_for_one(lanes->causes, lanes->ncauses, &lanes->causes_room, sizeof cause);
  lanes->causes[lanes->ncauses++] = cause;
}

struct lanes_curve *lanes_add_band(struct lanes *lanes, const struct lanes_band *band) {
  lanes->bands = room_for_one(lanes->bands, lanes->nbands, &lanes->bands_room, sizeof *band);
  lanes->bands[lanes->nbands] = *band;
  lanes->bands[lanes->nbands].curve = (struct lanes_curve){0};
  return &lanes->bands[lanes->nbands++].curve;
}

/* --- curves --- */

/* Make room in CURVE for bins FIRST .. END - 1. */
static void reach(struct lanes_curve *curve, size_t first, size_t end) {
  if (curve->n == 0) {
    curve->first = first;
  }
  size_t begin = first < curve->first ? first : curve->first, last = curve->first + curve->n;
  last = end > last ? end : last;
  if (last - begin == curve->n) {
    return;
  }
  float *shares = xcalloc(last - begin, sizeof *shares);
  for (size_t i = 0; i < curve->n; i++) {
    shares[curve->first - begin + i] = curve->shares[i];
  }
  free(curve->shares);
  *curve = (struct lanes_curve){shares, begin, last - begin};
}

void lanes_curve_add(const struct lanes *lanes, struct lanes_curve *curve, struct lanes_span span) {
  double from = span.from > 0 ? span.from : 0, bin = (double)lanes->bin;
  double to = span.to < (double)lanes->cycles ? span.to : (double)lanes->cycles;
  if (from >= to) {
    return;
  }
  size_t first = (size_t)(from / bin), nbins = lanes_nbins(lanes), end = (size_t)(to / bin) + 1;
  end = end < nbins ? end : nbins;
  reach(curve, first, end);
  for (size_t i = first; i < end; i++) {
    double begin = from > (double)i * bin ? from : (double)i * bin;
    double stop = to < (double)(i + 1) * bin ? to : (double)(i + 1) * bin;
    curve->shares[i - curve->first] += (float)(stop > begin ? (stop - begin) / bin * span.height : 0);
  }
}

void lanes_curve_smooth(struct lanes_curve *curve, size_t n) {
  size_t group = 1;
  while (curve->n > n * group) {
    group *= 2;
  }
  for (size_t i = 0, end; i < curve->n && group > 1; i = end) {
    float sum = 0;
    end = i + group - (curve->first + i) % group;
    end = end < curve->n ? end : curve->n;
    for (size_t j = i; j < end; j++) {
      sum += curve->shares[j];
    }
    for (size_t j = i; j < end; j++) {
      curve->shares[j] = sum / (float)(end - i);
    }
  }
}

double lanes_curve_at(const struct lanes_curve *curve, size_t bin) {
  return bin >= curve->first && bin - curve->first < curve->n ? (double)curve->shares[bin - curve->first] : 0;
}

size_t lanes_nbins(const struct lanes *lanes) {
  return (size_t)((lanes->cycles + lanes->bin - 1) / lanes->bin);
}

double lanes_curve_mean(const struct lanes *lanes, const struct lanes_curve *curve) {
  double sum = 0;
  for (size_t i = 0; i < curve->n; i++) {
    sum += (double)curve->shares[i];
  }
  return lanes->cycles ? sum * (double)lanes->bin / (double)lanes->cycles : 0;
}

/* --- questions of a picture --- */

bool lanes_notes_shown(const struct lanes *lanes) {
  return lanes->nnotes > 0 && lanes->nnotes <= NOTES_MAX && lanes->nspes == 0;
}

bool lanes_both_ways(const struct lanes *lanes) {
  size_t nbins = lanes_nbins(lanes);
  double *ways[2] = {xcalloc(nbins, sizeof(double)), xcalloc(nbins, sizeof(double))};
  bool both = false;
  for (size_t i = 0; i < lanes->nlanes && !both; i++) {
    const struct lanes_lane *lane = &lanes->lanes[i];
    memset(ways[0], 0, nbins * sizeof *ways[0]);
    memset(ways[1], 0, nbins * sizeof *ways[1]);
    for (size_t j = 0; j < lane->nbars; j++) {
      const struct lanes_curve *curve = &lane->bars[j].curve;
      for (size_t k = curve->first; k < curve->first + curve->n; k++) {
        ways[lane->bars[j].is_put][k] += (double)curve->shares[k - curve->first];
      }
    }
    for (size_t k = 0; k < nbins; k++) {
      both |= ways[0][k] + ways[1][k] > MORE_THAN_A_RAMP;
    }
  }
  free(ways[0]);
  free(ways[1]);
  return both;
}
