/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes: all added parts are there afterwards, in pictures and in letters; colours can be told apart. */
#include "draw/font.h"
#include "draw/lanes.h"
#include "draw/lanes_style.h"
#include "draw/lanes_svg.h"
#include "draw/lanes_text.h"
#include "sim/base/xalloc.h"
#include "tests/asserts.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- adding --- */

TESTS(lanes);

TEST(parts_that_go_on_are_one) {
  struct lanes *lanes = lanes_new(1, 1000, 10);
  lanes_add_part(lanes, 0, (struct lanes_part){0, 100, LANES_SOFTWARE, "a"});
  lanes_add_part(lanes, 0, (struct lanes_part){100, 130, LANES_SOFTWARE, "a"});
  ck_assert_uint_eq(lanes->lanes[0].nparts, 1);
  ck_assert_str_eq(lanes->lanes[0].parts[0].what, "a");
  lanes_add_part(lanes, 0, (struct lanes_part){130, 140, LANES_SOFTWARE, "b"});
  ck_assert_uint_eq(lanes->lanes[0].nparts, 1);
  ck_assert_uint_eq(lanes->lanes[0].parts[0].to, 140);
  ck_assert_ptr_null(lanes->lanes[0].parts[0].what);
  lanes_add_part(lanes, 0, (struct lanes_part){140, 1100, LANES_OTHERS, NULL});
  lanes_add_part(lanes, 0, (struct lanes_part){1100, 1200, LANES_SOFTWARE, NULL});
  ck_assert_uint_eq(lanes->lanes[0].nparts, 2);
  ck_assert_uint_eq(lanes->lanes[0].parts[1].to, 1000);
  lanes_free(lanes);
}

/* A grant of 16 cycles from cycle 15 on takes 5 of the 10 cycles of bin 1, all of bin 2, 1 of bin 3: shares
 * 0.5, 1, 0.1. */
TEST(a_curve_gets_parts_of_bins) {
  struct lanes *lanes = lanes_new(1, 95, 10);
  struct lanes_curve curve = {0};
  lanes_curve_add(lanes, &curve, (struct lanes_span){15, 31, 1});
  const double shares[] = {0, 0.5, 1, 0.1, 0};
  for (size_t i = 0; i < 5; i++) {
    ck_assert_double_eq_tol(lanes_curve_at(&curve, i), shares[i], 1e-6);
  }
  lanes_curve_add(lanes, &curve, (struct lanes_span){-3, 4, 0.5});
  lanes_curve_add(lanes, &curve, (struct lanes_span){90, 120, 1});
  ck_assert_double_eq_tol(lanes_curve_at(&curve, 0), 0.2, 1e-6);
  ck_assert_double_eq_tol(lanes_curve_at(&curve, 1), 0.5, 1e-6);
  ck_assert_double_eq_tol(lanes_curve_at(&curve, 9), 0.5, 1e-6);
  ck_assert_double_eq_tol(lanes_curve_mean(lanes, &curve), (16 + 2 + 5) / 95.0, 1e-6);
  free(curve.shares);
  lanes_free(lanes);
}

/* Bins 3 to 8; groups of four begin at multiples of four: bin 3, bins 4 to 7, bin 8. */
TEST(a_curve_is_smoothed_in_groups) {
  float shares[] = {1, 0, 0.5, 0.5, 1, 0.25};
  struct lanes_curve curve = {shares, 3, 6};
  lanes_curve_smooth(&curve, 6);
  ck_assert_double_eq_tol(lanes_curve_at(&curve, 4), 0, 1e-6);
  lanes_curve_smooth(&curve, 2);
  const double expected[] = {1, 0.5, 0.5, 0.5, 0.5, 0.25};
  for (size_t i = 0; i < 6; i++) {
    ck_assert_double_eq_tol(lanes_curve_at(&curve, 3 + i), expected[i], 1e-6);
  }
}

TEST(chips_show_the_means_of_their_spes) {
  struct lanes *lanes = lanes_new(3, 100, 10);
  lanes->lanes[2].chip = 1;
  lanes_add_part(lanes, 0, (struct lanes_part){0, 100, LANES_SOFTWARE, NULL});
  lanes_add_part(lanes, 1, (struct lanes_part){0, 50, LANES_OTHERS, NULL});
  lanes_add_part(lanes, 2, (struct lanes_part){0, 100, LANES_COMBINES, NULL});
  lanes_add_path(lanes, (struct lanes_line){1, 2, 0, 100});
  size_t bar = lanes_add_bar(lanes, 1, &(struct lanes_bar){.from = 0, .to = 100});
  lanes_curve_add(lanes, &lanes->lanes[1].bars[bar].curve, (struct lanes_span){20, 40, 1});
  lanes_fold(lanes);
  ck_assert_uint_eq(lanes->nlanes, 2);
  ck_assert_uint_eq(lanes->nspes, 3);
  ck_assert_uint_eq(lanes->path[0].from, 0);
  ck_assert_uint_eq(lanes->path[0].to, 1);
  const struct lanes_lane *chip = &lanes->lanes[0];
  ck_assert_double_eq_tol(lanes_curve_mean(lanes, &chip->states[LANES_SOFTWARE]), 0.5, 1e-6);
  ck_assert_double_eq_tol(lanes_curve_mean(lanes, &chip->states[LANES_OTHERS]), 0.25, 1e-6);
  ck_assert_double_eq_tol(lanes_curve_mean(lanes, &chip->data), 0.1, 1e-6);
  ck_assert_double_eq_tol(lanes_curve_mean(lanes, &lanes->lanes[1].states[LANES_COMBINES]), 1, 1e-6);
  lanes_free(lanes);
}

/* Of hosts each process has a lane of its own, for any number of processes. */
TEST(what_has_one_lane_is_not_folded) {
  struct lanes *lanes = lanes_new(0, 100, 10);
  for (unsigned i = 0; i < 3; i++) {
    lanes_append(lanes, lanes_new(1, 100, 10), i);
    lanes->lanes[i].nspes = 0;
  }
  lanes_fold_nodes(lanes);
  ck_assert_uint_eq(lanes->nlanes, 3);
  ck_assert(!lanes->folded);
  lanes_append(lanes, lanes_new(2, 100, 10), 3);
  lanes_fold_nodes(lanes);
  ck_assert_uint_eq(lanes->nlanes, 4);
  ck_assert(lanes->folded);
  lanes_free(lanes);
}

/* --- in letters and in a picture --- */

/* Return two lanes of 650 cycles: 65 columns of 10 cycles with a margin of 7.
 * owner: the caller. */
static struct lanes *two_lanes(const char *name, uint64_t software) {
  struct lanes *lanes = lanes_new(2, 650, 5);
  lanes->name = xstrdup(name);
  lanes->title = xasprintf("%s: 650 cycles (0.2\u00a0\u00b5s)", name);
  lanes->subtitle = xstrdup("qs20, <verified> & so on");
  for (unsigned i = 0; i < 2; i++) {
    snprintf(lanes->lanes[i].name, sizeof lanes->lanes[i].name, "SPE %u", i);
    lanes->lanes[i].left = 650;
  }
  lanes_add_part(lanes, 0, (struct lanes_part){0, 100, LANES_SOFTWARE, NULL});
  lanes_add_part(lanes, 0, (struct lanes_part){100, 650, LANES_OTHERS, NULL});
  lanes_add_part(lanes, 1, (struct lanes_part){0, 150, LANES_OTHERS, NULL});
  lanes_add_part(lanes, 1, (struct lanes_part){150, 600, LANES_OWN_DMA, NULL});
  lanes_add_part(lanes, 1, (struct lanes_part){600, 650, LANES_COMBINES, NULL});
  for (unsigned i = 0; i < 2; i++) { /* two DMAs on one ramp, the second one from cycle 300 on */
    struct lanes_bar bar = {.from = 200, .to = 500, .peer = "0", .ramp = 3, .nbytes = 4096};
    size_t number = lanes_add_bar(lanes, 1, &bar);
    lanes_curve_add(lanes, &lanes->lanes[1].bars[number].curve, (struct lanes_span){200 + 100 * i, 500, 0.5});
  }
  lanes_add_note(lanes, (struct lanes_line){0, 1, 100, 150});
  lanes_add_path(lanes, (struct lanes_line){0, 0, 0, 100});
  lanes_add_path(lanes, (struct lanes_line){0, 1, 100, 150});
  lanes_add_path(lanes, (struct lanes_line){1, 1, 150, 650});
  lanes_add_behind(lanes, (struct lanes_stretch){300, 500});
  lanes_add_cause(lanes, (struct lanes_cause){"bytes", LANES_DATA, 650 - software});
  lanes_add_cause(lanes, (struct lanes_cause){"software", LANES_SOFTWARE, software});
  return lanes;
}

TEST(letters_show_what_goes_on) {
  static const char expected[] = "x:y: 650 cycles (0.2 us)\n"
                                 "qs20, <verified> & so on\n"
                                 "\n"
                                 "SPE 0  ##########.......................................................\n"
                                 "       ^^^^^^^^^^\n"
                                 "SPE 1  ...............-----==========~~~~~~~~~~~~~~~~~~~~----------+++++\n"
                                 "                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                                 "\n"
                                 "Where the 650 cycles of the critical path went:\n"
                                 "  bytes         500  77 % ###############################\n"
                                 "  software      150  23 % #########\n"
                                 "\n"
                                 "# software  + combines  = data, alone on its sender's ramp\n"
                                 "~ data, ramp shared  - waits for its DMA  . waits for others\n"
                                 "^ critical path\n";
  struct lanes *lanes = two_lanes("x:y", 150);
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  lanes_text_write((const struct lanes *const[]){lanes}, 1, 20, stream); /* no narrower than 72 */
  fclose(stream);
  ck_assert_str_eq(text, expected);
  free(text);
  lanes_free(lanes);
}

TEST(differences_are_said) {
  struct lanes *slow = two_lanes("a:slow", 150), *fast = two_lanes("a:fast", 10);
  fast->cycles = 500;
  fast->causes[0].cycles = 490;
  char *text = lanes_difference(slow, fast), *other = lanes_difference(fast, slow);
  ck_assert_str_eq(text, "a:fast takes 500 cycles instead of 650, 1.30 times as fast. On its critical path: "
                         "software 10 instead of 150; other parts differ by at most 10 cycles.");
  ck_assert_str_eq(other, text);
  free(text);
  free(other);
  text = lanes_difference(slow, slow);
  ck_assert_str_eq(text, "Both take 650 cycles. Their critical paths have the same parts.");
  free(text);
  lanes_free(slow);
  lanes_free(fast);
}

static char *picture_of(const struct lanes *lanes, const struct lanes *other) {
  struct lanes_picture picture = {.calls = {lanes, other}, .ncalls = other ? 2 : 1, .id = "x"};
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  lanes_svg_write(&picture, stream);
  fclose(stream);
  return text;
}

static unsigned count(const char *text, const char *what) {
  unsigned n = 0;
  for (; (text = strstr(text, what)); text += strlen(what)) {
    n++;
  }
  return n;
}

/* The lanes begin at x = 84 and are 1090 wide: 1090 / 650 a cycle. Part 100 .. 650 of SPE 0 so begins at
 * 251.7. */
TEST(a_picture_has_everything) {
  struct lanes *lanes = two_lanes("x:y", 150);
  char *text = picture_of(lanes, NULL);
  static const char *const parts[] = {"waits for others 100\u2013650",
                                      "M251.7 ",
                                      "get 4\u00a0KiB from 0 200\u2013500",
                                      "4\u00a0KiB from 0</text>",
                                      "class=\"note\"",
                                      "SPE 1 leaves at 650",
                                      "class=\"path\"",
                                      "class=\"halo\"",
                                      "behind others\u2019 bytes 300\u2013500",
                                      "software: 150 cycles, 23.1 %",
                                      "&lt;verified&gt; &amp; so on"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    ck_assert_msg(strstr(text, parts[i]), "%s is not there", parts[i]);
  }
  ck_assert_uint_eq(count(text, "leaves at"), 2);
  ck_assert_uint_eq(count(text, "<script"), 0);
  free(text);
  for (unsigned i = 0; i < 100; i++) {
    lanes_add_note(lanes, (struct lanes_line){0, 1, i, i + 50});
  }
  text = picture_of(lanes, lanes);
  ck_assert_uint_eq(count(text, "class=\"note\""), 0);
  ck_assert_uint_eq(count(text, "class=\"end\""), 2);
  free(text);
  lanes_free(lanes);
}

/* Fill ENDS with the ends of the text element at TEXT. */
static void find_ends(const char *text, double ends[2]) {
  char class[64], words[512];
  double x;
  ck_assert_int_eq(sscanf(text, "<text class=\"%63[^\"]\" x=\"%lf\" y=\"%*f\">%511[^<]", class, &x, words),
                   3);
  bool bold = strstr(class, "h1") || strstr(class, "h2") || strstr(class, "share");
  double size = strstr(class, "h1")                                ? 17
                : strstr(class, "h2")                              ? 13
                : strstr(class, "sub")                             ? 12
                : strstr(class, "label") || strstr(class, "small") ? 10
                                                                   : 11;
  double width = font_width(words, strlen(words), size, bold);
  bool middle = strstr(class, "tick") || strstr(class, "label") || strstr(class, "share");
  bool end = !middle && (strstr(class, "name") || strstr(class, "mean"));
  ends[0] = x - (middle ? width / 2 : end ? width : 0);
  ends[1] = ends[0] + width;
}

/* In the wider one of DejaVu Sans and Liberation Sans; the picture is 1200 wide. */
TEST(no_text_is_cut_off) {
  struct lanes *lanes = two_lanes("a-very-long-name:of-an-algorithm:with=parameters", 150);
  unsigned n = 0;
  double ends[2];
  free(lanes->subtitle);
  lanes->subtitle = xasprintf("%0*d words %0*d %0*d", 90, 0, 90, 0, 90, 0);
  strcpy(lanes->lanes[1].name, "the PPE of chip number 63");
  struct lanes_band band = {
    .name = "link 63\u219263", .ink = LANES_ACROSS, .of = "busy, of the busiest 4 of 4032"};
  lanes_curve_add(lanes, lanes_add_band(lanes, &band), (struct lanes_span){0, 3, 0.1});
  char *text = picture_of(lanes, lanes);
  for (const char *next = text; (next = strstr(next, "<text class=\"")); next++, n++) {
    if (!strstr(next, "class=\"chip\"") || strstr(next, "class=\"chip\"") > next + 20) {
      find_ends(next, ends);
      ck_assert_msg(ends[0] >= 0 && ends[1] <= 1200, "%.80s: %f to %f", next, ends[0], ends[1]);
    }
  }
  ck_assert_uint_ge(n, 40);
  free(text);
  lanes_free(lanes);
}

/* A lane of 64 is 18 high, "chip 63" 46 long. */
TEST(names_of_chips_do_not_lie_on_one_another) {
  struct lanes *lanes = lanes_new(64, 650, 5);
  lanes->title = xstrdup("x");
  lanes->subtitle = xstrdup("y");
  for (unsigned i = 0; i < 64; i++) {
    lanes->lanes[i].chip = i < 4 ? 0 : i;
  }
  char *text = picture_of(lanes, NULL);
  ck_assert_uint_eq(count(text, "rotate(-90)\">chip "), 1);
  ck_assert_uint_eq(count(text, "<title>chip "), 60);
  ck_assert_ptr_nonnull(strstr(text, ">63<title>chip 63</title>"));
  free(text);
  lanes_free(lanes);
}

/* --- colours and letters --- */

/* Return the lightness of COLOUR, from 0 to 100.
 * source: CIE 1976 L*. */
static double lightness(const char *colour) {
  double y = lanes_contrast(colour, "#000000") * 0.05 - 0.05;
  return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

TEST(colours_differ_in_grey) {
  static const enum lanes_ink side_by_side[][2] = {
    {LANES_SOFTWARE, LANES_COMBINES}, {LANES_SOFTWARE, LANES_OWN_DMA}, {LANES_COMBINES, LANES_OWN_DMA},
    {LANES_DATA, LANES_ACROSS},       {LANES_DATA, LANES_SHARED},      {LANES_ACROSS, LANES_SHARED}};
  ck_assert_double_eq_tol(lanes_contrast("#ffffff", "#000000"), 21, 1e-9);
  for (size_t i = 0; i < sizeof side_by_side / sizeof *side_by_side; i++) {
    const struct lanes_colour *a = lanes_colour(side_by_side[i][0]), *b = lanes_colour(side_by_side[i][1]);
    ck_assert_msg(fabs(lightness(a->light) - lightness(b->light)) >= 8, "%s and %s", a->class, b->class);
    ck_assert_msg(fabs(lightness(a->dark) - lightness(b->dark)) >= 4, "%s and %s, dark", a->class, b->class);
  }
}

/* The minimum of WCAG 2.2 (level AA) is 4.5. */
TEST(text_on_bars_can_be_read) {
  for (enum lanes_ink ink = 0; ink < LANES_INKS; ink++) {
    const struct lanes_colour *colour = lanes_colour(ink);
    ck_assert_msg(lanes_contrast(colour->light, lanes_text_colour(colour->light)) >= 4.5, "%s",
                  colour->class);
    ck_assert_msg(lanes_contrast(colour->dark, lanes_text_colour(colour->dark)) >= 4.5, "%s, dark",
                  colour->class);
  }
}

TEST(no_letter_is_too_small) {
  char *style = lanes_style();
  unsigned n = 0;
  for (const char *next = style; (next = strstr(next, "font-size:")); n++) {
    next += strlen("font-size:");
    ck_assert_msg(strtod(next, NULL) >= 10, "%.8s", next);
  }
  ck_assert_uint_ge(n, 5);
  free(style);
}
