/* SPDX-License-Identifier: BSD-3-Clause
 * Drawings of platforms: everything is there, and nothing lies on anything else. */
#include "draw/chart.h"
#include "draw/font.h"
#include "draw/platform/platform_drawing.h"
#include "draw/platform/platform_layout.h"
#include "draw/view/view.h"
#include "tests/asserts.h"
#include "tests/bed.h"

enum { SEEDS = 120, TEXT_SIZE = 480 };

/* The subject of the test, for messages. */
static char context[1024];

/* Make the platform qs20 with COUNT SETTINGS.
 * owner: the caller. */
static struct platform *adapted(const struct platform_setting *settings, size_t count) {
  struct err err = {0};
  struct platform *platform = platform_read("qs20", &err);
  ck_assert_msg(platform != NULL, "%s", err.text);
  ck_assert_msg(platform_set_all(platform, settings, count, &err) == 0, "%s: %s", context, err.text);
  return platform;
}

/* Write into TEXT a ring with NSPES SPEs and some other units in random order; BIF and MIC are always there.
 * returns: the number of units. */
static unsigned random_units(struct dice *dice, unsigned nspes, char *text) {
  static const char *const others[] = {"BIF", "MIC", "PPE", "IOIF1",
                                       "a_unit_with_a_long_name_of_40_characters"};
  char names[32][48];
  unsigned n = 0, nothers = 2 + (unsigned)dice_below(dice, 4);
  for (unsigned i = 0; i < nspes; i++) {
    snprintf(names[n++], sizeof *names, "SPE%u", i);
  }
  for (unsigned i = 0; i < nothers; i++) {
    snprintf(names[n++], sizeof *names, "%s", others[i]);
  }
  size_t length = 0;
  for (unsigned left = n; left > 0; left--) {
    unsigned pick = (unsigned)dice_below(dice, left);
    length += (size_t)snprintf(text + length, TEXT_SIZE - length, "%s%s", left == n ? "" : " ", names[pick]);
    memmove(names[pick], names[left - 1], sizeof *names);
  }
  return n;
}

/* Write into TEXT a topology of CHIPS chips: one of the words, or a tree with some links more. */
static void random_topology(struct dice *dice, unsigned chips, char *text) {
  static const char *const words[] = {"mesh", "ring", "star"};
  uint64_t choice = dice_below(dice, 4);
  if (choice < 3 || chips == 1) {
    snprintf(text, TEXT_SIZE, "%s", words[choice % 3]);
    return;
  }
  size_t length = 0;
  for (unsigned chip = 1; chip < chips; chip++) {
    unsigned other = (unsigned)dice_below(dice, chip);
    length += (size_t)snprintf(text + length, TEXT_SIZE - length, "%u-%u ", other, chip);
    if (other > 0 && dice_below(dice, 3) == 0) {
      length += (size_t)snprintf(text + length, TEXT_SIZE - length, "%u-%u ", chip, other - 1);
    }
  }
}

/* Make a random platform, from a few small ones to the largest platform allowed in a file.
 * owner: the caller. */
static struct platform *random_platform(unsigned seed) {
  struct dice dice = {seed};
  char units[TEXT_SIZE], topology[TEXT_SIZE], hops[16], chips[16], clockwise[16], counter[16];
  unsigned nchips = 1 + (unsigned)dice_below(&dice, seed % 10 == 0 ? 40 : 16);
  unsigned nunits = random_units(&dice, 1 + (unsigned)dice_below(&dice, seed % 7 == 0 ? 27 : 16), units);
  random_topology(&dice, nchips, topology);
  snprintf(hops, sizeof hops, "%u", nunits / 2);
  snprintf(chips, sizeof chips, "%u", nchips);
  snprintf(clockwise, sizeof clockwise, "%u", 1 + (unsigned)dice_below(&dice, 8));
  snprintf(counter, sizeof counter, "%u", 1 + (unsigned)dice_below(&dice, 8));
  snprintf(context, sizeof context, "seed %u: %u chips, topology %.200s, units %s", seed, nchips, topology,
           units);
  const struct platform_setting settings[] = {
    {"chip.units", units},
    {"chip.bif", "BIF"},
    {"eib.max-hops", hops},
    {"blade.chips", chips},
    {"blade.topology", topology},
    {"eib.rings-clockwise", clockwise},
    {"eib.rings-counterclockwise", counter},
  };
  return adapted(settings, sizeof settings / sizeof *settings);
}

static void assert_inside(const struct platform_layout *layout, const struct draw_box *box,
                          const char *what) {
  ck_assert_msg(box->left >= 0 && box->top >= 0 && box->left + box->width <= layout->width &&
                  box->top + box->height <= layout->height,
                "%s: %s at %g %g, %g x %g, outside %g x %g", context, what, box->left, box->top, box->width,
                box->height, layout->width, layout->height);
}

/* Tell whether A and B have more in common than an edge. */
static bool overlap(const struct draw_box *a, const struct draw_box *b) {
  const double touch = 1e-6;
  return a->left + touch < b->left + b->width && b->left + touch < a->left + a->width &&
         a->top + touch < b->top + b->height && b->top + touch < a->top + a->height;
}

/* Return the largest area of TEXT: see font_width. */
static struct draw_box box_of(const struct draw_text *text) {
  double width = font_width(text->text, strlen(text->text), text->size, text->bold);
  return (struct draw_box){text->baseline.x - (text->middle ? width / 2 : 0),
                           text->baseline.y - 0.82 * text->size, width, text->size};
}

static struct draw_point centre_of(const struct draw_box *box) {
  return (struct draw_point){box->left + box->width / 2, box->top + box->height / 2};
}

/* Check that the units of each chip are the units of PLATFORM, clockwise in ring order. */
static void assert_units(const struct platform_layout *layout, const struct platform *platform) {
  char *names = xstrdup(platform->chip.units), *rest = NULL;
  size_t n = 0, per_chip = layout->nunits / layout->nchips;
  ck_assert_uint_eq(layout->nchips, platform->blade.chips);
  for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest), n++) {
    for (size_t chip = 0; chip < layout->nchips; chip++) {
      const struct draw_unit *unit = &layout->units[chip * per_chip + n];
      const struct draw_unit *next = &layout->units[chip * per_chip + (n + 1) % per_chip];
      struct draw_point middle = layout->chips[chip].centre, here = centre_of(&unit->box),
                        there = centre_of(&next->box);
      double turn =
        atan2(there.y - middle.y, there.x - middle.x) - atan2(here.y - middle.y, here.x - middle.x);
      ck_assert_uint_eq(unit->chip, chip);
      ck_assert_str_eq(unit->name, name);
      ck_assert_msg(fabs(remainder(turn - 2 * M_PI / (double)per_chip, 2 * M_PI)) < 1e-9,
                    "%s: chip %zu, %s and %s", context, chip, unit->name, next->name);
    }
  }
  ck_assert_uint_eq(n * layout->nchips, layout->nunits);
  free(names);
}

static void assert_apart(const struct platform_layout *layout) {
  for (size_t i = 0; i < layout->nunits; i++) {
    assert_inside(layout, &layout->units[i].box, layout->units[i].name);
    for (size_t j = 0; j < i; j++) {
      ck_assert_msg(!overlap(&layout->units[i].box, &layout->units[j].box), "%s: units %zu and %zu overlap",
                    context, i, j);
    }
  }
  for (size_t i = 0; i < layout->nchips; i++) {
    struct draw_point centre = layout->chips[i].centre;
    double radius = layout->chip_radius;
    assert_inside(layout, &(struct draw_box){centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
                  "a chip");
    for (size_t j = 0; j < i; j++) {
      struct draw_point other = layout->chips[j].centre;
      ck_assert_msg(hypot(centre.x - other.x, centre.y - other.y) > 2 * radius,
                    "%s: chips %zu and %zu overlap", context, i, j);
    }
  }
  for (size_t i = 0; i < layout->ntexts; i++) {
    struct draw_box box = box_of(&layout->texts[i]);
    assert_inside(layout, &box, layout->texts[i].text);
    for (size_t j = 0; j < i; j++) {
      struct draw_box other = box_of(&layout->texts[j]);
      ck_assert_msg(!overlap(&box, &other), "%s: '%s' on '%s'", context, layout->texts[i].text,
                    layout->texts[j].text);
    }
  }
}

/* Check that POINT lies on the edge of the BIF unit of CHIP, in a grid on the edge of CHIP. */
static void assert_at_end(const struct platform_layout *layout, unsigned chip, struct draw_point point) {
  struct draw_point centre = layout->chips[chip].centre;
  if (layout->columns) {
    ck_assert_double_eq_tol(hypot(point.x - centre.x, point.y - centre.y), layout->chip_radius, 1e-6);
    return;
  }
  for (size_t i = 0; i < layout->nunits; i++) {
    const struct draw_unit *unit = &layout->units[i];
    const struct draw_box *box = &unit->box;
    if (unit->chip == chip && unit->kind == DRAW_BIF) {
      double x = fabs(point.x - centre_of(box).x) - box->width / 2;
      double y = fabs(point.y - centre_of(box).y) - box->height / 2;
      ck_assert_msg(fabs(fmax(x, y)) < 1e-6, "%s: a link ends %g %g from the BIF unit of chip %u", context, x,
                    y, chip);
      return;
    }
  }
  ck_abort_msg("%s: chip %u has no BIF unit", context, chip);
}

/* The distance of POINT from the straight line between A and B. */
static double distance(struct draw_point point, struct draw_point a, struct draw_point b) {
  double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
  double part = square > 0 ? ((point.x - a.x) * x + (point.y - a.y) * y) / square : 0;
  part = fmax(0, fmin(1, part));
  return hypot(a.x + part * x - point.x, a.y + part * y - point.y);
}

/* Check that each link of PLATFORM is drawn, from one chip to the other and across no third chip. */
static void assert_links(const struct platform_layout *layout, const struct platform *platform) {
  ck_assert_uint_eq(layout->nlinks, platform->nlinks);
  for (size_t i = 0; i < layout->nlinks; i++) {
    const struct draw_link *link = &layout->links[i];
    const unsigned *ends = link->chips, *pair = platform->links[i];
    ck_assert((ends[0] == pair[0] && ends[1] == pair[1]) || (ends[0] == pair[1] && ends[1] == pair[0]));
    assert_at_end(layout, ends[0], link->points[0]);
    assert_at_end(layout, ends[1], link->points[link->npoints - 1]);
    /* unless in a grid, the first and the last piece lie on the chips at the ends of the link */
    size_t own = layout->columns ? 0 : 1;
    for (size_t j = 1 + own; j + own < link->npoints; j++) {
      for (size_t chip = 0; chip < layout->nchips; chip++) {
        double gap = distance(layout->chips[chip].centre, link->points[j - 1], link->points[j]);
        ck_assert_msg(gap > layout->chip_radius - 1e-6, "%s: link %u-%u crosses chip %zu", context, ends[0],
                      ends[1], chip);
      }
    }
  }
}

TESTS(draw);

/* Loop test: the index is the seed. */
TEST_EACH(random_platforms_are_laid_out_without_overlaps, 0, SEEDS) {
  struct platform *platform = random_platform((unsigned)_i);
  struct platform_layout *layout = platform_layout_new(platform, DRAW_WHOLE, "");
  assert_units(layout, platform);
  assert_apart(layout);
  assert_links(layout, platform);
  ck_assert_uint_eq(layout->ntracks, platform->eib.rings_clockwise + platform->eib.rings_counterclockwise);
  for (size_t i = 0; i < layout->ntracks; i++) {
    ck_assert(layout->tracks[i].radius > 0);
    ck_assert(layout->tracks[i].clockwise == (i < platform->eib.rings_clockwise));
  }
  platform_layout_free(layout);
  platform_free(platform);
}

/* Loop test: the index is the seed. In a column the links of more than two chips run on the right side: a
 * link over more chips further out, so that no link lies on another one, and all inside the drawing. */
TEST_EACH(longer_links_beside_a_column_of_chips_run_further_out, 0, SEEDS / 4) {
  struct platform *platform = random_platform((unsigned)_i);
  struct platform_layout *layout = platform_layout_new(platform, DRAW_COLUMN, "");
  assert_units(layout, platform);
  assert_apart(layout);
  assert_links(layout, platform);
  for (size_t i = 1; i < layout->nchips; i++) {
    ck_assert_double_eq_tol(layout->chips[i].centre.x, layout->chips[0].centre.x, 1e-9);
    ck_assert(layout->chips[i].centre.y > layout->chips[i - 1].centre.y);
  }
  for (size_t i = 0; i < layout->nlinks && layout->nchips > 2; i++) {
    const struct draw_link *link = &layout->links[i], *first = &layout->links[0];
    unsigned span = link->chips[1] - link->chips[0], other = first->chips[1] - first->chips[0];
    double out = link->points[2].x - first->points[2].x;
    ck_assert_uint_eq(link->npoints, 5);
    ck_assert(link->points[2].x > link->points[1].x && link->points[2].x <= layout->width);
    ck_assert_msg((out > 1) - (out < -1) == (span > other) - (span < other), "%s: links over %u and %u chips",
                  context, span, other);
  }
  platform_layout_free(layout);
  platform_free(platform);
}

TEST(two_chips_face_each_other_and_the_legend_has_the_rates_of_the_link) {
  struct platform *platform = adapted(NULL, 0);
  struct platform_layout *layout = platform_layout_new(platform, DRAW_WHOLE, "");
  ck_assert_uint_eq(layout->nchips, 2);
  ck_assert_double_eq_tol(layout->chips[0].centre.y, layout->chips[1].centre.y, 1e-9);
  ck_assert(layout->chips[0].centre.x < layout->chips[1].centre.x);
  unsigned found = 0;
  for (size_t i = 0; i < layout->ntexts; i++) {
    /* 20 * 128 / (128 + 118) = 10.41 */
    found += strcmp(layout->texts[i].text, "20 GB/s each way") == 0;
    found += strcmp(layout->texts[i].text, "10.41 GB/s each way") == 0;
    /* 128 bytes in 8.33 cycles of 1.6 GHz: 24.59 */
    found += strcmp(layout->texts[i].text, "24.59 GB/s each way") == 0;
  }
  ck_assert_uint_eq(found, 3);
  platform_layout_free(layout);
  platform_free(platform);
}

/* Chip 4 is the second of the second row of three. The links of a grid are as many as 4 * 2 + 3 * 3
 * between neighbours, straight, and in a torus one more in each of the 4 rows and in each of the 3 columns,
 * in the gaps. */
TEST(the_chips_of_a_grid_stand_in_rows_and_columns) {
  static const char *const topologies[] = {"grid 3x4", "torus 3x4"};
  for (size_t around = 0; around < 2; around++) {
    const struct platform_setting settings[] = {{"blade.chips", "12"},
                                                {"blade.topology", topologies[around]}};
    struct platform *platform = adapted(settings, 2);
    struct platform_layout *layout = platform_layout_new(platform, DRAW_WHOLE, "");
    const struct draw_chip *chips = layout->chips;
    ck_assert_double_eq_tol(chips[4].centre.x, chips[1].centre.x, 1e-9);
    ck_assert_double_eq_tol(chips[4].centre.y, chips[3].centre.y, 1e-9);
    ck_assert_double_eq_tol(chips[1].centre.x - chips[0].centre.x, chips[3].centre.y - chips[0].centre.y,
                            1e-9);
    ck_assert_uint_eq(layout->nlinks, 4 * 2 + 3 * 3 + around * (4 + 3));
    snprintf(context, sizeof context, "%s", topologies[around]);
    assert_apart(layout);
    assert_links(layout, platform);
    size_t nstraight = 0;
    for (size_t i = 0; i < layout->nlinks; i++) {
      const struct draw_point *points = layout->links[i].points;
      nstraight += layout->links[i].npoints == 2;
      for (size_t j = 1; j < layout->links[i].npoints; j++) {
        ck_assert(points[j].x >= 0 && points[j].y >= 0);
        ck_assert(points[j].x <= layout->width && points[j].y <= layout->height);
        ck_assert(fabs(points[j].x - points[j - 1].x) < 1e-9 || fabs(points[j].y - points[j - 1].y) < 1e-9);
      }
    }
    ck_assert_uint_eq(nstraight, 4 * 2 + 3 * 3);
    platform_layout_free(layout);
    platform_free(platform);
  }
}

TEST(the_hub_of_a_star_stands_among_the_others) {
  const struct platform_setting settings[] = {{"blade.chips", "6"},
                                              {"blade.topology", "2-0 2-1 3-2 2-4 5-2"}};
  struct platform *platform = adapted(settings, 2);
  struct platform_layout *layout = platform_layout_new(platform, DRAW_WHOLE, "");
  double side = hypot(layout->chips[0].centre.x - layout->chips[5].centre.x,
                      layout->chips[0].centre.y - layout->chips[5].centre.y);
  for (size_t i = 1; i < 6; i++) {
    struct draw_point one = layout->chips[i - 1].centre, next = layout->chips[i].centre;
    ck_assert_double_eq_tol(hypot(next.x - one.x, next.y - one.y), side, 1e-6);
  }
  platform_layout_free(layout);
  platform_free(platform);
}

TEST(long_paragraphs_are_broken_between_words_and_long_words_anywhere) {
  struct platform_layout layout = {.width = 1000};
  struct draw_text text = {.text = "two  words Donaudampfschiff\xc3\xa4hrtsgesellschaft", .size = 10};
  double width = font_text_width("two  words", 10);
  text_lines_add_paragraph(&layout, &text, width);
  ck_assert_str_eq(layout.texts[0].text, "two  words");
  ck_assert(layout.ntexts > 2 && text.baseline.y > layout.texts[layout.ntexts - 1].baseline.y);
  for (size_t i = 0; i < layout.ntexts; i++) {
    ck_assert(box_of(&layout.texts[i]).width <= width + 1e-9);
    ck_assert(((unsigned char)layout.texts[i].text[0] & 0xc0) != 0x80);
    free((char *)layout.texts[i].text);
  }
  free(layout.texts);
}

/* From the tables of DejaVu Sans (bold: DejaVu Sans Bold) in 1/2048: W 2025, i 569, m 1995; bold m 2134. J is
 * wider in Liberation Sans: 1024. */
TEST(text_is_as_wide_as_in_the_widest_usual_font) {
  ck_assert_double_eq_tol(font_width("Wim", 3, 100, false), 100 * (2025 + 569 + 1995) / 2048.0, 3);
  ck_assert_double_ge(font_width("Wim", 3, 100, false), 100 * (2025 + 569 + 1995) / 2048.0);
  ck_assert_double_ge(font_width("m", 1, 100, true), 100 * 2134 / 2048.0);
  ck_assert_double_ge(font_width("J", 1, 100, false), 50);
  ck_assert_double_eq_tol(font_width("\xe2\x82\xac", 3, 10, false), 10, 1e-9); /* one character, not three */
  ck_assert_double_eq_tol(font_width("Wim", 1, 10, false), font_width("W", 1, 10, false), 1e-9);
}

/* Rows of a chart: ROW has x 1 and y ROW, and is of a series called as NAMES say. */
static const char *row_cell(const void *table, size_t row, const char *column) {
  static char text[32];
  const char *const *names = table;
  snprintf(text, sizeof text, "%zu", strcmp(column, "x") == 0 ? 1 : row + 1);
  return strcmp(column, "name") == 0 ? names[row] : text;
}

static struct chart *chart_of(const char *const *names, size_t n) {
  const struct chart_spec spec = {.title = "t", .kind = CHART_CURVES, .x = "x", .y = "y", .series = "name"};
  return chart_new(&spec, &(struct chart_rows){names, n, row_cell});
}

TEST(a_mark_has_a_line_between_its_ends) {
  const char *names[] = {"a", "b"};
  const struct chart_spec spec = {.title = "t", .kind = CHART_ORDER, .y = "y", .low = "x", .high = "y"};
  struct chart *chart = chart_new(&spec, &(struct chart_rows){names, 2, row_cell}), *plain;
  const struct chart_point *point = &chart->panels[0].series[0].points[1];
  char *drawn = NULL;
  size_t length;
  FILE *stream = open_memstream(&drawn, &length);
  ck_assert_double_eq_tol(point->low, 1, 1e-9);
  ck_assert_double_eq_tol(point->high, 2, 1e-9);
  plain = chart_new(&(struct chart_spec){.title = "t", .kind = CHART_ORDER, .y = "y"},
                    &(struct chart_rows){names, 2, row_cell});
  chart_write(&chart, 1, stream);
  fflush(stream);
  ck_assert_ptr_nonnull(strstr(drawn, "<path class=\"line s c0\""));
  ck_assert_ptr_nonnull(strstr(drawn, "2 (1 to 2)"));
  ck_assert_double_nan(plain->panels[0].series[0].points[1].low);
  fclose(stream);
  free(drawn);
  chart_free(plain);
  chart_free(chart);
}

/* An entry of the key takes 34 pixels and the width of the name; of 200 pixels two of "MM" (20.6) take
 * 110, a second row is necessary for names of eight letters (82.4). */
TEST(the_key_of_a_chart_has_more_rows_if_entries_are_too_wide) {
  static const char *const small[] = {"MM", "WW"}, *const large[] = {"MMMMMMMM", "WWWWWWWW"};
  struct chart *one = chart_of(small, 2), *two = chart_of(large, 2);
  ck_assert_double_gt(chart_panel_height(two, two->panels, 200), chart_panel_height(one, one->panels, 200));
  ck_assert_double_eq_tol(chart_panel_height(two, two->panels, 400),
                          chart_panel_height(one, one->panels, 400), 1e-9);
  chart_free(one);
  chart_free(two);
}

TEST(more_than_eight_curves_have_more_panels) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "a"};
  struct chart *chart = chart_of(names, 10);
  ck_assert_uint_eq(chart->n, 2);
  ck_assert_uint_eq(chart->panels[0].n, CHART_SERIES_MAX);
  ck_assert_uint_eq(chart->panels[1].n, 1);
  /* the first and the tenth row have one x: their median is (1 + 10) / 2; b to e are lower, with 2 to 5 */
  ck_assert_str_eq(chart->panels[0].series[0].name, "b");
  ck_assert_str_eq(chart->panels[0].series[4].name, "a");
  ck_assert_uint_eq(chart->panels[0].series[4].n, 1);
  ck_assert_double_eq_tol(chart->panels[0].series[4].points[0].y, 5.5, 1e-9);
  ck_assert_str_eq(chart->panels[1].series[0].name, "i");
  chart_free(chart);
}

/* --- the chips of a view --- */

/* A transfer on a ring, an access to memory, and a program of an SPE or of a PPE each name a chip. */
TEST(the_last_chip_with_anything_on_it_ends_a_view) {
  static const struct {
    enum view_table table;
    int64_t who;
    unsigned nchips;
  } rows[] = {{VIEW_GRANTS, 2, 3},   {VIEW_MEMORY, 1, 2},    {VIEW_PROGRAMS, 7, 1},
              {VIEW_PROGRAMS, 8, 2}, {VIEW_PROGRAMS, -1, 1}, {VIEW_PROGRAMS, -3, 3}};
  const struct platform platform = {.spes_per_chip = 8};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct view_call call = {.title = NULL};
    const struct view view = {.platform = &platform, .calls = {&call}, .ncalls = 1};
    view_add(&call, rows[i].table, (const int64_t[VIEW_COLUMNS_MAX]){0, rows[i].who});
    ck_assert_uint_eq(view_count_chips(&view), rows[i].nchips);
    free(call.rows[rows[i].table].cells);
  }
}
