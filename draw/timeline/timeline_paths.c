/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h: the parts over the lanes: notifications, exits, the critical path. */
#include "draw/timeline/timeline_page.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>

/* Height of the path, and of the ends of notifications, as parts of the lane's height. */
static const double path_y = 0.07, note_y = 0.27;

static void write_notes(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  if (!timeline_notes_shown(timeline)) {
    return;
  }
  xml_write_begin(page->xml, "g class='note'");
  for (size_t i = 0; i < timeline->nnotes; i++) {
    const struct timeline_line *note = &timeline->notes[i];
    char d[96];
    snprintf(d, sizeof d, "M%.5g %.5gL%.5g %.5g", timeline_page_x(page, note->begin),
             timeline_page_y(page, note->from) + note_y * page->pitch, timeline_page_x(page, note->end),
             timeline_page_y(page, note->to) + note_y * page->pitch);
    timeline_page_path(page, NULL, d, "notification %s \u2192 %s %llu\u2013%llu",
                       timeline->lanes[note->from].name, timeline->lanes[note->to].name,
                       (unsigned long long)note->begin, (unsigned long long)note->end);
  }
  xml_write_end(page->xml);
  xml_write_line(page->xml);
}

static void write_exits(struct timeline_page *page) {
  xml_write_begin(page->xml, "g class='exit'");
  for (unsigned i = 0; i < page->timeline->nlanes; i++) {
    const struct timeline_lane *lane = &page->timeline->lanes[i];
    if (lane->left <= page->timeline->cycles) {
      char d[64];
      snprintf(d, sizeof d, "M%.5g %.5gv%.5g", timeline_page_x(page, lane->left),
               timeline_page_y(page, i) + 0.08 * page->pitch, 0.38 * page->pitch);
      timeline_page_path(page, NULL, d, "%s leaves at %llu", lane->name, (unsigned long long)lane->left);
    }
  }
  xml_write_end(page->xml);
  xml_write_line(page->xml);
}

/* Return the path as an attribute `d`.
 * owner: the caller. */
static char *path_outline(const struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  char *text = xstrdup("");
  long x = -1, y = -1;
  for (size_t i = 0; i < timeline->npath; i++) {
    const struct timeline_line *line = &timeline->path[i];
    const double points[2][2] = {
      {timeline_page_x(page, line->begin), timeline_page_y(page, line->from) + path_y * page->pitch},
      {timeline_page_x(page, line->end), timeline_page_y(page, line->to) + path_y * page->pitch},
    };
    for (unsigned j = 0; j < 2; j++) {
      long tenths[2] = {lround(10 * points[j][0]), lround(10 * points[j][1])};
      if (tenths[0] != x || tenths[1] != y) {
        xappend(&text, "%s%.5g %.5g", i + j == 0 ? "M" : "L", points[j][0], points[j][1]);
      }
      x = tenths[0];
      y = tenths[1];
    }
  }
  return text;
}

/* Return the y of the path at cycle AT on LINE, one of the path's lines. */
static double height_at(const struct timeline_page *page, const struct timeline_line *line, uint64_t at) {
  double from = timeline_page_y(page, line->from), to = timeline_page_y(page, line->to);
  double share = line->end > line->begin ? (double)(at - line->begin) / (double)(line->end - line->begin) : 0;
  return timeline_tenth(from + share * (to - from) + path_y * page->pitch);
}

/* Write the stretches behind others' bytes along the path. Stretches too close for a reader to tell apart are
 * drawn as one. */
static void write_behind(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  const struct timeline_line *line = timeline->path, *last = timeline->path + timeline->npath - 1;
  xml_write_begin(page->xml, "g class='held'");
  for (size_t i = 0, next; i < timeline->nbehind; i = next) {
    struct timeline_stretch stretch = timeline->behind[i];
    char d[96];
    while (line < last && line->end <= stretch.begin) {
      line++;
    }
    for (next = i + 1; next < timeline->nbehind && timeline->behind[next].end <= line->end &&
                       (double)(timeline->behind[next].begin - stretch.end) * page->scale < 1;
         next++) {
      stretch.end = timeline->behind[next].end;
    }
    snprintf(d, sizeof d, "M%.5g %.5gL%.5g %.5g", timeline_page_x(page, stretch.begin),
             height_at(page, line, stretch.begin),
             fmax(timeline_page_x(page, stretch.end), timeline_page_x(page, stretch.begin) + 0.5),
             height_at(page, line, stretch.end));
    timeline_page_path(page, NULL, d, "behind others\u2019 bytes %llu\u2013%llu",
                       (unsigned long long)stretch.begin, (unsigned long long)stretch.end);
  }
  xml_write_end(page->xml);
  xml_write_line(page->xml);
}

static void write_path(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  if (timeline->npath == 0) {
    return;
  }
  SCOPED char *d = path_outline(page);
  timeline_page_path(page, "halo", d, NULL);
  timeline_page_path(page, "path", d, "critical path");
  write_behind(page);
  const struct timeline_line *last = &timeline->path[timeline->npath - 1];
  xml_write_empty(page->xml, "circle class='end' cx='%.5g' cy='%.5g' r='3.5'",
                  timeline_page_x(page, last->end), timeline_page_y(page, last->to) + path_y * page->pitch);
  xml_write_line(page->xml);
}

void timeline_page_paths(struct timeline_page *page) {
  write_notes(page);
  write_exits(page);
  write_path(page);
}
