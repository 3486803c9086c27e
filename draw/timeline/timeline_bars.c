/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h: the DMAs of a lane, stacked upon each other. The DMAs of a full ramp fill the
 * height. */
#include "draw/timeline/timeline_page.h"

#include "draw/font.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Place of the DMAs in a lane, as parts of the lane's height; least height and width of a labelled DMA. */
static const double lower_bottom = 0.95, lower_height = 0.48;
enum { LABEL_HEIGHT = 9, LABEL_ROOM = 4 };

/* One of at most two rows of bars. */
struct row {
  bool two; /* the bars of one direction, or of both */
  bool is_put;
  double y, height; /* y of the lower end */
};

static bool belongs(const struct row *row, const struct timeline_bar *bar) {
  return !row->two || row->is_put == bar->is_put;
}

/* Write the times with some DMA in ROW. */
static void write_room(struct timeline_page *page, const struct timeline_lane *lane, const struct row *row) {
  double from = 0, to = 0;
  SCOPED char *d = xstrdup("");
  for (size_t i = 0; i <= lane->nbars; i++) {
    const struct timeline_bar *bar = i < lane->nbars ? &lane->bars[i] : NULL;
    if (bar && !belongs(row, bar)) {
      continue;
    }
    if (bar && to > from && timeline_page_x(page, bar->from) < to + 1) {
      to = fmax(to, timeline_page_x(page, bar->to));
      continue;
    }
    if (to > from) {
      xappend(&d, "M%.5g %.5gh%.5gv%.5gH%.5gz", from, row->y - row->height, timeline_tenth(to - from),
              row->height, from);
    }
    from = bar ? timeline_page_x(page, bar->from) : to;
    to = bar ? timeline_page_x(page, bar->to) : to;
  }
  timeline_page_path(page, "room-fill", d, "DMAs are under way");
  xml_write_line(page->xml);
}

/* Write the bytes of the DMAs in ROW. */
static void write_bytes(struct timeline_page *page, const struct timeline_lane *lane, const struct row *row) {
  float *below = xcalloc(timeline_nbins(page->timeline) + 1, sizeof *below);
  xml_write_begin(page->xml, "g class='bytes'");
  for (size_t i = 0; i < lane->nbars; i++) {
    const struct timeline_bar *bar = &lane->bars[i];
    const char *class = timeline_class(bar->across ? TIMELINE_ACROSS : TIMELINE_DATA);
    if (!belongs(row, bar) || bar->curve.n == 0) {
      continue;
    }
    bool stacked = VEC_FIND(&below[bar->curve.first], bar->curve.n, *item > 0);
    SCOPED char *d =
      timeline_page_outline(page, &(struct timeline_area){&bar->curve, below, row->y, row->height});
    char bytes[TIMELINE_NUMBER_SIZE], both[32];
    timeline_bytes(bar->nbytes, bytes);
    snprintf(both, sizeof both, "%s edge", class);
    timeline_page_path(page, stacked ? both : class, d, "%s %s %s %s %llu\u2013%llu%s%s",
                       bar->is_put ? "put" : "get", bytes, bar->is_put ? "to" : "from", bar->peer,
                       (unsigned long long)bar->from, (unsigned long long)bar->to, bar->step ? ", " : "",
                       bar->step ? bar->step : "");
  }
  xml_write_end(page->xml);
  xml_write_line(page->xml);
  free(below);
}

/* Find the widest part of BAR behind X: before the bytes, on the bytes, or behind the bytes: ROOM[0] to
 * ROOM[1]. A label on an edge of the bytes is hard to read. */
static void find_room(const struct timeline_page *page, const struct timeline_bar *bar, double x,
                      double room[2]) {
  uint64_t bin = page->timeline->bin, from = bar->curve.first * bin, to = from + bar->curve.n * bin;
  double ends[] = {timeline_page_x(page, bar->from), timeline_page_x(page, from), timeline_page_x(page, to),
                   timeline_page_x(page, bar->to)};
  room[0] = room[1] = 0;
  for (unsigned i = 0; i + 1 < sizeof ends / sizeof *ends; i++) {
    double begin = fmax(x, ends[i]), end = fmin(ends[i + 1], ends[3]);
    if (end - begin > room[1] - room[0]) {
      room[0] = begin;
      room[1] = end;
    }
  }
}

/* Write the longest label of BAR with room in a part of BAR behind X.
 * returns: where the label ends; X if no label has room. */
static double write_label(struct timeline_page *page, const struct timeline_bar *bar, const struct row *row,
                          double x) {
  char bytes[TIMELINE_NUMBER_SIZE], labels[4][3 * TIMELINE_NAME_SIZE + TIMELINE_NUMBER_SIZE];
  const char *preposition = bar->is_put ? "to" : "from";
  double room[2];
  find_room(page, bar, x, room);
  timeline_bytes(bar->nbytes, bytes);
  snprintf(labels[0], sizeof labels[0], "%s %s %s", bytes, preposition, bar->peer);
  snprintf(labels[1], sizeof labels[1], "%s %s", preposition, bar->peer);
  snprintf(labels[2], sizeof labels[2], "%s", bar->peer);
  snprintf(labels[3], sizeof labels[3], "%.99s, %s", labels[0], bar->step ? bar->step : "");
  for (unsigned k = bar->step ? 0 : 1; k < 4; k++) {
    unsigned i = (k + 3) % 4;
    double width = font_text_width(labels[i], TIMELINE_SMALL_FONT);
    if (width + LABEL_ROOM <= room[1] - room[0]) {
      timeline_page_text(page, "label", (double[]){(room[0] + room[1]) / 2, row->y - row->height / 2 + 3.5},
                         "%s", labels[i]);
      return (room[0] + room[1] + width) / 2 + LABEL_ROOM;
    }
  }
  return x;
}

static void write_row(struct timeline_page *page, const struct timeline_lane *lane, const struct row *row) {
  double x = 0;
  write_room(page, lane, row);
  write_bytes(page, lane, row);
  for (size_t i = 0; i < lane->nbars && row->height >= LABEL_HEIGHT; i++) {
    if (belongs(row, &lane->bars[i])) {
      x = write_label(page, &lane->bars[i], row, x);
    }
  }
}

void timeline_page_bars(struct timeline_page *page, const struct timeline_lane *lane, double y) {
  double bottom = timeline_tenth(y + lower_bottom * page->pitch),
         height = timeline_tenth(lower_height * page->pitch);
  if (lane->nbars == 0) {
    return;
  }
  if (page->two_rows) {
    write_row(page, lane, &(struct row){true, true, bottom - height / 2, height / 2});
    write_row(page, lane, &(struct row){true, false, bottom, height / 2});
  } else {
    write_row(page, lane, &(struct row){false, false, bottom, height});
  }
}
