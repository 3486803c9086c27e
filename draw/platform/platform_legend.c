/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_layout.h: title and legend. The legend is a table of columns of equal width: the signs in the
 * first one, the figures in the others. */
#include "draw/platform/platform_layout.h"

#include "draw/font.h"
#include "sim/base/vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { FIGURES_MOST = 20 };

/* At scale 1. */
static const double margin = 24, font = 11, pitch = 18, title_font = 18, sign_width = 30, sign_height = 12,
                    gap = 12;

struct figure {
  char label[32];
  char value[64];
};

struct figures {
  struct figure rows[FIGURES_MOST];
  size_t n;
  double label, value; /* widths */
};

struct draw_rates platform_legend_rates(const struct platform *platform) {
  double request = platform->eib.request_bytes, raw = platform->bif.bandwidth;
  return (struct draw_rates){.raw = raw, .payload = raw * request / (request + platform->bif.overhead)};
}

static void __attribute__((format(printf, 3, 4)))
add_figure(struct figures *figures, const char *label, const char *format, ...) {
  struct figure *row = &figures->rows[figures->n++];
  va_list arguments;
  va_start(arguments, format);
  snprintf(row->label, sizeof row->label, "%s", label);
  vsnprintf(row->value, sizeof row->value, format, arguments);
  va_end(arguments);
  figures->label = fmax(figures->label, font_text_width(row->label, font) + gap);
  figures->value = fmax(figures->value, font_text_width(row->value, font) + 2 * gap);
}

static const char *plural(double value) {
  return value > 1 || value < 1 ? "s" : "";
}

/* Work out the key figures of PLATFORM.
 * returns: the width of a column. */
static double find_figures(struct figures *figures, const struct platform *platform) {
  double bus = platform->clock.spu / platform->clock.bus_divider, request = platform->eib.request_bytes;
  unsigned rings = platform->eib.rings_clockwise + platform->eib.rings_counterclockwise;
  *figures = (struct figures){.n = 0};
  add_figure(figures, "SPU clock", "%.4g GHz", platform->clock.spu);
  add_figure(figures, "Bus clock", "%.4g GHz", bus);
  add_figure(figures, "Data rings", "%u, %.4g GB/s each", rings, platform->eib.beat_bytes * bus);
  if (platform->eib.ramp_interval > 0) {
    add_figure(figures, "Ramp", "%.4g GB/s each way", request * bus / platform->eib.ramp_interval);
  } else {
    add_figure(figures, "Ramp", "no limit");
  }
  add_figure(figures, "Bus request", "up to %u bytes", platform->eib.request_bytes);
  add_figure(figures, "Hop", "%.4g bus cycle%s", platform->eib.hop, plural(platform->eib.hop));
  add_figure(figures, "Start interval", "%.4g bus cycle%s", platform->eib.start_interval,
             plural(platform->eib.start_interval));
  add_figure(figures, "Command phase", "%.4g SPU cycle%s", platform->eib.command_phase,
             plural(platform->eib.command_phase));
  add_figure(figures, "MFC window", "%u request%s", platform->mfc.window, plural(platform->mfc.window));
  add_figure(figures, "MFC queue", "%u command%s", platform->mfc.queue, plural(platform->mfc.queue));
  bool whole = platform->ls.size % 1024 == 0;
  add_figure(figures, "Local store", whole ? "%u KiB" : "%u bytes", platform->ls.size / (whole ? 1024 : 1));
  if (platform->blade.chips > 1) {
    struct draw_rates rates = platform_legend_rates(platform);
    add_figure(figures, "Link, raw", "%.4g GB/s each way", rates.raw);
    add_figure(figures, "Link, payload", "%.4g GB/s each way", rates.payload);
    add_figure(figures, "Link, command", "+%.4g SPU cycle%s", platform->bif.command,
               plural(platform->bif.command));
    add_figure(figures, "Link, data", "+%.4g SPU cycle%s", platform->bif.data, plural(platform->bif.data));
  }
  return figures->label + figures->value;
}

double platform_legend_width(const struct platform *platform) {
  struct figures figures;
  return 2 * find_figures(&figures, platform) + 2 * margin;
}

double platform_legend_add_title(struct platform_layout *layout, const struct platform *platform) {
  double scale = layout->scale, width = layout->width - 2 * margin * scale;
  struct draw_text text = {.text = platform->name,
                           .baseline = {margin * scale, (margin + title_font) * scale},
                           .size = title_font * scale,
                           .bold = true};
  text_lines_add_paragraph(layout, &text, width);
  text.baseline.y -= 3 * scale;
  text.text = platform->description;
  text.size = font * scale;
  text.bold = false;
  text_lines_add_paragraph(layout, &text, width);
  if (platform->overrides[0] != '\0') {
    SCOPED char *with = xasprintf("with %s", platform->overrides);
    text.text = with;
    text.faint = true;
    text_lines_add_paragraph(layout, &text, width);
  }
  return text.baseline.y;
}

/* The name of SIGN, of a link, a ring or a kind of unit; NULL if the drawing of PLATFORM has no such sign. */
static const char *sign_name(const struct platform_layout *layout, unsigned sign) {
  static const char *const names[DRAW_SIGNS] = {
    [DRAW_SPE] = "SPE with its MFC",     [DRAW_PPE] = "PPE",
    [DRAW_MIC] = "Memory interface",     [DRAW_IOIF] = "I/O interface",
    [DRAW_BIF] = "Interface of links",   [DRAW_OTHER] = "Other unit",
    [DRAW_CLOCKWISE] = "Clockwise ring", [DRAW_COUNTERCLOCKWISE] = "Counter-clockwise ring",
    [DRAW_LINK] = "Chip-to-chip link",
  };
  bool there = sign == DRAW_LINK
                 ? layout->nlinks > 0
                 : sign >= DRAW_KINDS || VEC_FIND(layout->units, layout->nunits, item->kind == sign);
  return there ? names[sign] : NULL;
}

static double add_signs(struct platform_layout *layout, double top) {
  double scale = layout->scale, left = margin * scale;
  size_t row = 0;
  for (unsigned sign = 0; sign < DRAW_SIGNS; sign++) {
    const char *name = sign_name(layout, sign);
    if (!name) {
      continue;
    }
    double y = top + ((double)row + 0.5) * pitch * scale;
    VEC_ADD(layout->swatches, layout->nswatches) =
      (struct draw_swatch){.sign = sign,
                           .box = {.left = left,
                                   .top = y - sign_height * scale / 2,
                                   .width = sign_width * scale,
                                   .height = sign_height * scale}};
    text_lines_add(
      layout, &(struct draw_text){.text = name,
                                  .baseline = {left + (sign_width + gap) * scale, y + 0.35 * font * scale},
                                  .size = font * scale});
    row++;
  }
  return top + (double)row * pitch * scale;
}

double platform_legend_add(struct platform_layout *layout, const struct platform *platform, double top) {
  struct figures figures;
  double scale = layout->scale, column = find_figures(&figures, platform) * scale;
  double bottom = add_signs(layout, top), inner = layout->width - 2 * margin * scale;
  size_t ncolumns = inner >= 3 * column ? 2 : 1, nrows = (figures.n + ncolumns - 1) / ncolumns;
  double step = inner / (double)(ncolumns + 1);
  for (size_t i = 0; i < figures.n; i++) {
    double y = top + ((double)(i % nrows) + 0.5) * pitch * scale + 0.35 * font * scale;
    struct draw_text text = {.text = figures.rows[i].label,
                             .baseline = {margin * scale + step * (double)(1 + i / nrows), y},
                             .size = font * scale,
                             .faint = true};
    text_lines_add(layout, &text);
    text.text = figures.rows[i].value;
    text.faint = false;
    text.baseline.x += figures.label * scale;
    text_lines_add(layout, &text);
  }
  return fmax(bottom, top + (double)nrows * pitch * scale) + margin * scale;
}
