/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw/timeline/timeline.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 100 };

/* A share of a ramp above this bound is more than one, not just rounding. */
#define MORE_THAN_A_RAMP 1.05

struct timeline *timeline_new(size_t nlanes, uint64_t cycles, uint64_t bin) {
  struct timeline *timeline = xcalloc(1, sizeof *timeline);
  *timeline = (struct timeline){.cycles = cycles, .bin = bin, .nlanes = nlanes};
  timeline->lanes = xcalloc(nlanes, sizeof *timeline->lanes);
  VEC_EACH(lane, timeline->lanes, nlanes) {
    lane->nspes = 1;
    lane->left = UINT64_MAX;
  }
  return timeline;
}

/* Release the contents of LANE. */
static void free_lane(struct timeline_lane *lane) {
  VEC_EACH(bar, lane->bars, lane->nbars) {
    free(bar->curve.shares);
  }
  VEC_EACH(state, lane->states, TIMELINE_STATES) {
    free(state->shares);
  }
  free(lane->data.shares);
  free(lane->parts);
  free(lane->bars);
}

void timeline_free(struct timeline *timeline) {
  if (!timeline) {
    return;
  }
  VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
    free_lane(lane);
  }
  VEC_EACH(band, timeline->bands, timeline->nbands) {
    free(band->curve.shares);
  }
  free(timeline->lanes);
  free(timeline->notes);
  free(timeline->stays);
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
  return MIN(at, timeline->cycles);
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

void timeline_add_line(const struct timeline *timeline, struct timeline_line **lines, size_t *n,
                       struct timeline_line line) {
  VEC_ADD(*lines, *n) =
    (struct timeline_line){line.from, line.to, cut(timeline, line.begin), cut(timeline, line.end)};
}

void timeline_add_stay(struct timeline *timeline, struct timeline_stay stay) {
  stay.from = cut(timeline, stay.from);
  stay.to = cut(timeline, stay.to);
  VEC_ADD(timeline->stays, timeline->nstays) = stay;
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
  size_t begin = MIN(first, curve->first), last = curve->first + curve->n;
  RAISE(last, end);
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
  double to = MIN(span.to, (double)timeline->cycles);
  if (from >= to) {
    return;
  }
  size_t first = (size_t)(from / bin), nbins = timeline_nbins(timeline), end = (size_t)(to / bin) + 1;
  LOWER(end, nbins);
  reach(curve, first, end);
  for (size_t i = first; i < end; i++) {
    double begin = MAX(from, (double)i * bin);
    double stop = MIN(to, (double)(i + 1) * bin);
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
    LOWER(end, curve->n);
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
  VEC_EACH(share, curve->shares, curve->n) {
    sum += (double)*share;
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
  VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
    memset(ways[0], 0, nbins * sizeof *ways[0]);
    memset(ways[1], 0, nbins * sizeof *ways[1]);
    VEC_EACH(bar, lane->bars, lane->nbars) {
      for (size_t k = 0; k < bar->curve.n; k++) {
        ways[bar->is_put][bar->curve.first + k] += (double)bar->curve.shares[k];
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

/* --- lanes of several SPEs or nodes --- */

/* Add LANE, one of N, to the means of INTO. */
static void fold_into(const struct timeline *timeline, struct timeline_lane *into,
                      const struct timeline_lane *lane, unsigned n) {
  double bin = (double)timeline->bin;
  VEC_EACH(part, lane->parts, lane->nparts) {
    timeline_curve_add(timeline, &into->states[part->ink],
                       (struct timeline_span){(double)part->from, (double)part->to, 1.0 / n});
  }
  VEC_EACH(bar, lane->bars, lane->nbars) {
    for (size_t i = 0; i < bar->curve.n; i++) {
      double from = (double)(bar->curve.first + i) * bin;
      timeline_curve_add(timeline, &into->data,
                         (struct timeline_span){from, from + bin, (double)bar->curve.shares[i] * (1.0 / n)});
    }
  }
}

/* Let the ends of the N LINES be PLACES of lanes. */
static void fold_lines(struct timeline_line *lines, size_t n, const unsigned *places) {
  VEC_EACH(line, lines, n) {
    line->from = places[line->from];
    line->to = places[line->to];
  }
}

/* Return the place of each lane of TIMELINE once the SPEs of each chip or node share one lane, and the number
 * of places in *N.
 * owner: the caller. */
static unsigned *find_places(const struct timeline *timeline, unsigned *n) {
  unsigned *places = xcalloc(timeline->nlanes + 1, sizeof *places);
  *n = 0;
  unsigned shared = TIMELINE_NOBODY;
  for (size_t i = 0; i < timeline->nlanes; i++) {
    bool same = i > 0 && timeline->lanes[i].chip == timeline->lanes[i - 1].chip;
    bool on_spe = timeline->lanes[i].nspes > 0;
    shared = same ? shared : TIMELINE_NOBODY;
    places[i] = on_spe && shared != TIMELINE_NOBODY ? shared : (*n)++;
    shared = on_spe ? places[i] : shared;
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
  VEC_EACH(stay, timeline->stays, timeline->nstays) {
    stay->lane = places[stay->lane];
  }
  VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
    free_lane(lane);
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
  VEC_EACH(lane, other->lanes, other->nlanes) {
    timeline->lanes[timeline->nlanes] = *lane;
    timeline->lanes[timeline->nlanes].chip = place;
    timeline->lanes[timeline->nlanes++].node = node;
  }
  other->nlanes = 0;
  timeline->spans_nodes = true;
  timeline_free(other);
}

/* --- words --- */

/* The differences mentioned: the least, as a part of the longer call; the maximum number. */
#define NAMED_SHARE 0.03
enum { NAMED_MAX = 4 };

const char *timeline_state_name(enum timeline_ink ink) {
  static const char *const names[TIMELINE_STATES] = {[TIMELINE_SOFTWARE] = "software",
                                                     [TIMELINE_COMBINES] = "combines",
                                                     [TIMELINE_COMPUTES] = "computes",
                                                     [TIMELINE_OWN_DMA] = "waits for its DMA",
                                                     [TIMELINE_OTHERS] = "waits for others"};
  return names[ink];
}

const char *timeline_number(uint64_t number) {
  return number < 1000
           ? text_brief("%u", (unsigned)number)
           : text_brief("%s\u00a0%03u", timeline_number(number / 1000), (unsigned)(number % 1000));
}

const char *timeline_bytes(uint64_t nbytes) {
  const char *plain = units_format_bytes(nbytes);
  size_t digits = strspn(plain, "0123456789");
  return text_brief("%.*s\u00a0%s", (int)digits, plain, plain[digits] ? plain + digits : "bytes");
}

/* The cycles of a cause in the faster call and in the slower one. */
struct difference {
  const char *what;
  uint64_t cycles[2];
};

static uint64_t size_of(const struct difference *difference) {
  uint64_t a = difference->cycles[0], b = difference->cycles[1];
  return a > b ? a - b : b - a;
}

static int by_size(const void *a, const void *b) {
  uint64_t one = size_of(a), two = size_of(b);
  return one < two ? 1 : one > two ? -1 : 0;
}

/* Add the causes of TIMELINE, number WHICH of the two, to the N DIFFERENCES.
 * returns: the new number of differences. */
static size_t add_causes(struct difference *differences, size_t n, const struct timeline *timeline,
                         unsigned which) {
  VEC_EACH(cause, timeline->causes, timeline->ncauses) {
    size_t j = VEC_INDEX(differences, n, strcmp(item->what, cause->what) == 0);
    differences[j].what = cause->what;
    differences[j].cycles[which] += cause->cycles;
    n = j == n ? n + 1 : n;
  }
  return n;
}

/* Write how the causes of FAST and SLOW differ. */
static void say_causes(const struct timeline *fast, const struct timeline *slow, char **text) {
  SCOPED struct difference *differences = xcalloc(fast->ncauses + slow->ncauses + 1, sizeof *differences);
  size_t n = add_causes(differences, add_causes(differences, 0, fast, 0), slow, 1), named = 0;
  qsort(differences, n, sizeof *differences, by_size);
  while (named < n && named < NAMED_MAX &&
         (double)size_of(&differences[named]) >= NAMED_SHARE * (double)slow->cycles) {
    const struct difference *next = &differences[named];
    xappend(text, "%s%s %s instead of %s", named == 0 ? ". On its critical path: " : ", ", next->what,
            timeline_number(next->cycles[0]), timeline_number(next->cycles[1]));
    named++;
  }
  if (named < n && size_of(&differences[named]) > 0) {
    xappend(text, "%s by at most %s cycles",
            named == 0 ? ". Parts of the critical path differ" : "; other parts differ",
            timeline_number(size_of(&differences[named])));
  } else if (named < n) {
    xappend(text, named == 0 ? ". Their critical paths have the same parts" : "; other parts do not differ");
  }
  xappend(text, ".");
}

char *timeline_difference(const struct timeline *first, const struct timeline *second) {
  const struct timeline *fast = second->cycles < first->cycles ? second : first;
  const struct timeline *slow = fast == first ? second : first;
  char *text = NULL;
  if (fast->cycles == slow->cycles) {
    xappend(&text, "Both take %s cycles", timeline_number(fast->cycles));
  } else {
    xappend(&text, "%s takes %s cycles instead of %s, %.2f times as fast", fast->name,
            timeline_number(fast->cycles), timeline_number(slow->cycles),
            (double)slow->cycles / (double)fast->cycles);
  }
  say_causes(fast, slow, &text);
  return text;
}
