/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h: the parts below the lanes: use of rings and links, and the causes of the cycles. */
#include "draw/timeline/timeline_page.h"

#include "draw/font.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <string.h>

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
  for (size_t i = 0; i < curve->n; i++) {
    most = fmax(most, 100 * (double)curve->shares[i]);
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
    char class[32];
    snprintf(class, sizeof class, "band %s", timeline_class(band->ink));
    timeline_page_path(page, class, d, "%s: mean %s", band->name, text);
  }
  timeline_page_text(page, "name", (double[]){page->left - 8, page->y + 19}, "%s", band->name);
  timeline_page_text(page, "mean", (double[]){place, page->y + 12}, "%s", text);
  page->y += BAND_PITCH;
}

void timeline_page_bands(struct timeline_page *page) {
  page->y += page->timeline->nbands ? 14 : 0;
  for (size_t i = 0; i < page->timeline->nbands; i++) {
    write_band(page, &page->timeline->bands[i]);
  }
}

/* --- causes of the cycles --- */

static void write_bar(struct timeline_page *page, uint64_t total) {
  uint64_t sum = 0;
  for (size_t i = 0; i < page->timeline->ncauses; i++) {
    const struct timeline_cause *cause = &page->timeline->causes[i];
    double x = timeline_page_x(page, sum), width = (double)cause->cycles * page->scale;
    double percent = 100 * (double)cause->cycles / (double)total;
    timeline_page_begin_ink(page, cause->ink);
    timeline_page_rect(page, "apart", &(struct timeline_box){x, page->y, width, BAR_HEIGHT},
                       "%s: %llu cycles, %.1f %%", cause->what, (unsigned long long)cause->cycles, percent);
    xml_write_end(page->xml);
    if (width >= SHARE_ROOM) {
      char class[32], text[96];
      snprintf(text, sizeof text, "%s\u00a0%.0f\u00a0%%", cause->what, percent);
      bool fits = font_width(text, strlen(text), TIMELINE_FONT, true) + SHARE_MARGIN <= width;
      snprintf(class, sizeof class, "share on-%s", timeline_class(cause->ink));
      timeline_page_text(page, cause->ink == TIMELINE_OTHERS ? "share name" : class,
                         (double[]){x + width / 2, page->y + 14}, "%s%s%.0f\u00a0%%", fits ? cause->what : "",
                         fits ? " " : "", percent);
    }
    sum += cause->cycles;
  }
  page->y += BAR_HEIGHT;
}

static void write_bar_key(struct timeline_page *page) {
  double x = page->left;
  page->y += 10;
  for (size_t i = 0; i < page->timeline->ncauses; i++) {
    const struct timeline_cause *cause = &page->timeline->causes[i];
    char number[TIMELINE_NUMBER_SIZE], text[128];
    timeline_number(cause->cycles, number);
    snprintf(text, sizeof text, "%s\u00a0%s", cause->what, number);
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

void timeline_page_causes(struct timeline_page *page) {
  uint64_t total = 0;
  char number[TIMELINE_NUMBER_SIZE];
  for (size_t i = 0; i < page->timeline->ncauses; i++) {
    total += page->timeline->causes[i].cycles;
  }
  if (total == 0) {
    return;
  }
  timeline_number(total, number);
  page->y += 19;
  timeline_page_text(page, "h2", (double[]){page->left, page->y},
                     "Where the %s cycles of the critical path went", number);
  page->y += 9;
  write_bar(page, total);
  write_bar_key(page);
}
