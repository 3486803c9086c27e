/* SPDX-License-Identifier: BSD-3-Clause
 * See draw_svg.h.
 *
 * Colours are those of Okabe and Ito (2008), which people with any colour vision can tell apart; in grey print the kinds
 * of units differ in brightness, the directions of the rings in their dashes. All style is in attributes, so that
 * several drawings fit on one page of HTML. */
#include "draw/draw_svg.h"

#include "draw/draw_layout.h"
#include "draw/draw_legend.h"
#include "sim/base/markup.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ARROWS_MOST = 6 };

static const double arrow_length = 7, arrow_width = 6;

static const char *const fills[DRAW_SIGNS] = {
  [DRAW_SPE] = "#d3ebf8",       [DRAW_PPE] = "#f0e442",  [DRAW_MIC] = "#5fc3a3",
  [DRAW_IOIF] = "#dfa6c4",      [DRAW_BIF] = "#e69f00",  [DRAW_OTHER] = "#ffffff",
  [DRAW_CLOCKWISE] = "#0072b2", [DRAW_LINK] = "#222222", [DRAW_COUNTERCLOCKWISE] = "#d55e00",
};

static void
write_element(const char *name, const char *text, FILE *stream)
{
  fprintf(stream, "<%s>", name);
  markup_escape(text, stream);
  fprintf(stream, "</%s>", name);
}

static void
write_head(const struct draw_layout *layout, const struct platform *platform, FILE *stream)
{
  fprintf(stream,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
          "viewBox=\"0 0 %.1f %.1f\" font-family=\"sans-serif\">\n",
          ceil(layout->width), ceil(layout->height), layout->width, layout->height);
  write_element("title", platform->name, stream);
  fputs("\n<desc>", stream);
  markup_escape(platform->description, stream);
  fprintf(stream, ". Chips: %u; links between them: ", platform->blade.chips);
  markup_escape(layout->nlinks > 0 ? platform->blade.topology : "none", stream);
  fputs("; units of each chip in ring order: ", stream);
  markup_escape(platform->chip.units, stream);
  fprintf(stream, "; data rings: %u clockwise and %u counter-clockwise.</desc>\n",
          platform->eib.rings_clockwise, platform->eib.rings_counterclockwise);
  fprintf(stream, "<rect width=\"%.1f\" height=\"%.1f\" fill=\"#ffffff\"/>\n", layout->width, layout->height);
}

static void
write_discs(const struct draw_layout *layout, FILE *stream)
{
  fputs("<g fill=\"#f7f7f7\" stroke=\"#8c8c8c\">\n", stream);
  for (size_t i = 0; i < layout->nchips; i++) {
    struct draw_point centre = layout->chips[i].centre;
    fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>chip %zu</title></circle>\n", centre.x,
            centre.y, layout->chip_radius, i);
  }
  fputs("</g>\n", stream);
}

static void
write_links(const struct draw_layout *layout, const struct platform *platform, FILE *stream)
{
  struct draw_rates rates = draw_link_rates(platform);
  fprintf(stream, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linejoin=\"round\">\n",
          fills[DRAW_LINK], layout->link_width);
  for (size_t i = 0; i < layout->nlinks; i++) {
    const struct draw_link *link = &layout->links[i];
    fputs("<path d=\"", stream);
    for (size_t j = 0; j < link->npoints; j++) {
      fprintf(stream, "%s%.1f %.1f", j == 0 ? "M" : "L", link->points[j].x, link->points[j].y);
    }
    fprintf(stream,
            "\"><title>chip %u to chip %u: %.4g GB/s raw, %.4g GB/s payload each way</title></path>\n",
            link->chips[0], link->chips[1], rates.raw, rates.payload);
  }
  fputs("</g>\n<g fill=\"#ffffff\">\n", stream);
  for (size_t i = 0; i < layout->nlinks && layout->labelled; i++) {
    const struct draw_box *box = &layout->links[i].label;
    if (layout->links[i].level) {
      continue;
    }
    fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", box->left, box->top,
            box->width, box->height);
  }
  fputs("</g>\n", stream);
}

/* Write an arrowhead whose middle is AT and that points to ANGLE. */
static void
write_arrow(struct draw_point at, double angle, FILE *stream)
{
  double along = arrow_length / 2, across = arrow_width / 2, x = cos(angle), y = sin(angle);
  fprintf(stream, "M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", at.x + along * x, at.y + along * y,
          at.x - along * x - across * y, at.y - along * y + across * x, at.x - along * x + across * y,
          at.y - along * y - across * x);
}

static const char *
dashes(bool clockwise)
{
  return clockwise ? "" : " stroke-dasharray=\"6 3\"";
}

/* Write ring TRACK of CHIP with its arrowheads, midway between units. */
static void
write_track(const struct draw_layout *layout, const struct draw_chip *chip, const struct draw_track *track,
            FILE *stream)
{
  const char *colour = fills[track->clockwise ? DRAW_CLOCKWISE : DRAW_COUNTERCLOCKWISE];
  size_t per_chip = layout->nunits / layout->nchips,
         narrows = per_chip < ARROWS_MOST ? per_chip : ARROWS_MOST;
  fprintf(stream,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s/>"
          "<path fill=\"%s\" d=\"",
          chip->centre.x, chip->centre.y, track->radius, colour, dashes(track->clockwise), colour);
  for (size_t i = 0; i < narrows; i++) {
    double gap = floor((double)(i * per_chip) / (double)narrows) + 0.5;
    double angle = chip->facing + 2 * M_PI * gap / (double)per_chip;
    struct draw_point at = {chip->centre.x + track->radius * cos(angle),
                            chip->centre.y + track->radius * sin(angle)};
    write_arrow(at, angle + (track->clockwise ? M_PI / 2 : -M_PI / 2), stream);
  }
  fputs("\"/>\n", stream);
}

static struct draw_point
middle(const struct draw_box *box)
{
  return (struct draw_point){box->left + box->width / 2, box->top + box->height / 2};
}

/* Write the ramps, which lie below the rings, and the rings. */
static void
write_rings(const struct draw_layout *layout, FILE *stream)
{
  fputs("<g stroke=\"#c4c4c4\" stroke-width=\"5\">\n", stream);
  for (size_t i = 0; i < layout->nunits; i++) {
    struct draw_point end = middle(&layout->units[i].box), ramp = layout->units[i].ramp;
    fprintf(stream, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", ramp.x, ramp.y, end.x,
            end.y);
  }
  fputs("</g>\n", stream);
  for (size_t i = 0; i < layout->nchips; i++) {
    for (size_t j = 0; j < layout->ntracks; j++) {
      write_track(layout, &layout->chips[i], &layout->tracks[j], stream);
    }
  }
}

static void
write_units(const struct draw_layout *layout, FILE *stream)
{
  fputs("<g stroke=\"#333333\">\n", stream);
  for (size_t i = 0; i < layout->nunits; i++) {
    const struct draw_unit *unit = &layout->units[i];
    const struct draw_box *box = &unit->box;
    fprintf(stream,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\" fill=\"%s\" "
            "stroke-width=\"%s\"><title>chip %u: ",
            box->left, box->top, box->width, box->height, fills[unit->kind],
            unit->kind == DRAW_BIF ? "2.2" : "1", unit->chip);
    markup_escape(unit->name, stream);
    fputs("</title></rect>\n", stream);
  }
  fputs("</g>\n", stream);
}

/* Write the sign of a ring or a link: a line, of a ring with its arrowhead. */
static void
write_line_sign(const struct draw_swatch *swatch, double width, FILE *stream)
{
  const struct draw_box *box = &swatch->box;
  double y = box->top + box->height / 2;
  bool counter = swatch->sign == DRAW_COUNTERCLOCKWISE;
  fprintf(stream,
          "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n",
          box->left, y, box->left + box->width, y, fills[swatch->sign], width, dashes(!counter));
  if (swatch->sign != DRAW_LINK) {
    fprintf(stream, "<path fill=\"%s\" d=\"", fills[swatch->sign]);
    write_arrow((struct draw_point){box->left + box->width / 2, y}, counter ? M_PI : 0, stream);
    fputs("\"/>\n", stream);
  }
}

static void
write_signs(const struct draw_layout *layout, FILE *stream)
{
  for (size_t i = 0; i < layout->nswatches; i++) {
    const struct draw_swatch *swatch = &layout->swatches[i];
    const struct draw_box *box = &swatch->box;
    if (swatch->sign >= DRAW_KINDS) {
      write_line_sign(swatch, 2 * layout->scale, stream);
    } else {
      fprintf(stream,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\" "
              "stroke=\"#333333\" stroke-width=\"%s\"/>\n",
              box->left, box->top, box->width, box->height, fills[swatch->sign],
              swatch->sign == DRAW_BIF ? "2.2" : "1");
    }
  }
}

static void
write_texts(const struct draw_layout *layout, FILE *stream)
{
  fputs("<g fill=\"#111111\">\n", stream);
  for (size_t i = 0; i < layout->ntexts; i++) {
    const struct draw_text *text = &layout->texts[i];
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\"%s%s%s>", text->baseline.x,
            text->baseline.y, text->size, text->middle ? " text-anchor=\"middle\"" : "",
            text->bold ? " font-weight=\"bold\"" : "", text->faint ? " fill=\"#555555\"" : "");
    markup_escape(text->text, stream);
    fputs("</text>\n", stream);
  }
  fputs("</g>\n", stream);
}

void
draw_svg_write(const struct platform *platform, FILE *stream)
{
  struct draw_layout *layout = draw_layout_new(platform);
  write_head(layout, platform, stream);
  write_discs(layout, stream);
  write_links(layout, platform, stream);
  write_rings(layout, stream);
  write_units(layout, stream);
  write_signs(layout, stream);
  write_texts(layout, stream);
  fputs("</svg>\n", stream);
  draw_layout_free(layout);
}
