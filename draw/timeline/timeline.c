/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw/timeline/timeline.h"

#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 100 };

/* A share of a ramp above this bound is more than one, not just rounding. */
#define MORE_THAN_A_RAMP 1.05

struct timeline *timeline_new(size_t nlanes, uint64_t cycles, uint64_t bin) {
  struct timeline *timeline = xcalloc(1, sizeof *timeline);
  *timeline = (struct timeline){.cycles = cycles, .bin = bin, .nlanes = nlanes};
  timeline->lanes = xcalloc(nlanes, sizeof *timeline->lanes);
  for (size_t i = 0; i < nlanes; i++) {
    timeline->lanes[i].nspes = 1;
    timeline->lanes[i].left = UINT64_MAX;
  }
  return timeline;
}

void timeline_free_lane(struct timeline_lane *lane) {
  for (size_t i = 0; i < lane->nbars; i++) {
    free(lane->bars[i].curve.shares);
  }
  for (unsigned i = 0; i < TIMELINE_STATES; i++) {
    free(lane->states[i].shares);
  }
  free(lane->data.shares);
  free(lane->parts);
  free(lane->bars);
}

void timeline_free(struct timeline *timeline) {
  if (!timeline) {
    return;
  }
  for (size_t i = 0; i < timeline->nlanes; i++) {
    timeline_free_lane(&timeline->lanes[i]);
  }
  for (size_t i = 0; i < timeline->nbands; i++) {
    free(timeline->bands[i].curve.shares);
  }
  free(timeline->lanes);
  free(timeline->notes);
  free(timeline->path);
  free(timeline->behind);
  free(timeline->bands);
  free(timeline->causes);
  free(timeline->title);
  free(timeline->name);
  free(timeline->subtitle);
  free(timeline);
}

static uint64_t cut(const struct timeline *timeline, uint64_t at) {
  return at < timeline->cycles ? at : timeline->cycles;
}

void timeline_add_part(struct timeline *timeline, unsigned number, struct timeline_part part) {
  struct timeline_lane *lane = &timeline->lanes[number];
  struct timeline_part *last = lane->nparts ? &lane->parts[lane->nparts - 1] : NULL;
  part.from = cut(timeline, part.from);
  part.to = cut(timeline, part.to);
  if (part.from == part.to) {
    return;
  }
  if (last && last->ink == part.ink && last->to == part.from && last->step == part.step) {
    last->to = part.to;
    last->what = last->what && part.what && strcmp(last->what, part.what) == 0 ? part.what : NULL;
    return;
  }
  VEC_ADD(lane->parts, lane->nparts) = part;
}

size_t timeline_add_bar(struct timeline *timeline, unsigned number, const struct timeline_bar *bar) {
  struct timeline_lane *lane = &timeline->lanes[number];
  struct timeline_bar *added = &VEC_ADD(lane->bars, lane->nbars);
  *added = *bar;
  added->from = cut(timeline, bar->from);
  added->to = cut(timeline, bar->to);
  added->curve = (struct timeline_curve){0};
  return lane->nbars - 1;
}

void timeline_add_note(struct timeline *timeline, struct timeline_line note) {
  VEC_ADD(timeline->notes, timeline->nnotes) =
    (struct timeline_line){note.from, note.to, cut(timeline, note.begin), cut(timeline, note.end)};
}

void timeline_add_path(struct timeline *timeline, struct timeline_line line) {
  VEC_ADD(timeline->path, timeline->npath) =
    (struct timeline_line){line.from, line.to, cut(timeline, line.begin), cut(timeline, line.end)};
}

void timeline_add_behind(struct timeline *timeline, struct timeline_stretch stretch) {
  VEC_ADD(timeline->behind, timeline->nbehind) =
    (struct timeline_stretch){cut(timeline, stretch.begin), cut(timeline, stretch.end)};
}

void timeline_add_cause(struct timeline *timeline, struct timeline_cause cause) {
  VEC_ADD(timeline->causes, timeline->ncauses) = cause;
}

struct timeline_curve *timeline_add_band(struct timeline *timeline, const struct timeline_band *band) {
  struct timeline_band *added = &VEC_ADD(timeline->bands, timeline->nbands);
  *added = *band;
  added->curve = (struct timeline_curve){0};
  return &added->curve;
}

/* --- curves --- */

/* Make room in CURVE for bins FIRST .. END - 1. */
static void reach(struct timeline_curve *curve, size_t first, size_t end) {
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
  *curve = (struct timeline_curve){shares, begin, last - begin};
}

void timeline_curve_add(const struct timeline *timeline, struct timeline_curve *curve,
                        struct timeline_span span) {
  double from = span.from > 0 ? span.from : 0, bin = (double)timeline->bin;
  double to = span.to < (double)timeline->cycles ? span.to : (double)timeline->cycles;
  if (from >= to) {
    return;
  }
  size_t first = (size_t)(from / bin), nbins = timeline_nbins(timeline), end = (size_t)(to / bin) + 1;
  end = end < nbins ? end : nbins;
  reach(curve, first, end);
  for (size_t i = first; i < end; i++) {
    double begin = from > (double)i * bin ? from : (double)i * bin;
    double stop = to < (double)(i + 1) * bin ? to : (double)(i + 1) * bin;
    curve->shares[i - curve->first] += (float)(stop > begin ? (stop - begin) / bin * span.height : 0);
  }
}

void timeline_curve_smooth(struct timeline_curve *curve, size_t n) {
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

double timeline_curve_at(const struct timeline_curve *curve, size_t bin) {
  return bin >= curve->first && bin - curve->first < curve->n ? (double)curve->shares[bin - curve->first] : 0;
}

size_t timeline_nbins(const struct timeline *timeline) {
  return (size_t)((timeline->cycles + timeline->bin - 1) / timeline->bin);
}

double timeline_curve_mean(const struct timeline *timeline, const struct timeline_curve *curve) {
  double sum = 0;
  for (size_t i = 0; i < curve->n; i++) {
    sum += (double)curve->shares[i];
  }
  return timeline->cycles ? sum * (double)timeline->bin / (double)timeline->cycles : 0;
}

/* --- questions of a picture --- */

bool timeline_notes_shown(const struct timeline *timeline) {
  return timeline->nnotes > 0 && timeline->nnotes <= NOTES_MAX;
}

bool timeline_both_ways(const struct timeline *timeline) {
  size_t nbins = timeline_nbins(timeline);
  double *ways[2] = {xcalloc(nbins, sizeof(double)), xcalloc(nbins, sizeof(double))};
  bool both = false;
  for (size_t i = 0; i < timeline->nlanes && !both; i++) {
    const struct timeline_lane *lane = &timeline->lanes[i];
    memset(ways[0], 0, nbins * sizeof *ways[0]);
    memset(ways[1], 0, nbins * sizeof *ways[1]);
    for (size_t j = 0; j < lane->nbars; j++) {
      const struct timeline_curve *curve = &lane->bars[j].curve;
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
