/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline.h: the frame of the calls, and the parts below the lanes: use of rings and links, causes of
 * the cycles. The contents are written first, since the size of the picture follows from the contents. */
#include "draw/timeline/timeline.h"

#include "draw/font.h"
#include "draw/sheets.h"
#include "draw/timeline/timeline_page.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <string.h>

enum { BIN_WIDTH = 3, KEY_ROW = 17, KEY_SIGN = 18 };

/* --- key --- */

/* Where the next entry of a key goes. */
struct key {
  struct timeline_page *page;
  double x;
};

/* Begin an entry TEXT of KEY; the caller writes the entry's sign. */
static struct timeline_box begin_entry(struct key *key, const char *text) {
  struct timeline_page *page = key->page;
  double width = KEY_SIGN + 5 + font_text_width(text, TIMELINE_FONT);
  if (key->x + width > TIMELINE_RIGHT) {
    key->x = page->left;
    page->y += KEY_ROW;
  }
  struct timeline_box sign = {key->x, page->y - 9, KEY_SIGN, 10};
  timeline_page_text(page, "key", (double[]){key->x + KEY_SIGN + 5, page->y}, "%s", text);
  key->x += width + 14;
  return sign;
}

/* Write an entry of an area of INK. */
static void add_area(struct key *key, enum timeline_ink ink, const char *text) {
  struct timeline_box sign = begin_entry(key, text);
  timeline_page_begin_ink(key->page, ink);
  timeline_page_rect(key->page, NULL, &sign, NULL);
  xml_write_end(key->page->xml);
}

/* Write an entry of a line of CLASS. */
static void add_line(struct key *key, const char *class, const char *text) {
  struct timeline_box sign = begin_entry(key, text);
  timeline_page_path(key->page, class, text_brief("M%.5g %.5gh%d", sign.x, sign.y + 5, KEY_SIGN), NULL);
}

/* Kinds of things in the calls of a picture. */
struct contents {
  bool inks[TIMELINE_INKS];
  bool notes, too_many, path, chips, two_rows, nodes, calls;
};

static struct contents look_through(const struct timeline_picture *picture) {
  struct contents contents = {0};
  VEC_EACH(call, picture->calls, picture->ncalls) {
    const struct timeline *timeline = *call;
    VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
      VEC_EACH(part, lane->parts, lane->nparts) {
        contents.inks[part->ink] = true;
      }
      VEC_EACH(bar, lane->bars, lane->nbars) {
        contents.inks[bar->across ? TIMELINE_ACROSS : TIMELINE_DATA] = true;
      }
      for (enum timeline_ink ink = 0; ink < TIMELINE_STATES; ink++) {
        contents.inks[ink] |= lane->states[ink].n > 0;
      }
      contents.inks[TIMELINE_DATA] |= lane->data.n > 0;
    }
    contents.notes |= timeline_notes_shown(timeline);
    contents.too_many |= timeline->nnotes > 0 && !timeline_notes_shown(timeline);
    contents.path |= timeline->npath > 0;
    contents.inks[TIMELINE_SHARED] |= timeline->nbehind > 0;
    contents.chips |= timeline->folded;
    contents.calls |= timeline->nstays > 0;
    contents.nodes |= timeline->spans_nodes;
    contents.two_rows |= timeline_both_ways(timeline);
  }
  return contents;
}

static void write_key(struct timeline_page *page, const struct timeline_picture *picture) {
  struct contents contents = look_through(picture);
  struct key key = {page, page->left};
  page->y += KEY_ROW;
  for (enum timeline_ink ink = 0; ink < TIMELINE_STATES; ink++) {
    if (contents.inks[ink]) {
      add_area(&key, ink, timeline_state_name(ink));
    }
  }
  if (contents.inks[TIMELINE_DATA]) {
    add_area(&key, TIMELINE_DATA,
             contents.chips      ? "data (mean share of the ramps of its senders)"
             : contents.two_rows ? "data (height: share of the sender\u2019s ramp; puts above gets)"
                                 : "data (height: share of the sender\u2019s ramp)");
  }
  if (contents.inks[TIMELINE_ACROSS]) {
    add_area(&key, TIMELINE_ACROSS, contents.nodes ? "data across a link, messages" : "data across a link");
  }
  if (contents.notes) {
    add_line(&key, "note", contents.nodes ? "message" : "notification");
  }
  if (contents.path) {
    add_line(&key, "path", "critical path");
  }
  if (contents.inks[TIMELINE_SHARED]) {
    add_area(&key, TIMELINE_SHARED, "\u2026 behind others\u2019 bytes");
  }
  if (contents.calls) {
    struct timeline_box sign = begin_entry(&key, "a call, numbered as by --calls");
    timeline_page_rect(page, "call odd", &sign, NULL);
  }
  page->y += 4;
}

enum { MEAN_MARGIN = 5, TEXT_SIZE = 2 * TIMELINE_NAME_SIZE + 64 };
enum { BAND_HEIGHT = 30, BAND_PITCH = 37, BAR_HEIGHT = 20, SIGN = 12, SHARE_ROOM = 34, SHARE_MARGIN = 8 };

/* --- bands --- */

/* Return the right end of a text of WIDTH above CURVE, as far right as no share of LEAST reaches the text; 0:
 * there is no place. */
static double find_place(const struct timeline_page *page, const struct timeline_curve *curve, double width,
                         double least) {
  double end = timeline_page_x(page, page->timeline->cycles) - MEAN_MARGIN;
  for (size_t i = curve->n; i > 0; i--) {
    double from = timeline_page_x(page, (curve->first + i - 1) * page->timeline->bin),
           to = timeline_page_x(page, (curve->first + i) * page->timeline->bin);
    end = (double)curve->shares[i - 1] >= least && to > end - width ? fmin(end, from - MEAN_MARGIN) : end;
  }
  return end - width > page->left ? end : 0;
}

/* Return the maximum of CURVE in percent. */
static double most_of(const struct timeline_curve *curve) {
  double most = 0;
  VEC_EACH(share, curve->shares, curve->n) {
    most = fmax(most, 100 * (double)*share);
  }
  return most;
}

/* Write the mean of BAND in TEXT, and the percentage at the upper end of the scale: the least one with a
 * place for TEXT. TEXT ends at *PLACE.
 * returns: the percentage. */
static unsigned find_scale(const struct timeline_page *page, const struct timeline_band *band, char *text,
                           double *place) {
  static const unsigned scales[] = {10, 25, 50, 100};
  double mean = 100 * timeline_curve_mean(page->timeline, &band->curve), most = most_of(&band->curve);
  for (size_t i = 0;; i++) {
    bool is_last = scales[i] == 100;
    if (most > scales[i] && !is_last) {
      continue;
    }
    int n = snprintf(text, TEXT_SIZE, "%s%.*f\u00a0%% %s", mean < 0.05 ? "below\u00a0" : "", mean < 0.95,
                     fmax(mean, 0.1), band->of);
    if (!is_last) {
      snprintf(text + n, TEXT_SIZE - (size_t)n, ", scale to %u\u00a0%%", scales[i]);
    }
    double width = font_text_width(text, TIMELINE_FONT);
    *place = find_place(page, &band->curve, width, scales[i] / 200.0);
    if (*place == 0 && is_last) {
      *place =
        fmax(timeline_page_x(page, page->timeline->cycles) - MEAN_MARGIN, page->left + width + MEAN_MARGIN);
    }
    if (*place > 0) {
      return scales[i];
    }
  }
}

static void write_band(struct timeline_page *page, const struct timeline_band *band) {
  double bottom = page->y + BAND_HEIGHT, right = timeline_page_x(page, page->timeline->cycles), place;
  char text[TEXT_SIZE];
  unsigned scale = find_scale(page, band, text, &place);
  timeline_page_rect(page, "zebra-fill",
                     &(struct timeline_box){page->left, page->y, right - page->left, BAND_HEIGHT}, NULL);
  if (band->curve.n) {
    SCOPED char *d = timeline_page_outline(
      page, &(struct timeline_area){&band->curve, NULL, bottom, BAND_HEIGHT * 100.0 / scale});
    timeline_page_path(page, text_brief("band %s", timeline_class(band->ink)), d, "%s: mean %s", band->name,
                       text);
  }
  timeline_page_text(page, "name", (double[]){page->left - 8, page->y + 19}, "%s", band->name);
  timeline_page_text(page, "mean", (double[]){place, page->y + 12}, "%s", text);
  page->y += BAND_PITCH;
}

/* --- causes of the cycles --- */

static void write_bar(struct timeline_page *page, uint64_t total) {
  uint64_t sum = 0;
  VEC_EACH(cause, page->timeline->causes, page->timeline->ncauses) {
    double x = timeline_page_x(page, sum), width = (double)cause->cycles * page->scale;
    double percent = 100 * (double)cause->cycles / (double)total;
    timeline_page_begin_ink(page, cause->ink);
    timeline_page_rect(page, "apart", &(struct timeline_box){x, page->y, width, BAR_HEIGHT},
                       "%s: %llu cycles, %.1f %%", cause->what, (unsigned long long)cause->cycles, percent);
    xml_write_end(page->xml);
    if (width >= SHARE_ROOM) {
      const char *text = text_brief("%s\u00a0%.0f\u00a0%%", cause->what, percent);
      bool fits = font_width(text, strlen(text), TIMELINE_FONT, true) + SHARE_MARGIN <= width;
      const char *class =
        cause->ink == TIMELINE_OTHERS ? "share name" : text_brief("share on-%s", timeline_class(cause->ink));
      timeline_page_text(page, class, (double[]){x + width / 2, page->y + 14}, "%s%s%.0f\u00a0%%",
                         fits ? cause->what : "", fits ? " " : "", percent);
    }
    sum += cause->cycles;
  }
  page->y += BAR_HEIGHT;
}

static void write_bar_key(struct timeline_page *page) {
  double x = page->left;
  page->y += 10;
  VEC_EACH(cause, page->timeline->causes, page->timeline->ncauses) {
    const char *text = text_brief("%s\u00a0%s", cause->what, timeline_number(cause->cycles));
    double width = SIGN + 5 + font_text_width(text, TIMELINE_FONT);
    if (x + width > TIMELINE_RIGHT) {
      x = page->left;
      page->y += 19;
    }
    timeline_page_begin_ink(page, cause->ink);
    timeline_page_rect(page, NULL, &(struct timeline_box){x, page->y, SIGN, SIGN}, NULL);
    xml_write_end(page->xml);
    timeline_page_text(page, "key", (double[]){x + SIGN + 5, page->y + 10}, "%s", text);
    x += width + 16;
  }
  page->y += SIGN;
}

static void write_causes(struct timeline_page *page) {
  uint64_t total = 0;
  VEC_EACH(cause, page->timeline->causes, page->timeline->ncauses) {
    total += cause->cycles;
  }
  if (total == 0) {
    return;
  }
  page->y += 19;
  timeline_page_text(page, "h2", (double[]){page->left, page->y},
                     "Where the %s cycles of the critical path went", timeline_number(total));
  page->y += 9;
  write_bar(page, total);
  write_bar_key(page);
}

/* --- the whole --- */

/* Return the left end of the lanes of PICTURE: the names of lanes and bands fit to the left of this end. */
static double find_left(const struct timeline_picture *picture) {
  double widest = 0;
  VEC_EACH(call, picture->calls, picture->ncalls) {
    const struct timeline *timeline = *call;
    VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
      widest = fmax(widest, font_text_width(lane->name, TIMELINE_FONT));
    }
    VEC_EACH(band, timeline->bands, timeline->nbands) {
      widest = fmax(widest, font_text_width(band->name, TIMELINE_FONT));
    }
  }
  return fmax(TIMELINE_LEAST_LEFT, widest + 36);
}

static void write_definitions(const struct timeline_picture *picture, struct xml_writer *xml) {
  xml_write_begin(xml, "defs");
  xml_write_begin(
    xml,
    "pattern id='hatch-%s' width='5' height='5' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'",
    picture->id);
  xml_write_empty(xml, "rect class='back-fill' width='5' height='5'");
  xml_write_empty(xml, "path class='hatch' d='M0 0V5'");
  xml_write_end(xml);
  xml_write_end(xml);
  xml_write_line(xml);
}

/* Write the calls of PICTURE to PAGE, one below the other. */
static void write_calls(struct timeline_page *page, const struct timeline_picture *picture) {
  bool two = picture->ncalls > 1;
  if (two) {
    SCOPED char *title = xasprintf("%s above %s", picture->calls[0]->name, picture->calls[1]->name);
    SCOPED char *difference = timeline_difference(picture->calls[0], picture->calls[1]);
    timeline_page_lines(page, "h1", 17, title);
    timeline_page_lines(page, "sub", 12, difference);
    write_key(page, picture);
  }
  VEC_EACH(call, picture->calls, picture->ncalls) {
    page->timeline = *call;
    page->two_rows = timeline_both_ways(page->timeline);
    page->y += two ? 8 : 0;
    timeline_page_lines(page, two ? "h2" : "h1", two ? 13 : 17, page->timeline->title);
    timeline_page_lines(page, "sub", 12, page->timeline->subtitle);
    if (!two) {
      write_key(page, picture);
    }
    timeline_page_lanes(page);
    page->y += page->timeline->nbands ? 14 : 0;
    VEC_EACH(band, page->timeline->bands, page->timeline->nbands) {
      write_band(page, band);
    }
    write_causes(page);
  }
  page->y += 16;
}

/* Give the svg element just begun the attributes and the contents of PICTURE. */
static void add_picture(const struct timeline_picture *picture, struct xml_writer *xml) {
  SCOPED char *body = NULL, *hatch = xasprintf("url(#hatch-%s)", picture->id);
  size_t nbytes;
  FILE *stream = open_memstream(&body, &nbytes);
  uint64_t length = 1;
  VEC_EACH(call, picture->calls, picture->ncalls) {
    RAISE(length, (*call)->cycles);
  }
  double left = find_left(picture);
  struct timeline_page page = {.xml = xml_write_new(stream),
                               .hatch = hatch,
                               .left = left,
                               .length = length,
                               .scale = (TIMELINE_RIGHT - left) / (double)length};
  write_calls(&page, picture);
  xml_write_free(page.xml);
  fclose(stream);
  xml_write_attributes(
    xml, "xmlns='http://www.w3.org/2000/svg' class='lanes' width='%d' height='%.0f' viewBox='0 0 %d %.0f'",
    TIMELINE_WIDTH, ceil(page.y), TIMELINE_WIDTH, ceil(page.y));
  xml_write_begin(xml, "style");
  xml_write_line(xml);
  xml_write_markup(xml, sheet_lanes_css);
  struct contents contents = look_through(picture);
  if (contents.calls || contents.inks[TIMELINE_COMPUTES]) {
    xml_write_markup(xml, sheet_calls_css);
  }
  xml_write_end(xml);
  write_definitions(picture, xml);
  page.xml = xml;
  timeline_page_rect(&page, "back-fill", &(struct timeline_box){0, 0, TIMELINE_WIDTH, ceil(page.y)}, NULL);
  xml_write_line(xml);
  xml_write_markup(xml, body);
}

void timeline_svg_write(const struct timeline_picture *picture, FILE *stream) {
  struct xml_writer *xml = xml_write_new(stream);
  xml_write_declaration(xml);
  xml_write_begin(xml, "svg role='img'");
  xml_write_attribute(xml, "aria-label", "%s", picture->calls[0]->title);
  add_picture(picture, xml);
  xml_write_end(xml);
  xml_write_line(xml);
  xml_write_free(xml);
}

uint64_t timeline_svg_bin(uint64_t length) {
  uint64_t nbins = (TIMELINE_RIGHT - TIMELINE_LEAST_LEFT) / BIN_WIDTH;
  return length > nbins ? (length + nbins - 1) / nbins : 1;
}
